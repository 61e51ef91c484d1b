//! The operations on documents that form trees.

use std::{collections::HashMap, marker::PhantomData, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, RawDocumentBuf, doc};

use super::{Find, Operations, delete::WRITER};
use crate::{
    bounds::IntoId,
    definition::ModelDefinition,
    derived::tree::{self, Layout},
    error::{Error, Result},
    executor::Executor,
    field::{Field, Filter},
    key::Key,
    model::{Model, OwnDocument, Updatable, without_hidden},
    read::{self, Query},
};

/// A model whose documents form trees (`#[tree(parent, ..)]`). The relation gives `children()` and the accessor of the
/// parent.
///
/// A value holds the ancestors that were read: a value that was only inserted has no ancestors
/// ([`create`](Operations::create) sets the ancestors).
pub trait Tree: Model + OwnDocument {
    #[doc(hidden)]
    fn tree_path(&self) -> Option<&str> {
        None
    }

    /// Returns the documents without a parent.
    fn roots() -> Find<Self> {
        let filter = Layout::of(Self::DEFINITION).map(|layout| doc! { layout.parent: { "$eq": Bson::Null } });
        Self::find(filter.map_or_else(Filter::none, Filter::raw))
    }

    /// Returns all documents below this document, in any order: by `#[tree(path)]` a range of an index, by
    /// `#[tree(ancestors)]` a key of an index. In a tree of parents alone, a `$graphLookup` reads an index once for
    /// each document below.
    fn descendants(&self) -> Find<Self> {
        below(self, None)
    }

    /// Returns the documents below this document, down to the given number of levels: 1 for the children.
    fn descendants_to(&self, levels: u32) -> Find<Self> {
        below(self, Some(levels))
    }

    /// Returns the documents above this document.
    fn ancestors(&self) -> Ancestors<Self> {
        let chain = Layout::of(Self::DEFINITION).zip(self.tree_path());
        let ids = chain.map(|(layout, path)| layout.ids_of_path(path));
        Ancestors { of: self.id().to_bson(), ids, model: PhantomData }
    }

    /// Gives a document another parent, and gives all documents below the new ancestors. With at most 1,000 documents
    /// below, the move is one transaction. Otherwise the document has a first transaction of its own, and each 1,000
    /// documents below, or up to 10,000 short documents, have a further transaction. Other moves and inserts go on
    /// meanwhile. During a move of more than 1,000 documents, some documents still hold the old ancestors.
    ///
    /// # Errors
    /// [`NotFound`](Error::NotFound) where the document or the parent is missing;
    /// [`TreeError::Cycle`](crate::TreeError::Cycle) where `parent` is the document, or is below the document;
    /// [`TreeError::TooDeep`](crate::TreeError::TooDeep); [`TreeError::MovePending`](crate::TreeError::MovePending)
    /// where the move is done but not complete. In a transaction
    /// [`TreeError::MoveInProgress`](crate::TreeError::MoveInProgress) where another move is not complete.
    fn move_under<'a, K, P>(
        db: &'a impl Executor,
        id: impl IntoId<Self, K>,
        parent: impl IntoId<Self, P>,
    ) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        move_to(db, Self::DEFINITION, id.into_id_value(), Some(parent.into_id_value()))
    }

    /// Makes a document a root, as [`move_under`](Tree::move_under) gives a document another parent.
    ///
    /// # Errors
    /// The errors of [`move_under`](Tree::move_under).
    fn move_to_root<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        move_to(db, Self::DEFINITION, id.into_id_value(), None)
    }

    /// Moves the children of a document to the document's own parent, one after the other, and returns the number of
    /// children. The document can then be deleted. The children of a root become roots. A child that another client
    /// moves elsewhere meanwhile stays there.
    ///
    /// # Errors
    /// The errors of [`move_under`](Tree::move_under); some children are moved then.
    fn promote_children<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<u64>>
    where
        Self: Updatable,
    {
        promote(db, Self::DEFINITION, id.into_id_value())
    }
}

fn move_to<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Result<Bson>,
    parent: Option<Result<Bson>>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { tree::move_node(&db.context()?, definition, id?, parent.transpose()?, WRITER).await })
}

fn promote<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Result<Bson>,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { tree::promote_children(&db.context()?, definition, id?, WRITER).await })
}

fn below<M: Tree>(value: &M, levels: Option<u32>) -> Find<M> {
    let Some(layout) = Layout::of(M::DEFINITION) else { return M::find(Filter::none()) };
    match value.id().to_bson() {
        Ok(id) if !layout.keeps_chain() => match levels {
            // The server takes no depth below the depth of the first level.
            Some(0) => M::find(Filter::none()),
            levels => Find::over(tree::subtree(&layout, &id, levels)),
        },
        id => M::find(Filter::from_parts(id.and_then(|id| layout.descendants(value.tree_path(), &id, levels)))),
    }
}

/// The ancestors of a document, before the read.
#[must_use = "nothing is read until `fetch_all` is awaited"]
pub struct Ancestors<M> {
    of: Result<Bson>,
    ids: Option<Vec<Bson>>,
    model: PhantomData<fn() -> M>,
}

impl<M: Tree> Ancestors<M> {
    /// Reads the documents, the root first. In a tree of parents alone, a `$graphLookup` walks up the tree.
    ///
    /// # Errors
    /// [`DanglingReference`](Error::DanglingReference) where an ancestor is missing; [`Decode`](Error::Decode) when an
    /// ancestor does not fit the struct.
    pub fn fetch_all<'a>(self, db: &'a impl Executor) -> BoxFuture<'a, Result<Vec<M>>>
    where
        M: 'a,
    {
        let documents = fetch(db, M::DEFINITION, self.of, self.ids);
        Box::pin(async move {
            let documents = documents.await?;
            documents.iter().map(|document| read::decode(M::DEFINITION.collection, document)).collect()
        })
    }
}

fn fetch<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    of: Result<Bson>,
    ids: Option<Vec<Bson>>,
) -> BoxFuture<'a, Result<Vec<RawDocumentBuf>>> {
    Box::pin(async move {
        let (context, id) = (db.context()?, of?);
        let Some(layout) = Layout::of(definition) else { return Ok(Vec::new()) };
        let ids = match ids {
            Some(ids) => ids,
            None => {
                let mut ids = tree::ancestors_of(&context, &layout, &id).await?;
                ids.reverse();
                ids
            }
        };
        let mut found = HashMap::new();
        let ancestors = Query::by_ids(definition.collection, &ids);
        Query { projection: without_hidden(definition.fields), ..ancestors }
            .for_each(&context, |document| {
                found.extend(read::key(document).map(|key| (key, document.to_owned())));
                Ok(ControlFlow::Continue(()))
            })
            .await?;
        let mut documents = Vec::with_capacity(ids.len());
        for ancestor in ids {
            match found.remove(&Key::of(&ancestor)) {
                Some(document) => documents.push(document),
                None => {
                    return Err(Error::dangling(layout.relation(), definition.collection, ancestor, id));
                }
            }
        }
        Ok(documents)
    })
}
