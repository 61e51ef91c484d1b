//! `#[query(..)]`: how an application reads a model.

mod need;

use proc_macro2::Ident;
use syn::{Expr, LitStr, Path, Type};

pub(crate) use need::Need;

use super::{Collation, Index, Number, Record};
use crate::words::words;

/// `#[query(of_address(ipaddr), order = desc(time), limit = 5_000, per_day = 20_000)]`
pub(crate) struct Query {
    /// The name of the method.
    pub(crate) name: Ident,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) order: Vec<QueryKey>,
    pub(crate) limit: Option<Number>,
    /// The number of documents in a page; `None` for a query without pages.
    pub(crate) page: Option<Number>,
    /// True when the query reads a single document.
    pub(crate) one: bool,
    /// The projection that the documents are read into.
    pub(crate) select: Option<Path>,
    /// The result of the aggregation of the documents; `None` for a read of documents.
    pub(crate) aggregate: Option<Path>,
    /// The name of the index that the server has to use.
    pub(crate) hint: Option<LitStr>,
    /// The rules by which the query compares texts.
    pub(crate) collation: Option<Collation>,
    /// How often the query runs a day.
    pub(crate) per_day: Option<Number>,
}

impl Query {
    /// Returns the position of the partial index that the hint names. The query is about the documents of the index.
    pub(crate) fn partial_index<'a>(
        &self,
        indexes: impl IntoIterator<Item = &'a Index>,
        record: &Record,
    ) -> Option<usize> {
        let hint = self.hint.as_ref()?.value();
        let is_it = |index: &Index| !index.partial.is_empty() && index.called(record).as_ref() == Some(&hint);
        indexes.into_iter().position(is_it)
    }
}

/// A condition on a field: `ipaddr`, `between(due_date)`, `addresses.city as String`.
pub(crate) struct Condition {
    /// The path in the names of Rust, without `r#`.
    pub(crate) path: Vec<String>,
    pub(crate) operator: Operator,
    /// The type that the field is compared with; `None` for the type of the field.
    pub(crate) ty: Option<Type>,
    /// The name of the argument of the method.
    pub(crate) argument: Ident,
    /// The field, as written.
    pub(crate) tokens: Expr,
}

/// A key of the order of a query.
pub(crate) struct QueryKey {
    /// The path in the names of Rust, without `r#`.
    pub(crate) path: Vec<String>,
    pub(crate) descending: bool,
    pub(crate) tokens: Expr,
}

words! {
    /// The operator of a condition. The word is the name of the method of field tokens.
    pub(crate) enum Operator {
        Equals = "eq",
        Contains = "contains",
        IsIn = "is_in",
        Between = "between",
        More = "gt",
        NotLess = "gte",
        Less = "lt",
        NotMore = "lte",
        StartsWith = "starts_with",
    }
}

impl Operator {
    /// Returns whether the operator fixes values. Behind fixed values an index is in the order of the next key.
    pub(crate) fn is_equality(self) -> bool {
        match self {
            Operator::Equals | Operator::Contains | Operator::IsIn => true,
            Operator::Between
            | Operator::More
            | Operator::NotLess
            | Operator::Less
            | Operator::NotMore
            | Operator::StartsWith => false,
        }
    }

    /// Returns whether all matching documents have the same value of the field.
    pub(crate) fn is_one_value(self) -> bool {
        self == Operator::Equals
    }
}
