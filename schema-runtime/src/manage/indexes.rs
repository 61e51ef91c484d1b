//! The indexes of a collection as the server spells them: those that a model needs, and which two are the same. Pure.

mod compare;
mod wanted;

use mongodb::bson::Document;

pub(crate) use compare::{begins_with, same_contents, same_document, same_index, same_keys, same_signature};
pub(crate) use wanted::{index_keys, is_id_index, of_effects, wanted_indexes};

/// An index, as the server spells it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Index {
    /// The name.
    pub name: String,
    /// The keys in order, each with its direction.
    pub keys: Document,
    /// Whether two documents may not have the same keys.
    pub unique: bool,
    /// Whether documents without the keys are left out.
    pub sparse: bool,
    /// What a document must meet to be in it.
    pub partial: Option<Document>,
    /// How many seconds after the date in its key a document is deleted.
    pub expire_after_seconds: Option<i64>,
    /// The collation, where it is not the collection's own.
    pub collation: Option<Document>,
    /// Whether the server's planner passes it over.
    pub hidden: bool,
}

impl Index {
    /// It as an element of the command `createIndexes`.
    pub fn to_document(&self) -> Document {
        let mut document = Document::new();
        document.insert("key", self.keys.clone());
        document.insert("name", self.name.as_str());
        for (option, given) in [("unique", self.unique), ("sparse", self.sparse)] {
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
        document
    }
}
