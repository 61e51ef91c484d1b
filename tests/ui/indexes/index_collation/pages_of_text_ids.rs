use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "towns")]
#[query(in_country(country), page = 20, case_insensitive)]
#[query(of_country(country), limit = 20, case_insensitive)]
struct Town {
    #[serde(rename = "_id")]
    id: String,
    country: String,
}

fn main() {}
