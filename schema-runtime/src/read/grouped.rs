//! The values that the server computes from all documents of a query: one `aggregate` with a `$group`, and the value at
//! one end of an order.

use mongodb::bson::{Bson, Decimal128, Document, doc};
use serde::de::DeserializeOwned;

use super::{Query, run, value_of};
use crate::{
    definition::{Kind, Scalar, Shape},
    document,
    error::{AggregateError, Error, Result},
    executor::{Context, Executor},
    field::{self, Path, Token},
    model::Model,
};

/// The name of a computed value.
const VALUE: &str = "value";

/// The greatest whole number below which a double holds each whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Query {
    /// Returns the rows of a `$group` over the documents of the query, after the stages `then`.
    pub(super) async fn grouped(
        self,
        context: &Context,
        group: Document,
        then: Vec<Document>,
    ) -> Result<Vec<Document>> {
        self.refuse_near()?;
        // Without a skip and a limit, the order changes no document of the group.
        let sort = if self.skip > 0 || self.limit > 0 { self.sort } else { Document::new() };
        let mut rows = Query { sort, projection: Document::new(), ..self }.into_aggregate();
        rows.pipeline.push(doc! { "$group": group });
        rows.pipeline.extend(then);
        rows.all(context).await
    }

    /// Returns the least (`1`) or the greatest (`-1`) value at a path, without null: by a `find` in the order of the
    /// path, which an index may serve; of a part of the documents by a `$group`.
    pub(super) async fn extreme(self, context: &Context, path: &str, direction: i32) -> Result<Option<Bson>> {
        if self.is_aggregate() || self.skip > 0 || self.limit > 0 {
            let operator = if direction > 0 { "$min" } else { "$max" };
            let group = doc! { "_id": null, VALUE: { operator: format!("${path}") } };
            return Ok(only(self.grouped(context, group, Vec::new()).await?));
        }
        let filter = field::and(self.filter, doc! { path: { "$ne": null } });
        let (sort, projection) = (doc! { path: direction }, doc! { "_id": 0, path: 1 });
        let query = Query { filter, sort, projection, limit: 1, batch_size: 2, ..self };
        let found = query.all(context).await?.pop();
        Ok(found.and_then(|document| document::get_at(&document, path).cloned()))
    }
}

/// Returns the value of the only row, if a value is there.
fn only(mut rows: Vec<Document>) -> Option<Bson> {
    rows.pop().and_then(|mut row| row.remove(VALUE)).filter(|value| *value != Bson::Null)
}

/// Returns the query with the documents in which the field belongs to the stored variant.
fn of_field<F: Token>(query: Result<Query>) -> Result<Query> {
    query.map(|query| Query { filter: field::of_variants(&F::Path::NODE, query.filter), ..query })
}

/// Returns the sum of a field of `M` in all documents of the query.
pub(crate) async fn sum<M: Model, F: Token, S: DeserializeOwned>(db: &dyn Executor, query: Result<Query>) -> Result<S> {
    let path = F::Path::NODE.join();
    let group = doc! { "_id": null, VALUE: { "$sum": format!("${path}") } };
    let value = only(run::grouped(db, of_field::<F>(query), group, Vec::new()).await?).unwrap_or(Bson::Int32(0));
    let sum = sum_of(F::SHAPE, value).ok_or_else(|| overflow::<M>(&path))?;
    value_of(F::SHAPE, sum).map_err(|message| super::distinct::unfit::<M>(&path, message))
}

/// Returns the average of a field of `M` in all documents of the query; `None` where no document has a number.
pub(crate) async fn avg<F: Token>(db: &dyn Executor, query: Result<Query>) -> Result<Option<f64>> {
    let path = F::Path::NODE.join();
    let group = doc! { "_id": null, VALUE: { "$avg": format!("${path}") } };
    let value = only(run::grouped(db, of_field::<F>(query), group, Vec::new()).await?);
    Ok(value.as_ref().and_then(float_of))
}

/// Returns the least or the greatest value of a field of `M` in all documents of the query.
pub(crate) async fn extreme<M: Model, F: Token, T: DeserializeOwned>(
    db: &dyn Executor,
    query: Result<Query>,
    direction: i32,
) -> Result<Option<T>> {
    let path = F::Path::NODE.join();
    let value = run::extreme(db, of_field::<F>(query), path.clone(), direction).await?;
    let decoded = |value| value_of(F::SHAPE, value).map_err(|message| super::distinct::unfit::<M>(&path, message));
    value.map(decoded).transpose()
}

/// Returns the number of documents with each value of a field of `M`: the greatest number first, equal numbers in the
/// order of the value.
pub(crate) async fn count_by<M: Model, F: Token>(
    db: &dyn Executor,
    query: Result<Query>,
) -> Result<Vec<(F::Value, u64)>>
where
    F::Value: DeserializeOwned,
{
    let path = F::Path::NODE.join();
    let group = doc! { "_id": format!("${path}"), VALUE: { "$sum": 1 } };
    let rows = run::grouped(db, of_field::<F>(query), group, vec![doc! { "$sort": { VALUE: -1, "_id": 1 } }]).await?;
    let decoded = |mut row: Document| {
        let count = document::count(row.get(VALUE));
        let key = value_of(F::SHAPE, row.remove("_id").unwrap_or(Bson::Null));
        Ok((key.map_err(|message| super::distinct::unfit::<M>(&path, message))?, count))
    };
    rows.into_iter().map(decoded).collect()
}

/// Returns the sum in the stored form of the field; `None` where the sum of integers is over 64 bits: the server then
/// answers a double, which has lost digits.
pub(crate) fn sum_of(shape: Option<&Shape>, value: Bson) -> Option<Bson> {
    match (shape.map(|shape| shape.kind), value) {
        (Some(Kind::Scalar(Scalar::Integer)), Bson::Double(sum)) => {
            (sum.fract() == 0.0 && sum.abs() < EXACT).then_some(Bson::Int64(sum as i64))
        }
        (Some(Kind::Scalar(Scalar::Integer)), Bson::Int32(sum)) => Some(Bson::Int64(sum.into())),
        (Some(Kind::Scalar(Scalar::Double | Scalar::Single)), Bson::Int32(sum)) => Some(Bson::Double(sum.into())),
        (Some(Kind::Scalar(Scalar::Double | Scalar::Single)), Bson::Int64(sum)) => Some(Bson::Double(sum as f64)),
        (Some(Kind::Scalar(Scalar::Decimal128)), Bson::Int32(sum)) => decimal(i64::from(sum)),
        (Some(Kind::Scalar(Scalar::Decimal128)), Bson::Int64(sum)) => decimal(sum),
        (_, value) => Some(value),
    }
}

fn decimal(number: i64) -> Option<Bson> {
    number.to_string().parse::<Decimal128>().ok().map(Bson::Decimal128)
}

/// Returns a number as a float; `None` for any other value.
pub(crate) fn float_of(value: &Bson) -> Option<f64> {
    match value {
        Bson::Double(number) => Some(*number),
        Bson::Int32(number) => Some(f64::from(*number)),
        Bson::Int64(number) => Some(*number as f64),
        Bson::Decimal128(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

fn overflow<M: Model>(path: &str) -> Error {
    AggregateError::Overflow { model: M::DEFINITION.model, field: path.to_owned() }.into()
}
