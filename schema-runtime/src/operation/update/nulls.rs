//! A `min` of a field that may hold null. For the server null is less than any value, and for Rust a null is no value.
//! The null is removed before the update, so that the value is the least value. A missing field also reads as `None`.

use mongodb::bson::{Document, doc};

use crate::{
    changes::Reach,
    definition::ModelDefinition,
    error::{Result, server},
    executor::{Context, UpdateRequest},
    field::{self, Change, of_null},
};

/// The fields of the `min` changes of an update.
#[derive(Clone)]
pub(super) struct Nulls {
    paths: Vec<String>,
}

impl Nulls {
    /// Returns `None` when no field may hold null.
    pub(super) fn of(changes: &[Change]) -> Option<Self> {
        let paths = changes.iter().filter(|change| change.loses_to_null()).map(|change| change.path.clone());
        let paths: Vec<String> = paths.collect();
        (!paths.is_empty()).then_some(Nulls { paths })
    }

    /// Returns the updates that remove the nulls of all documents that match.
    pub(super) fn removing(&self, filter: &Document) -> Vec<UpdateRequest> {
        let removing = |path: &String| UpdateRequest {
            filter: field::and(filter.clone(), of_null(path, true)),
            update: doc! { "$unset": { path: "" } },
            ..UpdateRequest::default()
        };
        self.paths.iter().map(removing).collect()
    }

    /// Removes the nulls of all documents that match, or of one document, and returns whether there was a null.
    pub(super) async fn remove(
        &self,
        context: &Context,
        definition: &'static ModelDefinition,
        filter: &Document,
        reach: Reach,
    ) -> Result<bool> {
        let mut removed = false;
        for sent in self.removing(filter) {
            let sent = match reach.is_many() {
                true => context.update_many(definition.collection, sent).await,
                false => context.update_one(definition.collection, sent).await,
            };
            removed |= sent.map_err(|error| server::write(definition, error))?.matched_count > 0;
        }
        Ok(removed)
    }

    /// Leaves the documents with a null out of the filter.
    pub(super) fn leave_out(&self, filter: &mut Document) {
        let nulls = self.paths.iter().map(|path| of_null(path, true)).collect();
        *filter = field::and(filter.clone(), field::nor(nulls));
    }
}
