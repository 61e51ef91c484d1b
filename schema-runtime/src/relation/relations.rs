//! Several relations of the same documents, and relations of what they lead to, loaded in one call.

mod handles;

use std::fmt;

use futures_util::future::{self, BoxFuture};

use crate::{
    bounds::IntoId,
    error::Result,
    executor::Executor,
    join::{Loaded, View},
    model::Model,
};

/// What can be loaded for many documents of `P`: the handle of a relation, one [`with`](Relations::with) relations of what it leads
/// to, or a tuple of up to five of them.
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
/// How deep it goes is what is written, and the type of the result says what was loaded: nothing else can be asked of it. Each level
/// is what a `load` of its own would be, a command for many documents; the relations of one level do not wait for each other. In a
/// transaction they are sent one at a time.
#[diagnostic::on_unimplemented(
    message = "this is no relation of `{P}`",
    label = "this has the type `{Self}`",
    note = "help: write a relation of that model, as `{P}::AUTHOR`, or several in a tuple; `with` takes relations of what the relation before it leads to"
)]
pub trait Relations<P: Model>: Sized {
    /// What is loaded: a [`Loaded`], a [`LoadedWith`], or a tuple of them.
    type Loaded: Send;

    /// Loads it for many documents.
    ///
    /// # Errors
    /// Those of the server and the network. References without a document, and documents that do not fit, are in the result.
    fn load<'a>(
        self,
        executor: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: LoadsDocuments + 'a,
    {
        self.load_any(executor, documents)
    }

    /// The same without the question of what the relation leads to, which a call of [`load`](Relations::load) has answered.
    #[doc(hidden)]
    fn load_any<'a>(
        self,
        executor: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a;

    /// The same with relations of what it leads to, which are loaded when that is there.
    fn with<N>(self, nested: N) -> With<Self, N>
    where
        Self::Loaded: WholeDocuments,
        N: Relations<<Self::Loaded as WholeDocuments>::Model>,
    {
        With { relation: self, nested }
    }
}

/// What leads to documents: every relation but those to children in buckets. Which one is in the way, rustc then says of its model.
#[doc(hidden)]
pub trait LoadsDocuments {}

/// What a relation leads to, read whole, so that it has its references.
#[diagnostic::on_unimplemented(
    message = "what is read here are no whole documents of one model, whose relations could be followed",
    label = "this loads `{Self}`",
    note = "help: `with` follows one relation that is read whole: leave `select` away, write `with` on each relation of a tuple, and give several relations to one `with`: `.with((Section::EDITOR, Section::PAGES))`"
)]
pub trait WholeDocuments {
    /// The model of the documents.
    type Model: Model;
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model> WholeDocuments for Loaded<P, C> {
    type Model = C;
}

/// A relation with relations of what it leads to: see [`Relations`].
#[derive(Clone, Copy, Debug)]
pub struct With<R, N> {
    relation: R,
    nested: N,
}

/// What a relation leads to, and what was loaded for that.
pub struct LoadedWith<P: Model, C: Model, N> {
    loaded: Loaded<P, C>,
    nested: N,
}

impl<P: Model, C: Model, N> LoadedWith<P, C, N> {
    /// What the relation leads to from one document, as [`Loaded::of`].
    pub fn of<K>(&self, parent: impl IntoId<P, K>) -> View<'_, C> {
        self.loaded.of(parent)
    }

    /// What was loaded for what the relation leads to.
    pub fn nested(&self) -> &N {
        &self.nested
    }

    /// What the relation leads to from all documents.
    pub fn loaded(&self) -> &Loaded<P, C> {
        &self.loaded
    }

    /// Both.
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
        executor: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        let With { relation, nested } = self;
        let loaded = relation.load_any(executor, documents);
        Box::pin(async move {
            let loaded = loaded.await?;
            let nested = nested.load_any(executor, loaded.distinct()).await?;
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
        executor: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a M>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        let (relation,) = self;
        let loaded = relation.load_any(executor, documents);
        Box::pin(async move { Ok((loaded.await?,)) })
    }
}

impl<A: LoadsDocuments> LoadsDocuments for (A,) {}

macro_rules! tuple {
    ($($join:ident: $($name:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case, reason = "a value has the name of its type")]
        impl<M: Model, $($name: Relations<M>),*> Relations<M> for ($($name,)*) {
            type Loaded = ($($name::Loaded,)*);

            fn load_any<'a>(
                self,
                executor: &'a impl Executor,
                documents: impl IntoIterator<Item = &'a M>,
            ) -> BoxFuture<'a, Result<Self::Loaded>>
            where
                Self: 'a,
            {
                let documents: Vec<&M> = documents.into_iter().collect();
                let ($($name,)*) = self;
                $(let $name = $name.load_any(executor, documents.iter().copied());)*
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

impl<P: Model, C: Model, N: fmt::Debug> fmt::Debug for LoadedWith<P, C, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LoadedWith").field("loaded", &self.loaded).field("nested", &self.nested).finish()
    }
}
