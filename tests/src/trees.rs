//! Trees of every layout, and a check of the trees by the raw documents alone.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

mod steps;

pub use steps::{Step, TREES, TreeModel, is_fair, step};

use std::collections::HashMap;

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{prelude::*, schema};

/// A tree by references to parents alone.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "folders")]
pub struct Folder {
    #[serde(rename = "_id")]
    pub id: i64,
    #[tree(parent, max_depth = 12)]
    #[serde(rename = "in")]
    pub parent: Option<Ref<Folder>>,
}

/// A tree by materialized paths.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "comments")]
pub struct Comment {
    #[serde(rename = "_id")]
    pub id: i64,
    #[tree(parent, max_depth = 12)]
    pub parent: Option<Ref<Comment>>,
    #[tree(path)]
    #[serde(rename = "p")]
    pub path: TreePath<Comment>,
}

/// A tree by ancestors, with copies of the names of the ancestors.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "categories")]
pub struct Category {
    #[serde(rename = "_id")]
    pub id: i64,
    #[copied_to(Category::ancestors)]
    pub name: String,
    #[tree(parent, max_depth = 12, on_delete = cascade, order = asc(name))]
    pub parent: Option<Ref<Category>>,
    #[tree(ancestors, by = of)]
    pub ancestors: Vec<Ancestor>,
}

/// An ancestor of a category.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Ancestor {
    #[serde(rename = "id")]
    pub of: Ref<Category>,
    #[denormalize(from = of.name)]
    pub name: String,
}

/// A tree by bare ancestors, paths and depths together, with text for the `_id`s.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "places")]
pub struct Place {
    #[bound(max_len = 20)]
    #[serde(rename = "_id")]
    pub id: String,
    #[tree(parent, max_depth = 12)]
    pub parent: Option<Ref<Place>>,
    #[tree(ancestors)]
    pub ancestors: Vec<Ref<Place>>,
    #[tree(path)]
    pub path: TreePath<Place>,
    #[tree(depth)]
    pub depth: i32,
}

/// A reply. A delete of a reply deletes all replies below the reply.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "replies")]
pub struct Reply {
    #[serde(rename = "_id")]
    pub id: i64,
    #[tree(parent, max_depth = 12, on_delete = cascade)]
    pub parent: Option<Ref<Reply>>,
    #[tree(path)]
    pub path: TreePath<Reply>,
}

impl Reply {
    /// Returns the reply with an `_id` and the `_id` of its parent.
    pub fn of((id, parent): (i64, Option<i64>)) -> Self {
        Reply { id, parent: parent.map(Ref::new), path: TreePath::default() }
    }
}

impl Folder {
    pub fn new(id: i64, parent: Option<i64>) -> Self {
        Folder { id, parent: parent.map(Ref::new) }
    }
}

impl Comment {
    pub fn new(id: i64, parent: Option<i64>) -> Self {
        Comment { id, parent: parent.map(Ref::new), path: TreePath::default() }
    }
}

impl Category {
    pub fn new(id: i64, parent: Option<i64>) -> Self {
        Category { id, name: format!("c{id}"), parent: parent.map(Ref::new), ancestors: Vec::new() }
    }
}

impl Place {
    pub fn new(id: impl Into<String>, parent: Option<String>) -> Self {
        let (path, ancestors) = (TreePath::default(), Vec::new());
        Place { id: id.into(), parent: parent.map(Ref::new), ancestors, path, depth: 0 }
    }
}

/// Makes the first document of each thousand very long: a transaction of a large move then writes no more than about a
/// thousand documents. The move judges the length of all documents by these documents.
pub async fn lengthen(db: &Database, collection: &str) {
    let documents = db.collection::<Document>(collection);
    let found =
        documents.find(doc! {}).sort(doc! { "p": 1, "path": 1, "_id": 1 }).projection(doc! { "_id": 1 }).await.unwrap();
    let ids: Vec<Bson> = found.map_ok(|document| document.get("_id").unwrap().clone()).try_collect().await.unwrap();
    let first: Vec<&Bson> = ids.chunks(1_000).flat_map(|thousand| thousand.iter().take(160)).collect();
    let padding = "x".repeat(4_200);
    documents.update_many(doc! { "_id": { "$in": first } }, doc! { "$set": { "padding": padding } }).await.unwrap();
}

