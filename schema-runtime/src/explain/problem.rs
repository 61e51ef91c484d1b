//! What speaks against a plan.

use std::fmt;

use mongodb::bson::Document;

use super::plan::Plan;

/// What speaks against the plan of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadProblem {
    /// Every document of a collection is examined (`COLLSCAN`).
    CollectionScan,
    /// What is found is sorted in the server's memory before the first document is returned (`SORT`): no index gives the
    /// order. A page then costs what the whole costs.
    BlockingSort,
    /// More keys or documents are examined than twice those returned and 10 more. A range of an index costs one key for each
    /// document and one at its end; twice allows for ranges that overlap and for values of an `$in` that nothing has,
    /// and 10 for reads that return none or few.
    Examined {
        /// Keys of indexes that were examined.
        keys: u64,
        /// Documents that were examined.
        documents: u64,
        /// Documents that were returned.
        returned: u64,
    },
    /// Nothing is read (`EOF`): the collection does not exist, or nothing can match. So the plan shows nothing.
    NothingRead,
    /// A `$lookup` returned documents and does not say how it found them: of one that is unwound the server leaves out the
    /// last parent (seen on 6.0). Explain it for several parents.
    Unknown,
}

/// What speaks against the plan in the server's answer to an `explain` with the execution's counts, of a `find` or an
/// `aggregate`; empty when an index serves it.
///
/// For an explained read that is no [`Explain`](super::Explain): `Person::ADDRESSES.explain(..)`.
pub fn problems(explained: &Document) -> Vec<ReadProblem> {
    let plan = Plan::of(explained);
    let mut problems = Vec::new();
    if plan.reads_nothing {
        problems.push(ReadProblem::NothingRead);
    }
    if plan.unknown {
        problems.push(ReadProblem::Unknown);
    }
    if plan.scans_collection {
        problems.push(ReadProblem::CollectionScan);
    }
    if plan.sorts {
        problems.push(ReadProblem::BlockingSort);
    }
    let Plan { keys, documents, returned, first, .. } = plan;
    if problems.is_empty() && keys.max(documents) > allowed(returned) {
        problems.push(ReadProblem::Examined { keys, documents, returned });
    }
    // What comes of each document that was found, by a join or out of an array, says nothing of how it was found.
    if problems.is_empty()
        && let Some((documents, returned)) = first
        && documents > allowed(returned)
    {
        problems.push(ReadProblem::Examined { keys, documents, returned });
    }
    problems
}

/// How many keys, and how many documents, may be examined for so many that are returned.
fn allowed(returned: u64) -> u64 {
    2 * returned + 10
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadProblem::Unknown => {
                formatter.write_str("a $lookup that does not say how it read: explain it for several parents")
            }
            ReadProblem::CollectionScan => {
                formatter.write_str("COLLSCAN: every document is examined; declare an index on the fields of the filter")
            }
            ReadProblem::BlockingSort => formatter.write_str(
                "SORT: no index gives the order; declare one on the filter's fields, then the sort's, for a page then `_id`",
            ),
            ReadProblem::Examined { keys, documents, returned } => write!(
                formatter,
                "{keys} keys and {documents} documents are examined to return {returned}, more than {}: the index does not \
                 hold all that the filter asks",
                allowed(*returned)
            ),
            ReadProblem::NothingRead => formatter.write_str(
                "EOF: nothing is read, which shows nothing; apply the schema and insert documents before asking",
            ),
        }
    }
}
