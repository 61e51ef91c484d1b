//! The changes of a collection: the kind and the options, the validator's effect, unknown fields, the shard key.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Changes, rules};
use crate::manage::{
    schema_diff::{ChangeKind, ChangePlace, Effect, SchemaChange},
    schema_file::{ModelEntry, UnknownFields},
};

pub(super) fn compare(of: &Changes<'_>, earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    let mut push = |summary: String, effects: &[Effect]| {
        changes.push(of.change(ChangePlace::Collection, ChangeKind::Changed, summary, effects.iter().copied()));
    };
    let names: BTreeSet<&String> = earlier.options.keys().chain(later.options.keys()).collect();
    for name in names {
        let (before, after) = (earlier.options.get(name), later.options.get(name));
        if before != after {
            push(format!("{name} {} -> {}", rules::text(before), rules::text(after)), of_option(name, before, after));
        }
    }
    if earlier.validation != later.validation {
        let text = |model: &ModelEntry| match &model.validation {
            Some(validation) => format!("{} {}", validation.level, validation.action),
            None => "none".to_owned(),
        };
        push(format!("validation {} -> {}", text(earlier), text(later)), &[Effect::InPlace]);
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
        let kind = match (&earlier.shard_key, &later.shard_key) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let effects = if kind == ChangeKind::Added { Vec::new() } else { vec![Effect::Decision] };
        let summary = format!("{} -> {}", text(earlier), text(later));
        changes.push(of.change(ChangePlace::ShardKey, kind, summary, effects));
    }
}

/// Returns the effects of a changed option of the command `create`.
fn of_option(name: &str, before: Option<&Value>, after: Option<&Value>) -> &'static [Effect] {
    let number = |value: Option<&Value>| value.and_then(Value::as_i64);
    match name {
        "expireAfterSeconds" if rules::is_sooner(before, after) => &[Effect::InPlace, Effect::DeletesDocuments],
        "expireAfterSeconds" => &[Effect::InPlace],
        "size" | "max" => match (number(before), number(after)) {
            (Some(before), Some(after)) if after >= before => &[Effect::InPlace],
            // A collection without a `max` holds any number of documents.
            (Some(_), None) if name == "max" => &[Effect::InPlace],
            (None, _) if name == "size" => &[],
            _ => &[Effect::InPlace, Effect::DeletesDocuments],
        },
        "changeStreamPreAndPostImages" | "pipeline" | "viewOn" => &[Effect::InPlace],
        _ => &[Effect::Decision],
    }
}
