//! An embedded array: reads a part of the array, and finds elements across documents.

mod elements;
mod find;

use std::{collections::VecDeque, marker::PhantomData};

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};
use serde::Deserialize;

pub use elements::FoundElement;
pub use find::{ElementsPage, FindElements};

use crate::{
    bounds::{BoundedVec, IntoId},
    definition::{FieldDefinition, ModelDefinition, Shape},
    error::{Error, Result},
    executor::Executor,
    explain,
    field::{Element, ElementToken, Field, Filter, Record},
    join::ElementItem,
    model::{Model, OwnDocument},
    read::{self, Query, run},
};

/// The embedded array in a field of `P`, of type `L`.
#[derive_where(Clone, Copy, Debug)]
pub struct Embedded<P, L> {
    field: &'static str,
    #[derive_where(skip(Debug))]
    types: PhantomData<fn() -> (P, L)>,
}

/// A type that is stored as an array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list, and only a list can be read in parts",
    label = "a list is a `Vec`, `VecDeque`, `Box<[T]>`, `BoundedVec` or `[T; N]`, or an `Option` of a list"
)]
pub trait ArrayField {
    /// The type of an element.
    type Item;
}

macro_rules! list {
    ($($type:ty $(, $count:ident)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T $(, const $count: usize)?> ArrayField for $type {
            type Item = T;
        }
    )*};
}

list! {
    Vec<T>;
    VecDeque<T>;
    Box<[T]>;
    BoundedVec<T, N>, N;
    [T; N], N;
}

#[diagnostic::do_not_recommend]
impl<L: ArrayField> ArrayField for Option<L> {
    type Item = L::Item;
}

/// The reply of the server: the part, under a name that no user field has.
#[derive(Deserialize)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
struct Part<T> {
    part: Option<Vec<T>>,
}

impl<T: Field> Record for Part<T> {
    const STRUCT: &'static str = "Part";
    const FIELDS: &'static [FieldDefinition] = &[FieldDefinition::new(PART, PART, Shape::list(&T::SHAPE).nullable())];
}

/// The name of the part in the reply.
const PART: &str = "part";

impl<P, L> Embedded<P, L> {
    #[doc(hidden)]
    pub const fn new(field: &'static str) -> Self {
        Embedded { field, types: PhantomData }
    }
}

impl<P: Model + OwnDocument, L: ArrayField<Item: ElementItem>> Embedded<P, L> {
    /// Reads at most `limit` elements of the stored array, from position `skip` on. The server sends nothing else. A
    /// null or missing array has no elements.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the document is gone, [`Error::Decode`] when an element does not fit, and errors of the
    /// server and the network.
    pub fn slice<'a, K>(
        self,
        db: &'a impl Executor,
        parent: impl IntoId<P, K>,
        skip: u32,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<L::Item>>>
    where
        L: 'a,
    {
        let query = self.query(parent.into_id_value(), skip, limit);
        let db: &dyn Executor = db;
        Box::pin(async move {
            if limit == 0 {
                // The server refuses a slice of no elements.
                return Ok(Vec::new());
            }
            let Some(document) = run::first(db, query).await? else {
                return Err(Error::not_found(P::DEFINITION));
            };
            match read::decode::<Part<L::Item>>(P::DEFINITION.collection, &document) {
                Ok(part) => Ok(part.part.unwrap_or_default()),
                Err(error) => Err(in_users_names(P::DEFINITION, self.stored_name(), error)),
            }
        })
    }

    /// Explains [`slice`](Embedded::slice): returns the answer of the server to `explain`, with the counts of the
    /// execution.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub fn explain<'a, K>(
        self,
        db: &'a impl Executor,
        parent: impl IntoId<P, K>,
        skip: u32,
        limit: u32,
    ) -> BoxFuture<'a, Result<Document>> {
        explain::command(db, self.query(parent.into_id_value(), skip, limit.max(1)).map(Query::into_command))
    }

    /// Finds the elements, in all documents, for which the whole condition holds, each with the `_id` of the document:
    /// `Post::COMMENTS.find(|comment| comment.name.eq("Alice") & comment.created_on.gte(monday))`. An index on a field
    /// of the elements finds the documents.
    pub fn find(
        self,
        condition: impl FnOnce(ElementToken<L::Item>) -> Filter<Element<L::Item>>,
    ) -> FindElements<P, L::Item>
    where
        L::Item: Field,
    {
        FindElements::new(self.stored_name(), condition(ElementToken::NEW))
    }

    fn query(&self, parent: Result<Bson>, skip: u32, limit: u32) -> Result<Query> {
        parent.map(|parent| query(P::DEFINITION.collection, parent, self.stored_name(), [skip, limit]))
    }

    fn stored_name(&self) -> &'static str {
        P::DEFINITION.field(self.field).map_or(self.field, |field| field.name)
    }
}

fn query(collection: &'static str, parent: Bson, name: &str, part: [u32; 2]) -> Query {
    // The server takes signed numbers of 32 bits.
    let [skip, limit] = part.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    let mut query = Query::by_id(collection, parent);
    query.projection = doc! { "_id": 1, PART: { "$slice": [format!("${name}"), skip, limit] } };
    query
}

/// Replaces the names of the reply in an error by the names of the model and the field.
fn in_users_names(model: &ModelDefinition, name: &str, error: Error) -> Error {
    match error {
        Error::Decode { collection, id, path, message, .. } => {
            let path = name.to_owned() + path.strip_prefix(PART).unwrap_or(&path);
            Error::Decode { collection, model: model.model, id, path, message }
        }
        other => other,
    }
}
