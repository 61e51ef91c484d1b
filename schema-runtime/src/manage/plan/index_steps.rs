//! Matches the indexes of a model with the indexes of a collection. Pure.

use super::Index;
use crate::indexes::{excludes, same_contents, same_index, same_keys, same_signature};

/// The step for an index of a model, or of a collection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum IndexStep {
    /// The stored index stays, perhaps under another name.
    Keep { stored: Index, wanted: Index },
    /// The index is made.
    Create(Index),
    /// `collMod` changes the stored index, which keeps the stored name.
    Change { stored: Index, wanted: Index },
    /// The stored index is dropped and made again.
    Rebuild { stored: Index, wanted: Index },
    /// Another index has the name of the wanted index: `declared` is true when the model also wants the other index.
    NameTaken { stored: Index, wanted: Index, declared: bool },
    /// No model wants the stored index.
    Drop(Index),
}

/// Returns the step for each index. A stored index stands for at most one wanted index. Equal indexes match first, then
/// indexes that `collMod` can make equal, then indexes that block the name. The remaining wanted indexes are made; the
/// remaining stored indexes are dropped.
pub(crate) fn index_steps(wanted: Vec<Index>, mut stored: Vec<Index>) -> Vec<IndexStep> {
    let (mut steps, mut found) = (Vec::new(), Vec::new());
    let mut rest = Vec::new();
    for index in wanted {
        match take(&mut stored, |old| same_index(old, &index)) {
            Some(old) => {
                found.push(old.clone());
                steps.push(IndexStep::Keep { stored: old, wanted: index });
            }
            None => rest.push(index),
        }
    }
    let mut unmatched = Vec::new();
    for index in rest {
        let same = take(&mut stored, |old| same_signature(old, &index))
            .or_else(|| take(&mut stored, |old| becomes_unique(old, &index)));
        match same {
            Some(old) => {
                found.push(old.clone());
                steps.push(change(old, index));
            }
            None => unmatched.push(index),
        }
    }
    for index in unmatched {
        let mut taken = take(&mut stored, |old| old.name == index.name);
        if let Some(other) = take(&mut stored, |old| excludes(old, &index)) {
            // The server takes the new index only without the other index, under whatever name.
            match taken {
                Some(_) => steps.push(IndexStep::Drop(other)),
                None => taken = Some(other),
            }
        }
        steps.push(match taken {
            Some(old) if same_keys(&old.keys, &index.keys) || excludes(&old, &index) => {
                IndexStep::Rebuild { stored: old, wanted: index }
            }
            Some(old) => IndexStep::NameTaken { stored: old, wanted: index, declared: false },
            None => match found.iter().find(|old| old.name == index.name) {
                Some(old) => IndexStep::NameTaken { stored: old.clone(), wanted: index, declared: true },
                None => IndexStep::Create(index),
            },
        });
    }
    steps.extend(stored.into_iter().map(IndexStep::Drop));
    steps
}

/// Returns the step that changes an index. `collMod` hides and shows an index, adds a time to live and makes an index
/// unique, and takes neither a time to live nor uniqueness away (seen on 6.0). The stored name stays, since another
/// index may have the wanted name.
fn change(stored: Index, wanted: Index) -> IndexStep {
    let wanted = Index { name: stored.name.clone(), ..wanted };
    if wanted.expire_after_seconds.is_none() && stored.expire_after_seconds.is_some() {
        IndexStep::Rebuild { stored, wanted }
    } else {
        IndexStep::Change { stored, wanted }
    }
}

/// Returns whether the stored index becomes the wanted index by uniqueness alone. An index under another name belongs
/// to another program and stays as is, beside the unique index.
fn becomes_unique(stored: &Index, wanted: &Index) -> bool {
    stored.name == wanted.name && wanted.unique && !stored.unique && same_contents(stored, wanted)
}

fn take(indexes: &mut Vec<Index>, is_it: impl Fn(&Index) -> bool) -> Option<Index> {
    indexes.iter().position(is_it).map(|at| indexes.remove(at))
}
