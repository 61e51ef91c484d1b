//! The paths of copies: the places where the documents of one model hold copies of one source. Pure.

use std::sync::OnceLock;

use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::{
    definition::{ModelDefinition, stored_names},
    document::{leads_to, value_at},
    executor::UpdateRequest,
};

/// The field of the source's version.
pub(crate) const VERSION: &str = stored_names::VERSION;

/// The data of a source for a sweep.
#[derive(Clone, Copy)]
pub(crate) struct Swept<'a> {
    pub(crate) id: &'a Bson,
    pub(crate) version: Timestamp,
    /// The copied fields.
    pub(crate) document: &'a Document,
}

/// Returns the condition of a version that is missing or older than the given version.
pub(in crate::derived::copies) fn older(version: Timestamp) -> Document {
    doc! { "$not": { "$gte": version } }
}

/// One place that holds copies of one source, such as `products.parts`, whose elements refer to a part and hold the
/// name of the part.
#[derive(Clone, Debug)]
pub(crate) struct CopyPath {
    pub(crate) holder: &'static ModelDefinition,
    pub(crate) source: &'static ModelDefinition,
    /// The name of the path in marks: `products_parts_id`.
    pub(crate) name: String,
    /// The way to the struct that holds the reference and the copies; empty for the document itself.
    pub(crate) steps: Vec<Step>,
    /// The stored reference in the struct.
    pub(crate) reference: &'static str,
    /// True when a struct may have no reference, and then no copies.
    pub(crate) may_be_empty: bool,
    /// True when the reference may name a missing source. The copies are then null until the source is inserted.
    pub(in crate::derived::copies) may_dangle: bool,
    pub(crate) fields: Vec<CopiedField>,
    /// The checksum of the fields, computed on first use. The checksum is stored beside each copy.
    pub(in crate::derived::copies) checksum: OnceLock<i32>,
    /// The largest number of holders of one source; `None` unless all fields declare a number.
    pub(crate) fan_out: Option<u64>,
    /// True when the writes of the source propagate the copies; otherwise a change stream propagates the copies.
    pub(crate) synced: bool,
}

/// The name of a step to every entry of a map. No field on a path has the name, since serde's attributes do not accept
/// an empty name for such a Rust field.
pub(in crate::derived::copies) const ANY_KEY: &str = "";

/// One name on the path to a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) is_array: bool,
}

/// A copied field and the source field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopiedField {
    /// The stored name in the struct that holds the reference.
    pub(crate) name: &'static str,
    /// The stored path in the source.
    pub(crate) from: String,
}

impl CopyPath {
    /// Returns the mark in the source: the path may be out of sync.
    pub(crate) fn source_mark(&self) -> String {
        format!("{}{}", stored_names::SOURCE_MARK, self.name)
    }

    /// Returns the mark in the holder: a copy was written, and no re-check has followed.
    pub(crate) fn holder_mark(&self) -> String {
        format!("{}{}", stored_names::HOLDER_MARK, self.name)
    }

    /// Returns the field beside the copies that holds the source's version.
    pub(crate) fn version(&self) -> String {
        format!("{}{}", stored_names::VERSION_OF_COPIES, self.reference)
    }

    /// Returns the field beside the copies that identifies the copied fields. A different version of an application may
    /// copy different fields.
    pub(crate) fn field_set(&self) -> String {
        format!("{}{}", stored_names::FIELD_SET, self.reference)
    }

    /// Returns a checksum (CRC-32) of the names of the copied fields and the names of the source fields.
    pub(crate) fn field_set_checksum(&self) -> i32 {
        *self.checksum.get_or_init(|| self.checksum_of_fields())
    }

    fn checksum_of_fields(&self) -> i32 {
        let mut fields: Vec<(&str, &str)> = self.fields.iter().map(|field| (field.name, &*field.from)).collect();
        fields.sort_unstable();
        let mut hasher = crc32fast::Hasher::new();
        for (name, from) in fields {
            // No name contains the separators.
            for part in [name, "\0", from, "\n"] {
                hasher.update(part.as_bytes());
            }
        }
        hasher.finalize().cast_signed()
    }

    /// Returns the fields and values that stand beside copies of the given version.
    pub(in crate::derived::copies) fn stamp(&self, version: Timestamp) -> [(String, Bson); 2] {
        [(self.version(), version.into()), (self.field_set(), self.field_set_checksum().into())]
    }

    /// Returns the stored path of a field of the struct that holds the reference: `parts.name`.
    pub(in crate::derived::copies) fn at(&self, name: &str) -> String {
        self.steps.iter().map(|step| step.name).chain([name]).collect::<Vec<_>>().join(".")
    }

