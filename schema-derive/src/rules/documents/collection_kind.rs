//! Rule: `collection_kind`. The page is `guide/pages/rules/collection_kind.md`.

use crate::{
    errors::Errors,
    model::{Direction, GivenKind, Index, IndexKey, Kind, Model, Origin, TimeSeries},
};

const ID: &str = "collection_kind";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(GivenKind { kind, word, .. }) = model.options.kind() else { return };
    if let Some(field) = model.shard_key.as_ref().and_then(|key| key.fields.first()) {
        let what = format!("this crate shards plain collections, and the collection is `{word}`");
        errors.rule(&field.tokens, ID, &what, &format!("remove `#[shard_key(..)]` or `{word}`"));
    }
    match kind {
        Kind::Capped { .. } | Kind::Clustered { .. } => {}
        Kind::TimeSeries(_) => enforce_series(model, errors),
        Kind::View(_) => enforce_view(model, errors),
    }
}

fn enforce_series(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        if let (Some(unique), Origin::Declared(_) | Origin::Relation(_)) = (&index.unique, &index.origin) {
            let help = "remove `unique`: measurements of equal keys are stored side by side";
            errors.rule(unique, ID, "MongoDB has no unique index on a time series", help);
        }
        if let Some((_, ttl)) = &index.ttl {
            let help = "write the `ttl` in `time_series(..)`: measurements expire by their time";
            errors.rule(ttl, ID, "MongoDB has no index with `ttl` on a time series", help);
        }
        if let Some(key) = index.keys.iter().find(|key| key.direction == Direction::Text) {
            let help = "remove the text index, or store the words in a plain collection";
            errors.rule(&key.tokens, ID, "MongoDB has no text index on a time series", help);
        }
        if let Some(collation) = index.collation.as_ref().filter(|_| !index.partial.is_empty()) {
            let what = "MongoDB has no index on a time series with both `partial` and a collation";
            errors.rule(&collation.tokens, ID, what, "remove `partial(..)` or the collation");
        }
        enforce_meta(model, index, errors);
        enforce_places(model, index, errors);
    }
}

/// Returns whether a key of a time series is outside of the meta field.
fn is_measured(model: &Model, key: &IndexKey) -> bool {
    let meta = |series: &TimeSeries| series.meta.as_ref().map(crate::parse::identifier);
    model.options.time_series().is_some_and(|series| key.path.is_empty() || key.path.first() != meta(series).as_ref())
}

/// Returns whether a key is of places outside of the meta field of a time series.
pub(in crate::rules) fn is_measured_place(model: &Model, key: &IndexKey) -> bool {
    key.direction == Direction::Sphere && is_measured(model, key)
}

/// Refuses `sparse` and special keys outside of the meta field.
fn enforce_meta(model: &Model, index: &Index, errors: &Errors) {
    let help = "index a field inside of the meta field, or write a plain index";
    if let Some(sparse) = index.sparse.as_ref().filter(|_| index.keys.iter().any(|key| is_measured(model, key))) {
        let what = "MongoDB takes `sparse` on a time series inside of the meta field only";
        errors.rule(sparse, ID, what, help);
    }
    let is_special = |direction| matches!(direction, Direction::Hashed | Direction::Plane | Direction::Wildcard);
    if let Some(key) = index.keys.iter().find(|key| is_special(key.direction) && is_measured(model, key)) {
        let word = key.direction.word();
        let what = format!("MongoDB takes `{word}` on a time series inside of the meta field only");
        errors.rule(&key.tokens, ID, &what, help);
    }
}

/// Refuses `geo` keys of measured places beside a collation and beside `geo` keys of the meta field.
fn enforce_places(model: &Model, index: &Index, errors: &Errors) {
    let measured = index.keys.iter().find(|key| is_measured_place(model, key));
    let in_meta = index.keys.iter().find(|key| key.direction == Direction::Sphere && !is_measured_place(model, key));
    if let (Some(_), Some(key)) = (measured, in_meta) {
        let what = "MongoDB has no index on a time series over places both inside and outside of the meta field";
        errors.rule(&key.tokens, ID, what, "declare a separate index for this field");
    }
    let own = index.collation.as_ref().filter(|collation| !collation.is_simple());
    if let (Some(_), Some(collation), true) = (measured, own, index.partial.is_empty()) {
        let what = "MongoDB has no index on a time series over a measured place with a collation";
        errors.rule(&collation.tokens, ID, what, "remove the collation");
    }
    let plane = || index.keys.iter().find(|key| key.direction == Direction::Plane && !is_measured(model, key));
    let by_bytes = measured.or_else(plane).filter(|_| index.collation.is_none() && !index.partial.is_empty());
    if let (Some(key), Some(_)) = (by_bytes, &model.options.collation) {
        let what = "an index of places compares by bytes, and MongoDB has no `partial` index on a time series with \
                    another collation than the collection";
        errors.rule(&key.tokens, ID, what, "remove `partial(..)`, or the collation of the collection");
    }
}

fn enforce_view(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        if let Origin::Declared(tokens) = &index.origin {
            let what = "a view has no indexes: a read of a view uses the indexes of the source";
            errors.rule(tokens, ID, what, "write the index on the model of the source");
        }
    }
    for field in model.record.judged() {
        if let Some(relation) = field.relation() {
            let what = format!("a view stores no relation, and `{}` belongs to the source", field.rust_name);
            let help = "remove `#[relation(..)]`: a `Ref<..>` or an embedded struct of a view is read as stored";
            errors.rule(&relation.cardinality_tokens, ID, &what, help);
        }
        if let Some(tree) = &field.tree {
            let what = format!("a view stores no tree, and `{}` belongs to the source", field.rust_name);
            errors.rule(&tree.tokens, ID, &what, "remove `#[tree(..)]`");
        }
    }
}
