//! Indexes that the user declares, and indexes that relations and queries bring.

use proc_macro2::Ident;
use syn::{Expr, LitStr};

use super::{Collation, Record, Settings};
use crate::{
    parse::{Constant, last_segment},
    words::words,
};

/// An index of a collection.
pub(crate) struct Index {
    pub(crate) keys: Vec<IndexKey>,
    pub(crate) name: Option<LitStr>,
    pub(crate) unique: Option<Expr>,
    pub(crate) sparse: Option<Expr>,
    pub(crate) partial: Vec<Clause>,
    /// The expiry in seconds, with the argument of the user.
    pub(crate) ttl: Option<(u32, Expr)>,
    pub(crate) hidden: Option<Expr>,
    /// The settings of a text, wildcard or plane index.
    pub(crate) settings: Settings,
    pub(crate) collation: Option<Collation>,
    pub(crate) origin: Origin,
    /// The stored name of the variant that declares the index.
    pub(crate) variant: Option<String>,
}

impl Index {
    /// Returns an index without options, over every document. The user did not write the index as an `#[index(..)]`.
    pub(crate) fn plain(keys: Vec<IndexKey>, origin: Origin) -> Index {
        Index {
            keys,
            name: None,
            unique: None,
            sparse: None,
            partial: Vec::new(),
            ttl: None,
            hidden: None,
            settings: Settings::default(),
            collation: None,
            origin,
            variant: None,
        }
    }

    /// Returns whether each key is ascending or descending.
    pub(crate) fn is_ordered(&self) -> bool {
        self.keys.iter().all(|key| matches!(key.direction, Direction::Ascending | Direction::Descending))
    }

    /// Returns whether the index is an index of words.
    pub(crate) fn has_words(&self) -> bool {
        self.keys.iter().any(|key| key.direction == Direction::Text)
    }

    /// Returns the name on the server: the given name, or the name after the keys; `None` when the fields of this item
    /// do not say the name.
    pub(crate) fn called(&self, record: &Record) -> Option<String> {
        match &self.name {
            Some(name) => Some(name.value()),
            None => self.default_name(record),
        }
    }

    /// Returns the name after the keys, as `host_1_time_-1`; `None` when the fields of this item do not say the name.
    pub(crate) fn default_name(&self, record: &Record) -> Option<String> {
        let mut parts = Vec::new();
        let stored = |path: &[String]| {
            let [name] = path else { return None };
            record.fields.iter().find(|field| field.rust_name == *name).map(|field| field.name.clone())
        };
        for key in &self.keys {
            let path = if key.path.is_empty() { None } else { Some(stored(&key.path)?) };
            let direction = match key.direction {
                Direction::Ascending | Direction::Wildcard => "1",
                Direction::Descending => "-1",
                Direction::Hashed => "hashed",
                Direction::Sphere => "2dsphere",
                Direction::Text => "text",
                Direction::Plane => "2d",
            };
            parts.push(match (path, key.direction) {
                (None, _) => format!("$**_{direction}"),
                (Some(path), Direction::Wildcard) => format!("{path}.$**_{direction}"),
                (Some(path), _) => format!("{path}_{direction}"),
            });
        }
        for (word, places) in [("only", &self.settings.only), ("except", &self.settings.except)] {
            if !places.is_empty() {
                parts.push(word.to_owned());
            }
            for place in places {
                parts.push(stored(&place.path)?);
            }
        }
        parts.extend(self.collation.as_ref().map(Collation::in_name));
        parts.extend(self.variant.clone());
        Some(parts.join("_"))
    }

    /// Returns whether the filter of the index fixes the value of a path.
    pub(crate) fn fixes(&self, path: &[String]) -> bool {
        self.partial.iter().any(|clause| clause.operator == "Eq" && clause.path == path)
    }

    /// Returns whether the index may leave documents out. A unique index over a nullable field holds only the documents
    /// with a value. Only the runtime knows whether a field inside of another field is nullable.
    pub(crate) fn leaves_out_nulls(&self, record: &Record) -> bool {
        let may_be_null = |key: &IndexKey| {
            let field = record.fields.iter().find(|field| key.path == [field.rust_name.clone()]);
            field.is_none_or(|field| field.default || last_segment(&field.ty).is_some_and(|(name, _)| name == "Option"))
        };
        self.unique.is_some() && self.keys.iter().any(may_be_null)
    }
}

/// The origin of an index, with the tokens of the user.
pub(crate) enum Origin {
    Declared(Ident),
    Relation(Ident),
    /// The query with this name.
    Query(Ident),
    ShardKey,
    /// The slug in this field.
    Slug(Ident),
    /// A field of a tree.
    Tree(Ident),
}

pub(crate) struct IndexKey {
    /// The path, in the names of Rust; empty for the whole document.
    pub(crate) path: Vec<String>,
    pub(crate) direction: Direction,
    /// The tokens of the user for the key.
    pub(crate) tokens: proc_macro2::TokenStream,
}

words! {
    /// The direction or the kind of one key of an index.
    pub(crate) enum Direction {
        Ascending = "asc",
        Descending = "desc",
        Hashed = "hashed",
        Sphere = "geo",
        Text = "text",
        Wildcard = "wildcard",
        Plane = "geo_2d",
    }
}

/// A condition of a partial index.
pub(crate) struct Clause {
    pub(crate) operator: &'static str,
    pub(crate) path: Vec<String>,
    pub(crate) value: Constant,
    pub(crate) tokens: Expr,
}
