//! Buckets: documents that each hold many children of one parent.

use mongodb::bson::{DateTime, Document};

use super::ModelDefinition;

/// The stored fields of a bucket.
pub(crate) mod stored {
    /// The number of a bucket among those of its chain, from 1 on.
    pub(crate) const PAGE: &str = "page";
    /// How many children it has.
    pub(crate) const COUNT: &str = "count";
    /// The least value of the order field, or less.
    pub(crate) const FIRST: &str = "first";
    /// The greatest value of it, or more.
    pub(crate) const LAST: &str = "last";
    /// The children.
    pub(crate) const ITEMS: &str = "items";
    /// When it was found empty.
    pub(crate) const EMPTIED: &str = "emptied";
    /// That a later one was begun, or is about to be.
    pub(crate) const FOLLOWED: &str = "followed";
    /// The `_id` of a child.
    pub(crate) const ITEM_ID: &str = "items._id";
}

/// How the children of a parent are stored, many in one document.
#[derive(Clone, Copy, Debug)]
pub struct BucketDefinition {
    /// The most children of a bucket.
    pub size: u64,
    /// The reference to the parent.
    pub parent: BucketField,
    /// By what the children of a bucket are sorted, before their `_id`.
    pub order: Option<BucketField>,
    /// The time by which a child is in the buckets of its day or hour.
    pub by: Option<(Span, BucketField)>,
}

/// A field of the children that says where one is stored.
#[derive(Clone, Copy, Debug)]
pub struct BucketField {
    /// In Rust.
    pub field: &'static str,
    /// As stored.
    pub name: &'static str,
}

/// A span of time whose children have buckets of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// A day of UTC.
    Day,
    /// An hour.
    Hour,
}

impl Span {
    /// The word in the attribute, and the stored field.
    pub const fn word(self) -> &'static str {
        match self {
            Span::Day => "day",
            Span::Hour => "hour",
        }
    }

    /// The first moment of the span in which a time is; of the earliest span, which is no whole one, the earliest moment.
    pub(crate) fn start(self, time: DateTime) -> DateTime {
        let millis = time.timestamp_millis();
        DateTime::from_millis(millis.saturating_sub(millis.rem_euclid(self.millis())))
    }

    /// How long it is, in milliseconds.
    pub const fn millis(self) -> i64 {
        match self {
            Span::Day => 24 * 60 * 60 * 1000,
            Span::Hour => 60 * 60 * 1000,
        }
    }
}

impl BucketDefinition {
    /// The field of a bucket that has the children, in Rust and as stored.
    pub(crate) const ITEMS: &str = "items";

    /// Of so many children of a parent, in the order of their `_id`.
    pub const fn new(size: u64, parent: BucketField) -> Self {
        BucketDefinition { size, parent, order: None, by: None }
    }

    /// The same, in the order of this field.
    pub const fn order(self, order: BucketField) -> Self {
        BucketDefinition { order: Some(order), ..self }
    }

    /// The same, each span of time by itself.
    pub const fn by(self, span: Span, time: BucketField) -> Self {
        BucketDefinition { by: Some((span, time)), ..self }
    }

    /// The stored fields that name a chain.
    pub(crate) fn chain_fields(&self) -> Vec<&'static str> {
        let span = self.by.map(|(span, _)| span.word());
        [self.parent.name].into_iter().chain(span).collect()
    }

    /// The order of the children of a bucket, by the names that they have in it.
    pub(crate) fn item_order(&self) -> Document {
        let mut order = Document::new();
        if let Some(field) = self.order {
            order.insert(field.name, 1);
        }
        order.insert("_id", 1);
        order
    }
}

impl BucketField {
    /// A field by its two names.
    pub const fn new(field: &'static str, name: &'static str) -> Self {
        BucketField { field, name }
    }
}

impl ModelDefinition {
    /// The same, whose values are stored in buckets, which are `document`s.
    pub const fn in_buckets(self, bucket: &'static BucketDefinition, document: &'static ModelDefinition) -> Self {
        ModelDefinition { bucket: Some(bucket), document: Some(document), ..self }
    }

    /// The same, whose documents are such buckets.
    pub const fn of_buckets(self, bucket: &'static BucketDefinition) -> Self {
        ModelDefinition { bucket: Some(bucket), ..self }
    }

    /// What a document of the collection is: a value of the model, or a bucket of them.
    pub const fn stored(&'static self) -> &'static ModelDefinition {
        match self.document {
            Some(document) => document,
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_has_a_span() {
        for span in [Span::Day, Span::Hour] {
            for millis in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
                let start = span.start(DateTime::from_millis(millis)).timestamp_millis();
                assert!(start <= millis && millis.abs_diff(start) < span.millis().unsigned_abs(), "{millis}");
            }
        }
    }
}
