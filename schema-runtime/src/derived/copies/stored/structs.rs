//! Finds the places where documents and updates write references with copies beside the references. Pure.

use mongodb::bson::{Bson, Document};

use super::path::{ANY_KEY, CopyPath, Step};
use crate::changes::{ChangeSet, FieldChange, Operator};

/// The form in which an update writes a reference.
pub(in crate::derived::copies) enum Put<'a> {
    /// The struct that holds the reference and the copies.
    Struct(&'a mut Document),
    /// The reference alone, by an operator; the prefix leads to the fields beside the reference.
    Reference { operator: Operator, prefix: String, id: &'a Bson },
}

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

/// Visits the references that an update writes.
pub(in crate::derived::copies) fn in_changes(path: &CopyPath, changes: &mut ChangeSet, visit: &mut dyn FnMut(Put<'_>)) {
    for change in changes.iter_mut().filter(|change| change.operator.puts()) {
        match leads(path, &change.path) {
            Some(Way::Above(rest)) => in_value(rest, &mut change.value, &mut |document| visit(Put::Struct(document))),
            Some(Way::Reference(prefix)) => {
                visit(Put::Reference { operator: change.operator, prefix, id: &change.value });
            }
            None => {}
        }
    }
}

/// Returns whether a write at the key of an update writes references.
pub(in crate::derived::copies) fn puts_at(path: &CopyPath, key: &str) -> bool {
    leads(path, key).is_some()
}

/// Returns whether a change of the operator writes references.
pub(in crate::derived::copies) fn puts_by(operator: Operator, path: &CopyPath, changes: &ChangeSet) -> bool {
    changes.iter().any(|change| change.operator == operator && leads(path, &change.path).is_some())
}

/// Returns whether an update writes references into an array and keeps further references of the array.
pub(in crate::derived::copies) fn leaves_others(path: &CopyPath, changes: &ChangeSet) -> bool {
    let Some(array) = path.steps.iter().position(|step| step.is_array) else { return false };
    let mut puts = changes.iter().filter(|change| change.operator.puts() && leads(path, &change.path).is_some());
    puts.any(|change| change.operator == Operator::Push || change.path.split('.').count() > array + 1)
}

/// Returns whether an update changes the set of references in a way that this crate does not follow.
pub(in crate::derived::copies) fn is_strange(path: &CopyPath, changes: &ChangeSet) -> bool {
    let mut others = changes.iter().filter(|change| !change.operator.puts() && !change.operator.removes());
    others.any(|change| change.paths().any(|key| leads(path, key).is_some()))
}

/// Returns the prefixes of the references that an update removes.
pub(in crate::derived::copies) fn unset(path: &CopyPath, changes: &ChangeSet) -> Vec<String> {
    let prefix = |change: &FieldChange| match leads(path, &change.path)? {
        Way::Reference(prefix) => Some(prefix),
        Way::Above(_) => None,
    };
    changes.iter().filter(|change| change.operator == Operator::Unset).filter_map(prefix).collect()
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
