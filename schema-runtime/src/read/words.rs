//! The search for words of a query.

use super::Query;
use crate::{
    definition::{Direction, IndexKey, ModelDefinition},
    document::equal_to,
    error::{Error, Result},
    field,
};

impl Query {
    /// Refuses a search for words without a value of each key before the words. The server finds the words below the
    /// values only.
    pub(super) fn refuse_search_without_keys(&self, model: &ModelDefinition) -> Result<()> {
        let is_of_words = |key: &IndexKey| key.direction == Direction::Text;
        let mut of_words = model.all_indexes.iter().filter(|index| index.keys.iter().any(is_of_words));
        let Some(index) = of_words.next() else { return Ok(()) };
        let mut before = index.keys.iter().take_while(|key| !is_of_words(key)).peekable();
        if before.peek().is_none() || !field::asks(&self.filter, "$text") {
            return Ok(());
        }
        let is_given = |key: &IndexKey| equal_to(&self.filter, &model.stored_path_of(index, key.path)).is_some();
        if before.all(is_given) {
            return Ok(());
        }
        Err(Error::Query {
            message: "the text index has keys before the words: compare each of these keys with a value by `eq`",
        })
    }
}
