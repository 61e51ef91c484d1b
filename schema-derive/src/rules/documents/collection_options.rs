//! Rule: `collection_options`. The page is `guide/pages/rules/collection_options.md`.

use syn::Expr;

use crate::{
    errors::Errors,
    model::{GivenKind, Kind, Model},
};

const ID: &str = "collection_options";

/// The most bytes of a capped collection.
const MOST_BYTES: u64 = 1 << 50;

/// The most documents of a capped collection.
const MOST_DOCUMENTS: u64 = i32::MAX as u64 - 1;

/// The longest time to live of a collection, in seconds: the server refuses a time that would begin before 1970.
const LONGEST: u32 = 1_500_000_000;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let options = &model.options;
    if let (Some(collation), Some(_)) = (&options.collation, &model.bucket) {
        errors.rule(
            &collation.tokens,
            ID,
            "this crate finds the values in the buckets of `bucket(..)` by bytes, and a collection with a collation compares \
             by other rules",
            "remove `collation(..)`, or `bucket(..)`",
        );
    }
    let Some(GivenKind { kind, word, tokens }) = options.kind() else { return };
    if let Some(second) = options.kinds.get(1) {
        let what = format!("a collection has a single kind, and `{}` contradicts `{word}`", second.word);
        return errors.rule(&second.tokens, ID, &what, &format!("remove `{}` or `{word}`", second.word));
    }
    let is_stored = matches!(kind, Kind::Capped { .. } | Kind::Clustered { .. });
    let is_view = matches!(kind, Kind::View(_));
    let refuse = |given: &Expr, name: &str, why: &str| {
        errors.rule(given, ID, &format!("a `{word}` collection {why}"), &format!("remove `{name}` or `{word}`"));
    };
    if let Some(images) = options.images.as_ref().filter(|_| !is_stored) {
        refuse(images, "pre_and_post_images", "has no change streams, and stores no images");
    }
    if let Some((_, compression)) = options.compression.as_ref().filter(|_| is_view) {
        refuse(compression, "compression", "stores no documents");
    }
    if let Some(collation) = options.collation.as_ref().filter(|_| is_view) {
        refuse(&collation.tokens, "collation", "compares texts by bytes, and MongoDB takes no other collation there");
    }
    if let Some(validation) = options.validation.as_ref().filter(|_| !is_stored) {
        refuse(validation, "validation", "has no validator");
    }
    for writes in &options.writes {
        let name = quote::quote!(#writes).to_string();
        if !is_stored {
            refuse(writes, &name, "has its own writes");
        } else if name == "read_only" {
            refuse(writes, &name, "is made by a plan, and a plan makes no collection of a `read_only` model");
        }
    }
    match kind {
        Kind::Capped { bytes, max } => enforce_capped(model, bytes.as_ref(), max.as_ref(), errors),
        Kind::Clustered { ttl } => enforce_ttl(ttl.as_ref(), errors),
        Kind::TimeSeries(series) => enforce_ttl(series.ttl.as_ref(), errors),
        Kind::View(_) => {}
    }
    if let (Some(_), true) = (&model.bucket, errors.is_empty()) {
        let what = format!(
            "the buckets of `bucket(..)` are documents that change, and a `{word}` collection is for single documents"
        );
        errors.rule(tokens, ID, &what, &format!("remove `{word}`, or `bucket(..)`"));
    }
}

fn enforce_capped(model: &Model, bytes: Option<&(u64, Expr)>, max: Option<&crate::model::Number>, errors: &Errors) {
    if let Some((_, tokens)) = bytes.filter(|(bytes, _)| *bytes > MOST_BYTES) {
        errors.rule(tokens, ID, "a capped collection has at most 1 PiB", "write a smaller `size`");
    }
    if let Some(max) = max.filter(|max| max.value > MOST_DOCUMENTS) {
        let what = format!("a capped collection has at most {MOST_DOCUMENTS} documents");
        errors.rule(&max.tokens, ID, &what, "write a smaller `max`, or remove `max` for no limit");
    }
    for (_, ttl) in model.indexes.iter().filter_map(|index| index.ttl.as_ref()) {
        let what = "MongoDB makes no index with `ttl` on a capped collection";
        errors.rule(ttl, ID, what, "remove `ttl`: the size deletes the oldest documents; or remove `capped(..)`");
    }
}

fn enforce_ttl(ttl: Option<&(u32, Expr)>, errors: &Errors) {
    if let Some((_, tokens)) = ttl.filter(|(seconds, _)| *seconds > LONGEST) {
        let what = format!("MongoDB takes at most {LONGEST} seconds, 47 years, for the time to live of a collection");
        errors.rule(tokens, ID, &what, "write a shorter `ttl`, or remove `ttl`");
    }
}
