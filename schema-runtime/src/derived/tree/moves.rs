//! Moves documents to different parents. Reaches the server.

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{
    chain::Chain,
    complete,
    layout::{Layout, MOVING, Node},
    node::read,
    walk::{ancestors_of, height},
};
use crate::{
    changes::{Operator, Origin},
    definition::ModelDefinition,
    derived::{
        effect::Writer,
        touch::{Touch, touch, touch_with},
    },
    error::{Error, Result, StoredDocument, TreeError},
    executor::{Attempts, Context},
    key::Key,
    limits::TRANSACTION_DOCUMENTS,
    read::{Aggregate, Query},
    transaction::transaction_of,
};

/// The result of one transaction of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Done,
    /// Another client has moved the document away from the expected parent.
    Elsewhere,
    /// The descendants are still to be written.
    Large,
    /// A different large move blocks the move, and is completed first.
    Pending,
}

/// Gives a document a new parent, or no parent, and gives the descendants new ancestors. In a transaction of the
/// caller, the whole move is a part of the transaction.
pub(crate) async fn move_node(
    context: &Context,
    definition: &'static ModelDefinition,
    id: Bson,
    under: Option<Bson>,
    writer: Writer,
) -> Result<()> {
    move_to(context, definition, id, To::Parent(under), writer).await.map(drop)
}

/// Moves a document. Returns whether the document was at the expected parent.
async fn move_to(
    context: &Context,
    definition: &'static ModelDefinition,
    id: Bson,
    to: To,
    writer: Writer,
) -> Result<bool> {
    let Some(layout) = Layout::of(definition) else { return Err(Error::not_found(definition)) };
    let moving = Move { layout, id, to, writer };
    if context.in_transaction() {
        return match moving.step(context, None).await? {
            Step::Done | Step::Large => Ok(true),
            Step::Elsewhere => Ok(false),
            Step::Pending => Err(Error::Tree(TreeError::MoveInProgress { collection: definition.collection })),
        };
    }
    let mut attempts = Attempts::default();
    loop {
        let step = transaction_of(context, |transaction| {
            let moving = moving.clone();
            async move { moving.step(&transaction.context, Some(TRANSACTION_DOCUMENTS as u64)).await }
        });
        match step.await? {
            Step::Done => return Ok(true),
            Step::Elsewhere => return Ok(false),
            Step::Large => {
                let completed = complete::complete(context, &layout, &moving.id, writer).await;
                return completed.map(|()| true).map_err(|error| {
                    let (collection, document) = (definition.collection, StoredDocument::default());
                    Error::Tree(TreeError::MovePending { collection, document, source: Box::new(error) })
                });
            }
            Step::Pending => {
                complete::complete_all(context, &layout, writer).await?;
                attempts.again().await?;
            }
        }
    }
}

/// Moves the children of a document to the parent of the document, one by one, and returns the number of moved
/// children.
pub(crate) async fn promote_children(
    context: &Context,
    definition: &'static ModelDefinition,
    id: Bson,
    writer: Writer,
) -> Result<u64> {
    let Some(layout) = Layout::of(definition) else { return Ok(0) };
    let (mut promoted, mut failed, mut attempts) = (0, None, Attempts::default());
    loop {
        let newest = context.newest();
        let own = read(&newest, &layout, &id).await?.ok_or_else(|| Error::not_found(definition))?;
        let there = doc! { layout.parent: { "$eq": &id } };
        let mut children = Query::new(definition.collection, there);
        children.limit = TRANSACTION_DOCUMENTS as u64;
        let children = children.all_ids(&newest).await?;
        if children.is_empty() {
            return Ok(promoted);
        }
        for child in children {
            let pair = (Key::of(&child), Key::of(&own.parent));
            match move_to(context, definition, child, To::ParentOf(id.clone()), writer).await {
                // Another client has deleted the child or the parent, or has moved the document below the child. The
                // present state is read again.
                Err(Error::NotFound { .. } | Error::Tree(TreeError::Cycle { .. }))
                    if !context.in_transaction() && failed.as_ref() != Some(&pair) =>
                {
                    failed = Some(pair);
                    attempts.again().await?;
                    break;
                }
                moved => promoted += u64::from(moved?),
            }
        }
    }
}

/// The target of a move.
#[derive(Clone)]
enum To {
    /// Under the given document, or to the roots.
    Parent(Option<Bson>),
    /// From under the given document to the parent of the given document.
    ParentOf(Bson),
}

/// A document that gets a new parent.
#[derive(Clone)]
struct Move {
    layout: Layout,
    id: Bson,
    to: To,
    writer: Writer,
}

