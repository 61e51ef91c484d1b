//! The kind of a collection, and the options that only the command `create` sets.

use super::{CollationDefinition, FieldDefinition, Groups, ModelDefinition, PartialClause, Target, each, str_eq};

/// The kind of a collection.
#[derive(Clone, Copy, Debug)]
pub enum CollectionKind {
    /// A collection without further options.
    Plain,
    /// A collection of a fixed size: an insert deletes the oldest documents.
    Capped {
        /// The most bytes, as declared; the server rounds up to a multiple of 256.
        bytes: u64,
        /// The most documents; `None` for no limit.
        documents: Option<u64>,
    },
    /// A collection in the order of `_id`.
    Clustered {
        /// The number of seconds after the date in `_id` at which a document is deleted.
        expire_after_seconds: Option<u32>,
    },
    /// A collection of measurements.
    TimeSeries(TimeSeriesDefinition),
    /// A view without stored documents.
    View(ViewDefinition),
}

/// The options of a time series.
#[derive(Clone, Copy, Debug)]
pub struct TimeSeriesDefinition {
    /// The stored name of the field with the time of a measurement.
    pub time: &'static str,
    /// The stored name of the field with the source of a measurement.
    pub meta: Option<&'static str>,
    /// The usual time between two measurements of a source.
    pub granularity: Granularity,
    /// The number of seconds after the time of a measurement at which the measurement is deleted.
    pub expire_after_seconds: Option<u32>,
}

/// A view: documents of a source, as a query sees the documents.
#[derive(Clone, Copy, Debug)]
pub struct ViewDefinition {
    /// The model of the source.
    pub of: Target,
    /// The conditions on the documents of the source; all must be met.
    pub filter: &'static [PartialClause],
    /// The aggregation whose groups are the documents of the view; `None` for documents of the source.
    pub groups: Option<fn() -> &'static Groups>,
    /// The fields that have another name in the source.
    pub renamed: &'static [RenamedField],
}

/// A field of a view that has another name in the source.
#[derive(Clone, Copy, Debug)]
pub struct RenamedField {
    /// The field of the view, in Rust.
    pub field: &'static str,
    /// The path of the field in the source, in the names of Rust.
    pub from: &'static [&'static str],
}

impl ViewDefinition {
    /// Creates a view of documents of the source.
    pub const fn new(of: Target, filter: &'static [PartialClause], renamed: &'static [RenamedField]) -> Self {
        ViewDefinition { of, filter, groups: None, renamed }
    }

    /// Returns the path of a field in the source; `None` for a field that keeps the stored name.
    pub(crate) const fn renamed(&self, field: &FieldDefinition) -> Option<&'static RenamedField> {
        each!(for renamed in self.renamed {
            if field.flat.is_none() && str_eq(renamed.field, field.rust_name) {
                return Some(renamed);
            }
        });
        None
    }
}

/// The usual time between two measurements of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Granularity {
    /// Seconds: a bucket spans an hour.
    Seconds,
    /// Minutes: a bucket spans a day.
    Minutes,
    /// Hours: a bucket spans 30 days.
    Hours,
}

/// The compression of the stored documents of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    None,
    /// Snappy, the default of the server.
    Snappy,
    /// zlib.
    Zlib,
    /// Zstandard.
    Zstd,
}

impl Granularity {
    /// Returns the server's word.
    pub const fn word(self) -> &'static str {
        match self {
            Granularity::Seconds => "seconds",
            Granularity::Minutes => "minutes",
            Granularity::Hours => "hours",
        }
    }
}

impl Compression {
    /// Returns the server's word.
    pub const fn word(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Snappy => "snappy",
            Compression::Zlib => "zlib",
            Compression::Zstd => "zstd",
        }
    }
}

impl CollectionKind {
    /// Returns the word of `#[model(..)]`; empty for a plain collection.
    pub const fn word(&self) -> &'static str {
        match self {
            CollectionKind::Plain => "",
            CollectionKind::Capped { .. } => "capped",
            CollectionKind::Clustered { .. } => "clustered",
            CollectionKind::TimeSeries(_) => "time_series",
            CollectionKind::View(_) => "view",
        }
    }

    /// Returns whether the server takes a validator.
    pub(crate) const fn has_validator(&self) -> bool {
        !matches!(self, CollectionKind::TimeSeries(_) | CollectionKind::View(_))
    }

    /// Returns whether the kind is a view.
    pub(crate) const fn is_view(&self) -> bool {
        matches!(self, CollectionKind::View(_))
    }
}

impl ModelDefinition {
    /// Sets the kind of the collection.
    pub const fn of_kind(mut self, kind: CollectionKind) -> Self {
        self.options.kind = kind;
        self
    }

    /// Lets change streams see a document before and after a change.
    pub const fn pre_and_post_images(mut self) -> Self {
        self.options.pre_and_post_images = true;
        self
    }

    /// Sets the compression of the stored documents.
    pub const fn compressed(mut self, compression: Compression) -> Self {
        self.options.compression = Some(compression);
        self
    }

    /// Sets the rules by which the collection compares texts.
    pub const fn collation(mut self, collation: CollationDefinition) -> Self {
        self.options.collation = Some(collation);
        self
    }

    /// Returns whether a plan makes and changes the collection.
    pub(crate) const fn is_planned(&self) -> bool {
        !self.read_only || self.options.kind.is_view()
    }
}
