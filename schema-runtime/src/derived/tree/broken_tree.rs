//! Rule: `broken_tree`. The page is `guide/pages/rules/broken_tree.md`.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document};

use super::layout::{Layout, Node};
use crate::{
    derived::maintenance::{Fault, MaintenanceKind},
    error::{Error, Result},
    executor::Context,
    key::{Key, may_be_an_id},
    read::Query,
    transaction::transaction,
};

/// Returns the wrong documents of a chunk. Each suspect is checked again in one snapshot. A document with a missing
/// parent is not wrong.
pub(super) async fn faults(context: &Context, layout: &Layout, chunk: &[Document]) -> Result<Vec<Fault>> {
    let nodes: Vec<Node> = chunk.iter().map(|document| layout.node(document)).collect();
    let suspects = wrong(context, layout, &nodes).await?;
    if suspects.is_empty() {
        return Ok(suspects);
    }
    let ids: Vec<Bson> = suspects.into_iter().map(|fault| fault.id).collect();
    let ids = &ids;
    let looked =
        transaction(
            context.database(),
            |transaction| async move { look_again(&transaction.context, layout, ids).await },
        );
    match looked.await {
        // A standalone server has no snapshots.
        Err(Error::NotReplicaSet) => look_again(context, layout, ids).await,
        looked => looked,
    }
}

/// Returns the given documents that are wrong now. Documents that a pending move has still to write are not wrong.
pub(super) async fn look_again(context: &Context, layout: &Layout, ids: &[Bson]) -> Result<Vec<Fault>> {
    let mut query = Query::by_ids(layout.definition.collection, ids);
    query.projection = layout.projection();
    let nodes: Vec<Node> = query.all(context).await?.iter().map(|document| layout.node(document)).collect();
    let mut found = wrong(context, layout, &nodes).await?;
    if layout.keeps_chain() && !found.is_empty() {
        let pending = layout.pending().all(context).await?;
        let old: Vec<_> = pending.iter().filter_map(|document| layout.node(document).moving).collect();
        let parents = read_all(context, layout, nodes.iter().map(|node| node.parent.clone())).await?;
        let is_old = |node: &Node| old.iter().any(|old| layout.begins_with(&node.chain, old));
        // A pending move may have written the document and not the parent, or the parent and not the document.
        let is_left = |id: &Bson| {
            let node = nodes.iter().find(|node| Key::of(&node.id) == Key::of(id));
            node.is_some_and(|node| is_old(node) || parents.get(&Key::of(&node.parent)).is_some_and(is_old))
        };
        found.retain(|fault| fault.kind == MaintenanceKind::TreeCycle || !is_left(&fault.id));
    }
    Ok(found)
}

/// Returns the given documents that contradict their parents.
async fn wrong(context: &Context, layout: &Layout, nodes: &[Node]) -> Result<Vec<Fault>> {
    if !layout.keeps_chain() {
        return in_cycles(context, layout, nodes).await;
    }
    let parents = read_all(context, layout, nodes.iter().map(|node| node.parent.clone())).await?;
    let mut found = Vec::new();
    for node in nodes {
        let right = match (&node.parent, parents.get(&Key::of(&node.parent))) {
            (Bson::Null, _) => layout.root(),
            (_, Some(parent)) => match layout.below(&parent.chain, &parent.id) {
                Ok(right) => right,
                Err(_) => continue,
            },
            (_, None) => continue,
        };
        if !layout.is_right(node, &right) {
            found.push(Fault::new(MaintenanceKind::WrongAncestors, node.id.clone()));
        }
    }
    // The stored ancestors of a document in a cycle are never right. The report names the document as a cycle.
    let suspects: HashSet<Key> = found.iter().map(|fault| Key::of(&fault.id)).collect();
    let suspects: Vec<Node> = nodes.iter().filter(|node| suspects.contains(&Key::of(&node.id))).cloned().collect();
    let cycles = in_cycles(context, layout, &suspects).await?;
    let cycles: HashSet<Key> = cycles.iter().map(|fault| Key::of(&fault.id)).collect();
    for fault in &mut found {
        if cycles.contains(&Key::of(&fault.id)) {
            fault.kind = MaintenanceKind::TreeCycle;
        }
    }
    Ok(found)
}

/// Returns the given documents that are their own ancestors. All documents are walked up together, a level by each
/// command.
async fn in_cycles(context: &Context, layout: &Layout, nodes: &[Node]) -> Result<Vec<Fault>> {
    let mut walks: Vec<(&Node, Bson, HashSet<Key>)> =
        nodes.iter().map(|node| (node, node.parent.clone(), HashSet::new())).collect();
    let mut found = Vec::new();
    while !walks.is_empty() {
        let parents = read_all(context, layout, walks.iter().map(|(_, at, _)| at.clone())).await?;
        walks.retain_mut(|(node, at, seen)| {
            if Key::of(at) == Key::of(&node.id) {
                found.push(Fault::new(MaintenanceKind::TreeCycle, node.id.clone()));
                return false;
            }
            // A cycle is above the document, and the document is not in the cycle.
            let Some(parent) = parents.get(&Key::of(at)).filter(|_| seen.insert(Key::of(at))) else { return false };
            *at = parent.parent.clone();
            true
        });
    }
    Ok(found)
}

async fn read_all(context: &Context, layout: &Layout, ids: impl Iterator<Item = Bson>) -> Result<HashMap<Key, Node>> {
    let wanted: HashMap<Key, Bson> = ids.filter(may_be_an_id).map(|id| (Key::of(&id), id)).collect();
    let ids: Vec<Bson> = wanted.into_values().collect();
    let mut query = Query::by_ids(layout.definition.collection, &ids);
    query.projection = layout.projection();
    let found = query.all(context).await?;
    Ok(found.iter().map(|document| layout.node(document)).map(|node| (Key::of(&node.id), node)).collect())
}
