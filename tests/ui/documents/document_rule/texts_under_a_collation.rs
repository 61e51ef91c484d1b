use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "ranges", collation(locale = "nb"), check(lt(first, last)))]
struct Range {
    #[serde(rename = "_id")]
    id: ObjectId,
    first: String,
    last: String,
}

fn main() {}
