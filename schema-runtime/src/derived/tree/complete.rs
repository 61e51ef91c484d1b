//! Writes the new ancestors of the descendants of a moved document. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, doc};

use super::{
    chain::Chain,
    layout::{Layout, MOVING},
    node::read_any,
    part::{Part, next_part},
};
use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::{effect::Writer, statements::change_all},
    error::{Result, server},
    executor::Context,
    key::Key,
    read::Query,
    transaction::transaction_of,
};

/// Completes all pending large moves, and returns the number of moves.
pub(super) async fn complete_all(context: &Context, layout: &Layout, writer: Writer) -> Result<u64> {
    let ids = layout.pending().all_ids(&context.newest()).await?;
    for id in &ids {
        complete(context, layout, id, writer).await?;
    }
    Ok(ids.len() as u64)
}

/// Completes the large move of a document, with a part of the descendants in each transaction.
pub(super) async fn complete(context: &Context, layout: &Layout, id: &Bson, writer: Writer) -> Result<()> {
    loop {
        let (layout, id) = (*layout, id.clone());
        // Each attempt after a concurrent write of the same documents halves the part.
        let mut attempt = 0;
        let chunk = transaction_of(context, |transaction| {
            let (id, halved) = (id.clone(), attempt);
            attempt += 1;
            async move { chunk(&transaction.context, &layout, &id, halved, writer).await }
        });
        if chunk.await? {
            return Ok(());
        }
    }
}

/// Rewrites some of the descendants that still have the old ancestors. `halved` is the number of times that the largest
/// part is halved. Returns whether no descendants are left.
async fn chunk(context: &Context, layout: &Layout, id: &Bson, halved: u32, writer: Writer) -> Result<bool> {
    let Some(node) = read_any(context, layout, id).await? else { return Ok(true) };
    let Some(old) = &node.moving else { return Ok(true) };
    let new = layout.below(&node.chain, id)?;
    // A write that bypasses this crate may have moved the document below the new path already.
    if layout.begins_with(&new, old) {
        return settled(context, layout, id).await;
    }
    let Part { filter, is_last } = next_part(context, layout, old, halved).await?;
    rewrite(context, layout, (old, &new), filter, writer).await?;
    if is_last { settled(context, layout, id).await } else { Ok(false) }
}

/// Ends a move without remaining work.
async fn settled(context: &Context, layout: &Layout, id: &Bson) -> Result<bool> {
    let own = doc! { "_id": { "$eq": id } };
    change_all(context, layout.definition, own, doc! { "$unset": { MOVING: "" } }).await?;
    Ok(true)
}

/// Deletes documents in a transaction. The rest of a large move of a document is written before the delete, since no
/// record of the move remains afterwards.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    writer: Writer,
) -> Result<u64> {
    if let Some(layout) = Layout::of(definition) {
        let mut pending = layout.pending();
        pending.filter.insert("$and", vec![filter.clone()]);
        for document in pending.all(&context.newest()).await? {
            let node = layout.node(&document);
            if let Some(old) = &node.moving {
                let new = layout.below(&node.chain, &node.id)?;
                rewrite(context, &layout, (old, &new), layout.beginning_with(old), writer).await?;
                settled(context, &layout, &node.id).await?;
            }
        }
    }
    writer.delete(context, definition, filter, reach).await
}

/// Replaces the old ancestors by the new ancestors in the documents that match the filter: all or some of the documents
/// whose ancestors begin with the old ancestors.
pub(super) async fn rewrite(
    context: &Context,
    layout: &Layout,
    (old, new): (&Chain, &Chain),
    filter: Document,
    writer: Writer,
) -> Result<()> {
    let definition = layout.definition;
    if !layout.has_copies() {
        let rewriting = layout.rewriting(old, new);
        let rewritten = context.update_with_pipeline(definition.collection, filter, rewriting, true).await;
        return rewritten.map(drop).map_err(|error| server::write(definition, error));
    }
    // Copies come with the references. The children of one parent have the same ancestors, and are written together.
    let moved = Query::by_ids(definition.collection, new.ids.last().map(std::slice::from_ref).unwrap_or_default());
    let moved = Query { projection: layout.projection_with_copies(), ..moved }.all(context).await?;
    let mut query = Query::new(definition.collection, filter);
    query.projection = layout.projection_with_copies();
    let mut siblings: HashMap<Key, (Chain, Vec<Bson>, Document)> = HashMap::new();
    for document in query.all(context).await? {
        let node = layout.node(&document);
        let chain = layout.moved(&node.chain, old, new);
        let key = Key::of(&layout.stored(&chain));
        siblings.entry(key).or_insert_with(|| (chain, Vec::new(), document)).1.push(node.id);
    }
    for (chain, ids, stored) in siblings.into_values() {
        let mut spec = layout.storing(doc! { "_id": { "$in": ids } }, &chain);
        // An ancestor that a cascade has deleted keeps the present copies: the documents below the ancestor are still
        // to be deleted.
        spec.stored = Some(layout.with_copies_of(moved.iter().chain([&stored])));
        (writer.update_many)(context, definition, spec).await?;
    }
    Ok(())
}
