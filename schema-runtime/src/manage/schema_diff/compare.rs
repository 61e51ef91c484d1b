//! Finds the changes between two schema files. Pure.

mod collection;
mod fields;
mod indexes;
mod rules;
mod shown;

use super::{ChangeKind, ChangePlace, Effect, SchemaChange};
use crate::manage::schema_file::{ModelEntry, QueryEntry, SchemaFile, ValidationEntry};

/// Returns the changes in the order of the collections.
pub(super) fn compare(earlier: &SchemaFile, later: &SchemaFile) -> Vec<SchemaChange> {
    let (earlier, later) = (shown::without_facts(earlier), shown::without_facts(later));
    let mut changes = Vec::new();
    for pair in pairs(&earlier.models, &later.models, |model| model.collection.clone()) {
        match pair {
            Pair::Removed(model) => {
                let summary = "the collection stays, since no plan drops a collection";
                changes.push(Changes::of(model).change(ChangePlace::Collection, ChangeKind::Removed, summary, []));
            }
            Pair::Added(model) => {
                let summary = format!("a new collection for `{}`", model.model);
                changes.push(Changes::of(model).change(ChangePlace::Collection, ChangeKind::Added, summary, []));
            }
            Pair::Both(earlier, later) => compare_models(earlier, later, &mut changes),
        }
    }
    changes.sort_by(|one, other| one.collection.cmp(&other.collection));
    for change in &mut changes {
        change.effects.sort_by(|one, other| other.cmp(one));
        change.effects.dedup();
    }
    changes
}

fn compare_models(earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    let of = Changes::of(later);
    let first = changes.len();
    collection::compare(&of, earlier, later, changes);
    fields::compare(&of, earlier, later, changes);
    rules::compare_documents(&of, earlier, later, changes);
    let refuses = |validation: &ValidationEntry| validation.level != "off" && validation.action == "error";
    if !later.validation.as_ref().is_some_and(refuses) {
        for change in &mut changes[first..] {
            change.effects.retain(|effect| *effect != Effect::OldWritersRefused);
        }
    }
    indexes::compare(&of, earlier, later, changes);
    for pair in pairs(&earlier.queries, &later.queries, |query| query.name.clone()) {
        let summary = match pair {
            Pair::Added(query) | Pair::Removed(query) => query.conditions.join(", "),
            Pair::Both(earlier, later) => format!("{} -> {}", describe(earlier), describe(later)),
        };
        changes.push(of.change(ChangePlace::Query(pair.part().name.clone()), pair.kind(), summary, []));
    }
    for pair in pairs(&earlier.silenced, &later.silenced, |silenced| silenced.rule.clone()) {
        let silenced = pair.part();
        let place = ChangePlace::SilencedRule(silenced.rule.clone());
        changes.push(of.change(place, pair.kind(), silenced.reason.clone(), []));
    }
}

fn describe(query: &QueryEntry) -> String {
    let parts: Vec<&str> = query.conditions.iter().chain(&query.order).map(String::as_str).collect();
    let often = query.per_day.map(|often| format!(", {often} per day"));
    format!("{}{}", parts.join(", "), often.unwrap_or_default())
}

/// Makes the changes of one model.
struct Changes<'a> {
    collection: &'a str,
}

impl<'a> Changes<'a> {
    fn of(model: &'a ModelEntry) -> Self {
        Changes { collection: &model.collection }
    }

    fn change(
        &self,
        place: ChangePlace,
        change: ChangeKind,
        summary: impl Into<String>,
        effects: impl IntoIterator<Item = Effect>,
    ) -> SchemaChange {
        SchemaChange {
            collection: self.collection.to_owned(),
            place,
            change,
            summary: summary.into(),
            effects: effects.into_iter().collect(),
        }
    }
}

/// A part of the earlier schema, of the later schema, or of both.
enum Pair<'a, T> {
    Added(&'a T),
    Removed(&'a T),
    Both(&'a T, &'a T),
}

impl<'a, T> Pair<'a, T> {
    fn kind(&self) -> ChangeKind {
        match self {
            Pair::Added(_) => ChangeKind::Added,
            Pair::Removed(_) => ChangeKind::Removed,
            Pair::Both(..) => ChangeKind::Changed,
        }
    }

    /// Returns the part of the later schema, or the removed part.
    fn part(&self) -> &'a T {
        match self {
            Pair::Added(part) | Pair::Removed(part) | Pair::Both(_, part) => part,
        }
    }
}

/// Returns the parts of two lists that differ, by their keys: the parts of the later list in order, then the removed
/// parts.
fn pairs<'a, T: PartialEq, K: PartialEq>(
    earlier: &'a [T],
    later: &'a [T],
    key: impl Fn(&T) -> K + Copy,
) -> Vec<Pair<'a, T>> {
    let find = |list: &'a [T], part: &T| list.iter().find(|other| key(other) == key(part));
    let of_later = later.iter().filter_map(|part| match find(earlier, part) {
        Some(earlier) => (earlier != part).then_some(Pair::Both(earlier, part)),
        None => Some(Pair::Added(part)),
    });
    let removed = earlier.iter().filter(|part| find(later, part).is_none()).map(Pair::Removed);
    of_later.chain(removed).collect()
}
