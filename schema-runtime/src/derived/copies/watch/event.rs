//! The work that an event of the change stream requires. Pure.

use mongodb::bson::{Bson, Document, Timestamp, doc, oid::ObjectId};
use serde::Deserialize;

use crate::{
    definition::stored_names,
    derived::{
        copies::stored::{path::CopyPath, structs},
        marks::PendingMarker,
    },
};

/// The collection of the positions of watches.
pub(super) const COLLECTION: &str = stored_names::POSITIONS;

/// The field that the end of a single run of a worker writes.
pub(super) const REACHED: &str = "reached";

/// An event after the pipeline.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Event {
    operation_type: String,
    #[serde(default)]
    ns: Namespace,
    #[serde(default)]
    to: Namespace,
    #[serde(default)]
    document_key: Document,
    #[serde(default)]
    update_description: UpdateDescription,
    /// The marks of the document of an insert or a replace.
    #[serde(default)]
    full_document: Option<Document>,
    cluster_time: Option<Timestamp>,
}

#[derive(Debug, Default, Deserialize)]
struct Namespace {
    #[serde(default)]
    coll: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateDescription {
    #[serde(default)]
    updated_fields: Document,
    #[serde(default)]
    removed_fields: Vec<String>,
    #[serde(default)]
    truncated_arrays: Option<Vec<TruncatedArray>>,
}

#[derive(Debug, Deserialize)]
struct TruncatedArray {
    field: String,
}

/// The work for one path.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// A new source. An earlier source may have had the same `_id`.
    Inserted(Bson),
    /// A source that was changed by a writer without propagation.
    Changed(Bson),
    /// A source that was replaced, with the same or different values. An update with a pipeline may come as a replace.
    Replaced(Bson),
    /// A mark whose writer has left the propagation to a worker.
    Left,
    /// A holder that got a reference whose copies no writer re-checks.
    Held(Bson),
    /// A different collection took the place of the sources' collection.
    All,
}

/// Returns the stages after `$changeStream`: the changes of the paths, and the ends of single runs. The stages depend
/// on the paths alone: a stream whose stages leave out the event of the token cannot resume.
pub(super) fn pipeline(paths: &[CopyPath]) -> Vec<Document> {
    let mut collections: Vec<&str> = paths.iter().map(|path| path.source.collection).collect();
    collections.extend(paths.iter().filter(|path| !path.synced).map(|path| path.holder.collection));
    collections.sort_unstable();
    collections.dedup();
    let mut written = vec![doc! {
        "operationType": { "$in": ["insert", "update", "replace"] },
        "ns.coll": { "$in": &collections },
    }];
    written.extend(paths.iter().filter(|path| path.synced).flat_map(by_others));
    written.push(doc! { "operationType": "rename", "to.coll": { "$in": collections } });
    let (updated, inserted) = (format!("updateDescription.updatedFields.{REACHED}"), format!("fullDocument.{REACHED}"));
    let is_there = doc! { "$exists": true };
    written.push(doc! { "ns.coll": COLLECTION, "$or": [{ updated: &is_there }, { &inserted: &is_there }] });
    let mut fields = doc! {
        "operationType": 1, "ns": 1, "to": 1, "documentKey._id": 1, "updateDescription": 1, "clusterTime": 1, inserted: 1,
    };
    for path in paths.iter().filter(|path| path.synced) {
        fields.insert(format!("fullDocument.{}", path.source_mark()), 1);
        for name in [path.reference, &*path.version(), &*path.field_set()] {
            fields.insert(format!("fullDocument.{}", path.at(name)), 1);
        }
    }
    vec![doc! { "$match": { "$or": written } }, doc! { "$project": fields }]
}

/// Returns the filters of holder writes that perhaps no writer has re-checked: writes of a different version of the
/// application, or of a different program. The writes of this version, and every sweep, stay on the server, except for
/// updates that set a reference.
fn by_others(path: &CopyPath) -> [Document; 2] {
    let inserted = doc! {
        "operationType": { "$in": ["insert", "replace"] },
        "ns.coll": path.holder.collection,
        "$and": [path.incomplete_in("fullDocument.")],
    };
    let last_of = |path: &str, name: &str| doc! { "$eq": [{ "$last": { "$split": [path, "."] } }, name] };
    let last = |name: &str| last_of("$$field.k", name);
    // The value of a name may be a number, which is not the name of a field.
    let is = |value: Bson| doc! { "$eq": ["$$field.v", { "$literal": value }] };
    let of_others = doc! { "$and": [last(&path.field_set()), { "$not": [is(path.field_set_checksum().into())] }] };
    let is_document = doc! { "$in": [{ "$type": "$$field.v" }, ["object", "array"]] };
    let sets = doc! { "$or": [last(path.reference), of_others, is_document] };
    let fields = doc! { "$objectToArray": "$updateDescription.updatedFields" };
    let sets = doc! { "$map": { "input": fields, "as": "field", "in": sets } };
    let removes = doc! { "$ifNull": ["$updateDescription.removedFields", []] };
    let removes = doc! { "$map": { "input": removes, "as": "name", "in": last_of("$$name", path.reference) } };
    let updated = doc! {
        "operationType": "update",
        "ns.coll": path.holder.collection,
        "$expr": { "$or": [{ "$anyElementTrue": [sets] }, { "$anyElementTrue": [removes] }] },
    };
    [inserted, updated]
}

