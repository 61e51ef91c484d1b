//! Relations with each of the delete rules, and whether anybody refers to what is not there, judged by the server from the raw documents.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

use futures_util::TryStreamExt;
use mongodb::{
    bson::{Document, doc},
    options::ReadConcern,
};
use schema_runtime::prelude::*;

/// Deletes take its messages with it; while an owner refers to it, it stays.
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

/// One host.
pub fn host(id: i64) -> Host {
    Host { id, name: format!("host {id}") }
}

/// One message of it.
pub fn message(id: i64, host: i64) -> Message {
    Message { id, host: Ref::new(host) }
}

/// One owner of it.
pub fn owner(id: i64, host: i64) -> Owner {
    Owner { id, host: Ref::new(host) }
}

/// One note of it.
pub fn note(id: i64, host: i64) -> Note {
    Note { id, host: Some(Ref::new(host)) }
}

/// A group of hosts.
pub fn group(id: i64, hosts: &[i64]) -> Group {
    Group { id, hosts: hosts.iter().map(|id| Ref::new(*id)).collect() }
}

/// All of them.
pub fn the_schema() -> schema_runtime::Schema {
    schema![Host, Message, Owner, Note, Group]
}

/// How many documents there are.
pub async fn count(db: &Database, collection: &str) -> u64 {
    db.collection::<Document>(collection).count_documents(doc! {}).await.unwrap()
}

/// The relations, as they are stored.
const RELATIONS: [(&str, &str); 4] = [("messages", "host"), ("owners", "host"), ("notes", "host"), ("groups", "hosts")];

/// Who refers to what is not there, and what of the protocol is left.
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

/// Nobody refers to what is not there, and nothing of the protocol is left.
pub async fn assert_no_orphans(db: &Database) {
    let wrong = wrong(db).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
