//! The copies of one path in their holders. Reaches the server.

use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::{
    derived::{
        copies::stored::{path::CopyPath, structs},
        maintenance::{Fault, MaintenanceKind},
    },
    document::value_at,
    error::Result,
    executor::Context,
    key::Key,
    limits::CHUNK_DOCUMENTS,
    read::{Query, Walk},
};

/// A copy in a holder.
#[derive(Debug)]
pub(crate) struct Held {
    /// The `_id` of the holder.
    pub(crate) holder: Bson,
    /// The reference beside the copy.
    pub(crate) source: Bson,
    pub(crate) key: Key,
    pub(crate) version: Option<Timestamp>,
    /// True when the copies are of the fields that the path copies.
    pub(in crate::derived::copies) is_whole: bool,
    pub(in crate::derived::copies) values: Vec<Bson>,
    /// True when the holder waits for a re-check.
    pub(in crate::derived::copies) marked: bool,
}

impl Held {
    /// Returns whether the reference is null.
    pub(in crate::derived::copies) fn is_of_nothing(&self) -> bool {
        self.source == Bson::Null
    }

    /// Returns the fault of the copy for a report.
    pub(super) fn fault(&self, kind: MaintenanceKind) -> Fault {
        Fault { kind, id: self.holder.clone(), related: Some(self.source.clone()) }
    }

    pub(in crate::derived::copies) fn has_values(&self) -> bool {
        self.values.iter().any(|value| *value != Bson::Null)
    }
}

/// Reads all copies of the holders with the given `_id`s.
pub(in crate::derived::copies) async fn held_by_ids(
    context: &Context,
    path: &CopyPath,
    ids: &[Bson],
) -> Result<Vec<Held>> {
    let query = Query { projection: path.copies(), ..Query::by_ids(path.holder.collection, ids) };
    let mut walk = Walk::by_cursor(context, query);
    let mut held = Vec::new();
    while let Some(chunk) = walk.next().await? {
        held.extend(held_in(path, chunk));
    }
    Ok(held)
}

/// Returns a walk over the copies of the holders that match the filter.
pub(in crate::derived::copies) fn walk(context: &Context, path: &CopyPath, filter: Document) -> Walk {
    let query = Query { projection: path.copies(), ..Query::new(path.holder.collection, filter) };
    Walk::by_id(context, query, CHUNK_DOCUMENTS)
}

impl CopyPath {
    /// Returns the projection of the references, the copies, the versions, and the mark.
    fn copies(&self) -> Document {
        let (version, field_set) = (self.version(), self.field_set());
        let names = self.fields.iter().map(|field| field.name).chain([self.reference, &version, &field_set]);
        let mut projection = doc! { "_id": 1, self.holder_mark(): 1 };
        projection.extend(names.map(|name| (self.at(name), Bson::Int32(1))));
        projection
    }
}

/// Returns the copies in the documents; the copies of one holder are adjacent. A null reference should have no copies;
/// the function returns only copies of a null reference that have a value or a version.
pub(in crate::derived::copies) fn held_in(path: &CopyPath, chunk: Vec<Document>) -> Vec<Held> {
    let mut held = Vec::new();
    for document in chunk {
        add_held(path, document, &mut held);
    }
    held
}

fn add_held(path: &CopyPath, mut document: Document, held: &mut Vec<Held>) {
    let id = document.get("_id").cloned().unwrap_or(Bson::Null);
    let marked = document.contains_key(path.holder_mark());
    let checksum = path.field_set_checksum();
    structs::in_document(path, &mut document, &mut |found| {
        let source = found.get(path.reference).unwrap_or(&Bson::Null);
        let values: Vec<Bson> = path.fields.iter().map(|field| value_at(found, field.name)).collect();
        let version = found.get_timestamp(path.version()).ok();
        let has_none = !path.may_be_empty || version.is_none() && values.iter().all(|value| *value == Bson::Null);
        if *source == Bson::Null && has_none {
            return;
        }
        held.push(Held {
            holder: id.clone(),
            source: source.clone(),
            key: Key::of(source),
            version,
            is_whole: found.get_i32(path.field_set()).is_ok_and(|set| set == checksum),
            values,
            marked,
        });
    });
}
