//! The effects of a changed field on readers and writers of both versions.

use super::{super::rules, owner};
use crate::manage::{
    schema_diff::Effect,
    schema_file::{FieldEntry, FieldType, ModelEntry, UnknownFields, VariantsEntry},
};

/// A change in words, and the effects. No words stand for no change.
type Judgement = (String, Vec<Effect>);

/// Judges a new field. The earlier version is the version before the change.
pub(super) fn of_added(field: &FieldEntry, earlier: &ModelEntry) -> Judgement {
    let mut effects = match reads_absence(field) {
        true => Vec::new(),
        false => vec![Effect::Backfill, Effect::NewReadersFail, Effect::OldWritersRefused],
    };
    effects.extend(match (reads_unknown(field, earlier), unknown_fields(field, earlier)) {
        (false, _) => Some(Effect::OldReadersFail),
        (true, UnknownFields::Keep) => None,
        (true, UnknownFields::Drop | UnknownFields::Refuse) => Some(Effect::WholeWritesDropField),
    });
    effects.extend(of_derived_data(field));
    (describe(field), effects)
}

/// Judges a removed field. The later version is the version after the change.
pub(super) fn of_removed(field: &FieldEntry, later: &ModelEntry) -> Judgement {
    let mut effects = Vec::new();
    effects.extend((!reads_absence(field)).then_some(Effect::OldReadersFail));
    if !reads_unknown(field, later) {
        effects.extend([Effect::Backfill, Effect::NewReadersFail]);
        // serde's `deny_unknown_fields` is no rule of the validator.
        let is_refused = later.unknown_fields == UnknownFields::Refuse;
        effects.extend(is_refused.then_some(Effect::OldWritersRefused));
    }
    effects.extend(of_derived_data(field));
    (describe(field), effects)
}

/// Judges a field of both versions.
pub(super) fn of_changed(before: &FieldEntry, after: &FieldEntry) -> Judgement {
    let (mut words, mut effects) = (Vec::new(), Vec::new());
    if before.stored_type != after.stored_type {
        words.push(format!("{} -> {}", word(before.stored_type), word(after.stored_type)));
        effects.extend(of_types(before.stored_type, after.stored_type));
    }
    of_absence(before, after, &mut words, &mut effects);
    rules::compare(before, after, &mut words, &mut effects);
    of_texts(before, after, &mut words, &mut effects);
    let (of_variants, variant_effects) = of_variants(before.variants.as_ref(), after.variants.as_ref());
    words.extend((!of_variants.is_empty()).then_some(of_variants));
    effects.extend(variant_effects);
    if before.strict != after.strict {
        words.push(format!("unknown fields refused: {} -> {}", before.strict, after.strict));
        effects.extend(after.strict.then_some(Effect::NewReadersFail));
    }
    if before.immutable != after.immutable {
        words.push(format!("immutable: {} -> {}", before.immutable, after.immutable));
    }
    of_derived(before, after, &mut words, &mut effects);
    (words.join(", "), effects)
}

/// Judges the variants of an enum that holds data.
pub(super) fn of_variants(before: Option<&VariantsEntry>, after: Option<&VariantsEntry>) -> Judgement {
    let (mut words, mut effects) = (Vec::new(), Vec::new());
    match (before, after) {
        (Some(before), Some(after)) => {
            if before.tag != after.tag {
                words.push(format!("tag `{}` -> `{}`", before.tag, after.tag));
                effects.extend(BOTH_FAIL);
            }
            of_values(&before.names, &after.names, &mut words, &mut effects);
        }
        (None, None) => {}
        (Some(_), None) | (None, Some(_)) => {
            words.push("struct and enum are exchanged".to_owned());
            effects.extend(BOTH_FAIL);
        }
    }
    (words.join(", "), effects)
}

/// The effects of two forms of which neither reads the other.
const BOTH_FAIL: [Effect; 4] =
    [Effect::OldReadersFail, Effect::NewReadersFail, Effect::OldWritersRefused, Effect::Backfill];

/// The effects of documents that the later version does not read.
const NEW_FAIL: [Effect; 3] = [Effect::NewReadersFail, Effect::OldWritersRefused, Effect::Backfill];

fn of_types(before: FieldType, after: FieldType) -> Vec<Effect> {
    match (before, after) {
        // The later version reads every value of the earlier version.
        (FieldType::Int | FieldType::Float, FieldType::Double) | (_, FieldType::Any) => vec![Effect::OldReadersFail],
        (FieldType::Double, FieldType::Float) | (FieldType::Any, _) => NEW_FAIL.to_vec(),
        _ => BOTH_FAIL.to_vec(),
    }
}

/// Judges null, and the lack of the field.
fn of_absence(before: &FieldEntry, after: &FieldEntry, words: &mut Vec<String>, effects: &mut Vec<Effect>) {
    match (before.nullable, after.nullable) {
        (false, true) => effects.push(Effect::OldReadersFail),
        (true, false) => effects.extend(NEW_FAIL),
        _ => {}
    }
    match (reads_absence(before), reads_absence(after)) {
        // A version whose field has a default and no null writes the field always.
        (false, true) => effects.extend(after.nullable.then_some(Effect::OldReadersFail)),
        (true, false) if before.nullable => effects.extend(NEW_FAIL),
        (true, false) => effects.push(Effect::Backfill),
        _ => {}
    }
    for (name, before, after) in
        [("nullable", before.nullable, after.nullable), ("optional", reads_absence(before), reads_absence(after))]
    {
        words.extend((before != after).then(|| format!("{name} {before} -> {after}")));
    }
}

