use schema_runtime::prelude::*;

type Tags = Vec<String>;

macro_rules! post {
    ($ty:ty) => {
        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = "posts")]
        struct Post {
            #[serde(rename = "_id")]
            id: ObjectId,
            tags: $ty,
        }
    };
}

post!(Tags);

fn main() {}
