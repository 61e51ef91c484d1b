//! The changes of indexes: the steps of the plan from the earlier indexes to the later indexes.

use mongodb::bson::Bson;

use super::{Changes, Pair, pairs, stored};
use crate::{
    indexes::Index,
    json::Extended,
    manage::{
        plan::{IndexStep, index_steps},
        schema_diff::{ChangeKind, ChangePlace, Effect, SchemaChange},
        schema_file::ModelEntry,
    },
};

const BUILD: Effect = Effect::IndexBuild { documents: None };

pub(super) fn compare(of: &Changes<'_>, earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    for step in index_steps(stored::indexes(later), stored::indexes(earlier)) {
        let both = |stored: &Index, wanted: &Index| format!("{} -> {}", text(stored), text(wanted));
        let (kind, name, summary, effects) = match &step {
            IndexStep::Keep { stored, wanted } if stored.name == wanted.name => continue,
            IndexStep::Keep { stored, wanted } => {
                let summary =
                    format!("name `{}` -> `{}`; a stored index keeps the stored name", stored.name, wanted.name);
                (ChangeKind::Changed, &wanted.name, summary, Vec::new())
            }
            IndexStep::Create(index) => (ChangeKind::Added, &index.name, text(index), of_new(None, index, BUILD)),
            IndexStep::Change { stored, wanted } => {
                let effects = of_new(Some(stored), wanted, Effect::InPlace);
                (ChangeKind::Changed, &wanted.name, both(stored, wanted), effects)
            }
            IndexStep::Rebuild { stored, wanted } => {
                let mut effects = of_new(Some(stored), wanted, Effect::NeedsOption { allow: "rebuild" });
                effects.extend([BUILD, Effect::OldQueriesLoseIndex]);
                (ChangeKind::Changed, &wanted.name, both(stored, wanted), effects)
            }
            IndexStep::NameTaken { stored, wanted, declared } => {
                let step = if *declared { Effect::Decision } else { Effect::NeedsOption { allow: "drop-undeclared" } };
                let mut effects = of_new(None, wanted, step);
                effects.extend([BUILD, Effect::OldQueriesLoseIndex]);
                (ChangeKind::Changed, &wanted.name, both(stored, wanted), effects)
            }
            IndexStep::Drop(index) => {
                (ChangeKind::Removed, &index.name, text(index), vec![Effect::OldQueriesLoseIndex])
            }
        };
        changes.push(of.change(ChangePlace::Index(name.clone()), kind, summary, effects));
    }
    compare_searched(of, earlier, later, changes);
}

/// Returns the effects of an index that comes by `step`, perhaps in place of a stored index.
fn of_new(stored: Option<&Index>, wanted: &Index, step: Effect) -> Vec<Effect> {
    let mut effects = vec![step];
    if wanted.unique && (step != Effect::InPlace || stored.is_none_or(|stored| !stored.unique)) {
        effects.extend([Effect::Backfill, Effect::OldWritersRefused]);
    }
    let expiry = (stored.and_then(|stored| stored.expire_after_seconds), wanted.expire_after_seconds);
    let is_sooner = match expiry {
        (before, Some(after)) => before.is_none_or(|before| after < before),
        (_, None) => false,
    };
    effects.extend(is_sooner.then_some(Effect::DeletesDocuments));
    effects
        .extend((wanted.hidden && stored.is_some_and(|stored| !stored.hidden)).then_some(Effect::OldQueriesLoseIndex));
    effects
}

/// Adds the changes of search indexes and vector indexes.
fn compare_searched(of: &Changes<'_>, earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    for pair in pairs(&earlier.search_indexes, &later.search_indexes, |index| index.name.clone()) {
        let summary = match pair {
            Pair::Both(earlier, later) => {
                format!("{} {} -> {} {}", earlier.kind, earlier.definition, later.kind, later.definition)
            }
            Pair::Added(index) | Pair::Removed(index) => format!("{} {}", index.kind, index.definition),
        };
        let effects = match pair {
            Pair::Both(earlier, later) if earlier.kind != later.kind => {
                vec![Effect::NeedsOption { allow: "rebuild" }, BUILD, Effect::OldQueriesLoseIndex]
            }
            Pair::Both(..) | Pair::Added(_) => vec![BUILD],
            Pair::Removed(_) => vec![Effect::OldQueriesLoseIndex],
        };
        changes.push(of.change(ChangePlace::SearchIndex(pair.part().name.clone()), pair.kind(), summary, effects));
    }
}

/// Returns the keys and the options: `email: 1, unique`.
fn text(index: &Index) -> String {
    let mut options = index.to_document();
    options.remove("key");
    options.remove("name");
    let json = |value: &Bson| serde_json::to_string(&Extended(value)).unwrap_or_default();
    let keys = index.keys.iter().map(|(path, direction)| match direction.as_str() {
        Some(word) => format!("{path}: {word}"),
        None => format!("{path}: {direction}"),
    });
    let options = options.iter().map(|(name, value)| match value.as_bool() {
        Some(true) => name.clone(),
        _ => format!("{name} {}", json(value)),
    });
    keys.chain(options).collect::<Vec<_>>().join(", ")
}
