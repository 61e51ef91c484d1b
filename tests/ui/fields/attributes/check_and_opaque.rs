use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[opaque(max_bytes = 100)]
    #[check(min = 1)]
    rest: schema_runtime::bson::Bson,
}

fn main() {}
