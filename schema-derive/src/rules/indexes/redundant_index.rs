//! Rule: `redundant_index`
//!
//! An index is redundant when the keys are equal to the keys of another index of the same collection, or to the first
//! keys of another index, with the same collation. The other index serves the same queries; the redundant index only
//! costs a write each time. A unique index, a sparse index, a partial index and an index with a TTL are not redundant:
//! each does more than serve queries. A hidden index serves no query: nothing replaces a hidden index, and a hidden
//! index replaces nothing.
//!
//! Source: MongoDB, "compound indexes: prefixes" and the anti-pattern "unnecessary indexes".

use crate::{
    errors::Errors,
    model::{Collation, Direction, Index, Model, Origin},
};

const ID: &str = "redundant_index";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for (at, index) in model.indexes.iter().enumerate() {
        let Origin::Declared(word) = &index.origin else { continue };
        if let Some(other) = longer(model, at) {
            let whose = match &other.origin {
                Origin::Declared(_) => "another index, over".to_owned(),
                Origin::Relation(field) => format!("the index that the relation `{field}` creates, over"),
                Origin::Tree(field) => format!("the index that `{field}` of the tree creates, over"),
                Origin::Slug(field) => format!("the index that the slug `{field}` creates, over"),
                Origin::ShardKey => "the index that the shard key needs, over".to_owned(),
                Origin::Query(name) => format!("the index that the query `{name}` creates, over"),
            };
            let equal = index.keys.len() == other.keys.len();
            let how = if equal { "is the same as" } else { "is a prefix of" };
            errors.rule(
                word,
                ID,
                &format!("this index over {} {how} {whose} {}", keys(index), keys(other)),
                "remove this index: the remaining index serves the same queries, and each index makes writes slower",
            );
        }
    }
}

/// Returns the index that serves everything that this declared index serves.
pub(in crate::rules) fn longer(model: &Model, at: usize) -> Option<&Index> {
    let index = model.indexes.get(at).filter(|index| is_plain(index))?;
    let mut others = model.indexes.iter().enumerate();
    let other = others.find(|(other_at, other)| {
        *other_at != at
            && begins(index, other)
            && Collation::same(index.collation.as_ref(), other.collation.as_ref())
            && serves_all(other)
            && !other.leaves_out_nulls(&model.record)
            && (index.keys.len() < other.keys.len() || earlier(*other_at, at, other))
    });
    other.map(|(_, other)| other)
}

/// Returns whether the second index counts as earlier. The later declared index of two equal plain indexes is reported;
/// the index of a relation or a query counts as earlier.
fn earlier(other_at: usize, at: usize, other: &Index) -> bool {
    other_at < at || !matches!(other.origin, Origin::Declared(_)) || !is_plain(other)
}

fn is_plain(index: &Index) -> bool {
    index.unique.is_none() && serves_all(index) && index.ttl.is_none()
}

/// Returns whether every document is in the index, and reads use the index.
fn serves_all(index: &Index) -> bool {
    let serves = |direction| !matches!(direction, Direction::Text | Direction::Wildcard | Direction::Plane);
    index.keys.iter().all(|key| serves(key.direction))
        && index.hidden.is_none()
        && index.sparse.is_none()
        && index.partial.is_empty()
}

/// Returns whether the keys of `index` begin the keys of `other`, forwards or all backwards.
fn begins(index: &Index, other: &Index) -> bool {
    if index.keys.len() > other.keys.len() {
        return false;
    }
    let pairs = || index.keys.iter().zip(&other.keys);
    pairs().all(|(key, other)| key.path == other.path)
        && (pairs().all(|(key, other)| key.direction == other.direction)
            || pairs().all(|(key, other)| Some(key.direction) == reversed(other.direction)))
}

fn reversed(direction: Direction) -> Option<Direction> {
    match direction {
        Direction::Ascending => Some(Direction::Descending),
        Direction::Descending => Some(Direction::Ascending),
        Direction::Hashed | Direction::Sphere | Direction::Text | Direction::Wildcard | Direction::Plane => None,
    }
}

pub(super) fn keys(index: &Index) -> String {
    let keys: Vec<String> = index
        .keys
        .iter()
        .map(|key| {
            let path = key.path.join(".");
            match key.direction {
                Direction::Ascending => path,
                direction if path.is_empty() => direction.word().to_owned(),
                direction => format!("{}({path})", direction.word()),
            }
        })
        .collect();
    format!("`({})`", keys.join(", "))
}
