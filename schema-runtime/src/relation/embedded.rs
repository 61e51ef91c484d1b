//! An embedded array, of which a part can be read.

use std::{collections::VecDeque, fmt, marker::PhantomData};

use mongodb::bson::{Document, doc};
use serde::Deserialize;

use crate::{
    bounds::Few,
    error::{Error, Result},
    executor::Executor,
    field::Field,
    join::Item,
    model::Model,
    read::{self, Query},
};

/// The embedded array in a field of `P`, of type `L`.
pub struct Embedded<P, L> {
    field: &'static str,
    types: PhantomData<fn() -> (P, L)>,
}

/// A type that is stored as an array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "only a part of an array can be read: a `Vec`, `VecDeque`, `Box<[T]>`, `Few` or `[T; N]`, or an `Option` of one"
)]
pub trait ArrayField {
    /// What it is a list of.
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
    Few<T, N>, N;
    [T; N], N;
}

#[diagnostic::do_not_recommend]
impl<L: ArrayField> ArrayField for Option<L> {
    type Item = L::Item;
}

/// What the server sends: the part, under a name that is not the user's.
#[derive(Deserialize)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
struct Part<T> {
    part: Option<Vec<T>>,
}

/// The name of the part in the reply.
const PART: &str = "part";

impl<P, L> Embedded<P, L> {
    #[doc(hidden)]
    pub const fn new(field: &'static str) -> Self {
        Embedded { field, types: PhantomData }
    }
}

impl<P: Model, L: ArrayField<Item: Item>> Embedded<P, L> {
    /// At most `limit` elements of the array as it is stored, from the one at `skip` on. The server sends nothing else; of an
    /// array that is null or absent, no elements.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the document is gone, [`Error::Decode`] when an element does not fit, and those of the server
    /// and the network.
    pub async fn slice(self, executor: &impl Executor, parent: &P, skip: u32, limit: u32) -> Result<Vec<L::Item>> {
        if limit == 0 {
            // The server refuses a slice of none.
            return Ok(Vec::new());
        }
        let query = self.query(parent, skip, limit)?;
        let mut part = None;
        let visit = |document: &_| {
            part = Some(read::decode::<Part<L::Item>>(P::DEFINITION.collection, document));
            Ok(std::ops::ControlFlow::Break(()))
        };
        query.for_each(&executor.context()?, visit).await?;
        match part {
            Some(Ok(part)) => Ok(part.part.unwrap_or_default()),
            Some(Err(error)) => Err(self.in_users_names(error)),
            None => Err(Error::not_found(P::DEFINITION)),
        }
    }

    /// What the server would do for [`slice`](Embedded::slice): its answer to `explain`, with the execution's counts.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub async fn explain(self, executor: &impl Executor, parent: &P, skip: u32, limit: u32) -> Result<Document> {
        self.query(parent, skip, limit.max(1))?.explain(&executor.context()?).await
    }

    fn query(&self, parent: &P, skip: u32, limit: u32) -> Result<Query> {
        // The server takes numbers of 32 bits, with a sign.
        let [skip, limit] = [skip, limit].map(|number| i32::try_from(number).unwrap_or(i32::MAX));
        let array = format!("${}", self.stored_name());
        let mut query = Query::by_id(P::DEFINITION.collection, parent.id().to_bson()?);
        query.projection = doc! { "_id": 1, PART: { "$slice": [array, skip, limit] } };
        query.limit = 1;
        Ok(query)
    }

    fn stored_name(&self) -> &'static str {
        P::DEFINITION.field(self.field).map_or(self.field, |field| field.name)
    }

    /// An error with the names of the model and its field in place of those of the reply.
    fn in_users_names(&self, error: Error) -> Error {
        match error {
            Error::Decode { collection, id, path, message, .. } => {
                let path = self.stored_name().to_owned() + path.strip_prefix(PART).unwrap_or(&path);
                Error::Decode { collection, model: P::DEFINITION.model, id, path, message }
            }
            other => other,
        }
    }
}

impl<P, L> Clone for Embedded<P, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, L> Copy for Embedded<P, L> {}

impl<P, L> fmt::Debug for Embedded<P, L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Embedded").field(&self.field).finish()
    }
}
