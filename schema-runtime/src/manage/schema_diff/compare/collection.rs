//! The changes of a collection: the kind and the options, the validator's effect, unknown fields, the shard key.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Changes, rules, stored};
use crate::manage::{
    plan::{
        Change,
        options::{Compared, compare as compare_options},
    },
    schema_diff::{ChangeKind, ChangePlace, Effect, SchemaChange},
    schema_file::{ModelEntry, UnknownFields, ValidationEntry},
    sharding::{self, ShardingKind},
};

pub(super) fn compare(of: &Changes<'_>, earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    let mut push = |summary: String, effects: &[Effect]| {
        changes.push(of.change(ChangePlace::Collection, ChangeKind::Changed, summary, effects.iter().copied()));
    };
    let names: BTreeSet<&String> = earlier.options.keys().chain(later.options.keys()).collect();
    let compared = compare_options(&stored::options(later), &stored::options(earlier));
    for name in names {
        let (before, after) = (earlier.options.get(name), later.options.get(name));
        if before != after {
            let effects = of_option(name, &compared, before, after);
            push(format!("{name} {} -> {}", rules::text(before), rules::text(after)), &effects);
        }
    }
    if earlier.validation != later.validation {
        let text = |model: &ModelEntry| match &model.validation {
            Some(validation) => format!("{} {}", validation.level, validation.action),
            None => "none".to_owned(),
        };
        // Documents that no validator refused so far may not pass.
        let is_new = refuses(later) && !refuses(earlier);
        let effects = if is_new { &[Effect::InPlace, Effect::Backfill][..] } else { &[Effect::InPlace] };
        push(format!("validation {} -> {}", text(earlier), text(later)), effects);
    }
    match (earlier.unknown_fields, later.unknown_fields) {
        (before, after) if before == after => {}
        (_, UnknownFields::Refuse) => push(
            "unknown fields are refused".to_owned(),
            &[Effect::NewReadersFail, Effect::OldWritersRefused, Effect::Backfill],
        ),
        (_, UnknownFields::Drop) => {
            push("whole writes remove unknown fields".to_owned(), &[Effect::WholeWritesDropField]);
        }
        (_, UnknownFields::Keep) => push("whole writes keep unknown fields".to_owned(), &[]),
    }
    if earlier.strict != later.strict {
        let effects = if later.strict { &[Effect::NewReadersFail][..] } else { &[] };
        push(format!("unknown fields fail a read: {} -> {}", earlier.strict, later.strict), effects);
    }
    for (name, before, after) in
        [("read_only", earlier.read_only, later.read_only), ("insert_only", earlier.insert_only, later.insert_only)]
    {
        if before != after {
            push(format!("{name} {before} -> {after}"), &[]);
        }
    }
    if earlier.shard_key != later.shard_key {
        let text = |model: &ModelEntry| match &model.shard_key {
            Some(key) => key.keys.join(", "),
            None => "none".to_owned(),
        };
        let key = |model: &ModelEntry| model.shard_key.as_ref().map(stored::shard_key);
        let (before, after) = (key(earlier), key(later));
        let kind = match (&before, &after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let effects = match after {
            Some(after) => of_shard_key(sharding::kind(before.as_ref(), &after).as_ref()),
            // The plan leaves the stored key, which the commands of the later version do not have.
            None => vec![Effect::Decision],
        };
        let summary = format!("{} -> {}", text(earlier), text(later));
        changes.push(of.change(ChangePlace::ShardKey, kind, summary, effects));
    }
}

/// Returns whether the validator refuses documents.
pub(super) fn refuses(model: &ModelEntry) -> bool {
    let refuses = |validation: &ValidationEntry| validation.level != "off" && validation.action == "error";
    model.validation.as_ref().is_some_and(refuses)
}

/// Returns the effects of a shard key. A server before MongoDB 7.1 refuses a `findAndModify` without the whole key, as
/// the earlier version sends.
fn of_shard_key(kind: Option<&ShardingKind>) -> Vec<Effect> {
    match kind {
        // A shard key that becomes unique, or is unique no more.
        None => vec![Effect::Decision],
        Some(ShardingKind::Shard | ShardingKind::Refine { .. }) => vec![Effect::InPlace, Effect::OldWritersRefused],
        Some(ShardingKind::Reshard { .. }) => {
            vec![Effect::NeedsOption { allow: "reshard" }, Effect::OldWritersRefused]
        }
    }
}

/// Returns the effects of a changed option of the command `create`, by the steps of the plan.
fn of_option(name: &str, compared: &Compared, before: Option<&Value>, after: Option<&Value>) -> Vec<Effect> {
    let (steps, converts) = match compared {
        Compared::Clash(_) => return vec![Effect::Decision],
        Compared::Convert(_, _, steps) => (steps, true),
        Compared::Changes(steps) => (steps, false),
    };
    if converts && ["capped", "size", "max"].contains(&name) {
        return vec![Effect::NeedsOption { allow: "convert" }, Effect::DeletesDocuments];
    }
    let of_coll_mod = match name {
        "size" => "cappedSize",
        "max" => "cappedMax",
        name => name,
    };
    let step = steps.iter().find_map(|step| match step {
        Change::SetOption { new, shrinks, .. } if new.contains_key(of_coll_mod) => Some(*shrinks),
        _ => None,
    });
    match step {
        Some(true) => vec![Effect::NeedsOption { allow: "shrink" }, Effect::DeletesDocuments],
        Some(false) if name == "expireAfterSeconds" && rules::is_sooner(before, after) => {
            vec![Effect::InPlace, Effect::DeletesDocuments]
        }
        Some(false) => vec![Effect::InPlace],
        // The plan changes nothing, and the collection keeps the option.
        None if name == "expireAfterSeconds" => vec![Effect::DeletesDocuments],
        None if name == "collation" => vec![Effect::Decision],
        None => Vec::new(),
    }
}
