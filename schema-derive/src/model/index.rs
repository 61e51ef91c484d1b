//! Indexes, declared and brought by relations and queries.

use proc_macro2::Ident;
use syn::{Expr, LitStr};

use super::Record;
use crate::{parse::last_segment, words::words};

/// One index of a collection.
pub(crate) struct Index {
    pub(crate) keys: Vec<IndexKey>,
    pub(crate) name: Option<LitStr>,
    pub(crate) unique: Option<Expr>,
    pub(crate) sparse: Option<Expr>,
    pub(crate) partial: Vec<Clause>,
    /// In seconds, with the argument that says it.
    pub(crate) ttl: Option<(u32, Expr)>,
    pub(crate) origin: Origin,
    /// The stored name of the variant that declares it.
    pub(crate) variant: Option<String>,
}

impl Index {
    /// One over every document, which the user did not write as an index.
    pub(crate) fn plain(keys: Vec<IndexKey>, origin: Origin) -> Index {
        Index { keys, name: None, unique: None, sparse: None, partial: Vec::new(), ttl: None, origin, variant: None }
    }

    /// Whether it may leave documents out: a unique index over what may be null holds those that have a value. Of a field inside of
    /// another one, only the runtime knows.
    pub(crate) fn leaves_out_nulls(&self, record: &Record) -> bool {
        let may_be_null = |key: &IndexKey| {
            let field = record.fields.iter().find(|field| key.path == [field.rust_name.clone()]);
            field.is_none_or(|field| field.default || last_segment(&field.ty).is_some_and(|(name, _)| name == "Option"))
        };
        self.unique.is_some() && self.keys.iter().any(may_be_null)
    }
}

/// Who asked for an index, with what the user wrote for it.
pub(crate) enum Origin {
    Declared(Ident),
    Relation(Ident),
    /// The query of this name.
    Query(Ident),
    ShardKey,
    /// The slug in this field.
    Slug(Ident),
    /// The field of a tree.
    Tree(Ident),
}

pub(crate) struct IndexKey {
    /// The path, in the names of Rust.
    pub(crate) path: Vec<String>,
    pub(crate) direction: Direction,
    /// What the user wrote for it.
    pub(crate) tokens: proc_macro2::TokenStream,
}

words! {
    /// The direction or the kind of one key of an index.
    pub(crate) enum Direction {
        Ascending = "asc",
        Descending = "desc",
        Hashed = "hashed",
        Sphere = "geo",
    }
}

/// One condition of a partial index.
pub(crate) struct Clause {
    pub(crate) operator: &'static str,
    pub(crate) path: Vec<String>,
    pub(crate) value: Literal,
    pub(crate) tokens: Expr,
}

pub(crate) enum Literal {
    Bool(bool),
    Integer(i64),
    Double(f64),
    String(String),
}
