//! Deletes children and removes the children from the parents in the same transaction. Reaches the server.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, doc};

use super::path::{paths_of_child, projection};
use crate::{
    definition::ModelDefinition,
    error::{Result, server},
    executor::Context,
    read::Query,
};

/// Deletes a single document that matches the filter, or all (`many`), and returns the number of deleted documents.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    many: bool,
) -> Result<u64> {
    let paths = paths_of_child(definition);
    let mut query = Query::new(definition.collection, filter);
    query.projection = projection(&paths);
    query.limit = u64::from(!many);
    let documents = query.all(context).await?;
    let ids: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
    if ids.is_empty() {
        return Ok(0);
    }
    let deleted = context.delete_many(definition.collection, doc! { "_id": { "$in": ids } }).await;
    let deleted = deleted.map_err(|error| server::write(definition, error))?;
    for path in paths {
        let gone = documents.iter().map(|document| (Some(document), None));
        path.apply(context, path.differences(gone), &HashSet::new()).await?;
    }
    Ok(deleted)
}
