//! `bucket(size = 50)`, `bucket(by = day(time), size = 200)`: many values of a model in one document.

use syn::Expr;

use super::{Field, Model, Number, Relation};
use crate::words::words;

/// How the children of a parent are stored, as the user says it.
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
    /// A span of time whose children have buckets of their own.
    pub(crate) enum Span {
        Day = "day",
        Hour = "hour",
    }
}

impl Model {
    /// The references to parents of any number of children.
    pub(crate) fn parents(&self) -> impl Iterator<Item = (&Field, &Relation)> {
        let relations = self.record.fields.iter().filter_map(|field| Some((field, field.relation()?)));
        relations.filter(|(_, relation)| relation.cardinality.is_without_limit())
    }

    /// The reference to the parent whose children the buckets hold, where that can be said.
    pub(crate) fn bucket_parent(&self) -> Option<(&Bucket, &Field, &Relation)> {
        let mut parents = self.parents();
        let bucket = self.bucket.as_ref().filter(|_| self.tagged.is_none());
        match (bucket, parents.next(), parents.next()) {
            (Some(bucket), Some((field, relation)), None) => Some((bucket, field, relation)),
            _ => None,
        }
    }

    /// Whether it is in buckets of which a mistake leaves no parent.
    pub(crate) fn has_lost_bucket(&self) -> bool {
        self.bucket.is_some() && self.bucket_parent().is_none() && self.tagged.is_none() && !self.has_tree()
    }

    /// Whether a field says where a child is stored.
    pub(crate) fn is_placed_by(&self, field: &Field) -> bool {
        self.bucket_parent().is_some_and(|(bucket, parent, relation)| {
            parent.ident == field.ident
                || relation.order.iter().any(|key| key.field == field.rust_name)
                || bucket.by.as_ref().is_some_and(|by| by.field == field.rust_name)
        })
    }
}
