//! Rule: `collection_kind`
//!
//! A kind of collection has the operations that MongoDB has for the kind:
//!
//! - A capped collection and a time series take no write of a transaction. The documents hold no derived data and are
//!   no source of derived data: copies, rollups, links, delete rules, slugs and trees are written in transactions.
//! - A time series takes inserts. No measurement changes, and a time series has neither a unique index nor an index
//!   with `ttl`, nor a text index. An index is `sparse`, `hashed`, `geo_2d` or `wildcard` only inside of the meta
//!   field, and is not both `partial` and of a collation.
//! - A view takes no writes, has no indexes, and stores no relation.
//! - No document refers to a measurement or to a document of a view: no index finds the document by `_id`.
//! - Only a plain collection is sharded.
//!
//! Source: MongoDB, "time series: limitations", "capped collections: restrictions", "views: restrictions".

use crate::{
    errors::Errors,
    model::{Direction, GivenKind, Index, Kind, Model, Origin},
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
        Kind::View { .. } => enforce_view(model, errors),
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
    }
}

/// Refuses `sparse` and special keys outside of the meta field.
fn enforce_meta(model: &Model, index: &Index, errors: &Errors) {
    let meta = model.options.time_series().and_then(|series| series.meta.as_ref()).map(crate::parse::identifier);
    let is_outside = |path: &[String]| path.first() != meta.as_ref();
    let help = "index a field inside of the meta field, or write a plain index";
    if let Some(sparse) = index.sparse.as_ref().filter(|_| index.keys.iter().any(|key| is_outside(&key.path))) {
        let what = "MongoDB takes `sparse` on a time series inside of the meta field only";
        errors.rule(sparse, ID, what, help);
    }
    let is_special = |direction| matches!(direction, Direction::Hashed | Direction::Plane | Direction::Wildcard);
    if let Some(key) = index.keys.iter().find(|key| is_special(key.direction) && is_outside(&key.path)) {
        let word = key.direction.word();
        let what = format!("MongoDB takes `{word}` on a time series inside of the meta field only");
        errors.rule(&key.tokens, ID, &what, help);
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
