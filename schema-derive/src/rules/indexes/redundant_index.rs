//! Rule: `redundant_index`. The page is `guide/pages/rules/redundant_index.md`.

use crate::{
    errors::Errors,
    model::{Clause, Collation, CollationValue, Direction, Index, IndexKey, Model, Origin, Place},
    rules::documents::collection_kind::is_measured_place,
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
        } else if model.indexes[..at].iter().any(|other| is_same(model, other, index)) {
            let what = format!("MongoDB takes one index over {}, and this index is the second index", keys(index));
            let help = "remove this index; two indexes of the same keys differ in `unique`, `sparse`, `partial(..)` or \
                        the collation";
            errors.rule(word, ID, &what, help);
        }
    }
}

/// Returns whether the server takes two declared indexes for the same index. `hidden_index` and `text_index` judge the
/// hidden indexes and the text indexes.
pub(super) fn is_same(model: &Model, first: &Index, second: &Index) -> bool {
    let keys = |index: &Index| index.keys.iter().map(|key| (key.path.clone(), key.direction)).collect::<Vec<_>>();
    let paths = |places: &[Place]| places.iter().map(|place| place.path.clone()).collect::<Vec<_>>();
    let is_declared = |index: &Index| matches!(index.origin, Origin::Declared(_));
    is_declared(first)
        && is_declared(second)
        && !first.has_words()
        && first.hidden.is_some() == second.hidden.is_some()
        && first.unique.is_some() == second.unique.is_some()
        && first.sparse.is_some() == second.sparse.is_some()
        && first.variant == second.variant
        && keys(first) == keys(second)
        && same_clauses(&first.partial, &second.partial)
        && collation(model, first) == collation(model, second)
        && paths(&first.settings.only) == paths(&second.settings.only)
        && paths(&first.settings.except) == paths(&second.settings.except)
}

/// Returns the collation of an index, with the collation that the index inherits; `None` for the comparison by bytes.
pub(super) fn collation<'a>(
    model: &'a Model,
    index: &'a Index,
) -> Option<(&'a str, Vec<(&'static str, &'a CollationValue)>)> {
    let is_by_bytes = |key: &IndexKey| key.direction == Direction::Plane || is_measured_place(model, key);
    let inherited = model.options.collation.as_ref().filter(|_| !index.keys.iter().any(is_by_bytes));
    index.collation.as_ref().or(inherited).filter(|collation| !collation.is_simple()).map(Collation::whole)
}

pub(super) fn same_clauses(first: &[Clause], second: &[Clause]) -> bool {
    first.len() == second.len()
        && first.iter().zip(second).all(|(first, second)| {
            first.operator == second.operator && first.path == second.path && first.value == second.value
        })
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
