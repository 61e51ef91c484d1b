//! The paths of copies: where the documents of one model hold copies of one source. Pure.

use std::sync::OnceLock;

use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::{
    definition::ModelDefinition,
    document::{leads_to, value_at},
    executor::Sent,
};

/// The source's version.
pub(crate) const VERSION: &str = "_v";

/// A source as a sweep needs it.
#[derive(Clone, Copy)]
pub(crate) struct Swept<'a> {
    pub(crate) id: &'a Bson,
    pub(crate) version: Timestamp,
    /// The copied fields.
    pub(crate) document: &'a Document,
}

/// Versions that are older than this one, or missing.
pub(super) fn older(version: Timestamp) -> Document {
    doc! { "$not": { "$gte": version } }
}

/// One place that holds copies of one source: `products.parts`, whose elements refer to a part and hold its name.
#[derive(Clone, Debug)]
pub(crate) struct CopyPath {
    pub(crate) holder: &'static ModelDefinition,
    pub(crate) source: &'static ModelDefinition,
    /// What the marks of this path are called: `products_parts_id`.
    pub(crate) name: String,
    /// The way to the struct that holds the reference and the copies; empty for the document itself.
    pub(crate) steps: Vec<Step>,
    /// The reference in that struct, as stored.
    pub(crate) reference: &'static str,
    /// Whether a struct may have no reference, and then no copies.
    pub(crate) may_be_empty: bool,
    /// Whether it may refer to a source that is not there: then the copies are null until it comes.
    pub(super) may_dangle: bool,
    pub(crate) fields: Vec<CopiedField>,
    /// Of the fields, once it is asked for: it stands beside each copy.
    pub(super) checksum: OnceLock<i32>,
    /// The most holders that one source has, if all of its fields say.
    pub(crate) fan_out: Option<u64>,
    /// Whether the writes of the source propagate it; otherwise a change stream does.
    pub(crate) synced: bool,
}

/// The name of a step to every entry of a map. No field has this name: serde's attributes take no such one of a Rust field that a path leads to.
pub(super) const ANY_KEY: &str = "";

/// One name on the way to a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) is_array: bool,
}

/// A field and what it is a copy of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopiedField {
    /// In the struct that holds the reference, as stored.
    pub(crate) name: &'static str,
    /// In the source, as stored.
    pub(crate) from: String,
}

impl CopyPath {
    /// The mark in the source: this path is not known to be in sync.
    pub(crate) fn source_mark(&self) -> String {
        format!("_sync_{}", self.name)
    }

    /// The mark in the holder: a copy was put in, and nobody has looked since.
    pub(crate) fn holder_mark(&self) -> String {
        format!("_look_{}", self.name)
    }

    /// The field beside the copies that holds the source's version.
    pub(crate) fn version(&self) -> String {
        format!("_v_{}", self.reference)
    }

    /// The field beside the copies that says which fields they are: the model of another version of an application may copy others.
    pub(crate) fn field_set(&self) -> String {
        format!("_f_{}", self.reference)
    }

    /// Which fields this path copies, as a checksum (CRC-32) of their names and of what they are copies of.
    pub(crate) fn field_set_checksum(&self) -> i32 {
        *self.checksum.get_or_init(|| self.checksum_of_fields())
    }

    fn checksum_of_fields(&self) -> i32 {
        let mut fields: Vec<(&str, &str)> = self.fields.iter().map(|field| (field.name, &*field.from)).collect();
        fields.sort_unstable();
        let mut hasher = crc32fast::Hasher::new();
        for (name, from) in fields {
            // No name holds the separators.
            for part in [name, "\0", from, "\n"] {
                hasher.update(part.as_bytes());
            }
        }
        hasher.finalize().cast_signed()
    }

    /// What stands beside copies of this version: the fields' names and values.
    pub(super) fn stamp(&self, version: Timestamp) -> [(String, Bson); 2] {
        [(self.version(), version.into()), (self.field_set(), self.field_set_checksum().into())]
    }

    /// The stored path of a field of the struct that holds the reference: `parts.name`.
    pub(super) fn at(&self, name: &str) -> String {
        self.steps.iter().map(|step| step.name).chain([name]).collect::<Vec<_>>().join(".")
    }

    /// The stored path of the references: `parts.id`.
    pub(crate) fn reference_path(&self) -> String {
        self.at(self.reference)
    }

    /// Whether one holder may have many of these references.
    pub(crate) fn is_in_array(&self) -> bool {
        self.steps.iter().any(|step| step.is_array)
    }

    /// The stored path of the array on the way, and the prefix of what is in its elements. Without an array, the prefix of
    /// what is in the document.
    pub(super) fn split(&self) -> (Option<String>, String) {
        let array = self.steps.iter().position(|step| step.is_array);
        let names = |steps: &[Step]| steps.iter().map(|step| step.name).collect::<Vec<_>>().join(".");
        let prefix = |steps: &[Step]| if steps.is_empty() { String::new() } else { names(steps) + "." };
        match array {
            Some(at) => (Some(names(&self.steps[..=at])), prefix(&self.steps[at + 1..])),
            None => (None, prefix(&self.steps)),
        }
    }

    /// The stored path of the versions: `parts._v_id`.
    pub(crate) fn version_path(&self) -> String {
        self.at(&self.version())
    }

    /// The stored path of the array that the references are in.
    pub(crate) fn array(&self) -> Option<String> {
        self.split().0
    }

    /// The holders that refer to this source.
    pub(crate) fn refers_to(&self, id: &Bson) -> Document {
        doc! { self.reference_path(): { "$eq": id } }
    }

