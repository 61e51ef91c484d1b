//! `#[query(..)]`: how an application reads a model.

mod need;

use proc_macro2::Ident;
use syn::{Expr, Path, Type};

pub(crate) use need::Need;

use super::Number;
use crate::words::words;

/// `#[query(of_address(ipaddr), order = desc(time), limit = 5_000, per_day = 20_000)]`
pub(crate) struct Query {
    /// The method.
    pub(crate) name: Ident,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) order: Vec<QueryKey>,
    pub(crate) limit: Option<Number>,
    /// How many documents a page has, where it is read in pages.
    pub(crate) page: Option<Number>,
    /// Whether it reads one document.
    pub(crate) one: bool,
    /// The projection that it is read into.
    pub(crate) select: Option<Path>,
    /// How often it runs a day.
    pub(crate) per_day: Option<Number>,
}

/// What is asked of one field: `ipaddr`, `between(due_date)`, `addresses.city as String`.
pub(crate) struct Condition {
    /// In the names of Rust, without `r#`.
    pub(crate) path: Vec<String>,
    pub(crate) operator: Operator,
    /// The type that it is compared with; `None` for that of the field.
    pub(crate) ty: Option<Type>,
    /// What the method calls its argument.
    pub(crate) argument: Ident,
    /// The field, as written.
    pub(crate) tokens: Expr,
}

/// A key of the order of a query.
pub(crate) struct QueryKey {
    /// In the names of Rust, without `r#`.
    pub(crate) path: Vec<String>,
    pub(crate) descending: bool,
    pub(crate) tokens: Expr,
}

words! {
    /// What a query asks of a field, by the name of the method of field tokens.
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
    /// Whether it fixes values, after which an index is in the order of its next key.
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

    /// Whether all documents that match have one value of the field.
    pub(crate) fn is_one_value(self) -> bool {
        self == Operator::Equals
    }
}
