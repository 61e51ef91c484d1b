//! The changes of indexes.

use super::{Changes, Pair, pairs, rules};
use crate::manage::{
    schema_diff::{ChangePlace, Effect, SchemaChange},
    schema_file::{IndexEntry, ModelEntry},
};

/// The options that the server changes without a new build.
const IN_PLACE: [&str; 2] = ["expireAfterSeconds", "hidden"];

const BUILD: Effect = Effect::IndexBuild { documents: None };

pub(super) fn compare(of: &Changes<'_>, earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    for pair in pairs(&earlier.indexes, &later.indexes, |index| index.name.clone()) {
        let (summary, effects) = match pair {
            Pair::Added(index) => (text(index), of_added(index)),
            Pair::Removed(index) => (text(index), vec![Effect::OldQueriesLoseIndex]),
            Pair::Both(earlier, later) => (format!("{} -> {}", text(earlier), text(later)), of_changed(earlier, later)),
        };
        changes.push(of.change(ChangePlace::Index(pair.part().name.clone()), pair.kind(), summary, effects));
    }
}

fn of_added(index: &IndexEntry) -> Vec<Effect> {
    let mut effects = vec![BUILD];
    if is_unique(index) {
        effects.extend([Effect::Backfill, Effect::OldWritersRefused]);
    }
    if index.options.contains_key("expireAfterSeconds") {
        effects.push(Effect::DeletesDocuments);
    }
    effects
}

fn of_changed(earlier: &IndexEntry, later: &IndexEntry) -> Vec<Effect> {
    let differs = |name: &str| earlier.options.get(name) != later.options.get(name);
    let mut names = earlier.options.keys().chain(later.options.keys());
    let is_built = earlier.keys != later.keys || names.any(|name| differs(name) && !IN_PLACE.contains(&name.as_str()));
    let mut effects = vec![if is_built { BUILD } else { Effect::InPlace }];
    if is_built && is_unique(later) {
        effects.extend([Effect::Backfill, Effect::OldWritersRefused]);
    }
    let expiry = |index: &'_ IndexEntry| index.options.get("expireAfterSeconds").cloned();
    if rules::is_sooner(expiry(earlier).as_ref(), expiry(later).as_ref()) {
        effects.push(Effect::DeletesDocuments);
    }
    if later.options.contains_key("hidden") && differs("hidden") {
        effects.push(Effect::OldQueriesLoseIndex);
    }
    effects
}

fn is_unique(index: &IndexEntry) -> bool {
    index.options.get("unique") == Some(&true.into())
}

/// Returns the keys and the options: `email: 1, unique`.
fn text(index: &IndexEntry) -> String {
    let options = index.options.iter().map(|(name, value)| match value.as_bool() {
        Some(true) => name.clone(),
        _ => format!("{name} {value}"),
    });
    index.keys.iter().cloned().chain(options).collect::<Vec<_>>().join(", ")
}
