use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[check(multiple_of = 1)]
    price: schema_runtime::bson::Decimal128,
}

fn main() {}