    /// Returns the stored path of the references: `parts.id`.
    pub(crate) fn reference_path(&self) -> String {
        self.at(self.reference)
    }

    /// Returns whether one holder may have many references of the path.
    pub(crate) fn is_in_array(&self) -> bool {
        self.steps.iter().any(|step| step.is_array)
    }

    /// Returns the stored path of the array on the way, and the prefix of the fields in the array elements. Without an
    /// array, the prefix is of the fields in the document.
    pub(in crate::derived::copies) fn split(&self) -> (Option<String>, String) {
        let array = self.steps.iter().position(|step| step.is_array);
        let names = |steps: &[Step]| steps.iter().map(|step| step.name).collect::<Vec<_>>().join(".");
        let prefix = |steps: &[Step]| if steps.is_empty() { String::new() } else { names(steps) + "." };
        match array {
            Some(at) => (Some(names(&self.steps[..=at])), prefix(&self.steps[at + 1..])),
            None => (None, prefix(&self.steps)),
        }
    }

    /// Returns the stored path of the versions: `parts._v_id`.
    pub(crate) fn version_path(&self) -> String {
        self.at(&self.version())
    }

    /// Returns the stored path of the array that contains the references.
    pub(crate) fn array(&self) -> Option<String> {
        self.split().0
    }

    /// Returns the filter of the holders that refer to the source.
    pub(crate) fn refers_to(&self, id: &Bson) -> Document {
        doc! { self.reference_path(): { "$eq": id } }
    }

    /// Returns the filter of the holders that refer to the source and hold copies of a newer version.
    pub(crate) fn newer(&self, id: &Bson, version: Timestamp) -> Document {
        self.with_version(id, doc! { "$gt": version })
    }

    /// Returns the filter of the holders that refer to the source and have different values, or no version.
    pub(in crate::derived::copies) fn differing(&self, id: &Bson, source: &Document) -> Document {
        self.with_struct(|prefix| {
            let other = self.fields.iter().map(|field| {
                doc! { format!("{prefix}{}", field.name): { "$not": { "$eq": value_at(source, &field.from) } } }
            });
            let unversioned = doc! { format!("{prefix}{}", self.version()): { "$exists": false } };
            let either: Vec<Document> = other.chain([unversioned]).collect();
            doc! { format!("{prefix}{}", self.reference): { "$eq": id }, "$or": either }
        })
    }

    /// Returns the filter of the holders with a copy that has no version or has different fields, and of the holders
    /// with copies beside a null reference. The holders are older than the declaration of the copies, or were written
    /// by a client with a different version of the model.
    pub(in crate::derived::copies) fn incomplete(&self) -> Document {
        self.incomplete_in("")
    }

    /// Returns the filter of incomplete holders for documents at the given prefix.
    pub(in crate::derived::copies) fn incomplete_in(&self, document: &str) -> Document {
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

    /// Returns the filter of the holders that refer to the source and hold copies of a matching version.
    pub(in crate::derived::copies) fn with_version(&self, id: &Bson, version: Document) -> Document {
        self.with_struct(|prefix| {
            doc! {
                format!("{prefix}{}", self.reference): { "$eq": id },
                format!("{prefix}{}", self.version()): version,
            }
        })
    }

    /// Returns the filter of the holders with a struct that matches `so`. `so` takes the prefix of the names of the
    /// struct's fields.
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

    /// Returns the update that removes the copies of one holder beside a null reference.
    pub(crate) fn emptying(&self, holder: &Bson) -> UpdateRequest {
        let (array, prefix) = self.split();
        let mut filter = doc! { "_id": { "$eq": holder } };
        let (place, array_filters) = match array {
            Some(array) => {
                // An element without copies may also lack the struct of the copies.
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
        UpdateRequest { filter, update, array_filters, ..UpdateRequest::default() }
    }

    /// Returns the update of a sweep, and the array filters. The update sets every field of the path, so a version
    /// describes all fields. `over` selects the versions that the sweep overwrites.
    pub(in crate::derived::copies) fn sweep_update(
        &self,
        source: Swept<'_>,
        over: Document,
    ) -> (Document, Vec<Document>) {
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

    /// Returns the stored paths of the source that the path copies.
    pub(crate) fn from(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.from.as_str())
    }

    /// Returns whether a change at a stored path of the source may change a copied field.
    pub(crate) fn copies_from(&self, changed: &str) -> bool {
        self.from().any(|from| overlap(from, changed))
    }
}

/// Returns whether one path leads to the second path, or the second path leads to the first.
fn overlap(one: &str, other: &str) -> bool {
    leads_to(one, other) || leads_to(other, one)
}
