//! The models and the documents: hosts with many messages, a part in a hundred products.

use std::sync::atomic::{AtomicI64, Ordering};

use schema_runtime::{bson::Document, prelude::*};

pub(crate) const TEN_THOUSAND: i64 = 10_000;
pub(crate) const HUNDRED_THOUSAND: i64 = 100_000;
pub(crate) const MILLION: i64 = 1_000_000;

/// The number of messages of an insert.
pub(crate) const DRAFTS: i64 = 10_000;

/// The single part, and the number of products that hold the part.
pub(crate) const PART: i64 = 1;
const PRODUCTS: i64 = 100;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "hosts")]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) name: String,
    #[changes(seldom)]
    #[copied_to(Message::ipaddr)]
    pub(crate) ipaddr: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "messages")]
pub(crate) struct Message {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    pub(crate) ipaddr: String,
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "parts")]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[copied_to(Product::parts, fan_out = 1_000)]
    pub(crate) name: String,
    pub(crate) qty: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
pub(crate) struct PartRef {
    pub(crate) id: Ref<Part>,
    #[denormalize(from = id.name)]
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "products")]
#[index(parts.id)]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    pub(crate) parts: Vec<PartRef>,
}

pub(crate) struct Data {
    /// The database. A majority has every write, on both sides.
    pub(crate) db: Database,
    pub(crate) messages: Vec<Message>,
    written: AtomicI64,
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let mut options = schema_runtime::mongodb::options::DatabaseOptions::default();
        options.write_concern = Some(schema_runtime::mongodb::options::WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        let schema = schema![Host, Message, Part, Product];
        schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applied");
        Part::insert(&db, &Part { id: PART, name: "bolt".to_owned(), qty: 1 }).await.expect("a part");
        let reference = || PartRef { id: Ref::new(PART), name: String::new() };
        let products: Vec<Product> =
            (0..PRODUCTS).map(|id| Product { id, parts: vec![reference(), reference()] }).collect();
        Product::insert_many(&db, &products).await.expect("products");
        let host = |id| Host { id, name: format!("host {id}"), ipaddr: "127.0.0.1".to_owned() };
        let hosts = [0, TEN_THOUSAND, HUNDRED_THOUSAND, MILLION].map(host);
        Host::insert_many(&db, &hosts).await.expect("hosts");
        let messages = (0..DRAFTS).map(|at| Message {
            id: -1 - at,
            host: Ref::new(0),
            ipaddr: "127.0.0.1".to_owned(),
            time: DateTime::from_millis(at),
            message: "cpu is on fire!".to_owned(),
        });
        Data { db, messages: messages.collect(), written: AtomicI64::new(0) }
    }

    /// Makes a host with `count` messages. The server makes the messages, once.
    pub(crate) async fn hold(&self, count: i64) {
        let ready = self.db.collection::<Document>("messages").find_one(doc! { "host": count }).await;
        if ready.expect("a read").is_some() {
            return;
        }
        let message = doc! {
            "_id": { "$add": ["$n", count * 10] }, "host": { "$literal": count }, "ipaddr": "127.0.0.1",
            "time": { "$toDate": "$n" }, "message": "cpu is on fire!",
        };
        let made = self.db.aggregate([
            doc! { "$documents": [{ "n": { "$range": [0, count] } }] },
            doc! { "$unwind": "$n" },
            doc! { "$set": { "n": { "$toLong": "$n" } } },
            doc! { "$replaceWith": message },
            doc! { "$merge": { "into": "messages" } },
        ]);
        made.await.expect("messages");
    }

    pub(crate) async fn empty_drafts(&self) {
        let drafts = doc! { "_id": { "$lt": 0 } };
        self.db.collection::<Document>("messages").delete_many(drafts).await.expect("a delete");
    }

    /// Returns a new value.
    pub(crate) fn another(&self) -> String {
        let written = self.written.fetch_add(1, Ordering::Relaxed);
        format!("127.{}.{}.{}", written >> 16 & 255, written >> 8 & 255, written & 255)
    }
}
