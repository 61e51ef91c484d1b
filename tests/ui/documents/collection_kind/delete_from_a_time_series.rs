use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: i32,
}

async fn change(db: &Database) -> Result<()> {
    Reading::delete_many(db, Reading::F.sensor.eq(1)).await?;
    Ok(())
}

fn main() {}
