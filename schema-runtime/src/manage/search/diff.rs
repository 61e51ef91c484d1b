//! Computes the steps from the search indexes of the server to the declared search indexes. Pure.

use super::{SearchChange, list::StoredSearchIndex};
use crate::indexes::{SearchIndex, same_search_index};

/// The difference between the declared and the stored search indexes of a collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Compared {
    pub(crate) changes: Vec<SearchChange>,
    /// The names of the declared indexes that the server is building.
    pub(crate) building: Vec<String>,
}

/// Compares the declared with the stored search indexes. An index that the server is dropping does not count.
pub(crate) fn compare(wanted: Vec<SearchIndex>, stored: Vec<StoredSearchIndex>) -> Compared {
    let mut compared = Compared::default();
    let mut stored: Vec<StoredSearchIndex> = stored.into_iter().filter(|stored| !stored.is_dropped()).collect();
    for new in wanted {
        let found = stored.iter().position(|stored| stored.index.name == new.name).map(|at| stored.remove(at));
        compared.changes.extend(match found {
            None => Some(SearchChange::Create { index: new }),
            Some(old) if same_search_index(&old.index, &new) => {
                if old.is_failed() {
                    Some(SearchChange::Rebuild { old: old.index, new })
                } else {
                    compared.building.extend((!old.is_ready()).then_some(new.name));
                    None
                }
            }
            Some(old) if old.index.kind == new.kind => Some(SearchChange::Update { old: old.index, new }),
            Some(old) => Some(SearchChange::Rebuild { old: old.index, new }),
        });
    }
    compared.changes.extend(stored.into_iter().map(|stored| SearchChange::Drop { index: stored.index }));
    compared
}
