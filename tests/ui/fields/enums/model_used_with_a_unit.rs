use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle { #[serde(rename = "_id")] id: i32, radius: f64 },
    Nothing,
}

async fn read(db: &Database) -> Result<()> {
    Shape::circles().fetch_all(db).await?;
    Shape::nothings().fetch_all(db).await?;
    Shape::find(Shape::F.circle().radius.gt(4.0)).fetch_all(db).await?;
    Shape::find_by_id(db, 4).await?;
    Ok(())
}

fn main() {}
