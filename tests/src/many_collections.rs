//! Schemas of many collections with equal fields and indexes.

use schema_runtime::{Schema, definition::ModelDefinition, prelude::*};

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "things")]
#[index(name, desc(count))]
#[index(email, unique)]
struct Thing {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[bound(max_len = 50)]
    email: String,
    count: i64,
    at: DateTime,
}

/// The number of indexes of each collection, with the index of the `_id`.
pub const INDEXES: usize = 3;

/// Returns the schema of the collections `things0`, `things1` and so on. The definitions stay in memory until the
/// process ends.
pub fn schema(count: usize) -> Schema {
    let named = |at| ModelDefinition { collection: format!("things{at}").leak(), ..*Thing::DEFINITION };
    let models: Vec<&'static ModelDefinition> = (0..count).map(|at| &*Box::leak(Box::new(named(at)))).collect();
    Schema::new(models.leak())
}
