//! Indexes, declared or emitted for a relation.

use std::fmt::Display;

use super::{FieldDefinition, ModelDefinition, ResolvedPath, find, path};

/// One index of a collection.
#[derive(Clone, Copy, Debug)]
pub struct IndexDefinition {
    /// The keys, in order.
    pub keys: &'static [IndexKey],
    /// The name; `None` for the driver's own (`host_1_time_-1`).
    pub name: Option<&'static str>,
    /// Whether two documents may not have the same keys.
    pub unique: bool,
    /// Whether documents without the keys are left out.
    pub sparse: bool,
    /// The clauses a document must all meet to be in the index; empty for every document.
    pub partial: &'static [PartialClause],
    /// How many seconds after the date in its key a document is deleted (TTL).
    pub expire_after_seconds: Option<u32>,
    /// Who asked for it.
    pub origin: IndexOrigin,
    /// The stored name of the variant that declares it, whose tag is among the clauses of `partial`.
    pub variant: Option<&'static str>,
}

/// Who asked for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexOrigin {
    /// An `#[index(..)]` attribute.
    Declared,
    /// The relation in this Rust field; left out when a declared index already serves it.
    Relation(&'static str),
    /// The query of this name; left out when another index already serves it.
    Query(&'static str),
    /// The shard key; left out when another index already begins with it.
    ShardKey,
    /// A slug, which is of one document.
    Slug,
    /// A tree, whose subtrees are found by it; left out when a declared index already serves it.
    Tree,
    /// Buckets: a page is in one document, and a child in one bucket.
    Bucket,
}

/// One key of an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexKey {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// How it is ordered.
    pub direction: Direction,
}

/// The name that every driver gives to an index of these paths and directions: `host_1_time_-1`. Source: the drivers' index management specification.
pub(crate) fn default_index_name(keys: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    let parts: Vec<String> = keys.into_iter().map(|(path, direction)| format!("{path}_{direction}")).collect();
    parts.join("_")
}

/// How a key of an index is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Ascending, `1`.
    Ascending,
    /// Descending, `-1`.
    Descending,
    /// By hash, `"hashed"`.
    Hashed,
    /// As GeoJSON on a sphere, `"2dsphere"`.
    Sphere,
}

impl Direction {
    /// As the name of an index has it.
    pub(crate) const fn in_name(self) -> &'static str {
        match self {
            Direction::Ascending => "1",
            Direction::Descending => "-1",
            Direction::Hashed => "hashed",
            Direction::Sphere => "2dsphere",
        }
    }
}

/// One condition of a partial index.
#[derive(Clone, Copy, Debug)]
pub struct PartialClause {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// The comparison.
    pub operator: PartialOperator,
    /// What the value is compared with.
    pub value: Literal,
}

/// A comparison that MongoDB 6.0 allows in a partial index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialOperator {
    /// `$eq`
    Eq,
    /// `$exists: true`
    Exists,
    /// `$gt`
    Gt,
    /// `$gte`
    Gte,
    /// `$lt`
    Lt,
    /// `$lte`
    Lte,
}

/// A literal of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Double(f64),
    /// A string.
    String(&'static str),
}

impl IndexDefinition {
    /// A plain index over `keys`.
    pub const fn new(keys: &'static [IndexKey]) -> Self {
        IndexDefinition {
            keys,
            name: None,
            unique: false,
            sparse: false,
            partial: &[],
            expire_after_seconds: None,
            origin: IndexOrigin::Declared,
            variant: None,
        }
    }

    /// The same, unique.
    pub const fn unique(self) -> Self {
        IndexDefinition { unique: true, ..self }
    }

    /// The same, without the documents that lack its keys.
    pub const fn sparse(self) -> Self {
        IndexDefinition { sparse: true, ..self }
    }

    /// The same under a name.
    pub const fn named(self, name: &'static str) -> Self {
        IndexDefinition { name: Some(name), ..self }
    }

    /// The same with the documents that meet every clause.
    pub const fn partial(self, partial: &'static [PartialClause]) -> Self {
        IndexDefinition { partial, ..self }
    }

