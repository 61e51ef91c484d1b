//! Makes the search indexes and the vector indexes that models declare. `list` reads the indexes of a collection,
//! `diff` compares (pure), `run` does a step and waits for the build, and `render` writes the step as text.

mod diff;
mod list;
mod render;
mod run;

pub(crate) use diff::{Compared, compare};
pub(crate) use list::{Listed, list};
pub(crate) use render::json;
pub(crate) use run::run;

use crate::indexes::SearchIndex;

/// A change of a search index or of a vector index.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SearchChange {
    /// The index is made.
    Create {
        /// The index.
        index: SearchIndex,
    },
    /// The index gets another definition. The old index serves searches until the new index is ready.
    Update {
        /// The current index.
        old: SearchIndex,
        /// The index after the change.
        new: SearchIndex,
    },
    /// The index has another type, or the build of the index has failed. The index is dropped and made again.
    Rebuild {
        /// The index to drop.
        old: SearchIndex,
        /// The index to make in place of the old index.
        new: SearchIndex,
    },
    /// An index that the model does not declare is dropped.
    Drop {
        /// The index.
        index: SearchIndex,
    },
}
