//! Groups that are stored: the last stage of the pipeline writes the groups into the collection of a model.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{Aggregation, result::may_overflow};
use crate::{
    definition::{Groups, ModelDefinition, ValueDefinition},
    error::{self, AggregateError, Error, Result},
    executor::Executor,
    model::{Aggregate, Merged, Model},
    read::Query,
};

impl<A: Aggregate> Aggregation<A> {
    /// Stores the groups in the collection of the model that `into` names. A group replaces the document with the same
    /// keys. The document keeps the `_id` and the time of the creation. A group without a document is inserted. The
    /// field with `#[updated_at]` has the time of the call. The same call again writes the same documents.
    ///
    /// Documents without a group stay. The time of `#[updated_at]` finds the documents of earlier calls:
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "status_reports")]
    /// struct StatusReport {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     #[index(unique)]
    ///     status: String,
    ///     revenue: i64,
    ///     #[updated_at]
    ///     updated: DateTime,
    /// }
    ///
    /// #[derive(Aggregate, Deserialize)]
    /// #[aggregate(of = Order, by(status), into = StatusReport)]
    /// struct OfStatus {
    ///     status: String,
    ///     #[sum(total)]
    ///     revenue: i64,
    /// }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let begun = DateTime::now();
    /// Order::aggregate::<OfStatus>().merge(db).await?;
    /// StatusReport::delete_many(db, StatusReport::F.updated.lt(begun)).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Query`] in a transaction, and with a collation. [`Error::DocumentInvalid`] for a group that the
    /// validator of the collection refuses. [`AggregateError::Overflow`] when a sum of integers is over 64 bits, and
    /// [`AggregateError::NoUniqueIndex`] when the plan of the model of the reports is not applied. An
    /// error leaves the groups that the server has written before; the same call completes the work. A lost connection
    /// is an error: the command is not sent again by itself.
    pub fn merge(self, db: &impl Executor) -> BoxFuture<'_, Result<()>>
    where
        A: Merged,
    {
        merge(db, self.query(), &A::ALL, <A::Into as Model>::DEFINITION)
    }
}

fn merge<'a>(
    db: &'a dyn Executor,
    query: Result<Query>,
    groups: &'static Groups,
    report: &'static ModelDefinition,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let mut query = query?;
        let context = query.context(db)?;
        if context.in_transaction() {
            let message = "the server merges no groups in a transaction: call `merge` outside of the transaction";
            return Err(Error::Query { message });
        }
        if context.has_collation() {
            let message = "merged groups have the keys of a comparison by bytes: remove the `collation`";
            return Err(Error::Query { message });
        }
        let mut pipeline = std::mem::take(&mut query.over);
        pipeline.extend(stages(groups, report, DateTime::now()));
        context.merge(query.collection, pipeline).await.map_err(|refused| {
            let list = |names: Vec<&str>| names.join("`, `");
            match error::code::command_code(&refused) {
                Some(error::code::CONVERSION_FAILURE) => {
                    let field = list(sums(groups).map(|value| groups.fields[value.field].rust_name).collect());
                    AggregateError::Overflow { model: groups.result, field }.into()
                }
                Some(error::code::NO_UNIQUE_INDEX) => {
                    let keys = list(keys(groups));
                    AggregateError::NoUniqueIndex { collection: report.collection, model: report.model, keys }.into()
                }
                _ => error::server::write(report, refused),
            }
        })
    })
}

/// Returns the values of integers that the server answers as a double when the value is over 64 bits.
fn sums(groups: &Groups) -> impl Iterator<Item = &ValueDefinition> {
    groups.definition.values.iter().filter(|value| may_overflow(&groups.fields[value.field], value))
}

/// Returns the stored names of the keys.
fn keys(groups: &Groups) -> Vec<&'static str> {
    groups.definition.keys.iter().map(|key| groups.fields[key.field].name).collect()
}

/// Returns the stages after the groups: the times of the write, and the write.
fn stages(groups: &Groups, report: &ModelDefinition, now: DateTime) -> Vec<Document> {
    let mut set = Document::new();
    for value in sums(groups) {
        let name = groups.fields[value.field].name;
        let path = format!("${name}");
        let is_fraction = doc! { "$in": [{ "$type": &path }, ["double", "decimal"]] };
        // A sum over 64 bits is a double. The text of such a double is no integer, which is an error of the server: the
        // conversion of the number itself may lose digits.
        set.insert(name, doc! { "$cond": [is_fraction, { "$toLong": { "$toString": &path } }, &path] });
    }
    let managed = report.managed();
    for field in managed.created_at.into_iter().chain(managed.updated_at) {
        set.insert(field.name, now);
    }
    let mut stages: Vec<Document> = (!set.is_empty()).then(|| doc! { "$set": set }).into_iter().collect();
    let on = keys(groups);
    let when_matched: Bson = match managed.created_at {
        // The stored document keeps the `_id` and the time of the creation.
        Some(created) => {
            let kept = doc! { "_id": "$_id", created.name: format!("${}", created.name) };
            vec![doc! { "$replaceWith": { "$mergeObjects": ["$$new", kept] } }].into()
        }
        None => "replace".into(),
    };
    stages.push(doc! { "$merge": {
        "into": report.collection, "on": on, "whenMatched": when_matched, "whenNotMatched": "insert",
    } });
    stages
}
