//! Sums and bounds of a field in each bucket, computed on the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, doc};
use serde::de::DeserializeOwned;

use super::asked::Asked;
use crate::{
    bucket::layout::{COUNT, ITEMS, PAGE},
    definition::Shape,
    document,
    error::Result,
    executor::Executor,
    read::{self, Aggregate},
};

/// The statistics of a field in the children of one bucket. Only `count` counts the children without the field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BucketStatistics<V> {
    /// The first moment of the day or the hour of the bucket, for buckets by time.
    pub time: Option<DateTime>,
    /// The number of the bucket among the buckets of the parent, or of the day or the hour.
    pub number: u32,
    /// The number of children in the bucket.
    pub count: u64,
    /// The sum of the values, as a double.
    pub sum: f64,
    /// The average of the values; `None` without values.
    pub average: Option<f64>,
    /// The least value.
    pub least: Option<V>,
    /// The greatest value.
    pub greatest: Option<V>,
}

/// Reads the statistics of all buckets that have children.
pub(super) fn read<'e, V: DeserializeOwned + Send + 'e>(
    db: &'e dyn Executor,
    asked: Asked,
    path: String,
    shape: Option<&'static Shape>,
) -> BoxFuture<'e, Result<Vec<BucketStatistics<V>>>> {
    Box::pin(async move {
        let collection = asked.layout.collection();
        let rows = rows(&asked, &path)?.all(&db.context()?).await?;
        let span = asked.layout.bucket.by.map(|(span, _)| span.word());
        rows.into_iter().map(|row| of(collection, span, shape, row)).collect()
    })
}

fn rows(asked: &Asked, path: &str) -> Result<Aggregate> {
    let mut query = asked.query(false)?;
    let values = format!("${ITEMS}.{path}");
    let mut fields = doc! {
        "_id": 0, PAGE: 1, COUNT: 1,
        "sum": { "$toDouble": { "$sum": &values } },
        "average": { "$toDouble": { "$avg": &values } },
        "least": { "$min": &values },
        "greatest": { "$max": &values },
    };
    fields.extend(asked.layout.bucket.by.map(|(span, _)| (span.word().to_owned(), Bson::Int32(1))));
    query.projection = fields;
    Ok(query.into_aggregate())
}

fn of<V: DeserializeOwned>(
    collection: &str,
    span: Option<&str>,
    shape: Option<&Shape>,
    mut row: Document,
) -> Result<BucketStatistics<V>> {
    let double = |value: Option<&Bson>| value.and_then(Bson::as_f64);
    let (sum, average) = (double(row.get("sum")).unwrap_or(0.0), double(row.get("average")));
    let mut value = |name| match row.remove(name) {
        None | Some(Bson::Null) => Ok(None),
        Some(value) => read::decode_value(collection, shape, value).map(Some),
    };
    let (least, greatest) = (value("least")?, value("greatest")?);
    let number = u32::try_from(document::count(row.get(PAGE))).unwrap_or(u32::MAX);
    let time = span.and_then(|span| row.get_datetime(span).ok().copied());
    Ok(BucketStatistics { time, number, count: document::count(row.get(COUNT)), sum, average, least, greatest })
}
