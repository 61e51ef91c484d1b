//! Conditions on related documents.

use std::{fmt, marker::PhantomData};

use derive_where::derive_where;
use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use super::Find;
use crate::{definition::Texts, error::Result, field::Record, model::Model, read::Query};

/// A condition on documents of `M` by the related documents: `Host::LOGMSGS.some(LogMsg::F.level.gte(3))`. See
/// [`RelatedOperators`](crate::relation::RelatedOperators).
#[must_use = "a condition alone does nothing: give the condition to `having`"]
#[derive_where(Clone)]
pub struct Having<M> {
    stages: Result<Vec<Document>>,
    texts: Texts,
    model: PhantomData<fn() -> M>,
}

impl<M> Having<M> {
    /// Creates the condition of stages that pass on the documents that meet the condition.
    pub(crate) fn new(stages: Result<Vec<Document>>, texts: Texts) -> Self {
        Having { stages, texts, model: PhantomData }
    }
}

/// Shows no values.
impl<M> fmt::Debug for Having<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Having").finish_non_exhaustive()
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Find<M, T> {
    /// Adds a condition on the related documents: `some`, `every` or `none` of the related documents match a filter.
    /// Several conditions must all hold. The read is an `aggregate` with a `$lookup` for each condition.
    ///
    /// The server looks into the index of the relation once for each document that the filter lets through, and reads
    /// related documents until the first document decides. Narrow the filter of the read first: without a filter, each
    /// document of the collection costs a look-up.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "hosts")] #[inverse(logmsgs = LogMsg::host)]
    /// # struct Host { #[serde(rename = "_id")] id: ObjectId, up: bool }
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "logmsg")]
    /// # struct LogMsg {
    /// #     #[serde(rename = "_id")] id: ObjectId, level: i32,
    /// #     #[relation(one_to_squillions, parent_ref)] host: Ref<Host>,
    /// # }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let noisy = Host::find(Host::F.up.eq(true)).having(Host::LOGMSGS.some(LogMsg::F.level.gte(3)));
    /// let silent = Host::find(Host::F.up.eq(true)).having(Host::LOGMSGS.none(Filter::all()));
    /// let (hosts, count) = (noisy.fetch_all(db).await?, silent.count(db).await?);
    /// # let _ = (hosts, count); Ok(())
    /// # }
    /// ```
    ///
    /// An error of the condition, and a [`near`](crate::field::QueryOperators::near) in the filter of the read, are
    /// [`Error::Query`](crate::Error::Query) of the awaited method.
    pub fn having(self, condition: Having<M>) -> Self {
        let Find { mut search, types } = self;
        search.query = search.query.and_then(|mut query: Query| {
            query.related.extend(condition.stages?);
            if condition.texts == Texts::Bytes {
                query.texts = Texts::Bytes;
            }
            Ok(query)
        });
        Find { search, types }
    }
}
