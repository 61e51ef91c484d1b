//! Changes the kind and the options of a collection.

use mongodb::bson::{Document, doc};

use super::Run;
use crate::{
    error::Result,
    indexes::same_index,
    manage::plan::{CollectionState, Index, options::StoredKind, same_option},
};

impl Run<'_> {
    /// Changes an option by `collMod`.
    pub(super) async fn set_option(&self, state: &CollectionState, old: &Document, new: &Document) -> Result<bool> {
        let has = state.options.for_coll_mod();
        if has.iter().any(|has| same_option(has, new)) {
            return Ok(false);
        }
        if !has.iter().any(|has| same_option(has, old)) {
            return self.outdated("an option of the collection has changed");
        }
        let mut command = doc! { "collMod": self.collection };
        command.extend(new.clone());
        self.command(command, "collMod", "").await?;
        Ok(true)
    }

    /// Makes a plain collection capped, and makes the dropped indexes again. A collection that another attempt has made
    /// capped gets the missing indexes. An index that the server refuses does not keep the next indexes from being
    /// made; the error is the first refusal.
    pub(super) async fn convert(
        &self,
        state: &CollectionState,
        bytes: i64,
        documents: Option<i64>,
        indexes: &[Index],
    ) -> Result<bool> {
        let is_plain = state.options.kind == StoredKind::Plain;
        if is_plain {
            let command = doc! { "convertToCapped": self.collection, "size": bytes };
            self.command(command, "convertToCapped", "").await?;
        }
        let limit = match &state.options.kind {
            StoredKind::Capped { documents: has, .. } => *has,
            _ => None,
        };
        let is_limited = documents.is_some() && limit != documents;
        if is_limited {
            let command = doc! { "collMod": self.collection, "cappedMax": documents };
            self.command(command, "collMod", "").await?;
        }
        let has = |index: &&Index| !is_plain && state.indexes.iter().any(|has| same_index(has, index));
        let missing: Vec<&Index> = indexes.iter().filter(|index| !has(index)).collect();
        let mut refused = Ok(());
        for index in &missing {
            let command = doc! { "createIndexes": self.collection, "indexes": [index.to_document()] };
            let made = self.command(command, "createIndex", &index.name).await;
            refused = refused.and(made);
        }
        refused?;
        Ok(is_plain || is_limited || !missing.is_empty())
    }
}