impl Event {
    /// Returns whether the event is a change of the paths, and not the end of a single run.
    pub(super) fn is_change(&self) -> bool {
        self.ns.coll != COLLECTION
    }

    /// Returns whether the event is the write of this end.
    pub(super) fn writes_end(&self, end: ObjectId) -> bool {
        let inserted = self.full_document.as_ref().and_then(|document| document.get(REACHED));
        let written = inserted.or_else(|| self.update_description.updated_fields.get(REACHED));
        !self.is_change() && written == Some(&Bson::ObjectId(end))
    }

    pub(super) fn time(&self) -> Option<Timestamp> {
        self.cluster_time
    }

    /// Returns the work for a path: for a source, for a holder, or for a document that is both.
    pub(super) fn tasks(&self, path: &CopyPath) -> [Option<Task>; 2] {
        if self.operation_type == "rename" {
            return [(self.to.coll == path.source.collection).then_some(Task::All), None];
        }
        let Some(id) = self.document_key.get("_id") else { return [None, None] };
        let of_source = (self.ns.coll == path.source.collection).then(|| self.task_of_source(path, id)).flatten();
        [of_source, self.task_of_holder(path, id)]
    }

    fn task_of_holder(&self, path: &CopyPath, id: &Bson) -> Option<Task> {
        if self.ns.coll != path.holder.collection {
            return None;
        }
        if let (Some(document), true) = (&self.full_document, path.synced) {
            // A document of this version comes along when the collection is a source as well.
            return path.is_incomplete(&mut document.clone()).then(|| Task::Held(id.clone()));
        }
        let of_others = format!(".{}", path.field_set());
        let puts = |key: &String| structs::puts_at(path, key) || path.synced && format!(".{key}").ends_with(&of_others);
        let update = &self.update_description;
        let puts = || update.updated_fields.keys().chain(&update.removed_fields).any(puts);
        (self.operation_type != "update" || puts()).then(|| Task::Held(id.clone()))
    }

    fn task_of_source(&self, path: &CopyPath, id: &Bson) -> Option<Task> {
        let update = &self.update_description;
        let mark = match &self.full_document {
            Some(document) => document.get(path.source_mark()),
            None => update.updated_fields.get(path.source_mark()),
        };
        if path.synced
            && let Some(mark) = mark
        {
            // The writer propagates the source, or the grace period ends.
            return PendingMarker::is_deferred(mark).then_some(Task::Left);
        }
        match self.operation_type.as_str() {
            "insert" => Some(Task::Inserted(id.clone())),
            "replace" if path.synced => Some(Task::Replaced(id.clone())),
            "replace" => Some(Task::Changed(id.clone())),
            // A writer that does not know the path may have given the source a version. All internal writes of the
            // crate change no copied field.
            _ => self.changed().any(|changed| path.copies_from(changed)).then(|| Task::Changed(id.clone())),
        }
    }

