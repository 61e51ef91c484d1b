//! Loads several relations of the same documents, and relations of the loaded documents, in one call.

mod handles;

use derive_where::derive_where;
use futures_util::future::{self, BoxFuture};

use crate::{
    bounds::IntoId,
    error::Result,
    executor::Executor,
    join::{Loaded, View},
    model::Model,
};

/// A load for many documents of `P`: the handle of a relation, a relation [`with`](Relations::with) nested relations of
/// the loaded documents, or a tuple of up to five loads.
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "users")]
/// # struct User { #[serde(rename = "_id")] id: i64, name: String }
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "sections")]
/// # struct Section { #[serde(rename = "_id")] id: i64, #[relation(one_to_many, parent_ref)] editor: Ref<User> }
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "pages")]
/// # struct Page {
/// #     #[serde(rename = "_id")] id: i64,
/// #     #[relation(one_to_many, parent_ref)] maintainer: Ref<User>,
/// #     #[relation(one_to_many, parent_ref)] section: Ref<Section>,
/// #     #[relation(one_to_many, child_refs, max = 20)] needs: Vec<Ref<Page>>,
/// # }
/// async fn print(db: &Database, pages: &[Page]) -> Result<()> {
///     let relations = (Page::MAINTAINER, Page::SECTION.with(Section::EDITOR), Page::NEEDS.with(Page::NEEDS));
///     let (maintainers, sections, needs) = relations.load(db, pages).await?;
///     for page in pages {
///         let maintainer = maintainers.of(page).first();
///         let editor = sections.of(page).first().and_then(|section| sections.nested().of(section).first());
///         for needed in needs.of(page) {
///             let needed_there = needs.nested().of(needed).len();
///         }
///     }
///     Ok(())
/// }
/// ```
///
/// The written nesting is the depth of the load. The type of the result says exactly the loaded relations: other
/// relations cannot be read from the result. Each level works like a separate `load`: a command for many documents. The
/// relations of a level do not wait for each other. In a transaction, the relations are sent one at a time.
#[diagnostic::on_unimplemented(
    message = "this is no relation of `{P}`",
    label = "this has the type `{Self}`",
    note = "help: write a relation of `{P}`, as `{P}::AUTHOR`, or a tuple of relations; `with` takes relations of the model that the relation before `with` leads to"
)]
pub trait Relations<P: Model>: Sized {
    /// The result of the load: a [`Loaded`], a [`LoadedWith`], or a tuple of results.
    type Loaded: Send;

    /// Loads the relations for many documents.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the references without a document and the documents
    /// that do not fit.
    fn load<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: LoadsDocuments + 'a,
    {
        self.load_any(db, documents)
    }

    /// Loads like [`load`](Relations::load), without the bound `LoadsDocuments`; a call of `load` has already checked
    /// the bound.
    #[doc(hidden)]
    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a;

    /// Adds nested relations of the loaded documents; the nested relations load after the documents.
    fn with<N>(self, nested: N) -> With<Self, N>
    where
        Self::Loaded: WholeDocuments,
        N: Relations<<Self::Loaded as WholeDocuments>::Model>,
    {
        With { relation: self, nested }
    }
}

/// A relation to documents: every relation except relations to children in buckets. The bound makes rustc name the
/// model that is in the way.
#[doc(hidden)]
pub trait LoadsDocuments {}

/// The result of a relation read as whole documents, so that the references of the documents are present.
#[diagnostic::on_unimplemented(
    message = "this load does not read whole documents of a single model, so `with` cannot follow the relations of a model",
    label = "this loads `{Self}`",
    note = "help: `with` follows a single relation that is read whole: remove `select`, write `with` on each relation of a tuple, and give several relations to a single `with`: `.with((Section::EDITOR, Section::PAGES))`"
)]
pub trait WholeDocuments {
    /// The model of the documents.
    type Model: Model;
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model> WholeDocuments for Loaded<P, C> {
    type Model = C;
}

/// A relation with nested relations of the loaded documents: see [`Relations`].
#[derive(Clone, Copy, Debug)]
pub struct With<R, N> {
    relation: R,
    nested: N,
}

/// The documents of a relation, and the result of the nested relations.
#[derive_where(Debug; N)]
pub struct LoadedWith<P: Model, C: Model, N> {
    loaded: Loaded<P, C>,
    nested: N,
}

impl<P: Model, C: Model, N> LoadedWith<P, C, N> {
    /// Returns the documents of the relation for one parent, as [`Loaded::of`].
    pub fn of<K>(&self, parent: impl IntoId<P, K>) -> View<'_, C> {
        self.loaded.of(parent)
    }

    /// Returns the result of the nested relations.
    pub fn nested(&self) -> &N {
        &self.nested
    }

    /// Returns the documents of the relation for all parents.
    pub fn loaded(&self) -> &Loaded<P, C> {
        &self.loaded
    }

    /// Returns the documents and the result of the nested relations.
    pub fn into_parts(self) -> (Loaded<P, C>, N) {
        (self.loaded, self.nested)
    }
}

impl<P, C, R, N> Relations<P> for With<R, N>
where
    P: Model,
    C: Model,
    R: Relations<P, Loaded = Loaded<P, C>> + Send,
    N: Relations<C> + Send,
{
    type Loaded = LoadedWith<P, C, N::Loaded>;

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        let With { relation, nested } = self;
        let loaded = relation.load_any(db, documents);
        Box::pin(async move {
            let loaded = loaded.await?;
            let nested = nested.load_any(db, loaded.distinct()).await?;
            Ok(LoadedWith { loaded, nested })
        })
    }
}

impl<R: LoadsDocuments, N: LoadsDocuments> LoadsDocuments for With<R, N> {}

#[diagnostic::do_not_recommend]
impl<M: Model, A: Relations<M>> Relations<M> for (A,) {
    type Loaded = (A::Loaded,);

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a M>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        let (relation,) = self;
        let loaded = relation.load_any(db, documents);
        Box::pin(async move { Ok((loaded.await?,)) })
    }
}

impl<A: LoadsDocuments> LoadsDocuments for (A,) {}

macro_rules! tuple {
    ($($join:ident: $($name:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case, reason = "a value has the name of the type")]
        impl<M: Model, $($name: Relations<M>),*> Relations<M> for ($($name,)*) {
            type Loaded = ($($name::Loaded,)*);

            fn load_any<'a>(
                self,
                db: &'a impl Executor,
                documents: impl IntoIterator<Item = &'a M>,
            ) -> BoxFuture<'a, Result<Self::Loaded>>
            where
                Self: 'a,
            {
                let documents: Vec<&M> = documents.into_iter().collect();
                let ($($name,)*) = self;
                $(let $name = $name.load_any(db, documents.iter().copied());)*
                Box::pin(future::$join($($name),*))
            }
        }

        impl<$($name: LoadsDocuments),*> LoadsDocuments for ($($name,)*) {}
    )*};
}

tuple! {
    try_join: A B;
    try_join3: A B C;
    try_join4: A B C D;
    try_join5: A B C D E;
}
