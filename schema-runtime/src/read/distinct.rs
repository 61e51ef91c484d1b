//! The distinct values of a field, and whether there is a document at all.

use std::ops::ControlFlow;

use mongodb::bson::{Bson, doc};
use serde::de::DeserializeOwned;

use super::Query;
use crate::{
    codec,
    error::{Error, Result},
    executor::Context,
    field::{Distinct, DistinctOf, Path, Token},
    model::Model,
};

impl Query {
    /// Whether it finds a document. A `find` of one `_id`: it costs the server one key and one document, and takes every
    /// filter; a count is an aggregation, which takes no `near`.
    pub(crate) async fn exists(self, context: &Context) -> Result<bool> {
        let query = Query { sort: Default::default(), projection: doc! { "_id": 1 }, limit: 1, batch_size: 2, ..self };
        let mut found = false;
        let visit = |_: &_| {
            found = true;
            Ok(ControlFlow::Break(()))
        };
        query.for_each(context, visit).await?;
        Ok(found)
    }

    /// The distinct values of a field in all that the filter finds.
    pub(crate) async fn distinct<M: Model, F: Token>(self, context: &Context) -> Result<Vec<DistinctOf<F>>>
    where
        F::Class: Distinct<F::Value>,
        DistinctOf<F>: DeserializeOwned,
    {
        if self.skip > 0 || self.limit > 0 {
            return Err(Error::Query { message: "`distinct` is of all that match: take `skip` and `limit` away" });
        }
        let path = F::Path::NODE.join();
        let values = context.distinct(self.collection, path.clone(), self.filter).await?;
        let decoded = values.iter().map(|value| {
            codec::decode_value(value).map_err(|message| Error::Decode {
                collection: self.collection.to_owned(),
                model: M::DEFINITION.model,
                id: Box::new(Bson::Null),
                path: path.clone(),
                message,
            })
        });
        decoded.collect()
    }
}
