use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "novels", insert_only)]
struct Novel {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, one_way, inverse = novels, max = 10)]
    categories: Vec<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[inverse(novels = Novel::categories)]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
}

async fn f(db: &Database, n: &Novel, c: &Category) {
    let _ = Novel::CATEGORIES.link(db, n, c).await;
}

fn main() {}
