//! The report of `recover`, `repair`, `backfill` and `verify`: an entry for each kind of fault at each place. Pure.

use std::fmt;

use mongodb::bson::Bson;

use crate::{
    derived::refused::Refused,
    report::{but_for_refused, counted, lines},
};

/// The most examples of an entry.
const EXAMPLES: usize = 5;

/// The report of [`recover`](crate::Schema::recover), [`repair`](crate::Schema::repair) or
/// [`backfill`](crate::Schema::backfill). Data: [`entries`](MaintenanceReport::entries) for programs, `Display` for
/// people.
#[derive(Clone, Debug, PartialEq)]
pub struct MaintenanceReport {
    entries: Vec<MaintenanceEntry>,
    /// The text of a report without entries.
    empty: &'static str,
}

impl MaintenanceReport {
    pub(crate) fn new(empty: &'static str) -> Self {
        MaintenanceReport { entries: Vec::new(), empty }
    }

    pub(crate) fn extend(&mut self, entries: Vec<MaintenanceEntry>) {
        self.entries.extend(entries);
    }

    /// Returns the entries, by kind of derived data, then by model in the order of the schema. A place without faults
    /// has no entry.
    pub fn entries(&self) -> &[MaintenanceEntry] {
        &self.entries
    }

    /// Returns the entries of a kind.
    pub fn of(&self, kind: MaintenanceKind) -> impl Iterator<Item = &MaintenanceEntry> {
        self.entries.iter().filter(move |entry| entry.kind == kind)
    }

    /// Returns the number of faults of a kind at all places.
    pub fn found(&self, kind: MaintenanceKind) -> u64 {
        self.of(kind).map(|entry| entry.found).sum()
    }

    /// Returns the number of documents that the server refused to write.
    pub fn refused(&self) -> u64 {
        self.entries.iter().map(|entry| entry.refused).sum()
    }

    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl fmt::Display for MaintenanceReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str(self.empty);
        }
        lines(formatter, &self.entries)
    }
}

/// The faults, or the pieces of pending work, of one kind at one place.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaintenanceEntry {
    /// The kind of the faults.
    pub kind: MaintenanceKind,
    /// The model of the path.
    pub model: &'static str,
    /// The path of the field: the stored path of the references beside copies, or the field of a relation. Empty for
    /// whole documents.
    pub path: String,
    /// The number of documents that were looked at.
    pub read: u64,
    /// The number of faults. The copies beside one reference count as one.
    pub found: u64,
    /// The number of documents with the faults.
    pub documents: u64,
    /// The number of documents that were written or deleted.
    pub written: u64,
    /// The number of documents that the server refused to write, as by a validator. A refused document stays unchanged.
    pub refused: u64,
    /// Some of the faults that stay: at most 5.
    pub examples: Vec<MaintenanceExample>,
}

/// A document with a fault.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaintenanceExample {
    /// The `_id` of the document.
    pub id: Bson,
    /// The `_id` of the document that the fault is about: the source of a copy, or the other end of a link.
    pub related: Option<Bson>,
}

impl MaintenanceEntry {
    pub(crate) fn new(kind: MaintenanceKind, model: &'static str, path: &str) -> Self {
        let path = path.to_owned();
        MaintenanceEntry {
            kind,
            model,
            path,
            read: 0,
            found: 0,
            documents: 0,
            written: 0,
            refused: 0,
            examples: Vec::new(),
        }
    }

    /// Returns whether some of the faults stay: the server refused a write, or nobody may decide for the user.
    pub fn is_left(&self) -> bool {
        self.refused > 0 || !self.examples.is_empty()
    }

    /// Adds faults, one of each document, and the number of written documents.
    pub(crate) fn add(&mut self, documents: u64, written: u64) {
        self.add_several(documents, documents, written);
    }

    /// Adds faults of some documents, and the number of written documents.
    pub(crate) fn add_several(&mut self, found: u64, documents: u64, written: u64) {
        self.found += found;
        self.documents += documents;
        self.written += written;
    }

    /// Adds documents that the server refused to write.
    pub(crate) fn add_refused(&mut self, refused: Refused) {
        self.refused += refused.documents;
        for id in refused.examples {
            self.show(id, None);
        }
    }

    /// Adds an example, up to the limit of a report.
    pub(crate) fn show(&mut self, id: Bson, related: Option<Bson>) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(MaintenanceExample { id, related });
        }
    }

    /// Returns whether the entry has anything to say.
    pub(crate) fn is_something(&self) -> bool {
        self.found + self.refused > 0
    }
}

impl fmt::Display for MaintenanceEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MaintenanceEntry { kind, model, path, found, documents, written, refused, .. } = self;
        let (one, many) = kind.words();
        let dot = if path.is_empty() { "" } else { "." };
        write!(formatter, "{model}{dot}{path}: {}", counted(*found, one, many))?;
        if documents != found {
            write!(formatter, " in {}", counted(*documents, "document", "documents"))?;
        }
        if written + refused > 0 {
            let refused = but_for_refused(*refused, &self.examples);
            return write!(formatter, ", {} written{refused}", counted(*written, "document", "documents"));
        }
        self.examples.iter().try_for_each(|example| write!(formatter, "\n  {example}"))
    }
}

