//! Explains every declared query on a server, with values from the documents of the server.

mod sample;

use std::{fmt, panic::Location};

use futures_util::future::BoxFuture;
use mongodb::{Database, bson::doc};

use self::sample::{Asked, condition, sampled};
use crate::{
    aggregate::declared::stages_of,
    definition::{ConditionDefinition, ConditionOperator, ModelDefinition, QueryDefinition, QuerySize},
    error::Result,
    executor::{Context, Executor},
    explain::{ReadProblem, problems},
    field::and,
    indexes::filter_of_query,
    manage::schema::Schema,
    page::{Order, sort_by},
    read::Query,
};

/// A declared query that no index serves, or that cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueryProblem {
    /// The struct.
    pub model: &'static str,
    /// The query.
    pub query: &'static str,
    /// The fault of the query.
    pub why: QueryFault,
}

/// The fault of a declared query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryFault {
    /// No document has a value for each condition of the query, even with null for an `Option`. The query cannot be
    /// explained without values.
    NoDocument,
    /// The problems in the server's plan.
    Plan(Vec<ReadProblem>),
}

/// The number of documents that give a query values.
const SAMPLES: i64 = 3;

/// Returns the declared queries that no index serves. Each query is explained with values of up to three stored
/// documents.
///
/// # Errors
/// Errors of the driver.
pub fn check_queries<'a>(schema: &'a Schema, db: &'a Database) -> BoxFuture<'a, Result<Vec<QueryProblem>>> {
    Box::pin(async move { check(schema.models(), &db.plain_context()?).await })
}

async fn check(models: &'static [&'static ModelDefinition], context: &Context) -> Result<Vec<QueryProblem>> {
    let mut found = Vec::new();
    for model in models {
        for query in model.queries {
            let why = fault(model, query, context).await?;
            found.extend(why.map(|why| QueryProblem { model: model.model, query: query.name, why }));
        }
    }
    Ok(found)
}

async fn fault(
    model: &'static ModelDefinition,
    query: &'static QueryDefinition,
    context: &Context,
) -> Result<Option<QueryFault>> {
    let asked: Vec<Asked> = query.conditions.iter().map(|condition| asked(model, condition)).collect();
    let samples = sampled(context, model.collection, &asked, SAMPLES).await?;
    if samples.is_empty() {
        return Ok(Some(QueryFault::NoDocument));
    }
    let reads_all = query.conditions.is_empty() && query.order.is_empty();
    let of_index = filter_of_query(model, query);
    for values in &samples {
        let conditions = query.conditions.iter().enumerate().map(|(at, definition)| {
            let all = samples.iter().map(|values| values[at].clone()).collect();
            condition(definition.operator, &asked[at].path, values[at].clone(), all)
        });
        let keys = query.sort_keys(model);
        let (keys, limit) = match query.size {
            QuerySize::All => (keys, 0),
            QuerySize::First => (keys, 1),
            QuerySize::Limit(limit) => (keys, limit),
            QuerySize::Page(size) => (Order::new(keys, false).keys, size.saturating_add(1)),
        };
        let filter = conditions.fold(of_index.clone().unwrap_or_default(), and);
        let read = match &query.groups {
            Some(groups) => {
                let over = stages_of(query, groups, filter);
                Query { over, ..Query::new(model.collection, doc! {}) }
            }
            None => Query {
                sort: sort_by(&keys),
                limit: limit.into(),
                projection: query.select.into_iter().flatten().map(|field| (field.name.to_owned(), 1.into())).collect(),
                ..Query::new(model.collection, filter)
            },
        };
        let mut command = read.into_command();
        if let Some(hint) = query.hint.filter(|_| of_index.is_some()) {
            command.insert("hint", hint);
        }
        if let Some(collation) = query.collation {
            command.insert("collation", collation.to_document());
        }
        let mut problems = problems(&context.explain(command).await?);
        if reads_all {
            // The query asks for every document.
            problems.retain(|problem| *problem != ReadProblem::CollectionScan);
        }
        if query.finds_one(model) {
            // A single document needs no sort.
            problems.retain(|problem| *problem != ReadProblem::BlockingSort);
        }
        if !problems.is_empty() {
            return Ok(Some(QueryFault::Plan(problems)));
        }
    }
    Ok(None)
}

/// Returns the path of a condition, and whether the condition may ask for null. Only an operator that compares the
/// whole value may ask for null.
fn asked(model: &ModelDefinition, condition: &ConditionDefinition) -> Asked {
    let compares = matches!(condition.operator, ConditionOperator::Equals | ConditionOperator::IsIn);
    let is_optional = model.resolve(condition.path).is_some_and(|path| path.shape.nullable);
    Asked { path: model.stored_path(condition.path), or_null: compares && is_optional }
}

/// Asserts in a test that an index serves every declared query of a schema. Each query is explained with values of up
/// to three stored documents; when no document has a value for each condition, an `Option` is asked for null. No query
/// may examine a whole collection, sort in memory, or read more keys or documents than twice the number of returned
/// documents and 10 more ([`ReadProblem`]).
///
/// The database should hold the indexes, and documents like those of production.
///
/// # Panics
/// When no index serves a query, with all findings and the place of the call; when no document has a value for each
/// condition of a query; and when a read fails.
#[track_caller]
pub fn assert_queries_indexed<'a>(schema: &'a Schema, db: &'a Database) -> impl Future<Output = ()> + Send + 'a {
    let place = Location::caller();
    async move {
        let found = match check_queries(schema, db).await {
            Ok(found) => found,
            Err(error) => panic!("the queries at {place} cannot be explained: {error}"),
        };
        if !found.is_empty() {
            let lines: Vec<String> = found.iter().map(|problem| format!("\n  {problem}")).collect();
            panic!("no index serves the queries below, checked at {place}:{}", lines.concat());
        }
    }
}

impl fmt::Display for QueryProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QueryProblem { model, query, why } = self;
        write!(formatter, "{model}::{query}: {why}")
    }
}

impl fmt::Display for QueryFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryFault::NoDocument => formatter.write_str(
                "no document has a value for each condition of the query; insert documents as in production first",
            ),
            QueryFault::Plan(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                formatter.write_str(&problems.join("; "))
            }
        }
    }
}
