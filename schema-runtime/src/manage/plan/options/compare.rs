//! Finds the differences between the options of a model and the options of a collection.

use mongodb::bson::{Bson, Document};

use super::{StoredKind, StoredOptions};
use crate::{
    definition::Compression,
    indexes::same,
    manage::plan::{Change, Clash},
};

/// The differences between the options of a model and the options of a collection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compared {
    /// The options that `collMod` changes; empty for a collection that matches the model.
    Changes(Vec<Change>),
    /// The collection becomes capped: the most bytes, the most documents, and the further options that `collMod`
    /// changes.
    Convert(i64, Option<i64>, Vec<Change>),
    /// No command changes the difference.
    Clash(Clash),
}

/// Compares the options of a model with the options of a collection.
pub(crate) fn compare(wanted: &StoredOptions, found: &StoredOptions) -> Compared {
    if let Some(clash) = clash(wanted, found) {
        return Compared::Clash(clash);
    }
    // A model without a kind uses a clustered collection as a plain collection. The last option of both kinds is the
    // option of a plain collection.
    let is_plain = [wanted, found].iter().any(|options| options.kind == StoredKind::Plain);
    let left = |all: Vec<Document>| if is_plain { all.into_iter().next_back().into_iter().collect() } else { all };
    let pairs = left(found.for_coll_mod()).into_iter().zip(left(wanted.for_coll_mod()));
    let changes = pairs.filter(|(old, new)| !same_option(old, new));
    let changes = changes.map(|(old, new)| Change::SetOption { shrinks: shrinks(&old, &new), old, new }).collect();
    match (&wanted.kind, &found.kind) {
        (StoredKind::Capped { bytes, documents }, StoredKind::Plain) => Compared::Convert(*bytes, *documents, changes),
        _ => Compared::Changes(changes),
    }
}

/// Returns whether two options, or two pipelines, are the same. The order of the keys of a pipeline counts; the types
/// of numbers do not.
pub(crate) fn same_option(old: &Document, new: &Document) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|((old_key, old), (new_key, new))| old_key == new_key && is_same_value(old, new))
}

fn is_same_value(old: &Bson, new: &Bson) -> bool {
    match (old, new) {
        (Bson::Document(old), Bson::Document(new)) => same_option(old, new),
        (Bson::Array(old), Bson::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same_value(old, new))
        }
        _ => same(old, new),
    }
}

/// Returns whether stored data gets lost by the change of an option.
fn shrinks(old: &Document, new: &Document) -> bool {
    let number = |options: &Document, word: &str| options.get(word).and_then(Bson::as_i64);
    let enabled = |options: &Document| {
        let images = options.get_document("changeStreamPreAndPostImages").ok()?;
        images.get_bool("enabled").ok()
    };
    if let (Some(old), Some(new)) = (number(old, "cappedSize"), number(new, "cappedSize")) {
        return new < old;
    }
    if let (Some(old), Some(new)) = (number(old, "cappedMax"), number(new, "cappedMax")) {
        return new != super::NO_LIMIT && (old == super::NO_LIMIT || new < old);
    }
    enabled(old) == Some(true) && enabled(new) == Some(false)
}

/// Returns the reason why no command makes the collection match the model.
fn clash(wanted: &StoredOptions, found: &StoredOptions) -> Option<Clash> {
    match (&wanted.kind, &found.kind) {
        (StoredKind::Plain | StoredKind::Capped { .. }, StoredKind::Plain)
        | (StoredKind::Plain, StoredKind::Clustered { .. })
        | (StoredKind::Capped { .. }, StoredKind::Capped { .. })
        | (StoredKind::Clustered { .. }, StoredKind::Clustered { .. })
        | (StoredKind::View { .. }, StoredKind::View { .. }) => {}
        (
            StoredKind::TimeSeries { time, meta, granularity, .. },
            StoredKind::TimeSeries { time: has_time, meta: has_meta, granularity: has_granularity, .. },
        ) => {
            if (time, meta) != (has_time, has_meta) {
                return Some(Clash::TimeSeriesFields);
            }
            let place = |word: &Option<&str>| super::GRANULARITIES.iter().position(|known| Some(*known) == *word);
            if place(has_granularity).is_none_or(|has| place(granularity).is_some_and(|wanted| wanted < has)) {
                return Some(Clash::Granularity);
            }
        }
        (_, StoredKind::View { .. }) => return Some(Clash::View),
        (_, StoredKind::TimeSeries { .. }) => return Some(Clash::TimeSeries),
        (_, StoredKind::Capped { .. }) => return Some(Clash::Capped),
        (_, StoredKind::Clustered { .. }) => return Some(Clash::Clustered),
        (_, StoredKind::Plain) => return Some(Clash::Plain),
    }
    // A collection without a setting has the default of the server.
    let has = found.compression.as_deref().unwrap_or(Compression::Snappy.word());
    match (&wanted.compression, &wanted.collation, &found.collation) {
        (Some(compression), ..) if compression != has => Some(Clash::Compression),
        (_, Some(_), None) => Some(Clash::Collation),
        (_, Some(wanted), Some(found)) if !agrees(wanted, found) => Some(Clash::Collation),
        _ => None,
    }
}

/// Returns whether a stored collation, which has all options, has the declared options.
pub(crate) fn agrees(declared: &Document, stored: &Document) -> bool {
    declared.iter().all(|(option, value)| stored.get(option).is_some_and(|stored| same(stored, value)))
}
