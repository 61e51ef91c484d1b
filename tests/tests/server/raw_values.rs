//! Values of any form: entries of maps by key, raw values by path, and the unknown fields of documents.

mod beside;
mod extra;
mod json;
mod keys;
mod paths;
mod random;
mod refused;

use std::collections::{BTreeMap, HashMap};

use mongodb::{
    Collection,
    bson::{Bson, Document, RawDocumentBuf, doc},
};
use schema_runtime::{Schema, prelude::*};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[bound(max_items = 4)]
    scores: BTreeMap<String, i32>,
    #[relation(one_to_few, embed, max = 4)]
    homes: HashMap<String, Home>,
    #[bound(max_items = 4)]
    notes: Option<BTreeMap<String, Option<String>>>,
    #[bound(max_bytes = 400)]
    meta: Document,
    #[bound(max_bytes = 400)]
    any: Bson,
    #[bound(max_items = 3, max_bytes = 60)]
    values: Vec<Bson>,
    #[bound(max_bytes = 400)]
    spare: Option<Document>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Home {
    #[serde(rename = "town")]
    city: String,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    floor: Option<i32>,
}

fn home(city: &str) -> Home {
    Home { city: city.to_owned(), tags: vec!["warm".to_owned()], floor: None }
}

fn post(id: i64) -> Post {
    Post {
        id,
        title: format!("post {id}"),
        scores: BTreeMap::from([("ann".to_owned(), 3), ("ben".to_owned(), 5)]),
        homes: HashMap::from([("ann".to_owned(), home("Oslo"))]),
        notes: None,
        meta: doc! { "image": { "width": 640, "tags": ["a", "b"] }, "when": DateTime::from_millis(5) },
        any: Bson::Null,
        values: vec![Bson::Int32(1), doc! { "a": 1_i64 }.into()],
        spare: None,
    }
}

fn raw(db: &Database, collection: &str) -> Collection<Document> {
    db.collection(collection)
}

/// Returns the stored document. serde would read a document with a name of extended JSON as another value.
async fn stored(db: &Database, collection: &str, id: i64) -> Document {
    let found = db.collection::<RawDocumentBuf>(collection).find_one(doc! { "_id": id }).await.unwrap();
    Document::try_from(&*found.expect("the document")).unwrap()
}

async fn applied(schema: Schema, db: &Database) {
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
}
