//! `bucket(size = 50)`, `bucket(by = day(time), size = 200)`: many values of a model in a single document.

use syn::Expr;

use super::{Field, Model, Number, Relation};
use crate::words::words;

/// The storage of the children of a parent in buckets, in the words of the user.
pub(crate) struct Bucket {
    /// `bucket(..)`, as written.
    pub(crate) tokens: Expr,
    /// The most children of a bucket.
    pub(crate) size: Option<Number>,
    pub(crate) by: Option<By>,
}

/// `by = day(time)`
pub(crate) struct By {
    pub(crate) span: Span,
    /// The field, in Rust without `r#`.
    pub(crate) field: String,
    /// `time`, as written.
    pub(crate) tokens: Expr,
}

words! {
    /// A span of time. The children of each span have separate buckets.
    pub(crate) enum Span {
        Day = "day",
        Hour = "hour",
    }
}

impl Model {
    /// Returns the references to parents with any number of children.
    pub(crate) fn parents(&self) -> impl Iterator<Item = (&Field, &Relation)> {
        let relations = self.record.fields.iter().filter_map(|field| Some((field, field.relation()?)));
        relations.filter(|(_, relation)| relation.cardinality.is_without_limit())
    }

    /// Returns the reference to the parent of the children in the buckets; `None` when the parent is unclear.
    pub(crate) fn bucket_parent(&self) -> Option<(&Bucket, &Field, &Relation)> {
        let mut parents = self.parents();
        let bucket = self.bucket.as_ref().filter(|_| self.tagged.is_none());
        match (bucket, parents.next(), parents.next()) {
            (Some(bucket), Some((field, relation)), None) => Some((bucket, field, relation)),
            _ => None,
        }
    }

    /// Returns whether the model is in buckets, and a mistake leaves no parent.
    pub(crate) fn has_lost_bucket(&self) -> bool {
        self.bucket.is_some() && self.bucket_parent().is_none() && self.tagged.is_none() && !self.has_tree()
    }

    /// Returns whether the field decides where a child is stored.
    pub(crate) fn is_placed_by(&self, field: &Field) -> bool {
        self.bucket_parent().is_some_and(|(bucket, parent, relation)| {
            parent.ident == field.ident
                || relation.order.iter().any(|key| key.field == field.rust_name)
                || bucket.by.as_ref().is_some_and(|by| by.field == field.rust_name)
        })
    }
}
