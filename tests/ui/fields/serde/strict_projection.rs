use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Part)]
#[serde(deny_unknown_fields)]
struct PartName {
    name: String,
}

fn main() {}
