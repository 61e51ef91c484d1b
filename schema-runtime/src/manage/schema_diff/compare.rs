//! Finds the changes between two schema files. Pure.

mod collection;
mod fields;
mod indexes;
mod rules;
mod shown;
mod stored;

use super::{ChangeKind, ChangePlace, Effect, SchemaChange};
use crate::manage::schema_file::{ModelEntry, QueryEntry, SchemaFile};

/// Returns the changes in the order of the collections.
pub(super) fn compare(earlier: &SchemaFile, later: &SchemaFile) -> Vec<SchemaChange> {
    let moved = |model: &ModelEntry| moved_to(model, earlier, later);
    let (before, after) = (shown::without_facts(earlier), shown::without_facts(later));
    let mut changes = Vec::new();
    for pair in pairs(&before.models, &after.models, |model| model.collection.clone()) {
        match pair {
            Pair::Removed(model) => {
                let (summary, effects) = match moved(model) {
                    Some(to) => (format!("the documents stay here, and `{}` moves to `{to}`", model.model), MOVED),
                    None => ("the collection stays, since no plan drops a collection".to_owned(), &[][..]),
                };
                let effects = effects.iter().copied();
                changes.push(Changes::of(model).change(ChangePlace::Collection, ChangeKind::Removed, summary, effects));
            }
            Pair::Added(model) => {
                let summary = format!("a new collection for `{}`", model.model);
                let effects = fields::of_new_model(model);
                changes.push(Changes::of(model).change(ChangePlace::Collection, ChangeKind::Added, summary, effects));
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

/// The effects of a model that moves to another collection: the later version does not see the documents, and does not
/// see the documents that the earlier version writes.
const MOVED: &[Effect] = &[Effect::Decision];

/// Returns the new collection of a model that is in both files.
fn moved_to<'a>(model: &ModelEntry, earlier: &SchemaFile, later: &'a SchemaFile) -> Option<&'a str> {
    let is_here = |other: &&ModelEntry| other.collection == model.collection;
    let before = earlier.models.iter().find(is_here)?;
    let is_same = |other: &&ModelEntry| (&other.module, &other.model) == (&before.module, &before.model);
    let mut found = later.models.iter().filter(is_same);
    let after = found.next().filter(|_| !before.module.is_empty())?;
    let is_new = earlier.models.iter().all(|other| other.collection != after.collection);
    (is_new && found.next().is_none()).then_some(after.collection.as_str())
}

fn compare_models(earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    let of = Changes::of(later);
    let first = changes.len();
    collection::compare(&of, earlier, later, changes);
    fields::compare(&of, earlier, later, changes);
    rules::compare_documents(&of, earlier, later, changes);
    if !collection::refuses(later) {
        for change in changes[first..].iter_mut().filter(|change| change.place != ChangePlace::ShardKey) {
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
