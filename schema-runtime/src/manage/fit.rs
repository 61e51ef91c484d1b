//! Compares a sample of the stored documents with the validators of the models.

use std::fmt;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{plan::validator, schema::Schema, statistics};
use crate::{
    definition::ModelDefinition,
    document::count,
    error::{Result, text},
    executor::{Context, Executor},
    report::counted,
};

/// The number of named documents of each collection.
const EXAMPLES: i32 = 5;

/// The documents of a sample that do not pass the validator of the model, by [`Schema::fit`](crate::Schema::fit). Data,
/// and `Display` for people.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnfitDocuments {
    /// The struct.
    pub model: &'static str,
    /// The collection.
    pub collection: &'static str,
    /// The number of documents in the sample.
    pub sampled: u64,
    /// The number of documents that do not pass the validator.
    pub refused: u64,
    /// The `_id`s of refused documents, at most 5.
    pub examples: Vec<Bson>,
}

impl Schema {
    /// Compares stored documents with the validators of the models; the validators of the server are ignored. Takes up
    /// to `sample` documents at random from each collection. Returns the collections with documents that do not pass;
    /// views and time series have no validators. Changes nothing.
    ///
    /// # Errors
    /// [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not read a collection; errors of the driver.
    ///
    /// # Examples
    /// ```no_run
    /// use schema_runtime::prelude::*;
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "users")]
    /// struct User {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     #[bound(max_len = 80)]
    ///     name: String,
    /// }
    ///
    /// async fn print_unfit_documents(db: &Database) -> Result<()> {
    ///     for unfit in schema![User].fit(db, 1_000).await? {
    ///         println!("{unfit}");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn fit<'a>(&'a self, db: &'a Database, sample: u32) -> BoxFuture<'a, Result<Vec<UnfitDocuments>>> {
        async move {
            let (context, mut unfit) = (db.plain_context()?, Vec::new());
            for model in self.models().iter().filter(|model| model.options.kind.has_validator()) {
                unfit.extend(unfit_documents(model, sample, &context).await?);
            }
            Ok(unfit)
        }
        .boxed()
    }
}

async fn unfit_documents(model: &ModelDefinition, sample: u32, context: &Context) -> Result<Option<UnfitDocuments>> {
    if sample == 0 {
        return Ok(None);
    }
    let answers = statistics::asked(context, model.collection, "find", pipeline(model, sample)).await?;
    let first = |part: &str| answers.first()?.get_array(part).ok()?.first()?.as_document();
    Ok(first("refused").map(|refused| UnfitDocuments {
        model: model.model,
        collection: model.collection,
        sampled: first("sampled").map_or(0, |sampled| count(sampled.get("documents"))),
        refused: count(refused.get("documents")),
        examples: refused.get_array("examples").cloned().unwrap_or_default(),
    }))
}

/// Returns the pipeline that counts the documents of a sample, and the refused documents of the sample.
fn pipeline(model: &ModelDefinition, sample: u32) -> Vec<Document> {
    let examples = doc! { "$firstN": { "n": EXAMPLES, "input": "$_id" } };
    let refused = vec![
        doc! { "$match": { "$nor": [validator(model).rule] } },
        doc! { "$group": { "_id": null, "documents": { "$sum": 1 }, "examples": examples } },
    ];
    let sampled = vec![doc! { "$count": "documents" }];
    vec![
        doc! { "$sample": { "size": i64::from(sample) } },
        doc! { "$facet": { "sampled": sampled, "refused": refused } },
    ]
}

impl fmt::Display for UnfitDocuments {
    /// Names documents with an ObjectId alone: a further kind of `_id` may hold personal data.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnfitDocuments { model, collection, sampled, refused, examples } = self;
        let documents = counted(*refused, "document does", "documents do");
        write!(formatter, "{model}: {documents} not pass the validator, of {sampled} sampled in `{collection}`")?;
        let mut named = examples.iter().filter(|id| matches!(id, Bson::ObjectId(_)));
        named.try_for_each(|id| write!(formatter, "\n  {}", text::document(id)))
    }
}
