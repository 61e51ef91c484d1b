use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sources")]
struct Source {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", view(of = Source))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
}

async fn change(db: &Database) -> Result<()> {
    Reading::insert(db, &Reading { id: ObjectId::new(), price: 1 }).await?;
    Ok(())
}

fn main() {}
