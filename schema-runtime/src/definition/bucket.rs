//! Buckets: documents that each hold many children of one parent.

use mongodb::bson::{DateTime, Document};

use super::ModelDefinition;

/// The stored fields of a bucket.
pub(crate) mod stored {
    /// The number of a bucket in its chain, from 1 on.
    pub(crate) const PAGE: &str = "page";
    /// The number of children in the bucket.
    pub(crate) const COUNT: &str = "count";
    /// The least value of the order field, or less.
    pub(crate) const FIRST: &str = "first";
    /// The greatest value of the order field, or more.
    pub(crate) const LAST: &str = "last";
    /// The children.
    pub(crate) const ITEMS: &str = "items";
    /// The time of the operation that found the bucket empty.
    pub(crate) const EMPTIED: &str = "emptied";
    /// The mark of a bucket with a later bucket in the chain, begun or about to be begun.
    pub(crate) const FOLLOWED: &str = "followed";
    /// The `_id` of a child.
    pub(crate) const ITEM_ID: &str = "items._id";
}

/// The storage of the children of a parent: many children in one document.
#[derive(Clone, Copy, Debug)]
pub struct BucketDefinition {
    /// The most children of a bucket.
    pub size: u64,
    /// The reference to the parent.
    pub parent: BucketField,
    /// The field that sorts the children of a bucket, before the `_id`.
    pub order: Option<BucketField>,
    /// The span and the time field that put a child into the buckets of its day or hour.
    pub by: Option<(Span, BucketField)>,
}

/// A field of the children that decides which bucket stores a child.
#[derive(Clone, Copy, Debug)]
pub struct BucketField {
    /// The name in Rust.
    pub field: &'static str,
    /// The name as stored.
    pub name: &'static str,
}

/// A span of time that has separate buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// A day of UTC.
    Day,
    /// An hour.
    Hour,
}

impl Span {
    /// Returns the word in the attribute, also the name of the stored field.
    pub const fn word(self) -> &'static str {
        match self {
            Span::Day => "day",
            Span::Hour => "hour",
        }
    }

    /// Returns the first moment of the span that contains a time. The earliest span is not whole and starts at the
    /// earliest moment.
    pub(crate) fn start(self, time: DateTime) -> DateTime {
        let millis = time.timestamp_millis();
        DateTime::from_millis(millis.saturating_sub(millis.rem_euclid(self.millis())))
    }

    /// Returns the length of the span in milliseconds.
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

    /// Creates the definition of buckets with at most `size` children of a parent, in the order of their `_id`.
    pub const fn new(size: u64, parent: BucketField) -> Self {
        BucketDefinition { size, parent, order: None, by: None }
    }

    /// Sorts the children of a bucket by this field.
    pub const fn order(self, order: BucketField) -> Self {
        BucketDefinition { order: Some(order), ..self }
    }

    /// Gives each span of time separate buckets.
    pub const fn by(self, span: Span, time: BucketField) -> Self {
        BucketDefinition { by: Some((span, time)), ..self }
    }

    /// Returns the stored fields that name a chain.
    pub(crate) fn chain_fields(&self) -> Vec<&'static str> {
        let span = self.by.map(|(span, _)| span.word());
        [self.parent.name].into_iter().chain(span).collect()
    }

    /// Returns the order of the children of a bucket, by the names of the fields in a child.
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
    /// Creates a field from its two names.
    pub const fn new(field: &'static str, name: &'static str) -> Self {
        BucketField { field, name }
    }
}

impl ModelDefinition {
    /// Stores the values of the model in buckets; each bucket is a `document`.
    pub const fn in_buckets(self, bucket: &'static BucketDefinition, document: &'static ModelDefinition) -> Self {
        ModelDefinition { bucket: Some(bucket), document: Some(document), ..self }
    }

    /// Marks the documents of the model as buckets of this definition.
    pub const fn of_buckets(self, bucket: &'static BucketDefinition) -> Self {
        ModelDefinition { bucket: Some(bucket), ..self }
    }

    /// Returns the definition of a document of the collection: a value of the model, or a bucket of values.
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
