//! A declared read with the plan of the server.

use std::fmt;

use super::QueryFault;
use crate::{
    explain::{Plan, ReadProblem},
    report::counted,
};

/// A declared query with the plan of the server, by [`explain_queries`](crate::explain_queries()), or the read of the
/// far side of a relation, by [`explain_relations`](crate::explain_relations()). Data without values of documents;
/// `Display` for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainedQuery {
    /// The struct.
    pub model: &'static str,
    /// The name of the query, or of the accessor of the far side.
    pub query: &'static str,
    /// The stages of the plan, from the last to the first, each with the index: `FETCH`, `IXSCAN name_1`. Empty when no
    /// document has a value for each condition of the query.
    pub stages: Vec<String>,
    /// The number of examined keys of indexes.
    pub keys: u64,
    /// The number of examined documents.
    pub documents: u64,
    /// The number of returned documents.
    pub returned: u64,
    /// The fault of the query; `None` when an index serves the query.
    pub fault: Option<QueryFault>,
}

impl ExplainedQuery {
    pub(super) fn new(model: &'static str, query: &'static str, plan: &Plan, problems: Vec<ReadProblem>) -> Self {
        let Plan { keys, documents, returned, .. } = *plan;
        let fault = (!problems.is_empty()).then_some(QueryFault::Plan(problems));
        ExplainedQuery { model, query, stages: plan.stages.clone(), keys, documents, returned, fault }
    }

    /// Makes the result for a query without a document to explain the query with.
    pub(super) fn without_document(model: &'static str, query: &'static str) -> Self {
        let fault = Some(QueryFault::NoDocument);
        ExplainedQuery { fault, ..ExplainedQuery::new(model, query, &Plan::default(), Vec::new()) }
    }

    /// Returns the first result of a read that no index serves, or else the result with the most examined documents.
    pub(super) fn or_worse(self, next: Self) -> Self {
        let is_worse = match (&self.fault, &next.fault) {
            _ if self.has_problems() => false,
            (Some(_), _) | (None, Some(_)) => true,
            (None, None) => next.examined() > self.examined(),
        };
        if is_worse { next } else { self }
    }

    /// Returns whether the plan of the server has problems.
    pub(crate) fn has_problems(&self) -> bool {
        matches!(self.fault, Some(QueryFault::Plan(_)))
    }

    /// Returns the number of examined keys or documents, the larger number.
    fn examined(&self) -> u64 {
        self.keys.max(self.documents)
    }
}

impl fmt::Display for ExplainedQuery {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExplainedQuery { model, query, stages, keys, documents, returned, fault } = self;
        match fault {
            None => write!(formatter, "{model}::{query}: an index serves the query")?,
            Some(fault) => write!(formatter, "{model}::{query}: {fault}")?,
        }
        if stages.is_empty() {
            return Ok(());
        }
        write!(
            formatter,
            "\n  plan: {}\n  {} and {} examined, {returned} returned",
            stages.join(", "),
            counted(*keys, "key", "keys"),
            counted(*documents, "document", "documents"),
        )
    }
}
