use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[check(with = is_code)]
    code: String,
}

fn is_code(_: &i32) -> Result<(), &'static str> {
    Ok(())
}

fn main() {}