impl fmt::Display for MaintenanceExample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.related {
            Some(related) => write!(formatter, "{} -> {related}", self.id),
            None => write!(formatter, "{}", self.id),
        }
    }
}

/// The kind of a fault of derived data, or of pending work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MaintenanceKind {
    /// A copy differs from the source.
    StaleCopy,
    /// A copy has no existing source. The copy stays.
    CopyWithoutSource,
    /// A copy has no version, or other fields than the models declare.
    IncompleteCopy,
    /// The truth of a `two_way` has a link that the mirror lacks.
    UnmirroredLink,
    /// The mirror of a `two_way` has a link that the truth lacks.
    LinkOfMirror,
    /// A document of a tree stores other ancestors than the parents have.
    WrongAncestors,
    /// A document of a tree is its own ancestor. `move_to_root` ends the cycle. When ancestors are stored, a document
    /// of a cycle does not count while the stored ancestors agree with the parent.
    TreeCycle,
    /// A parent has a subset or a computed value that differs from the children. `recompute` corrects the parent.
    WrongRollup,
    /// The list of slugs of a document does not begin with the slug, or is too long.
    UnkeptSlug,
    /// A bucket has another number, order or bounds than the children.
    WrongBucket,
    /// A bucket does not record a later bucket with children.
    UnfollowedBucket,
    /// A bucket has a child twice, no array of children, no number, or the number of another bucket of the parent. The
    /// bucket stays.
    AmbiguousBucket,
    /// A number of a bucket is missing before the bucket. `compact` closes the gap.
    BucketGap,
    /// A document refers to a missing document by a relation with a delete rule.
    Orphan,
    /// A document refers to a missing document although the delete rule is `restrict`. The document stays.
    RestrictingOrphan,
    /// A source was written, and its copies have not followed.
    PendingSource,
    /// A holder was written, and its copies are not checked again yet.
    PendingHolder,
    /// A write of a child left a difference that the parent does not count yet. The documents of the entry are the
    /// parents.
    PendingDifference,
    /// A delete has begun and has not ended.
    PendingDelete,
    /// A delete has begun, and a referring document keeps the document by `restrict`.
    RestrictedDelete,
    /// A document was inserted, and the delete rules of its references are not checked yet.
    PendingInsert,
    /// A document was inserted with a reference to a missing document by a client that was stopped before the error.
    /// The document is deleted.
    OrphanedInsert,
    /// A large move in a tree has begun and has not ended.
    PendingMove,
}

impl MaintenanceKind {
    /// Returns whether data may be wrong until [`recover`](crate::Schema::recover) has run.
    pub(crate) fn may_be_wrong(self) -> bool {
        !matches!(self, MaintenanceKind::PendingHolder | MaintenanceKind::PendingInsert)
    }

    /// Returns the fault in words: one, and several.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::StaleCopy => ("stale copy", "stale copies"),
            Self::CopyWithoutSource => ("copy without a source", "copies without a source"),
            Self::IncompleteCopy => ("incomplete copy", "incomplete copies"),
            Self::UnmirroredLink => ("link that the mirror lacks", "links that the mirrors lack"),
            Self::LinkOfMirror => ("link that only the mirror has", "links that only the mirrors have"),
            Self::WrongAncestors => ("document with wrong ancestors", "documents with wrong ancestors"),
            Self::TreeCycle => ("document that is an ancestor of itself", "documents that are ancestors of themselves"),
            Self::WrongRollup => ("document that differs from the children", "documents that differ from the children"),
            Self::UnkeptSlug => (
                "list of slugs that lacks the slug or is too long",
                "lists of slugs that lack the slug or are too long",
            ),
            Self::WrongBucket => ("bucket that contradicts the children", "buckets that contradict the children"),
            Self::UnfollowedBucket => {
                ("bucket without the record of a later bucket", "buckets without the record of a later bucket")
            }
            Self::AmbiguousBucket => (
                "bucket with a repeated child, without children or without a unique number",
                "buckets with a repeated child, without children or without a unique number",
            ),
            Self::BucketGap => {
                ("gap before a bucket (`compact` closes the gap)", "gaps before buckets (`compact` closes the gaps)")
            }
            Self::Orphan => ("orphan", "orphans"),
            Self::RestrictingOrphan => {
                ("orphan that stays because of a `restrict`", "orphans that stay because of a `restrict`")
            }
            Self::PendingSource => ("source with pending copies", "sources with pending copies"),
            Self::PendingHolder => ("holder to check again", "holders to check again"),
            Self::PendingDifference => ("pending difference", "pending differences"),
            Self::PendingDelete => ("pending delete", "pending deletes"),
            Self::RestrictedDelete => ("delete that a `restrict` stops", "deletes that a `restrict` stops"),
            Self::PendingInsert => ("unchecked insert", "unchecked inserts"),
            Self::OrphanedInsert => ("insert of an orphan", "inserts of orphans"),
            Self::PendingMove => ("pending move", "pending moves"),
        }
    }
}
