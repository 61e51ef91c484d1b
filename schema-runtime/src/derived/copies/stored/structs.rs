//! Finds the places where documents and updates write references with copies beside the references. Pure.

use mongodb::bson::{Bson, Document};

use super::path::{ANY_KEY, CopyPath, Step};

/// The form in which an update writes a reference.
pub(in crate::derived::copies) enum Put<'a> {
    /// The struct that holds the reference and the copies.
    Struct(&'a mut Document),
    /// The reference alone, by an operator; the prefix leads to the fields beside the reference.
    Reference { operator: &'static str, prefix: String, id: &'a Bson },
}

/// The operators that write values.
const PUTS: [&str; 3] = ["$set", "$setOnInsert", "$push"];

/// Visits the structs of a whole document.
pub(in crate::derived::copies) fn in_document(
    path: &CopyPath,
    document: &mut Document,
    visit: &mut dyn FnMut(&mut Document),
) {
    below(&path.steps, document, visit);
}

impl CopyPath {
    /// Returns whether a reference of a document has copies without a version or of different fields.
    pub(in crate::derived::copies) fn is_incomplete(&self, document: &mut Document) -> bool {
        let (checksum, mut is_incomplete) = (self.field_set_checksum(), false);
        in_document(self, document, &mut |found| {
            let refers = found.get(self.reference).is_some_and(|id| *id != Bson::Null);
            let is_whole = found.get_timestamp(self.version()).is_ok()
                && found.get_i32(self.field_set()).is_ok_and(|set| set == checksum);
            let is_left = !refers && self.may_be_empty && found.contains_key(self.version());
            is_incomplete |= (refers && !is_whole) || is_left;
        });
        is_incomplete
    }
}

fn below(steps: &[Step], document: &mut Document, visit: &mut dyn FnMut(&mut Document)) {
    match steps.split_first() {
        None => visit(document),
        Some((step, rest)) if step.name == ANY_KEY => {
            document.iter_mut().for_each(|(_, value)| in_value(rest, value, visit));
        }
        Some((step, rest)) => {
            if let Some(value) = document.get_mut(step.name) {
                in_value(rest, value, visit);
            }
        }
    }
}

fn in_value(steps: &[Step], value: &mut Bson, visit: &mut dyn FnMut(&mut Document)) {
    match value {
        Bson::Document(document) => below(steps, document, visit),
        Bson::Array(elements) => elements.iter_mut().for_each(|element| in_value(steps, element, visit)),
        _ => {}
    }
}

/// Visits the references that an update in the form of the server writes.
pub(in crate::derived::copies) fn in_update(path: &CopyPath, update: &mut Document, visit: &mut dyn FnMut(Put<'_>)) {
    for operator in PUTS {
        let Some(Bson::Document(fields)) = update.get_mut(operator) else { continue };
        for (key, value) in fields.iter_mut() {
            match leads(path, key) {
                Some(Way::Above(rest)) => {
                    // `$push` has its elements in `$each`.
                    let value = match value {
                        Bson::Document(push) if operator == "$push" && push.contains_key("$each") => {
                            let Some(each) = push.get_mut("$each") else { continue };
                            each
                        }
                        value => value,
                    };
                    in_value(rest, value, &mut |document| visit(Put::Struct(document)));
                }
                Some(Way::Reference(prefix)) => visit(Put::Reference { operator, prefix, id: value }),
                None => {}
            }
        }
    }
}

/// Returns whether a write at the key of an update writes references.
pub(in crate::derived::copies) fn puts_at(path: &CopyPath, key: &str) -> bool {
    leads(path, key).is_some()
}

/// Returns whether the operator of an update writes references.
pub(in crate::derived::copies) fn puts_by(operator: &str, path: &CopyPath, update: &Document) -> bool {
    update.get_document(operator).is_ok_and(|fields| fields.keys().any(|key| puts_at(path, key)))
}

/// Returns whether an update writes references into an array and keeps further references of the array.
pub(in crate::derived::copies) fn leaves_others(path: &CopyPath, update: &Document) -> bool {
    let Some(array) = path.steps.iter().position(|step| step.is_array) else { return false };
    PUTS.iter().filter_map(|operator| Some((operator, update.get_document(operator).ok()?))).any(
        |(operator, fields)| {
            let keys = fields.keys().filter(|key| puts_at(path, key));
            keys.map(|key| key.split('.').count()).any(|names| *operator == "$push" || names > array + 1)
        },
    )
}

/// Returns whether an update changes the set of references in a way that this crate does not follow.
pub(in crate::derived::copies) fn is_strange(path: &CopyPath, update: &Document) -> bool {
    let others = update.iter().filter(|(operator, _)| !PUTS.contains(&operator.as_str()));
    let others = others.filter(|(operator, _)| !["$unset", "$pull", "$pullAll", "$pop"].contains(&operator.as_str()));
    others.filter_map(|(operator, fields)| Some((operator, fields.as_document()?))).any(|(operator, fields)| {
        let renamed = fields.values().filter(|_| operator == "$rename").filter_map(Bson::as_str);
        fields.keys().map(String::as_str).chain(renamed).any(|key| leads(path, key).is_some())
    })
}

/// Returns the prefixes of the references that an update removes.
pub(in crate::derived::copies) fn unset(path: &CopyPath, update: &Document) -> Vec<String> {
    let Some(Bson::Document(fields)) = update.get("$unset") else { return Vec::new() };
    let prefix = |key: &String| match leads(path, key)? {
        Way::Reference(prefix) => Some(prefix),
        Way::Above(_) => None,
    };
    fields.keys().filter_map(prefix).collect()
}

/// The target of a key of an update.
enum Way<'a> {
    /// A value that contains the structs, with the remaining steps.
    Above(&'a [Step]),
    /// The reference; the prefix leads to the fields beside the reference.
    Reference(String),
}

fn leads<'a>(path: &'a CopyPath, key: &str) -> Option<Way<'a>> {
    let names: Vec<&str> = key.split('.').collect();
    let (mut at, mut taken) = (0, 0);
    while at < names.len() && taken < path.steps.len() {
        let step = path.steps[taken];
        if names[at] != step.name && step.name != ANY_KEY {
            return None;
        }
        at += 1;
        taken += 1;
        if step.is_array && at < names.len() {
            // An array element: `$[]`, `$[e0]` or a position.
            at += 1;
        }
    }
    match &names[at..] {
        [] => Some(Way::Above(&path.steps[taken..])),
        [last] if *last == path.reference => {
            let prefix = key.strip_suffix(path.reference).unwrap_or_default().to_owned();
            Some(Way::Reference(prefix))
        }
        _ => None,
    }
}
