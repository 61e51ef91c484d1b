//! Indexes, declared or emitted for a relation.

use std::fmt::Display;

use mongodb::bson::{Bson, Document};

use super::{
    CollationDefinition, FieldDefinition, IndexKind, ModelDefinition, PlaneIndex, ResolvedPath, TextIndex,
    WildcardPaths, find, path,
};

/// One index of a collection.
#[derive(Clone, Copy, Debug)]
pub struct IndexDefinition {
    /// The keys, in order.
    pub keys: &'static [IndexKey],
    /// The name; `None` for the name that the driver gives (`host_1_time_-1`), with the collation behind
    /// (`email_1_en_2`).
    pub name: Option<&'static str>,
    /// True when two documents may not have the same keys.
    pub unique: bool,
    /// True when documents without the keys are left out.
    pub sparse: bool,
    /// The clauses that a document must all meet to be in the index; empty for every document.
    pub partial: &'static [PartialClause],
    /// How many seconds after the date in its key a document is deleted (TTL).
    pub expire_after_seconds: Option<u32>,
    /// The kind of the index, with the settings of the kind.
    pub kind: IndexKind,
    /// True when the server's planner ignores the index. A hidden index still guards uniqueness and deletes by date.
    pub hidden: bool,
    /// The rules by which the index compares texts; `None` for the rules of the collection.
    pub collation: Option<CollationDefinition>,
    /// The reason for the index.
    pub origin: IndexOrigin,
    /// The stored name of the variant that declares the index. The tag of the variant is among the clauses of
    /// `partial`.
    pub variant: Option<&'static str>,
}

/// The reason for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexOrigin {
    /// An `#[index(..)]` attribute.
    Declared,
    /// The relation in this Rust field; left out when a declared index already serves the relation.
    Relation(&'static str),
    /// The query of this name; left out when another index already serves the query.
    Query(&'static str),
    /// The shard key; left out when another index already begins with the shard key.
    ShardKey,
    /// A slug: each slug belongs to one document.
    Slug,
    /// A tree, whose subtrees the index finds; left out when a declared index already serves the tree.
    Tree,
    /// Buckets: a page is in one document, a child in one bucket.
    Bucket,
}

/// One key of an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexKey {
    /// The path, in the names of Rust; empty for the whole document, of a wildcard.
    pub path: &'static [&'static str],
    /// The order of the key.
    pub direction: Direction,
}

/// Returns the name that every driver gives to an index of these paths and directions: `host_1_time_-1`. Source: the
/// drivers' index management specification.
pub(crate) fn default_index_name(keys: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    let parts: Vec<String> = keys.into_iter().map(|(path, direction)| format!("{path}_{direction}")).collect();
    parts.join("_")
}

/// The direction of a key of an index.
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
    /// By words, `"text"`.
    Text,
    /// Every path below the path of the key: `"attributes.$**": 1`.
    Wildcard,
    /// As a place on a plane, `"2d"`.
    Plane,
}

