//! Rule: `shard_key_low_cardinality`. The page is `guide/pages/rules/shard_key_low_cardinality.md`.

use crate::definition::{
    Allow, Kind, ModelDefinition, Scalar, ShardKeyDefinition, ShardKeyField, digits, dotted, each, is_id, is_path,
    refuse, resolve,
};

const ID: &str = "shard_key_low_cardinality";

/// The number of values of a field.
enum Values {
    Known(u64),
    /// As many values as documents of another model, each value shared by many documents of this model.
    OfOthers,
    /// The definition does not say.
    Unknown,
    /// About as many values as documents.
    Many,
}

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    if Allow::any(key.allows, ID) {
        return;
    }
    let first = &key.fields[0];
    let values = values(model, first);
    let is_alone = key.fields.len() == 1;
    match values {
        Values::Many => {}
        Values::Unknown => refuse! {
            "cardinality: nothing says how many values `{}.{}` has, and a chunk is split between two values only",
                model.model, dotted(first.path).as_str();
            help: "write `distinct({} = 50_000)`, or make the field unique if the values are unique", dotted(first.path).as_str()
        },
        Values::OfOthers if is_alone => refuse! {
            "cardinality: all `{}` of the same `{}` have the same shard key: the documents grow in a single chunk that cannot be split",
                model.model, dotted(first.path).as_str();
            help: "add a finer field behind the first field, as in `#[shard_key({}, time)]`, or declare the number of values: `distinct({} = 50_000)`; or give a reason: `allow(shard_key_low_cardinality, reason = \"..\")`",
                dotted(first.path).as_str(), dotted(first.path).as_str()
        },
        Values::OfOthers => {}
        Values::Known(few) => enforce_known(model, key, few),
    }
}

/// Judges a key whose first field has `few` values.
#[track_caller]
const fn enforce_known(model: &ModelDefinition, key: &ShardKeyDefinition, few: u64) {
    let [first, others @ ..] = key.fields else { return };
    let wanted = key.shards.saturating_mul(2);
    let needed = match key.chunks {
        Some(chunks) if chunks > wanted => chunks,
        _ => wanted,
    };
    let (mut product, mut finer) = (few, None);
    each!(for field in others {
        match values(model, field) {
            Values::Known(more) => product = product.saturating_mul(more),
            Values::OfOthers | Values::Unknown | Values::Many => {
                finer = Some(field);
                break;
            }
        }
    });
    match finer {
        None if product < needed => {
            let product = digits(product);
            refuse! {
                "cardinality: this key has {} values, so the data has never more than {} chunks, and {} chunks are {}",
                    product.as_str(), product.as_str(), digits(needed).as_str(),
                    if needed > wanted { "declared" } else { "needed, twice as many as shards" };
                help: "add a finer field behind the first field, as in `#[shard_key({}, id)]`; or give a reason: `allow(shard_key_low_cardinality, reason = \"..\")`",
                    dotted(first.path).as_str()
            }
        }
        Some(finer) if few < wanted && finer.ascends(model) => {
            let few = digits(few);
            refuse! {
                "cardinality: `{}.{}` has {} values and a later field ascends, so all writes go to {} chunks in a cluster of {} shards",
                    model.model, dotted(first.path).as_str(), few.as_str(), few.as_str(), digits(key.shards).as_str();
                help: "begin with a field of at least {} values, or hash the later field: `hashed({})`; or give a reason: `allow(shard_key_low_cardinality, reason = \"..\")`",
                    digits(wanted).as_str(), dotted(finer.path).as_str()
            }
        }
        _ => {}
    }
}

const fn values(model: &ModelDefinition, field: &ShardKeyField) -> Values {
    if let Some(values) = field.distinct {
        return Values::Known(values);
    }
    if is_unique(model, field) {
        return Values::Many;
    }
    if field.refers {
        return Values::OfOthers;
    }
    let Some(path) = resolve(model.fields, field.path) else { return Values::Unknown };
    match path.shape.kind {
        Kind::Scalar(Scalar::Bool) => Values::Known(2),
        Kind::Enum(variants) => Values::Known(variants.len() as u64),
        Kind::Scalar(Scalar::Integer) | Kind::String { .. } => Values::Unknown,
        _ => Values::Many,
    }
}

/// Returns whether no two documents have the same value.
const fn is_unique(model: &ModelDefinition, field: &ShardKeyField) -> bool {
    if is_id(model, field.path) {
        return true;
    }
    each!(for index in model.all_indexes {
        if index.unique && index.partial.is_empty() && index.keys.len() == 1 && is_path(index.keys[0].path, field.path)
        {
            return true;
        }
    });
    false
}
