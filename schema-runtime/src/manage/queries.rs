//! Explains every declared query on a server, with values from the documents of the server.

mod explained;
mod relations;
mod sample;

use std::{fmt, panic::Location};

use futures_util::future::BoxFuture;
use mongodb::{Database, bson::doc};

use self::sample::{Asked, condition, sampled};
pub use self::{explained::ExplainedQuery, relations::explain_relations};
use crate::{
    aggregate::declared::stages_of,
    definition::{ConditionDefinition, ConditionOperator, ModelDefinition, QueryDefinition, QuerySize},
    error::Result,
    executor::{Context, Executor},
    explain::{Plan, ReadProblem, problems},
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
    Box::pin(async move {
        let explained = explain_queries(schema, &[], db).await?.into_iter();
        let problem = |ExplainedQuery { model, query, fault, .. }| Some(QueryProblem { model, query, why: fault? });
        Ok(explained.filter_map(problem).collect())
    })
}

/// Explains the declared queries with these names, as `by_name` or `Product::by_name`; without names, all declared
/// queries. Each query is explained with values of up to three stored documents: the plan is of the first values that
/// no index serves, or else of the values with the most examined documents.
///
/// # Errors
/// Errors of the driver.
///
/// # Examples
/// ```no_run
/// use schema_runtime::{explain_queries, prelude::*};
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "books")]
/// #[query(since(gte(year)), order = desc(year), page = 20)]
/// struct Book {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     year: i32,
/// }
///
/// async fn print_plans(db: &Database) -> Result<()> {
///     for explained in explain_queries(&schema![Book], &[], db).await? {
///         println!("{explained}");
///     }
///     Ok(())
/// }
/// ```
pub fn explain_queries<'a>(
    schema: &'a Schema,
    names: &'a [&'a str],
    db: &'a Database,
) -> BoxFuture<'a, Result<Vec<ExplainedQuery>>> {
    Box::pin(async move {
        let (context, mut all) = (db.plain_context()?, Vec::new());
        for model in schema.models() {
            for query in model.queries {
                if is_selected(names, model, query.name) {
                    all.push(explain(model, query, &context).await?);
                }
            }
        }
        Ok(all)
    })
}

/// Returns whether `name` names the read of a model: `by_name` or `Product::by_name`.
pub(crate) fn is_name(name: &str, model: &ModelDefinition, read: &str) -> bool {
    let (model_name, read_name) = name.split_once("::").unwrap_or((model.model, name));
    model_name == model.model && read_name == read
}

/// Returns whether the names select the read of a model. No names select each read.
fn is_selected(names: &[&str], model: &ModelDefinition, read: &str) -> bool {
    names.is_empty() || names.iter().any(|name| is_name(name, model, read))
}

async fn explain(
    model: &'static ModelDefinition,
    query: &'static QueryDefinition,
    context: &Context,
) -> Result<ExplainedQuery> {
    let asked: Vec<Asked> = query.conditions.iter().map(|condition| asked(model, condition)).collect();
    let samples = sampled(context, model.collection, &asked, SAMPLES).await?;
    let mut worst = ExplainedQuery::without_document(model.model, query.name);
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
        let explained = context.explain(command).await?;
        let mut problems = problems(&explained);
        if reads_all {
            // The query asks for every document.
            problems.retain(|problem| *problem != ReadProblem::CollectionScan);
        }
        if query.finds_one(model) {
            // A single document needs no sort.
            problems.retain(|problem| *problem != ReadProblem::BlockingSort);
        }
        worst = worst.or_worse(ExplainedQuery::new(model.model, query.name, &Plan::of(&explained), problems));
        if worst.has_problems() {
            break;
        }
    }
    Ok(worst)
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
