//! Problems in a plan.

use std::fmt;

use mongodb::bson::{Bson, Document};

use super::plan::Plan;

/// A problem in the plan of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadProblem {
    /// Every document of a collection is examined (`COLLSCAN`).
    CollectionScan,
    /// The found documents are sorted in the server's memory before the first document is returned (`SORT`): no index
    /// gives the order. A page then costs as much as the whole result.
    BlockingSort,
    /// More keys or documents are examined than twice the returned documents and 10 more. A range of an index costs one
    /// key for each document and one key at the end of the range; the factor 2 allows for ranges that overlap and for
    /// values of an `$in` that no document has, and the 10 for reads that return no or few documents.
    Examined {
        /// Keys of indexes that were examined.
        keys: u64,
        /// Documents that were examined.
        documents: u64,
        /// Documents that were returned.
        returned: u64,
    },
    /// The groups or the sorted documents did not fit into the memory of a stage (100 MB), and the server wrote to the
    /// disk.
    Spilled {
        /// How many times the server wrote.
        spills: u64,
    },
    /// Nothing is read (`EOF`): the collection does not exist, or nothing can match. Hence the plan shows nothing.
    NothingRead,
    /// A `$lookup` returned documents and does not report how the documents were found: for an unwound `$lookup` the
    /// server leaves out the last parent (seen on 6.0). Explain the read for several parents.
    Unknown,
}

/// Returns the problems of the plan in the server's answer to an `explain` with the counts of the execution, for a
/// `find` or an `aggregate`; empty when an index serves the read.
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
    let Plan { keys, documents, returned, first, groups, spills, .. } = plan;
    if problems.is_empty() && !groups && keys.max(documents) > allowed(returned) {
        problems.push(ReadProblem::Examined { keys, documents, returned });
    }
    // The documents that a join or an array makes of each found document say nothing about the way to the found
    // document.
    if problems.is_empty()
        && let Some((documents, returned)) = first
        && documents > allowed(returned)
    {
        problems.push(ReadProblem::Examined { keys, documents, returned });
    }
    if spills > 0 {
        problems.push(ReadProblem::Spilled { spills });
    }
    // The commands after the first command, of a read of several commands.
    for further in explained.get_array("children").into_iter().flatten().filter_map(Bson::as_document) {
        let further = self::problems(further).into_iter().filter(|problem| !problems.contains(problem));
        problems.extend(further.collect::<Vec<_>>());
    }
    problems
}

/// Returns the most keys, and the most documents, that may be examined for the number of returned documents.
fn allowed(returned: u64) -> u64 {
    2 * returned + 10
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadProblem::Unknown => formatter.write_str(
                "$lookup: the server does not report how documents were found; explain the read for several parents",
            ),
            ReadProblem::CollectionScan => formatter
                .write_str("COLLSCAN: every document is examined; declare an index on the fields of the filter"),
            ReadProblem::BlockingSort => formatter.write_str(
                "SORT: no index gives the order; declare an index on the fields of the filter, then of the sort, for a \
                 page then `_id`",
            ),
            ReadProblem::Examined { keys, documents, returned } => write!(
                formatter,
                "{keys} keys and {documents} documents are examined to return {returned}, more than {}: the index does not \
                 hold all that the filter asks",
                allowed(*returned)
            ),
            ReadProblem::Spilled { spills } => write!(
                formatter,
                "the server wrote to the disk {spills} times, since the groups or the sorted documents did not fit into \
                 memory; read fewer documents, make fewer groups, or declare an index that gives the order"
            ),
            ReadProblem::NothingRead => formatter.write_str(
                "EOF: nothing is read, so the plan shows nothing; apply the schema and insert documents first",
            ),
        }
    }
}