    /// Returns the stored paths that an update changed.
    fn changed(&self) -> impl Iterator<Item = &str> {
        let update = &self.update_description;
        let truncated = update.truncated_arrays.iter().flatten().map(|array| array.field.as_str());
        update.updated_fields.keys().chain(&update.removed_fields).map(String::as_str).chain(truncated)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use mongodb::bson::oid::ObjectId;

    use super::*;
    use crate::definition::ModelDefinition;
    use crate::derived::copies::stored::path::CopiedField;

    static PARTS: ModelDefinition = ModelDefinition { collection: "parts", ..ModelDefinition::broken("Part") };
    static PRODUCTS: ModelDefinition = ModelDefinition { collection: "products", ..ModelDefinition::broken("Product") };

    impl Event {
        /// Returns the only task of an event in the tests.
        fn task(&self, path: &CopyPath) -> Option<Task> {
            let [of_source, of_holder] = self.tasks(path);
            of_source.or(of_holder)
        }
    }

    fn path(synced: bool) -> CopyPath {
        let fields = vec![CopiedField { name: "part_name", from: "about.name".to_owned() }];
        let (holder, source) = (&PRODUCTS, &PARTS);
        let name = "products_part".to_owned();
        CopyPath {
            holder,
            source,
            name,
            steps: Vec::new(),
            reference: "part",
            may_be_empty: false,
            may_dangle: false,
            fields,
            checksum: OnceLock::new(),
            fan_out: None,
            synced,
        }
    }

    fn event(kind: &str, collection: &str, rest: Document) -> Event {
        let mut event =
            doc! { "operationType": kind, "ns": { "db": "d", "coll": collection }, "documentKey": { "_id": 1 } };
        event.extend(rest);
        crate::codec::decode(&crate::codec::encode(&event).unwrap()).unwrap()
    }

    fn update(fields: Document, removed: &[&str]) -> Event {
        let what = doc! { "updatedFields": fields, "removedFields": removed, "truncatedArrays": [{ "field": "a.b", "newSize": 1 }] };
        event("update", "parts", doc! { "updateDescription": what })
    }

    #[test]
    fn what_others_write_is_carried_and_what_the_crate_writes_is_not() {
        let one = || Some(Task::Changed(Bson::Int32(1)));
        let synced = path(true);
        assert_eq!(update(doc! { "about.name": "x" }, &[]).task(&synced), one());
        assert_eq!(update(doc! { "about": {} }, &[]).task(&synced), one());
        assert_eq!(update(doc! {}, &["about"]).task(&synced), one());
        assert_eq!(update(doc! { "about.names": "x", "a": 1 }, &["b"]).task(&synced), None);
        let version = Bson::Timestamp(Timestamp { time: 1, increment: 1 });
        assert_eq!(update(doc! { "_v": version.clone() }, &[]).task(&synced), None);
        // A different version of the application, which has no copy here.
        assert_eq!(update(doc! { "about.name": "x", "_v": version.clone() }, &[]).task(&synced), one());
        let mark = ObjectId::new();
        assert_eq!(update(doc! { "about.name": "x", "_sync_products_part": mark }, &[]).task(&synced), None);
        assert_eq!(
            update(doc! { "_sync_products_part": PendingMarker::deferred() }, &[]).task(&synced),
            Some(Task::Left)
        );
        // The mark of a different path does not cover this path.
        assert_eq!(update(doc! { "about.name": "x", "_sync_other": mark }, &[]).task(&synced), one());
        assert_eq!(update(doc! { "about.name": "x", "_v": version }, &[]).task(&path(false)), one());
    }

    #[test]
    fn inserts_replaces_and_renames() {
        let synced = path(true);
        let marked = doc! { "fullDocument": { "_sync_products_part": ObjectId::new() } };
        let plain = doc! { "fullDocument": { "_id": 1 } };
        assert_eq!(event("insert", "parts", marked.clone()).task(&synced), None);
        assert_eq!(event("insert", "parts", plain.clone()).task(&synced), Some(Task::Inserted(Bson::Int32(1))));
        assert_eq!(event("replace", "parts", marked).task(&synced), None);
        assert_eq!(event("replace", "parts", plain.clone()).task(&synced), Some(Task::Replaced(Bson::Int32(1))));
        assert_eq!(event("replace", "parts", plain.clone()).task(&path(false)), Some(Task::Changed(Bson::Int32(1))));
        assert_eq!(event("insert", "products", plain).task(&synced), None);
        let incomplete = doc! { "fullDocument": { "_id": 1, "part": 2, "part_name": "x" } };
        assert_eq!(event("insert", "products", incomplete).task(&synced), Some(Task::Held(Bson::Int32(1))));
        let version = Timestamp { time: 1, increment: 1 };
        let complete = doc! { "part": 2, "_v_part": version, "_f_part": synced.field_set_checksum() };
        assert_eq!(event("insert", "products", doc! { "fullDocument": complete }).task(&synced), None);
        let renamed = event("rename", "temporary", doc! { "to": { "db": "d", "coll": "parts" } });
        assert_eq!(renamed.task(&synced), Some(Task::All));
    }

    #[test]
    fn a_holder_of_followed_copies_is_looked_at_when_it_was_given_a_reference() {
        let followed = path(false);
        let held = Some(Task::Held(Bson::Int32(1)));
        assert_eq!(event("insert", "products", doc! {}).task(&followed), held);
        let update =
            |fields: Document| event("update", "products", doc! { "updateDescription": { "updatedFields": fields } });
        assert_eq!(update(doc! { "part": 2 }).task(&followed), held);
        assert_eq!(update(doc! { "part_name": "x", "_v_part": 1 }).task(&followed), None);
    }
}
