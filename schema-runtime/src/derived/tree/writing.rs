//! One write of documents of a tree. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, doc};

use super::{chain::Chain, layout::Layout, walk::referred_to_above};
use crate::{
    changes::{Operator, Origin, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        effect::WriteKind,
        touch::{Touch, touch},
    },
    document::{leads_to, value_at},
    error::{Error, Result, TreeError},
    executor::Context,
    key::{Key, may_be_an_id},
    limits::TREE_DOCUMENTS,
    read::Query,
};

/// A write of a model with a tree.
#[derive(Debug)]
pub(crate) struct TreeWriting {
    layout: Option<Layout>,
    /// True when the updates of a bulk are prepared together and touch no parent. The effect then does nothing.
    together: bool,
    guarded: bool,
}

impl TreeWriting {
    pub(super) fn new(definition: &'static ModelDefinition, kind: WriteKind) -> Self {
        TreeWriting { layout: Layout::of(definition), together: kind == WriteKind::Bulk, guarded: false }
    }

    pub(super) fn is_guarded(&self) -> bool {
        self.guarded
    }

    /// Adds the ancestors to documents that are to be inserted, and touches the parents.
    pub(super) async fn fill_inserts(&mut self, context: &Context, documents: &mut [Document]) -> Result<()> {
        let Some(layout) = self.layout else { return Ok(()) };
        let id_of = |document: &Document| document.get("_id").cloned().unwrap_or(Bson::Null);
        let own: HashMap<Key, usize> =
            documents.iter().enumerate().map(|(at, document)| (Key::of(&id_of(document)), at)).collect();
        let parents: Vec<Bson> = documents.iter().map(|document| value_at(document, layout.parent)).collect();
        let outside = |parent: &&Bson| **parent != Bson::Null && !own.contains_key(&Key::of(parent));
        let mut wanted: HashMap<Key, Bson> = HashMap::new();
        for parent in parents.iter().filter(outside) {
            wanted.insert(Key::of(parent), parent.clone());
        }
        let mut below = touched(context, &layout, wanted.into_values().collect()).await?;
        for at in 0..documents.len() {
            // Walks up to a document with known ancestors, and down again.
            let (mut waiting, mut next) = (Vec::new(), at);
            let mut chain = loop {
                waiting.push(next);
                let parent = &parents[next];
                if *parent == Bson::Null {
                    break layout.root();
                }
                if let Some(chain) = below.get(&Key::of(parent)) {
                    break chain.clone();
                }
                match own.get(&Key::of(parent)) {
                    Some(parent) if waiting.contains(parent) => {
                        return Err(Error::Tree(TreeError::Cycle { model: layout.definition.model }));
                    }
                    Some(parent) => next = *parent,
                    None => {
                        let (collection, holder) = (layout.definition.collection, id_of(&documents[next]));
                        return Err(Error::dangling(layout.relation(), collection, parent.clone(), holder));
                    }
                }
            };
            while let Some(at) = waiting.pop() {
                layout.check_depth(chain.depth)?;
                let id = id_of(&documents[at]);
                if chain.contains(&id) {
                    return Err(Error::Tree(TreeError::Cycle { model: layout.definition.model }));
                }
                documents[at].extend(layout.values(&chain));
                chain = layout.below(&chain, &id)?;
                below.insert(Key::of(&id), chain.clone());
            }
        }
        Ok(())
    }

    /// Guards a replacement, which keeps the parent. A document with a different parent is refused.
    pub(super) async fn guard_update(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<bool> {
        self.guarded = false;
        let Some(layout) = self.layout.filter(|_| !self.together) else { return Ok(false) };
        let model = layout.definition.model;
        if spec.upsert {
            let message = format!(
                "`{model}` has a tree, and an update cannot insert into a tree: write the value by `insert` or `upsert`"
            );
            return Err(Error::Update { message });
        }
        if spec.origin == Origin::Tree || !spec.touched.iter().any(|path| leads_to(path, layout.parent)) {
            return Ok(false);
        }
        let given = spec.changes.get(Operator::Set, layout.parent).cloned().unwrap_or(Bson::Null);
        let mut query = Query::new(layout.definition.collection, spec.filter.clone());
        query.projection = doc! { layout.parent: 1 };
        query.sort = spec.sort.clone();
        query.limit = 1;
        let Some(stored) = query.all(&context.newest()).await?.pop() else { return Ok(false) };
        let held = value_at(&stored, layout.parent);
        if Key::of(&held) != Key::of(&given) {
            let message = format!(
                "an update cannot change the parent of a document of `{model}`: write `{model}::move_under` or \
                 `{model}::move_to_root`"
            );
            return Err(Error::Update { message });
        }
        let filter = std::mem::take(&mut spec.filter);
        spec.filter = doc! { "$and": [filter, { layout.parent: { "$eq": held } }] };
        self.guarded = true;
        Ok(true)
    }
}

/// Touches the given parents, and returns the ancestors of a child of each parent.
async fn touched(context: &Context, layout: &Layout, parents: Vec<Bson>) -> Result<HashMap<Key, Chain>> {
    let mut below = HashMap::new();
    let parents: Vec<Bson> = parents.into_iter().filter(may_be_an_id).collect();
    for ids in parents.chunks(TREE_DOCUMENTS) {
        let filter = doc! { "_id": { "$in": ids } };
        touch(context, layout.definition, Touch::Nodes(filter.clone())).await?;
        let mut query = Query::new(layout.definition.collection, filter);
        query.projection = layout.projection();
        for document in query.all(context).await? {
            let node = layout.node(&document);
            let mut chain = layout.below(&node.chain, &node.id)?;
            if !layout.keeps_chain() {
                let above = referred_to_above(context, layout, &node.id).await?;
                let ids = [node.id.clone(), node.parent].into_iter().chain(above);
                chain.ids = ids.filter(|id| *id != Bson::Null).collect();
                chain.depth = chain.ids.len();
            }
            below.insert(Key::of(&node.id), chain);
        }
    }
    Ok(below)
}
