//! The indexes of a collection in the notation of the server: the indexes that a model needs, and the comparison of two
//! indexes. Pure.

mod compare;
pub(crate) mod search;
pub(crate) mod settings;
mod wanted;

use mongodb::bson::Document;

use crate::definition::CollationDefinition;

pub(crate) use compare::{begins_with, same, same_contents, same_document, same_index, same_keys, same_signature};
pub use search::SearchIndex;
pub(crate) use search::{same_search_index, wanted_search_indexes};
pub(crate) use settings::excludes;
pub(crate) use wanted::{filter_of, filter_of_query, for_hints, index_keys, is_id_index, of_effects, wanted_indexes};

/// An index, in the notation of the server.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Index {
    /// The name.
    pub name: String,
    /// The keys in order, each with a direction. The fields of a text index are in the order of their names.
    pub keys: Document,
    /// True when two documents may not have the same keys.
    pub unique: bool,
    /// True when documents without the keys are left out of the index.
    pub sparse: bool,
    /// The condition that a document must meet to be in the index.
    pub partial: Option<Document>,
    /// The number of seconds after the date in the key at which the server deletes a document.
    pub expire_after_seconds: Option<i64>,
    /// The collation, when different from the collation of the collection, without the version of the server's library.
    /// In a plan, the collation has all options, as the server states the options.
    pub collation: Option<Document>,
    /// True when the server's planner ignores the index.
    pub hidden: bool,
    /// The settings of a text index (`weights`, `default_language`, `language_override`), of a wildcard index
    /// (`wildcardProjection`) and of places on a plane (`bits`, `min`, `max`), without the defaults of the server.
    pub settings: Document,
}

impl Index {
    /// Returns whether the index compares texts by other rules than the collection and than bytes.
    pub(crate) fn has_own_collation(&self) -> bool {
        let locale = self.collation.as_ref().map(|collation| collation.get_str("locale").unwrap_or_default());
        locale.is_some_and(|locale| locale != CollationDefinition::SIMPLE.locale)
    }

    /// Returns the index as an element of the command `createIndexes`.
    pub fn to_document(&self) -> Document {
        let mut document = Document::new();
        document.insert("key", self.keys.clone());
        document.insert("name", self.name.as_str());
        for (option, given) in [("unique", self.unique), ("sparse", self.sparse), ("hidden", self.hidden)] {
            if given {
                document.insert(option, true);
            }
        }
        if let Some(partial) = &self.partial {
            document.insert("partialFilterExpression", partial.clone());
        }
        if let Some(seconds) = self.expire_after_seconds {
            document.insert("expireAfterSeconds", seconds);
        }
        if let Some(collation) = &self.collation {
            document.insert("collation", collation.clone());
        }
        document.extend(self.settings.clone());
        document
    }
}