    /// The holders that refer to this source and hold copies of a newer version.
    pub(crate) fn newer(&self, id: &Bson, version: Timestamp) -> Document {
        self.with_version(id, doc! { "$gt": version })
    }

    /// The holders that refer to this source and have other values than it, or no version.
    pub(super) fn differing(&self, id: &Bson, source: &Document) -> Document {
        self.with_struct(|prefix| {
            let other = self.fields.iter().map(|field| {
                doc! { format!("{prefix}{}", field.name): { "$not": { "$eq": value_at(source, &field.from) } } }
            });
            let unversioned = doc! { format!("{prefix}{}", self.version()): { "$exists": false } };
            let either: Vec<Document> = other.chain([unversioned]).collect();
            doc! { format!("{prefix}{}", self.reference): { "$eq": id }, "$or": either }
        })
    }

    /// The holders with a copy that has no version, or whose copies are of other fields, or that refer to nothing any more: those that were
    /// there before the copies were declared, and those that a client with another version of the model has written.
    pub(super) fn incomplete(&self) -> Document {
        self.incomplete_in("")
    }

    /// The same, of documents that are at this prefix.
    pub(super) fn incomplete_in(&self, document: &str) -> Document {
        self.with_struct_in(document, |prefix| {
            let unversioned = doc! { format!("{prefix}{}", self.version()): { "$exists": false } };
            let of_others = doc! { format!("{prefix}{}", self.field_set()): { "$ne": self.field_set_checksum() } };
            let reference = format!("{prefix}{}", self.reference);
            let filled = doc! { &reference: { "$ne": null }, "$or": [unversioned, of_others] };
            if !self.may_be_empty {
                return filled;
            }
            let left = doc! { reference: null, format!("{prefix}{}", self.version()): { "$exists": true } };
            doc! { "$or": [filled, left] }
        })
    }

    /// The holders that refer to this source and hold copies of such a version.
    pub(super) fn with_version(&self, id: &Bson, version: Document) -> Document {
        self.with_struct(|prefix| {
            doc! {
                format!("{prefix}{}", self.reference): { "$eq": id },
                format!("{prefix}{}", self.version()): version,
            }
        })
    }

    /// The holders one of whose structs is so. `so` is given what comes before the names of the struct's fields.
    fn with_struct(&self, so: impl FnOnce(&str) -> Document) -> Document {
        self.with_struct_in("", so)
    }

    fn with_struct_in(&self, document: &str, so: impl FnOnce(&str) -> Document) -> Document {
        let (array, prefix) = self.split();
        match array {
            Some(array) => doc! { format!("{document}{array}"): { "$elemMatch": so(&prefix) } },
            None => so(&format!("{document}{prefix}")),
        }
    }

    /// The update that takes the copies of one holder away where it refers to nothing.
    pub(crate) fn emptying(&self, holder: &Bson) -> Sent {
        let (array, prefix) = self.split();
        let mut filter = doc! { "_id": { "$eq": holder } };
        let (place, array_filters) = match array {
            Some(array) => {
                // An element with none of them may lack the struct they are in.
                let mut some = vec![doc! { format!("c.{prefix}{}", self.version()): { "$exists": true } }];
                some.extend(
                    self.fields.iter().map(|field| doc! { format!("c.{prefix}{}", field.name): { "$ne": null } }),
                );
                let filter = doc! { format!("c.{prefix}{}", self.reference): null, "$or": some };
                (format!("{array}.$[c].{prefix}"), vec![filter])
            }
            None => {
                filter.insert(format!("{prefix}{}", self.reference), Bson::Null);
                (prefix, Vec::new())
            }
        };
        let nulls = self.fields.iter().map(|field| (format!("{place}{}", field.name), Bson::Null));
        let beside = [self.version(), self.field_set()].map(|name| (format!("{place}{name}"), Bson::from("")));
        let update = doc! { "$set": nulls.collect::<Document>(), "$unset": Document::from_iter(beside) };
        Sent { filter, update, array_filters, ..Sent::default() }
    }

    /// What a sweep sets, and what its identifiers stand for. It propagates every field of the path, so that a version says
    /// what all of them are.
    /// `over`: the versions that it is written over.
    pub(super) fn sweep_update(&self, source: Swept<'_>, over: Document) -> (Document, Vec<Document>) {
        let Swept { id, version, document } = source;
        let (array, prefix) = self.split();
        let (place, filters) = match array {
            Some(array) => {
                let filter = doc! {
                    format!("c.{prefix}{}", self.reference): { "$eq": id },
                    format!("c.{prefix}{}", self.version()): over,
                };
                (format!("{array}.$[c].{prefix}"), vec![filter])
            }
            None => (prefix, Vec::new()),
        };
        let mut set = Document::new();
        for field in &self.fields {
            set.insert(format!("{place}{}", field.name), value_at(document, &field.from));
        }
        set.extend(self.stamp(version).map(|(name, value)| (format!("{place}{name}"), value)));
        (doc! { "$set": set }, filters)
    }

    /// The fields of the source that this path copies, as stored.
    pub(crate) fn from(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.from.as_str())
    }

    /// Whether a change at a stored path of the source may change what is copied.
    pub(crate) fn copies_from(&self, changed: &str) -> bool {
        self.from().any(|from| overlap(from, changed))
    }
}

/// Whether one path leads to the other.
fn overlap(one: &str, other: &str) -> bool {
    leads_to(one, other) || leads_to(other, one)
}