    /// The same, declared in the variant that is stored under this name.
    pub const fn of_variant(self, name: &'static str) -> Self {
        IndexDefinition { variant: Some(name), ..self }
    }

    /// The same as a TTL index: a document goes this many seconds after the date in its key.
    pub const fn expire_after_seconds(self, seconds: u32) -> Self {
        IndexDefinition { expire_after_seconds: Some(seconds), ..self }
    }

    /// The same, asked for by the relation in this Rust field.
    pub const fn for_relation(self, field: &'static str) -> Self {
        IndexDefinition { origin: IndexOrigin::Relation(field), ..self }
    }

    /// The same, asked for by the shard key.
    pub const fn for_shard_key(self) -> Self {
        IndexDefinition { origin: IndexOrigin::ShardKey, ..self }
    }

    /// The same, asked for by a slug.
    pub const fn for_slug(self) -> Self {
        IndexDefinition { origin: IndexOrigin::Slug, ..self }
    }

    /// The same, asked for by a tree.
    pub const fn for_tree(self) -> Self {
        IndexDefinition { origin: IndexOrigin::Tree, ..self }
    }

    /// The same, asked for by buckets.
    pub const fn for_bucket(self) -> Self {
        IndexDefinition { origin: IndexOrigin::Bucket, ..self }
    }

    /// The same, asked for by the query of this name.
    pub const fn for_query(self, name: &'static str) -> Self {
        IndexDefinition { origin: IndexOrigin::Query(name), ..self }
    }

    /// How many clauses the user has written: that of a variant's tag is not one.
    pub(crate) const fn written_clauses(&self) -> usize {
        self.partial.len() - self.variant.is_some() as usize
    }

    /// Whether it holds every document and changes nothing but speed, so that a longer index can stand for it.
    pub const fn is_plain(&self) -> bool {
        !self.unique && !self.sparse && self.partial.is_empty() && self.expire_after_seconds.is_none()
    }
}

impl ModelDefinition {
    /// The fields by which the paths of an index are read: those of its variant, where it is declared in one and that has the first of them.
    pub(crate) const fn fields_of(&self, index: &IndexDefinition, path: &[&str]) -> &'static [FieldDefinition] {
        if let (Some(name), Some(variants)) = (index.variant, self.variants)
            && let Some(variant) = variants.find(name)
            && find(variant.fields, path[0]).is_some()
        {
            return variant.fields;
        }
        self.fields
    }

    /// What a path of one of its indexes leads to.
    pub(crate) const fn resolve_of(&self, index: &IndexDefinition, path: &[&str]) -> Option<ResolvedPath> {
        path::resolve(self.fields_of(index, path), path)
    }

    /// The stored path of a path of one of its indexes.
    pub(crate) fn stored_path_of(&self, index: &IndexDefinition, path: &[&str]) -> String {
        path::stored_path(self.fields_of(index, path), path)
            .unwrap_or_else(|| panic!("`{}` has no field `{}`", self.model, path.join(".")))
    }
}

impl PartialClause {
    /// `path` compared with `value`.
    pub const fn new(path: &'static [&'static str], operator: PartialOperator, value: Literal) -> Self {
        PartialClause { path, operator, value }
    }
}

impl IndexKey {
    /// An ascending key.
    pub const fn asc(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Ascending }
    }

    /// A descending key.
    pub const fn desc(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Descending }
    }

    /// A hashed key.
    pub const fn hashed(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Hashed }
    }

    /// A GeoJSON key on a sphere.
    pub const fn sphere(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Sphere }
    }
}

impl Direction {
    /// The opposite direction; hashed and spherical keys have none.
    pub const fn reversed(self) -> Self {
        match self {
            Direction::Ascending => Direction::Descending,
            Direction::Descending => Direction::Ascending,
            other => other,
        }
    }

    /// Whether two directions are the same, in a `const`.
    pub const fn same(self, other: Direction) -> bool {
        self as u8 == other as u8
    }
}