impl Direction {
    /// Returns the direction as it stands in the name of an index.
    pub(crate) const fn in_name(self) -> &'static str {
        match self {
            Direction::Ascending | Direction::Wildcard => "1",
            Direction::Descending => "-1",
            Direction::Hashed => "hashed",
            Direction::Sphere => "2dsphere",
            Direction::Text => "text",
            Direction::Plane => "2d",
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
    /// The value to compare with.
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

impl From<Literal> for Bson {
    fn from(literal: Literal) -> Self {
        match literal {
            Literal::Bool(value) => value.into(),
            Literal::Integer(value) => value.into(),
            Literal::Double(value) => value.into(),
            Literal::String(value) => value.into(),
        }
    }
}

impl IndexDefinition {
    /// Creates a plain index over `keys`.
    pub const fn new(keys: &'static [IndexKey]) -> Self {
        IndexDefinition {
            keys,
            name: None,
            unique: false,
            sparse: false,
            partial: &[],
            expire_after_seconds: None,
            kind: IndexKind::Plain,
            hidden: false,
            collation: None,
            origin: IndexOrigin::Declared,
            variant: None,
        }
    }

    /// Makes the index unique.
    pub const fn unique(self) -> Self {
        IndexDefinition { unique: true, ..self }
    }

    /// Leaves out the documents that lack the keys.
    pub const fn sparse(self) -> Self {
        IndexDefinition { sparse: true, ..self }
    }

    /// Gives the index a name.
    pub const fn named(self, name: &'static str) -> Self {
        IndexDefinition { name: Some(name), ..self }
    }

    /// Limits the index to the documents that meet every clause.
    pub const fn partial(self, partial: &'static [PartialClause]) -> Self {
        IndexDefinition { partial, ..self }
    }

    /// Names the variant that declares the index, by the stored name of the variant.
    pub const fn of_variant(self, name: &'static str) -> Self {
        IndexDefinition { variant: Some(name), ..self }
    }

    /// Makes the index a TTL index: a document is deleted this many seconds after the date in its key.
    pub const fn expire_after_seconds(self, seconds: u32) -> Self {
        IndexDefinition { expire_after_seconds: Some(seconds), ..self }
    }

    /// Makes the index an index of words, with these settings.
    pub const fn text(self, text: TextIndex) -> Self {
        IndexDefinition { kind: IndexKind::Text(text), ..self }
    }

    /// Makes the index a wildcard index of these paths.
    pub const fn wildcard(self, paths: WildcardPaths) -> Self {
        IndexDefinition { kind: IndexKind::Wildcard(paths), ..self }
    }

    /// Makes the index an index of places on a plane, with these settings.
    pub const fn plane(self, plane: PlaneIndex) -> Self {
        IndexDefinition { kind: IndexKind::Plane(plane), ..self }
    }

    /// Hides the index from the server's planner.
    pub const fn hidden(self) -> Self {
        IndexDefinition { hidden: true, ..self }
    }

    /// Sets the rules by which the index compares texts.
    pub const fn collation(self, collation: CollationDefinition) -> Self {
        IndexDefinition { collation: Some(collation), ..self }
    }

    /// Sets the relation in this Rust field as the reason for the index.
    pub const fn for_relation(self, field: &'static str) -> Self {
        IndexDefinition { origin: IndexOrigin::Relation(field), ..self }
    }

    /// Sets the shard key as the reason for the index.
    pub const fn for_shard_key(self) -> Self {
        IndexDefinition { origin: IndexOrigin::ShardKey, ..self }
    }

    /// Sets a slug as the reason for the index.
    pub const fn for_slug(self) -> Self {
        IndexDefinition { origin: IndexOrigin::Slug, ..self }
    }

    /// Sets a tree as the reason for the index.
    pub const fn for_tree(self) -> Self {
        IndexDefinition { origin: IndexOrigin::Tree, ..self }
    }

    /// Sets the buckets as the reason for the index.
    pub const fn for_bucket(self) -> Self {
        IndexDefinition { origin: IndexOrigin::Bucket, ..self }
    }

    /// Sets the query of this name as the reason for the index.
    pub const fn for_query(self, name: &'static str) -> Self {
        IndexDefinition { origin: IndexOrigin::Query(name), ..self }
    }

    /// Returns the number of clauses that the user has written. The clause of a variant's tag does not count.
    pub(crate) const fn written_clauses(&self) -> usize {
        self.partial.len() - self.variant.is_some() as usize
    }

    /// True when the index holds every document and changes nothing but speed, so that a longer index can stand for the
    /// index.
    pub const fn is_plain(&self) -> bool {
        !self.unique && !self.sparse && self.partial.is_empty() && self.expire_after_seconds.is_none()
    }
}

impl ModelDefinition {
    /// Returns the fields that a path of an index is read by: the fields of the variant that declares the index when
    /// the variant has the first name of the path, else the fields of the model.
    pub(crate) const fn fields_of(&self, index: &IndexDefinition, path: &[&str]) -> &'static [FieldDefinition] {
        if let (Some(name), Some(variants)) = (index.variant, self.variants)
            && let Some(variant) = variants.find(name)
            && let [first, ..] = path
            && find(variant.fields, first).is_some()
        {
            return variant.fields;
        }
        self.fields
    }

    /// Resolves a path of an index of the model.
    pub(crate) const fn resolve_of(&self, index: &IndexDefinition, path: &[&str]) -> Option<ResolvedPath> {
        path::resolve(self.fields_of(index, path), path)
    }

    /// Returns the stored path of a path of an index of the model.
    pub(crate) fn stored_path_of(&self, index: &IndexDefinition, path: &[&str]) -> String {
        path::stored_path(self.fields_of(index, path), path)
            .unwrap_or_else(|| panic!("`{}` has no field `{}`", self.model, path.join(".")))
    }
}

impl PartialClause {
    /// Creates a clause that compares the value at `path` with `value`.
    pub const fn new(path: &'static [&'static str], operator: PartialOperator, value: Literal) -> Self {
        PartialClause { path, operator, value }
    }
}

impl IndexKey {
    /// Creates an ascending key.
    pub const fn asc(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Ascending }
    }

    /// Creates a descending key.
    pub const fn desc(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Descending }
    }

    /// Creates a hashed key.
    pub const fn hashed(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Hashed }
    }

    /// Creates a GeoJSON key on a sphere.
    pub const fn sphere(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Sphere }
    }

    /// Creates a key of words; an empty path stands for all strings of a document.
    pub const fn text(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Text }
    }

    /// Creates a key of every path below a path; an empty path stands for the whole document.
    pub const fn wildcard(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Wildcard }
    }

    /// Creates a key of places on a plane.
    pub const fn plane(path: &'static [&'static str]) -> Self {
        IndexKey { path, direction: Direction::Plane }
    }
}

impl Direction {
    /// Returns the opposite direction. Keys of special kinds have no opposite and stay the same.
    pub const fn reversed(self) -> Self {
        match self {
            Direction::Ascending => Direction::Descending,
            Direction::Descending => Direction::Ascending,
            other => other,
        }
    }

    /// Returns whether two directions are the same, in a `const`.
    pub const fn same(self, other: Direction) -> bool {
        self as u8 == other as u8
    }
}

/// An index that a hint may name.
#[derive(Debug)]
pub(crate) struct HintIndex {
    pub(crate) name: String,
    /// The collation, given or of the collection; `None` for the comparison by bytes.
    pub(crate) collation: Option<Document>,
    /// True when the first key is a text.
    pub(crate) begins_with_text: bool,
}
