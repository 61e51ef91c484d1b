//! A watch of each change of each holder: a change stream gives the document before and after the change.

use std::collections::HashMap;

use futures_util::StreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, Timestamp, doc},
    change_stream::{ChangeStream, event::ChangeStreamEvent},
    options::{FullDocumentBeforeChangeType, FullDocumentType},
};

/// A watch of every change since its begin.
pub struct Watch {
    db: Database,
    changes: ChangeStream<ChangeStreamEvent<Document>>,
    /// The copies of each version of each source.
    versions: HashMap<(String, i64, Timestamp), Values>,
}

/// Copied values: the label, and the count if the count is copied too.
type Values = (String, Option<i64>);

/// A copy: the source, the version and the values. The key identifies an element of a document.
struct Held {
    key: (&'static str, i64),
    source: i64,
    version: Option<Timestamp>,
    values: Values,
}

const END: &str = "ends";

impl Watch {
    /// Begins the watch. From here on, the collections of holders keep the images before and after a change.
    pub async fn begin(db: &Database) -> Self {
        for holder in ["items", "cards"] {
            let images = doc! { "collMod": holder, "changeStreamPreAndPostImages": { "enabled": true } };
            db.run_command(images).await.expect("images");
        }
        let changes = db.watch().full_document(FullDocumentType::WhenAvailable);
        let changes = changes.full_document_before_change(FullDocumentBeforeChangeType::WhenAvailable);
        Watch { db: db.clone(), changes: changes.await.expect("a change stream"), versions: HashMap::new() }
    }

    /// Returns the errors in the changes up to now: a copy went back to an older version or value of its source, a copy
    /// has values of another source, two copies of the same version differ, or an element is stored twice. The caller
    /// says if a value may return as a new value.
    pub async fn wrong(&mut self, may_take_back: bool, may_put_older: bool) -> Vec<String> {
        self.db.collection(END).insert_one(doc! {}).await.expect("an insert");
        let mut wrong = Vec::new();
        while let Some(change) = self.changes.next().await {
            let change = change.expect("a change");
            let Some(collection) = change.ns.and_then(|place| place.coll) else { continue };
            if collection == END {
                break;
            }
            let Some(after) = change.full_document else { continue };
            let before = change.full_document_before_change.unwrap_or_default();
            let copies = copies(&collection, &after);
            for copy in &copies {
                self.look(&collection, copy, &after, &mut wrong);
            }
            for (at, copy) in copies.iter().enumerate() {
                if copies[..at].iter().any(|other| other.key == copy.key) {
                    wrong.push(format!("one element twice in {collection}: {after}"));
                }
            }
            for old in self::copies(&collection, &before) {
                let new = copies.iter().find(|new| new.key == old.key && new.source == old.source);
                if let Some(new) = new
                    && !may_put_older
                    && is_older(new, &old, may_take_back)
                {
                    wrong.push(format!("an older value over a newer one in {collection}: {before} then {after}"));
                }
            }
        }
        wrong
    }

    fn look(&mut self, collection: &str, copy: &Held, document: &Document, wrong: &mut Vec<String>) {
        let of: Option<i64> = copy.values.0.split(':').next().and_then(|id| id.parse().ok());
        // A label that all sources got in an update of many begins with the number of the program.
        if of.is_some_and(|of| of != copy.source && of != copy.source / 100) {
            wrong.push(format!("values of another source in {collection}: {document}"));
        }
        let Some(version) = copy.version else { return };
        let kind = if copy.key.0 == "owner" || copy.key.0 == "backup" { "owners" } else { "tags" };
        let known = self.versions.entry((kind.to_owned(), copy.source, version)).or_insert_with(|| copy.values.clone());
        if known.0 != copy.values.0 || known.1.zip(copy.values.1).is_some_and(|(one, other)| one != other) {
            wrong.push(format!("two values of one version in {collection}: {document}, known as {known:?}"));
        }
    }
}

fn is_older(new: &Held, old: &Held, may_take_back: bool) -> bool {
    let order = |version: Timestamp| (version.time, version.increment);
    let version = new.version.map(order) < old.version.map(order);
    version || !may_take_back && new.values.0 == old.values.0 && new.values.1 < old.values.1
}

fn copies(collection: &str, document: &Document) -> Vec<Held> {
    match collection {
        "items" => {
            let tags = document.get_array("tags").map(Vec::as_slice).unwrap_or_default();
            let tags = tags.iter().filter_map(Bson::as_document);
            let tags = tags.filter_map(|tag| copy(tag, "tagId", "label", Some("count")));
            let owners = [("owner", "label", Some("count")), ("backup", "backup_label", None)];
            let owners = owners.into_iter().filter_map(|(id, label, count)| copy(document, id, label, count));
            tags.chain(owners).collect()
        }
        "cards" => copy(document, "tag", "label", Some("count")).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn copy(of: &Document, reference: &'static str, label: &str, count: Option<&str>) -> Option<Held> {
    Some(Held {
        key: (reference, of.get_i64("key").unwrap_or_default()),
        source: of.get_i64(reference).ok()?,
        version: of.get_timestamp(format!("_v_{reference}")).ok(),
        values: (of.get_str(label).ok()?.to_owned(), count.and_then(|count| of.get_i64(count).ok())),
    })
}
