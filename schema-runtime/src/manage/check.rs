//! The check of a database before a deploy: the plan, and the declared queries.

use std::fmt;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

use super::{
    plan::Plan,
    queries::{QueryFault, QueryProblem, check_queries},
    schema::Schema,
};
use crate::{error::Result, report::counted};

/// The result of [`Schema::check`](crate::Schema::check). Data, and `Display` for people.
#[derive(Debug)]
#[non_exhaustive]
pub struct SchemaCheck {
    /// The changes that the database needs.
    pub plan: Plan,
    /// The declared queries that no index serves, or that cannot be explained.
    pub queries: Vec<QueryProblem>,
}

impl SchemaCheck {
    /// Returns whether the plan has no step and no declared query lacks an index. A query without documents to explain
    /// the query with is no fault.
    pub fn is_ready(&self) -> bool {
        self.plan.is_empty() && self.faults().next().is_none()
    }

    /// Returns the declared queries that no index serves.
    pub fn faults(&self) -> impl Iterator<Item = &QueryProblem> {
        self.queries.iter().filter(|problem| problem.why != QueryFault::NoDocument)
    }

    /// Returns the declared queries that cannot be explained, since no document has a value for each condition.
    pub fn unexplained(&self) -> impl Iterator<Item = &QueryProblem> {
        self.queries.iter().filter(|problem| problem.why == QueryFault::NoDocument)
    }
}

impl Schema {
    /// Checks that the database is ready for the application: the plan has no step, and an index serves each declared
    /// query. Changes nothing. For a pipeline before a deploy, and for the start of a program.
    ///
    /// # Errors
    /// As [`plan`](Schema::plan), and errors of the driver.
    pub fn check<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<SchemaCheck>> {
        check(self, db).boxed()
    }
}

async fn check(schema: &Schema, database: &Database) -> Result<SchemaCheck> {
    Ok(SchemaCheck { plan: schema.plan(database).await?, queries: check_queries(schema, database).await? })
}

impl fmt::Display for SchemaCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plan.steps().len() as u64 {
            0 => writeln!(formatter, "plan: nothing to change")?,
            steps => {
                writeln!(formatter, "plan: {}", counted(steps, "change", "changes"))?;
                for step in self.plan.steps() {
                    writeln!(formatter, "  {step}")?;
                }
            }
        }
        match self.faults().count() as u64 {
            0 => writeln!(formatter, "queries: an index serves each declared query")?,
            faults => {
                writeln!(
                    formatter,
                    "queries: {}",
                    counted(faults, "query without an index", "queries without an index")
                )?;
                for problem in self.faults() {
                    writeln!(formatter, "  {problem}")?;
                }
            }
        }
        for problem in self.unexplained() {
            writeln!(formatter, "note: {problem}")?;
        }
        Ok(())
    }
}