impl Move {
    /// Runs the transaction of a move. More than `most` descendants are left for later.
    async fn step(&self, context: &Context, most: Option<u64>) -> Result<Step> {
        let Move { layout, id, .. } = self;
        let not_found = || Error::not_found(layout.definition);
        let node = read(context, layout, id).await?.ok_or_else(not_found)?;
        let under = match &self.to {
            To::Parent(under) => under.clone(),
            To::ParentOf(from) if Key::of(&node.parent) != Key::of(from) => return Ok(Step::Elsewhere),
            To::ParentOf(from) => {
                let from = read(context, layout, from).await?.ok_or_else(not_found)?;
                Some(from.parent).filter(|parent| *parent != Bson::Null)
            }
        };
        let target = match &under {
            Some(under) => Some(read(context, layout, under).await?.ok_or_else(not_found)?),
            None => None,
        };
        if layout.keeps_chain() && layout.pending().exists(context).await? {
            return Ok(Step::Pending);
        }
        let chain = match &target {
            Some(target) => layout.below(&target.chain, &target.id)?,
            None => layout.root(),
        };
        let walked = self.walked(context, target.as_ref()).await?;
        let is_above = |other: &Bson| Key::of(other) == Key::of(id);
        if target.as_ref().is_some_and(|target| is_above(&target.id))
            || chain.contains(id)
            || walked.iter().any(is_above)
        {
            return Err(Error::Tree(TreeError::Cycle { model: layout.definition.model }));
        }
        if Key::of(&node.parent) == Key::of(&under.clone().unwrap_or(Bson::Null)) {
            return Ok(Step::Done);
        }
        let (old, new) = (layout.below(&node.chain, id)?, layout.below(&chain, id)?);
        let below = layout.beginning_with(&old);
        let is_large = match most.filter(|_| layout.keeps_chain() && old != new) {
            Some(most) => context.count(layout.definition.collection, below.clone(), 0, most + 1).await? > most,
            None => false,
        };
        self.check_depth(context, (node.chain.depth, below), &chain, walked.len()).await?;
        // A large move touches the chains of parents that the move has read, so that the chains stay valid until the
        // commit. A small move writes all its documents anyway.
        let read = match (layout.keeps_chain(), is_large) {
            (true, false) => under.clone().into_iter().collect(),
            (true, true) => layout.ids(&node.chain).into_iter().chain(layout.ids(&chain)).collect(),
            (false, _) => walked.into_iter().chain(ancestors_of(context, layout, id).await?).collect(),
        };
        let step = if is_large { Step::Large } else { Step::Done };
        let written = self.write_all(context, (old, new), &chain, under.as_ref(), read, step).await;
        if let Err(error) = &written {
            context.refuse_commit(error).await;
        }
        written.map(|()| step)
    }

    /// Writes the documents of a move: touches the read documents, writes the document itself, and writes the
    /// descendants when few.
    async fn write_all(
        &self,
        context: &Context,
        (old, new): (Chain, Chain),
        chain: &Chain,
        under: Option<&Bson>,
        read: Vec<Bson>,
        step: Step,
    ) -> Result<()> {
        let (layout, is_large) = (&self.layout, step == Step::Large);
        self.touch_all(context, read).await?;
        self.write(context, chain, under, is_large.then_some(&old)).await?;
        if is_large || !layout.keeps_chain() || old == new {
            return Ok(());
        }
        complete::rewrite(context, layout, (&old, &new), layout.beginning_with(&old), self.writer).await
    }

    /// Returns the `_id`s of the new parent and the ancestors of the new parent, when documents do not store ancestors.
    async fn walked(&self, context: &Context, target: Option<&Node>) -> Result<Vec<Bson>> {
        match target {
            Some(target) if !self.layout.keeps_chain() => {
                let mut walked = vec![target.id.clone()];
                walked.extend(ancestors_of(context, &self.layout, &target.id).await?);
                Ok(walked)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns an error for a move that makes a descendant too deep.
    async fn check_depth(
        &self,
        context: &Context,
        (before, below): (usize, Document),
        chain: &Chain,
        walked: usize,
    ) -> Result<()> {
        let layout = &self.layout;
        if !layout.keeps_chain() {
            layout.check_depth(walked)?;
            return layout.check_depth(walked + height(context, layout, &self.id).await?);
        }
        layout.check_depth(chain.depth)?;
        if chain.depth <= before {
            return Ok(());
        }
        let depth = match (layout.path, &layout.ancestors) {
            (Some(path), _) => doc! { "$subtract": [{ "$size": { "$split": [format!("${path}"), ":"] } }, 1] },
            (None, Some(ancestors)) => doc! { "$size": format!("${}", ancestors.ids()) },
            (None, None) => return Ok(()),
        };
        let pipeline =
            vec![doc! { "$match": below }, doc! { "$group": { "_id": Bson::Null, "depth": { "$max": depth } } }];
        let found = Aggregate { collection: Some(layout.definition.collection), pipeline }.all(context).await?;
        let deepest = found.first().and_then(|found| found.get_i32("depth").ok());
        let deepest = deepest.map_or(before, |depth| usize::try_from(depth).unwrap_or(usize::MAX));
        layout.check_depth(deepest.max(before) + chain.depth - before)
    }

    /// Writes the document itself, with all effects of a new parent.
    async fn write(
        &self,
        context: &Context,
        chain: &Chain,
        under: Option<&Bson>,
        pending: Option<&Chain>,
    ) -> Result<()> {
        let layout = &self.layout;
        let mut spec = layout.storing(doc! { "_id": { "$eq": &self.id } }, chain);
        spec.touched.push(layout.parent.to_owned());
        spec.origin = Origin::Tree;
        let changes = &mut spec.changes;
        changes.put(Operator::Set, layout.parent, under.cloned().unwrap_or(Bson::Null));
        if let Some(old) = pending {
            changes.put(Operator::Set, MOVING, layout.stored(old));
        }
        touch_with(changes);
        let managed = layout.definition.managed();
        if let Some(version) = managed.version {
            changes.put(Operator::Inc, version.name, 1_i64);
        }
        if let Some(updated_at) = managed.updated_at {
            changes.put(Operator::Set, updated_at.name, DateTime::now());
        }
        (self.writer.update_many)(context, layout.definition, spec).await.map(drop)
    }

    /// Touches all documents above the old place and the new place: a cascade may be deleting the tree from the root
    /// on.
    async fn touch_all(&self, context: &Context, ids: Vec<Bson>) -> Result<()> {
        match ids.is_empty() {
            true => Ok(()),
            false => {
                touch(context, self.layout.definition, Touch::Nodes(doc! { "_id": { "$in": ids } })).await.map(drop)
            }
        }
    }
}