/// Creates the collections with validators and indexes.
pub async fn prepare(db: &Database) {
    schema![Folder, Comment, Category, Place].plan(db).await.unwrap().apply(db).await.unwrap();
}

/// Returns the errors in the documents of a collection, from the raw documents: cycles, missing parents, and stored
/// ancestors that differ from the parents. `in` and `p` are the names of [`Folder`] and [`Comment`].
pub async fn wrong_in(db: &Database, collection: &str) -> Vec<String> {
    let found = db.collection::<Document>(collection).find(doc! {}).await.unwrap();
    let documents: Vec<Document> = found.try_collect().await.unwrap();
    let by_id: HashMap<String, &Document> =
        documents.iter().map(|document| (key(document.get("_id").unwrap()), document)).collect();
    let mut wrong = Vec::new();
    for document in &documents {
        let id = document.get("_id").unwrap();
        let (mut chain, mut at) = (Vec::new(), document);
        while let Some(parent) = parent_of(at) {
            if chain.contains(&parent) || parent == *id {
                wrong.push(format!("{id} is under itself, or under a cycle"));
                break;
            }
            match by_id.get(&key(&parent)) {
                Some(above) => at = above,
                None => {
                    wrong.push(format!("{id}: there is no {parent}"));
                    break;
                }
            }
            chain.insert(0, parent);
        }
        for name in ["path", "p"] {
            let right: String = chain.iter().map(|id| format!("{}:", text(id))).collect();
            if let Some(path) = document.get(name).filter(|path| path.as_str() != Some(&right)) {
                wrong.push(format!("{id}: its path is {path}, and not {right}"));
            }
        }
        if let Ok(ancestors) = document.get_array("ancestors") {
            let id_of = |stored: &Bson| stored.as_document().map_or(stored.clone(), |of| of.get("id").unwrap().clone());
            let stored: Vec<Bson> = ancestors.iter().map(id_of).collect();
            if stored != chain {
                wrong.push(format!("{id}: its ancestors are {stored:?}, and not {chain:?}"));
            }
            for ancestor in ancestors.iter().filter_map(Bson::as_document) {
                let name = by_id.get(&key(ancestor.get("id").unwrap())).map(|source| source.get("name"));
                if name.is_some_and(|name| name != ancestor.get("name")) {
                    wrong.push(format!("{id}: the name in {ancestor} is not that of its source"));
                }
            }
        }
        if document.get_i32("depth").is_ok_and(|depth| usize::try_from(depth) != Ok(chain.len())) {
            wrong.push(format!("{id}: its depth is not {}", chain.len()));
        }
        if document.contains_key("_moving") {
            wrong.push(format!("{id}: a move is pending"));
        }
    }
    wrong
}

fn parent_of(document: &Document) -> Option<Bson> {
    document.get("parent").or_else(|| document.get("in")).filter(|parent| **parent != Bson::Null).cloned()
}

fn key(id: &Bson) -> String {
    id.to_string()
}

/// Returns the text of an `_id` in a path, as the manual defines the text.
fn text(id: &Bson) -> String {
    match id {
        Bson::Int64(id) => format!("{:016x}", id.cast_unsigned() ^ (1 << 63)),
        Bson::String(id) => id.clone(),
        other => panic!("no test has an _id like {other}"),
    }
}

/// Returns the cycles and the missing parents that `$graphLookup` finds in the raw documents. A document that a cascade
/// has still to delete is no orphan.
pub async fn by_graph_lookup(db: &Database, collection: &str) -> Vec<String> {
    let parent = if collection == "folders" { "in" } else { "parent" };
    let found = db
        .collection::<Document>(collection)
        .aggregate([
            doc! { "$graphLookup": {
                "from": collection, "startWith": format!("${parent}"), "connectFromField": parent,
                "connectToField": "_id", "as": "above",
            } },
            doc! { "$project": { "wrong": { "$or": [
                { "$in": ["$_id", "$above._id"] },
                { "$and": [{ "$ne": [{ "$ifNull": [format!("${parent}"), Bson::Null] }, Bson::Null] }, { "$eq": [{ "$size": "$above" }, 0] }, { "$eq": [{ "$type": "$_deleting" }, "missing"] }] },
            ] } } },
            doc! { "$match": { "wrong": true } },
        ])
        .await
        .unwrap();
    let found: Vec<Document> = found.try_collect().await.unwrap();
    found.iter().map(|document| format!("{document} is in a cycle, or without its parent")).collect()
}
