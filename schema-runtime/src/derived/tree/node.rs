//! One document of a tree. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::layout::{Layout, Node};
use crate::{error::Result, executor::Context, read::Query};

/// Reads a stored document; `None` for a missing document.
pub(super) async fn read(context: &Context, layout: &Layout, id: &Bson) -> Result<Option<Node>> {
    one(context, layout, doc! { "_id": { "$eq": id } }).await
}

/// Reads a stored document, even when a parent of a different model no longer counts the document. The document is
/// still to be deleted.
pub(super) async fn read_any(context: &Context, layout: &Layout, id: &Bson) -> Result<Option<Node>> {
    one(context, layout, doc! { "_id": { "$eq": id } }).await
}

async fn one(context: &Context, layout: &Layout, filter: Document) -> Result<Option<Node>> {
    let mut query = Query::new(layout.definition.collection, filter);
    query.projection = layout.projection();
    query.limit = 1;
    Ok(query.all(context).await?.pop().map(|document| layout.node(&document)))
}
