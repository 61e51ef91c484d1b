use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    #[reference(may_dangle)]
    secret: Hidden<Ref<User>>,
}

fn main() {}
