//! Models that leave each kind of work to a worker: copies, differences, deletes, moves, and copies of another
//! program's documents.

use schema_runtime::{Schema, prelude::*};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host, on_delete = restrict)]
pub(super) struct Host {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[copied_to(Message::host_name)]
    #[changes(seldom)]
    pub(super) name: String,
    #[computed(sum(Message::host, bytes))]
    pub(super) bytes: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "messages")]
pub(super) struct Message {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[relation(one_to_squillions, parent_ref)]
    pub(super) host: Ref<Host>,
    #[denormalize(from = host.name)]
    pub(super) host_name: String,
    pub(super) bytes: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "categories")]
pub(super) struct Category {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[tree(parent, max_depth = 8)]
    pub(super) parent: Option<Ref<Category>>,
    #[tree(path)]
    pub(super) path: TreePath<Category>,
}

/// A supplier. Another program writes the suppliers.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "suppliers")]
pub(super) struct Supplier {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "offers")]
pub(super) struct Offer {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) supplier: Ref<Supplier>,
    #[denormalize(from = supplier.name, external)]
    pub(super) supplied_by: String,
}

/// A model without work for a worker.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "plains")]
pub(super) struct Plain {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) text: String,
}

pub(super) fn schema() -> Schema {
    schema![Host, Message, Category, Supplier, Offer]
}

/// The schema without external copies.
pub(super) fn schema_without_external() -> Schema {
    schema![Host, Message, Category]
}
