use chrono::{DateTime, FixedOffset};
use schema_runtime::prelude::{Deserialize, Model, ObjectId, Serialize};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "meetings")]
struct Meeting {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 10)]
    starts: Vec<DateTime<FixedOffset>>,
}

fn main() {}
