use schema_runtime::prelude::*;

type Deep10<T> = Few<Few<Few<Few<Few<Few<Few<Few<Few<Few<T, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>;
type Deep100 = Deep10<Deep10<Deep10<Deep10<Deep10<Deep10<Deep10<Deep10<Deep10<Deep10<i32>>>>>>>>>>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    cells: Deep100,
}

fn main() {}
