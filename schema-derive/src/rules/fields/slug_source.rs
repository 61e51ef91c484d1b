//! Rule: `slug_source`. The page is `guide/pages/rules/slug_source.md`.

use crate::{
    errors::Errors,
    model::{Field, Model, Slug, Stored},
    parse::did_you_mean,
};

const ID: &str = "slug_source";
/// The fewest and the most characters of `max_len`.
const LENGTHS: std::ops::RangeInclusive<u64> = 16..=200;
/// The fewest and the most earlier slugs that are kept.
const KEPT: std::ops::RangeInclusive<u64> = 1..=50;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for field in model.record.judged() {
        let Some(slug) = &field.slug else { continue };
        let help = "name the field with the name or the title: `from = name`";
        let from = model.record.fields.iter().find(|other| other.rust_name == slug.from);
        let is_derived = |from: &Field| from.copy.is_some() || from.rollup.is_some() || from.slug.is_some();
        if slug.from == field.rust_name {
            errors.rule(&slug.tokens, ID, &format!("the slug `{}` cannot be made from itself", slug.from), help);
        } else if from.is_some_and(is_derived) {
            let what = format!("`{}` is a derived field, and may have no value yet when the slug is made", slug.from);
            errors.rule(&slug.tokens, ID, &what, "name a field that each value gives: `from = name`");
        } else if from.is_none() {
            let near = did_you_mean(&slug.from, &model.record.rust_names());
            let what = format!("this struct has no stored field `{}` to make the slug from{near}", slug.from);
            errors.rule(&slug.tokens, ID, &what, help);
        }
        if let Stored::Bound(bound) = &field.storage
            && let Some(max_len) = bound.max_len.as_ref().filter(|max_len| !LENGTHS.contains(&max_len.value))
        {
            let what = format!(
                "`{}` has a `max_len` of {} characters, and a slug has a `max_len` from 16 to 200",
                field.rust_name, max_len.value
            );
            errors.rule(&max_len.tokens, ID, &what, "write `max_len = 80`");
        }
        if let Some(keep_old) = slug.keep_old.as_ref().filter(|keep_old| !KEPT.contains(&keep_old.value)) {
            let what = format!(
                "`{}` keeps {} earlier slugs, and a document keeps from 1 to 50 earlier slugs",
                field.rust_name, keep_old.value
            );
            errors.rule(&keep_old.tokens, ID, &what, "write `keep_old = 5`, or remove `keep_old`");
        }
        enforce_sharded(model, slug, errors);
    }
}

/// Refuses the options of a slug that no shard key allows.
fn enforce_sharded(model: &Model, slug: &Slug, errors: &Errors) {
    if model.shard_key.is_none() {
        return;
    }
    let help = "remove the option, or remove `#[shard_key(..)]`";
    if let Some(follow) = &slug.follow {
        let what = "the slug of a sharded model is part of the shard key, and does not `follow` another field";
        errors.rule(follow, ID, what, help);
    } else if let Some(keep_old) = &slug.keep_old {
        let what =
            "each shard keeps only local documents unique, and earlier slugs (`keep_old`) are not in a shard key";
        errors.rule(&keep_old.tokens, ID, what, help);
    }
}
