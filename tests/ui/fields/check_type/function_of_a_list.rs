use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    #[check(with = is_code)]
    codes: Vec<i64>,
}

fn is_code(_: &Vec<i64>) -> Result<(), &'static str> {
    Ok(())
}

fn main() {}
