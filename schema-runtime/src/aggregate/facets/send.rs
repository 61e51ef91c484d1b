//! The commands of a read of facets.

use std::collections::HashMap;

use futures_util::{
    future::{BoxFuture, try_join_all},
    stream::{self, StreamExt, TryStreamExt},
};
use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::parts::Part;
use crate::{
    error::{AggregateError, Error, Result, code},
    executor::{Context, Executor},
    read::Query,
};

/// The most facets of one read that the server works on side by side.
const SIDE_BY_SIDE: usize = 4;

/// The rows of each part, by the name of the part.
pub(super) type Rows = HashMap<&'static str, Vec<Bson>>;

/// The commands of a read: each command with the names of the parts.
pub(super) struct Commands {
    /// The filter, the options and the collection of each command.
    pub(super) query: Query,
    pub(super) filter: Document,
    /// The parts of the `$facet`.
    pub(super) together: Vec<Part>,
    /// The parts that are commands of their own.
    pub(super) single: Vec<Part>,
    /// True to read all parts as of one time.
    pub(super) at_one_time: bool,
    pub(super) model: &'static str,
}

impl Commands {
    /// Returns the `$facet` as a query; `None` when all parts are commands of their own.
    pub(super) fn together(&self) -> Option<Query> {
        if self.together.is_empty() {
            return None;
        }
        let facets: Document =
            self.together.iter().map(|part| (part.name.to_owned(), part.stages.clone().into())).collect();
        Some(self.query_of(vec![doc! { "$facet": facets }]))
    }

    /// Returns the command of one part.
    pub(super) fn single(&self, part: &Part) -> Query {
        self.query_of(part.stages.clone())
    }

    fn query_of(&self, stages: Vec<Document>) -> Query {
        let mut over = Vec::new();
        if !self.filter.is_empty() {
            over.push(doc! { "$match": self.filter.clone() });
        }
        over.extend(stages);
        Query { over, ..self.query.clone() }
    }

    /// Reads all parts: in a transaction one command after another, else side by side.
    pub(super) fn send(self, db: &dyn Executor) -> BoxFuture<'_, Result<Rows>> {
        Box::pin(async move {
            let context = self.query.context(db)?;
            let time = if self.at_one_time && !context.in_transaction() {
                context.snapshot_time(self.query.collection).await?
            } else {
                None
            };
            if context.in_transaction() || self.single.is_empty() {
                let mut rows = self.of_together(&context).await?;
                for part in &self.single {
                    rows.insert(part.name, self.of_single(&context, part, None).await?);
                }
                return Ok(rows);
            }
            let singles = stream::iter(&self.single)
                .map(|part| async { Ok((part.name, self.of_single(&context, part, time).await?)) })
                .buffer_unordered(SIDE_BY_SIDE)
                .try_collect::<Rows>();
            let both: [BoxFuture<'_, Result<Rows>>; 2] = [Box::pin(self.of_together(&context)), Box::pin(singles)];
            Ok(try_join_all(both).await?.into_iter().flatten().collect())
        })
    }

    async fn of_together(&self, context: &Context) -> Result<Rows> {
        let Some(query) = self.together() else { return Ok(Rows::new()) };
        let found = query.all(context).await.map_err(|error| self.explained(error))?;
        let mut facets = found.into_iter().next().unwrap_or_default();
        let rows = |part: &Part| match facets.remove(part.name) {
            Some(Bson::Array(rows)) => (part.name, rows),
            _ => (part.name, Vec::new()),
        };
        Ok(self.together.iter().map(rows).collect())
    }

    async fn of_single(&self, context: &Context, part: &Part, time: Option<Timestamp>) -> Result<Vec<Bson>> {
        let query = self.single(part);
        let rows = match time {
            Some(time) => context.aggregate_at_with_options(query.collection, query.over, time).await?,
            None => query.all(context).await?,
        };
        Ok(rows.into_iter().map(Bson::Document).collect())
    }

    /// Names the remedy of facets that are too large for one command.
    fn explained(&self, error: Error) -> Error {
        match &error {
            Error::Driver(source)
                if code::server_code(source).is_some_and(|number| code::FACETS_TOO_LARGE.contains(&number)) =>
            {
                AggregateError::FacetsTooLarge { model: self.model }.into()
            }
            _ => error,
        }
    }
}
