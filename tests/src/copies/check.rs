//! A check of the copies of a range of `_id`s, in the raw documents. The check uses nothing of the crate.

use std::ops::Range;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

/// A place that holds copies.
struct Held {
    collection: &'static str,
    /// The array around the copies.
    array: Option<&'static str>,
    reference: &'static str,
    source: &'static str,
    /// Each copy with the source field.
    fields: &'static [(&'static str, &'static str)],
}

const HELD: [Held; 4] = [
    Held {
        collection: "items",
        array: Some("tags"),
        reference: "tagId",
        source: "tags",
        fields: &[("label", "label"), ("count", "count")],
    },
    Held {
        collection: "items",
        array: None,
        reference: "owner",
        source: "owners",
        fields: &[("label", "label"), ("count", "count")],
    },
    Held {
        collection: "items",
        array: None,
        reference: "backup",
        source: "owners",
        fields: &[("backup_label", "label")],
    },
    Held {
        collection: "cards",
        array: None,
        reference: "tag",
        source: "tags",
        fields: &[("label", "label"), ("count", "count")],
    },
];

impl Held {
    /// Returns each reference as `held`, with the source in `source` if the source exists, and the `_id` of the holder.
    fn joined(&self, ids: &Range<i64>) -> Vec<Document> {
        let held = self.array.map_or("$$ROOT".to_owned(), |array| format!("${array}"));
        let mut stages = vec![doc! { "$match": { "_id": { "$gte": ids.start, "$lt": ids.end } } }];
        stages.extend(self.array.map(|array| doc! { "$unwind": format!("${array}") }));
        stages.extend([
            doc! { "$project": { "held": held } },
            doc! { "$match": { format!("held.{}", self.reference): { "$ne": null } } },
            doc! { "$lookup": {
                "from": self.source, "localField": format!("held.{}", self.reference), "foreignField": "_id", "as": "source",
            } },
        ]);
        stages
    }

    fn version(&self) -> String {
        format!("$held._v_{}", self.reference)
    }
}

async fn all(db: &Database, collection: &str, pipeline: Vec<Document>) -> Vec<Document> {
    let mut found = db.collection::<Document>(collection).aggregate(pipeline).await.expect("an aggregation");
    let mut documents = Vec::new();
    while found.advance().await.expect("a document") {
        documents.push(Document::try_from(found.current()).expect("BSON"));
    }
    documents
}

/// Returns the copies that differ from the source, have no version, or have a newer version than the source.
pub async fn stale(db: &Database, ids: Range<i64>) -> Vec<Document> {
    let mut found = Vec::new();
    for held in &HELD {
        let mut wrong: Vec<Document> = held
            .fields
            .iter()
            .map(|(copy, of)| doc! { "$ne": [format!("$held.{copy}"), format!("$source.{of}")] })
            .collect();
        wrong.push(doc! { "$gt": [held.version(), "$source._v"] });
        wrong.push(doc! { "$lte": [held.version(), null] });
        let mut pipeline = held.joined(&ids);
        pipeline.extend([doc! { "$unwind": "$source" }, doc! { "$match": { "$expr": { "$or": wrong } } }]);
        found.extend(all(db, held.collection, pipeline).await);
    }
    found
}

/// Returns the copies of deleted sources.
pub async fn dangling(db: &Database, ids: Range<i64>) -> Vec<Document> {
    let mut found = Vec::new();
    for held in &HELD {
        let mut pipeline = held.joined(&ids);
        let mut copies = doc! { "reference": format!("$held.{}", held.reference), "version": held.version() };
        copies.extend(held.fields.iter().map(|(copy, _)| ((*copy).to_owned(), Bson::from(format!("$held.{copy}")))));
        copies.insert("key", "$held.key");
        pipeline.extend([
            doc! { "$match": { "source": [] } },
            doc! { "$project": copies },
            doc! { "$sort": { "_id": 1, "key": 1 } },
        ]);
        found.extend(all(db, held.collection, pipeline).await);
    }
    found
}

/// Returns the intents of batch inserts that name holders of this range when all of the holders exist.
pub async fn intents(db: &Database, ids: Range<i64>) -> Vec<Document> {
    let lookup =
        |from: &str| doc! { "$lookup": { "from": from, "localField": "ids", "foreignField": "_id", "as": from } };
    let there = doc! { "$cond": [{ "$eq": ["$holder", "items"] }, { "$size": "$items" }, { "$size": "$cards" }] };
    let pipeline = vec![
        doc! { "$match": { "ids": { "$elemMatch": { "$gte": ids.start, "$lt": ids.end } } } },
        lookup("items"),
        lookup("cards"),
        doc! { "$match": { "$expr": { "$gte": [there, { "$size": "$ids" }] } } },
        doc! { "$project": { "holder": 1 } },
    ];
    all(db, "schema_intents", pipeline).await
}

/// Returns the documents with a mark of these kinds: of sources (`_sync_..`) or of holders (`_look_..`).
pub async fn marks(db: &Database, ids: Range<i64>, kinds: &[&str]) -> Vec<Document> {
    let mut found = Vec::new();
    for collection in ["tags", "owners", "items", "cards"] {
        let pipeline = vec![
            doc! { "$match": { "_id": { "$gte": ids.start, "$lt": ids.end } } },
            doc! { "$set": { "collection": collection } },
        ];
        let is_marked =
            |document: &Document| document.keys().any(|name| kinds.iter().any(|kind| name.starts_with(kind)));
        found.extend(all(db, collection, pipeline).await.into_iter().filter(is_marked));
    }
    found
}
