//! Finds documents whose ancestors contradict the references to parents: reads the tree in parts, and checks each suspect again in one
//! snapshot. Reaches the server.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document};

use super::layout::{Layout, Node};
use crate::{
    error::{Error, Result},
    executor::Context,
    key::{Key, may_be_an_id},
    limits::SURVEYED_TREE_DOCUMENTS,
    read::Query,
    transaction::transaction,
};

/// The kind of error of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// The document is its own ancestor.
    Cycle,
    /// The document stores wrong ancestors.
    Ancestors,
}

/// The wrong documents of a tree, found part by part.
pub(crate) struct Survey<'a> {
    context: &'a Context,
    layout: Layout,
    last: Option<Bson>,
}

impl<'a> Survey<'a> {
    pub(crate) fn new(context: &'a Context, layout: Layout) -> Self {
        Survey { context, layout, last: None }
    }

    /// Returns the next wrong documents, perhaps an empty list; `None` after the last. A document with a missing parent is no finding of
    /// the survey.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<(Bson, Wrong)>>> {
        let mut query = Query::new(self.layout.definition.collection, Document::new()).behind(self.last.as_ref());
        query.projection = self.layout.projection();
        query.limit = SURVEYED_TREE_DOCUMENTS;
        let documents = query.all(self.context).await?;
        let Some(last) = documents.last() else { return Ok(None) };
        self.last = last.get("_id").cloned();
        let nodes: Vec<Node> = documents.iter().map(|document| self.layout.node(document)).collect();
        let suspects = wrong(self.context, &self.layout, &nodes).await?;
        if suspects.is_empty() {
            return Ok(Some(suspects));
        }
        let (layout, ids) = (self.layout, suspects.into_iter().map(|(id, _)| id).collect::<Vec<_>>());
        let looked = transaction(self.context.database(), |transaction| {
            let ids = ids.clone();
            async move { look_again(&transaction.context, &layout, &ids).await }
        });
        match looked.await {
            // A standalone server has no snapshots.
            Err(Error::NotReplicaSet) => look_again(self.context, &self.layout, &ids).await.map(Some),
            looked => looked.map(Some),
        }
    }
}

/// Returns the given documents that are wrong now. Documents that a pending move has still to write are not wrong.
pub(super) async fn look_again(context: &Context, layout: &Layout, ids: &[Bson]) -> Result<Vec<(Bson, Wrong)>> {
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
        found.retain(|(id, wrong)| *wrong == Wrong::Cycle || !is_left(id));
    }
    Ok(found)
}

/// Returns the given documents that contradict their parents.
async fn wrong(context: &Context, layout: &Layout, nodes: &[Node]) -> Result<Vec<(Bson, Wrong)>> {
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
            found.push((node.id.clone(), Wrong::Ancestors));
        }
    }
    // The stored ancestors of a document in a cycle are never right. The survey reports the document as a cycle.
    let suspects: HashSet<Key> = found.iter().map(|(id, _)| Key::of(id)).collect();
    let suspects: Vec<Node> = nodes.iter().filter(|node| suspects.contains(&Key::of(&node.id))).cloned().collect();
    let cycles: HashSet<Key> = in_cycles(context, layout, &suspects).await?.iter().map(|(id, _)| Key::of(id)).collect();
    for (id, wrong) in &mut found {
        if cycles.contains(&Key::of(id)) {
            *wrong = Wrong::Cycle;
        }
    }
    Ok(found)
}

/// Returns the given documents that are their own ancestors. All documents are walked up together, a level by each command.
async fn in_cycles(context: &Context, layout: &Layout, nodes: &[Node]) -> Result<Vec<(Bson, Wrong)>> {
    let mut walks: Vec<(&Node, Bson, HashSet<Key>)> =
        nodes.iter().map(|node| (node, node.parent.clone(), HashSet::new())).collect();
    let mut found = Vec::new();
    while !walks.is_empty() {
        let parents = read_all(context, layout, walks.iter().map(|(_, at, _)| at.clone())).await?;
        walks.retain_mut(|(node, at, seen)| {
            if Key::of(at) == Key::of(&node.id) {
                found.push((node.id.clone(), Wrong::Cycle));
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
