use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[inverse(reviews = Review::product)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
}
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    product: Ref<Product>,
}

async fn run(db: &Database, id: String) -> schema_runtime::Result<()> {
    Review::of_product(id.as_str()).count(db).await?;
    Ok(())
}
fn main() {}
