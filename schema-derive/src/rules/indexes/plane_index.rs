//! Rule: `plane_index`. The page is `guide/pages/rules/plane_index.md`.

use crate::{
    errors::Errors,
    model::{Direction, Index, Model},
};

const ID: &str = "plane_index";
const MOST_BITS: u64 = 32;
/// The limits of the server.
const LIMITS: (f64, f64) = (-180.0, 180.0);

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        if index.keys.iter().any(|key| key.direction == Direction::Plane) {
            enforce_one(index, errors);
        } else if let Some((word, tokens)) = setting(index) {
            let what = format!("`{word}` is for an index of places on a plane, and this index has no `geo_2d(..)`");
            errors.rule(tokens, ID, &what, "write the field with the coordinates as `geo_2d(place)`");
        }
    }
}

fn setting(index: &Index) -> Option<(&'static str, &syn::Expr)> {
    let bits = index.settings.bits.as_ref().map(|(_, tokens)| ("bits", tokens));
    let min = || index.settings.min.as_ref().map(|(_, tokens)| ("min", tokens));
    let max = || index.settings.max.as_ref().map(|(_, tokens)| ("max", tokens));
    bits.or_else(min).or_else(max)
}

fn enforce_one(index: &Index, errors: &Errors) {
    let is_special = |at: &usize| !matches!(index.keys[*at].direction, Direction::Ascending | Direction::Descending);
    if index.keys[0].direction != Direction::Plane {
        let key = index.keys.iter().find(|key| key.direction == Direction::Plane);
        let what = "MongoDB takes `geo_2d` as the first key of an index only";
        errors.rule(&key.unwrap_or(&index.keys[0]).tokens, ID, what, "write `geo_2d(..)` before the remaining keys");
    } else if let Some(at) = (1..index.keys.len()).find(is_special) {
        let key = &index.keys[at];
        let what = format!("`{}` and `geo_2d` are two special kinds, and an index has one", key.direction.word());
        errors.rule(&key.tokens, ID, &what, "declare a separate index for this field");
    }
    if let Some(unique) = &index.unique {
        let what = "a unique `geo_2d` index would refuse a place near another place";
        errors.rule(unique, ID, what, "declare a second index over the field itself: `#[index(field, unique)]`");
    }
    let settings = &index.settings;
    if let Some((_, tokens)) = settings.bits.as_ref().filter(|(bits, _)| *bits > MOST_BITS) {
        errors.rule(tokens, ID, "MongoDB takes 1 to 32 bits for a coordinate", "write `bits = 26`, the default");
    }
    let of = |limit: &Option<(f64, syn::Expr)>, default| limit.as_ref().map_or(default, |(value, _)| *value);
    let (min, max) = (of(&settings.min, LIMITS.0), of(&settings.max, LIMITS.1));
    if min >= max
        && let Some((_, tokens)) = settings.max.as_ref().or(settings.min.as_ref())
    {
        let what = format!("no coordinate is from {min} to below {max}");
        errors.rule(tokens, ID, &what, "write a `min` below `max`; the defaults are -180 and 180");
    }
}
