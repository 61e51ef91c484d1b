//! Relations with each of the delete rules, and a check for references to missing documents. The server runs the check
//! on the raw documents.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

use futures_util::TryStreamExt;
use mongodb::{
    bson::{Document, doc},
    options::ReadConcern,
};
use schema_runtime::prelude::*;

/// A host. A delete of a host deletes the messages of the host; an owner that refers to the host prevents the delete.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host, on_delete = cascade, allow(delete_rule, reason = "they are of no use without it"))]
#[inverse(owners = Owner::host, on_delete = restrict)]
#[inverse(notes = Note::host, on_delete = nullify)]
#[inverse(groups = Group::hosts, on_delete = pull)]
pub struct Host {
    #[serde(rename = "_id")]
    pub id: i64,
    pub name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "messages")]
pub struct Message {
    #[serde(rename = "_id")]
    pub id: i64,
    #[relation(one_to_squillions, parent_ref)]
    pub host: Ref<Host>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "owners")]
pub struct Owner {
    #[serde(rename = "_id")]
    pub id: i64,
    #[relation(one_to_many, parent_ref)]
    pub host: Ref<Host>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
pub struct Note {
    #[serde(rename = "_id")]
    pub id: i64,
    #[relation(one_to_squillions, parent_ref)]
    pub host: Option<Ref<Host>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "groups")]
pub struct Group {
    #[serde(rename = "_id")]
    pub id: i64,
    #[relation(many_to_many, one_way, max = 10, inverse = groups)]
    pub hosts: Vec<Ref<Host>>,
}

/// Returns a host.
pub fn host(id: i64) -> Host {
    Host { id, name: format!("host {id}") }
}

/// Returns a message of a host.
pub fn message(id: i64, host: i64) -> Message {
    Message { id, host: Ref::new(host) }
}

/// Returns an owner of a host.
pub fn owner(id: i64, host: i64) -> Owner {
    Owner { id, host: Ref::new(host) }
}

/// Returns a note of a host.
pub fn note(id: i64, host: i64) -> Note {
    Note { id, host: Some(Ref::new(host)) }
}

/// Returns a group of hosts.
pub fn group(id: i64, hosts: &[i64]) -> Group {
    Group { id, hosts: hosts.iter().map(|id| Ref::new(*id)).collect() }
}

/// Returns the schema with all models of this file.
pub fn the_schema() -> schema_runtime::Schema {
    schema![Host, Message, Owner, Note, Group]
}

/// Returns the number of documents of a collection.
pub async fn count(db: &Database, collection: &str) -> u64 {
    db.collection::<Document>(collection).count_documents(doc! {}).await.unwrap()
}

/// The relations, with the stored names of the collections and fields.
const RELATIONS: [(&str, &str); 4] = [("messages", "host"), ("owners", "host"), ("notes", "host"), ("groups", "hosts")];

/// Returns the documents that refer to missing documents, and the leftovers of the protocol.
pub async fn wrong(db: &Database) -> Vec<String> {
    let mut wrong = Vec::new();
    for (collection, field) in RELATIONS {
        let joined = doc! { "from": "hosts", "localField": field, "foreignField": "_id", "as": "far" };
        let pipeline = [
            doc! { "$unwind": format!("${field}") },
            doc! { "$match": { field: { "$ne": null } } },
            doc! { "$lookup": joined },
            doc! { "$match": { "far": [] } },
        ];
        let documents = db.collection::<Document>(collection);
        let orphans =
            documents.aggregate(pipeline).read_concern(ReadConcern::snapshot()).await.expect("an aggregation");
        let orphans: Vec<Document> = orphans.try_collect().await.expect("documents");
        wrong.extend(orphans.iter().map(|orphan| format!("`{collection}`: an orphan: {orphan}")));
    }
    let unchecked = RELATIONS.iter().map(|(collection, _)| (*collection, "_unchecked"));
    for (collection, mark) in unchecked.chain([("hosts", "_deleting"), ("hosts", "_touched")]) {
        let documents = db.collection::<Document>(collection);
        let left = documents.count_documents(doc! { mark: { "$exists": true } }).await.expect("a count");
        if left > 0 {
            wrong.push(format!("`{collection}`: {left} with `{mark}`"));
        }
    }
    wrong
}

/// Checks that no document refers to a missing document, and that the protocol left nothing behind.
pub async fn assert_no_orphans(db: &Database) {
    let wrong = wrong(db).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
