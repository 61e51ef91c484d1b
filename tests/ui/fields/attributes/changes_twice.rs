use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[changes(seldom)]
    #[changes(per_day = 3)]
    ipaddr: String,
}

fn main() {}
