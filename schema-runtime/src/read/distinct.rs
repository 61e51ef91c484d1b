//! The distinct values of a field, and the check that a document exists.

use std::ops::ControlFlow;

use mongodb::bson::{Bson, Document, doc};
use serde::de::DeserializeOwned;

use super::{Query, run, value_of};
use crate::{
    definition::{Kind, Shape},
    error::{Error, Result},
    executor::{Context, Executor},
    field::{self, Distinct, DistinctOf, Path, Token},
    model::Model,
};

impl Query {
    /// Returns the distinct values at a path: by a `distinct`, or, after the stages of a pipeline, by an `aggregate`.
    pub(super) async fn distinct(self, context: &Context, path: String) -> Result<Vec<Bson>> {
        if !self.is_aggregate() {
            return context.distinct(self.collection, path, self.filter).await;
        }
        self.refuse_near()?;
        let mut rows = Query { sort: Document::new(), projection: Document::new(), ..self }.into_aggregate();
        // An array at any name of the path counts as the elements of the array, as in `distinct`. An absent field has
        // no value; null is a value.
        let ends = path.match_indices('.').map(|(dot, _)| dot).chain([path.len()]);
        let unwind =
            |end| doc! { "$unwind": { "path": format!("${}", &path[..end]), "preserveNullAndEmptyArrays": true } };
        rows.pipeline.extend(ends.map(unwind));
        rows.pipeline.push(doc! { "$match": { &path: { "$exists": true } } });
        rows.pipeline.push(doc! { "$group": { "_id": format!("${path}") } });
        let rows = rows.all(context).await?;
        Ok(rows.into_iter().filter_map(|mut row| row.remove("_id")).collect())
    }

    /// Returns whether the query finds a document. The read is a `find` of one `_id`: the read costs the server one key
    /// and one document, and takes every filter; a count is an aggregation, and an aggregation takes no `near`.
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
}

/// Returns the distinct values of a field of `M` in all documents that the query finds.
pub(crate) async fn distinct<M: Model, F: Token>(db: &dyn Executor, query: Result<Query>) -> Result<Vec<DistinctOf<F>>>
where
    F::Class: Distinct<F::Value>,
    DistinctOf<F>: DeserializeOwned,
{
    let path = F::Path::NODE.join();
    let query = query.map(|query| Query { filter: field::of_variants(&F::Path::NODE, query.filter), ..query });
    let values = run::distinct(db, query, path.clone()).await?;
    let shape = F::SHAPE.map(innermost);
    values.into_iter().map(|value| value_of(shape, value).map_err(|message| unfit::<M>(&path, message))).collect()
}

/// Returns the shape of the elements of an array, or the shape itself: the server gives the elements of an array.
fn innermost(shape: &'static Shape) -> &'static Shape {
    match &shape.kind {
        Kind::Array { items, .. } => items,
        _ => shape,
    }
}

pub(super) fn unfit<M: Model>(path: &str, message: String) -> Error {
    let (collection, model) = (M::DEFINITION.collection.to_owned(), M::DEFINITION.model);
    Error::Decode { collection, model, id: Box::new(Bson::Null), path: path.to_owned(), message }
}
