use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[query(named(name), one)]
enum Shape {
    Circle { #[serde(rename = "_id")] id: i32, #[bound(max_len = 80)] name: String, radius: f64 },
    Square { #[serde(rename = "_id")] id: i32, #[bound(max_len = 80)] name: String, side: f64 },
}

async fn read(db: &Database) -> Result<()> {
    Shape::circles().fetch_all(db).await?;
    Shape::find(Shape::F.circle().radius.gt(4.0)).fetch_all(db).await?;
    Shape::find(Shape::F.name.eq("a")).fetch_all(db).await?;
    Shape::find_by_id(db, 4).await?;
    Shape::named("a").first(db).await?;
    Ok(())
}

fn main() {}