/// Judges the texts of a field: the values of an enum, or any text.
fn of_texts(before: &FieldEntry, after: &FieldEntry, words: &mut Vec<String>, effects: &mut Vec<Effect>) {
    if before.stored_type != FieldType::String || after.stored_type != FieldType::String {
        return;
    }
    let list = |values: &[String]| values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    match (before.values.as_slice(), after.values.as_slice()) {
        ([], []) => {}
        ([], values) => {
            words.push(format!("any text -> {}", list(values)));
            effects.extend(NEW_FAIL);
        }
        (values, []) => {
            words.push(format!("{} -> any text", list(values)));
            effects.push(Effect::OldReadersFail);
        }
        (before, after) => of_values(before, after, words, effects),
    }
}

fn of_values(before: &[String], after: &[String], words: &mut Vec<String>, effects: &mut Vec<Effect>) {
    let beyond = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|value| !other.contains(value)).map(|value| format!("`{value}`")).collect()
    };
    let (added, removed) = (beyond(after, before), beyond(before, after));
    if !added.is_empty() {
        words.push(format!("new values {}", added.join(", ")));
        effects.push(Effect::OldReadersFail);
    }
    if !removed.is_empty() {
        words.push(format!("without the values {}", removed.join(", ")));
        effects.extend(NEW_FAIL);
    }
}

/// Judges data that this crate keeps: copies, rollups, relations.
fn of_derived(before: &FieldEntry, after: &FieldEntry, words: &mut Vec<String>, effects: &mut Vec<Effect>) {
    if before.set_by != after.set_by {
        let text = |field: &FieldEntry| field.set_by.clone().unwrap_or_else(|| "the program".to_owned());
        words.push(format!("set by {} -> {}", text(before), text(after)));
        effects.push(Effect::RepairAfterDeploy);
    }
    if before.copy != after.copy {
        words.push("another copy".to_owned());
        effects.push(Effect::RepairAfterDeploy);
        // Clients of both versions write the copy by turns, each with another value.
        effects.extend((before.copy.is_some() && after.copy.is_some()).then_some(Effect::Decision));
    }
    if before.rollup != after.rollup {
        words.push("another value of the children".to_owned());
        effects.push(Effect::RecomputeAfterDeploy);
    }
    if before.relation != after.relation {
        words.push("another relation".to_owned());
        let to = |field: &FieldEntry| field.relation.as_ref().map(|relation| relation.to.clone());
        match (to(before), to(after)) {
            // The stored references lead to another collection.
            (Some(before), Some(after)) if before != after => effects.push(Effect::Decision),
            _ => effects.push(Effect::RepairAfterDeploy),
        }
    }
}

/// Returns whether a read takes a document without the field.
fn reads_absence(field: &FieldEntry) -> bool {
    field.nullable || field.optional
}

/// Returns the effect of a field that writes of other documents keep, or whose relation has a rule about deletes:
/// writes of a version without the field leave the data behind.
pub(super) fn of_derived_data(field: &FieldEntry) -> Option<Effect> {
    let is_kept_by_tree = |origin: &String| origin.starts_with("tree ") && origin != "tree parent";
    match field {
        FieldEntry { rollup: Some(_), .. } => Some(Effect::RecomputeAfterDeploy),
        FieldEntry { copy: Some(copy), .. } if copy.mode != "snapshot" => Some(Effect::RepairAfterDeploy),
        FieldEntry { relation: Some(relation), .. } if relation.mirror || relation.on_delete.is_some() => {
            Some(Effect::RepairAfterDeploy)
        }
        FieldEntry { set_by: Some(origin), .. } if is_kept_by_tree(origin) => Some(Effect::RepairAfterDeploy),
        _ => None,
    }
}

/// Returns the field around a field.
fn around<'a>(field: &FieldEntry, model: &'a ModelEntry) -> Option<&'a FieldEntry> {
    owner(&field.path).and_then(|owner| model.fields.iter().find(|field| field.path == owner))
}

/// Returns whether a read takes a document with a field that the struct around the field does not have.
fn reads_unknown(field: &FieldEntry, model: &ModelEntry) -> bool {
    let is_strict = around(field, model).map_or(model.strict, |around| around.strict);
    !is_strict && model.unknown_fields != UnknownFields::Refuse
}

/// Returns the effect of a whole write on an unknown field of the struct around a field.
fn unknown_fields(field: &FieldEntry, model: &ModelEntry) -> UnknownFields {
    match around(field, model) {
        Some(_) => UnknownFields::Drop,
        None => model.unknown_fields,
    }
}

/// Returns the type and the properties of a field: `int, required`.
fn describe(field: &FieldEntry) -> String {
    let mut words = vec![word(field.stored_type)];
    words.push(if reads_absence(field) { "optional" } else { "required" }.to_owned());
    words.extend(field.copy.as_ref().map(|copy| format!("a copy of `{}.{}`", copy.of, copy.field)));
    words.extend(field.rollup.as_ref().map(|rollup| format!("the {} of `{}`", rollup.kind, rollup.of)));
    words.extend(field.set_by.as_ref().map(|origin| format!("set by {origin}")));
    words.join(", ")
}

/// Returns the word of a type in the file.
fn word(stored_type: FieldType) -> String {
    serde_json::to_value(stored_type).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}
