//! Deletes children and removes the children from the parents in the same transaction. Reaches the server.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::rollup::stored::path::{RollupPath, paths_of_child, projection},
    document::{equal_to, parse_all},
    error::{Result, server},
    executor::{Context, Selected},
    read::Query,
};

/// Deletes the documents that the filter and the reach select, and returns the number of deleted documents.
pub(in crate::derived::rollup) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
) -> Result<u64> {
    let paths = paths_of_child(definition);
    let is_of_one = !reach.is_many() || equal_to(&filter, "_id").is_some();
    // A sharded collection takes a `findAndModify` only with the shard key.
    let documents = if is_of_one && definition.shard_key.is_none() {
        let selected = Selected { filter, returned: projection(&paths), ..Selected::default() };
        let deleted = context.find_one_and_delete(definition.collection, selected).await;
        let deleted = deleted.map_err(|error| server::write(definition, error))?;
        parse_all(deleted.into_iter().collect())?
    } else {
        delete_found(context, definition, filter, reach, &paths).await?
    };
    for path in paths {
        let gone = documents.iter().map(|document| (Some(document), None));
        path.apply(context, path.differences(gone), &HashSet::new()).await?;
    }
    Ok(documents.len() as u64)
}

/// Reads the documents, and deletes the documents by `_id`. Both commands see the data of one moment. Returns the
/// documents.
async fn delete_found(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    paths: &[RollupPath],
) -> Result<Vec<Document>> {
    let mut query = Query::new(definition.collection, filter);
    query.projection = projection(paths);
    query.limit = u64::from(!reach.is_many());
    let documents = query.all(context).await?;
    let ids: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
    if !ids.is_empty() {
        let deleted = context.delete_many(definition.collection, doc! { "_id": { "$in": ids } }).await;
        deleted.map_err(|error| server::write(definition, error))?;
    }
    Ok(documents)
}
