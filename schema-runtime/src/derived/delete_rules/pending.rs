//! Counts unfinished deletes and inserts under delete rules. Reads the server.

use std::fmt;

use mongodb::bson::doc;

use super::rule::{DELETING_MARK, UNCHECKED, rules_of_child, rules_of_parent};
use crate::{definition::ModelDefinition, error::Result, executor::Context, report::counted};

/// The deletes and inserts of the documents of one model that are under way, or that a stopped client has left behind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingDeletes {
    /// The collection.
    pub collection: &'static str,
    /// The number of documents that are being deleted.
    pub deletes: u64,
    /// The number of new documents with unchecked references.
    pub inserts: u64,
}

impl fmt::Display for PendingDeletes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deletes = counted(self.deletes, "delete", "deletes");
        let inserts = counted(self.inserts, "insert", "inserts");
        write!(formatter, "{}: {deletes} and {inserts} are pending: `recover` completes them", self.collection)
    }
}

/// Counts the pending deletes and inserts of the model by the indexes.
pub(crate) async fn pending(model: &'static ModelDefinition, context: &Context) -> Result<Option<PendingDeletes>> {
    if !model.has_delete_rules() {
        return Ok(None);
    }
    let marked = async |is_asked: bool, mark: &str| match is_asked {
        true => context.count(model.collection, doc! { mark: { "$exists": true } }, 0, 0).await,
        false => Ok(0),
    };
    let deletes = marked(!rules_of_parent(model).is_empty(), DELETING_MARK).await?;
    let inserts = marked(!rules_of_child(model).is_empty(), UNCHECKED).await?;
    Ok((deletes + inserts > 0).then_some(PendingDeletes { collection: model.collection, deletes, inserts }))
}
