use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    #[bound(max_len = 50)]
    password: Hidden<String>,
}

#[derive(Facets, Deserialize)]
#[facets(of = User)]
struct Passwords {
    #[count_by(password, limit = 20)]
    passwords: Vec<FacetCount<String>>,
}

fn main() {}
