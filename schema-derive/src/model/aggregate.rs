//! `#[derive(Aggregate)]`: the keys and the values of each group of documents.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Path, Type, Visibility};

use super::{Allow, Number, QueryKey};
use crate::parse::Constant;

/// The result of an aggregation.
pub(crate) struct Aggregate {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The model of the documents.
    pub(crate) of: Path,
    /// The arrays whose elements count as documents.
    pub(crate) unwind: Vec<FieldPath>,
    pub(crate) keys: Vec<Key>,
    /// True after a mistake in a key.
    pub(crate) has_lost_key: bool,
    /// The word `fill`.
    pub(crate) fill: Option<Expr>,
    /// The model that stores the groups.
    pub(crate) into: Option<Path>,
    pub(crate) allows: Vec<Allow>,
    pub(crate) fields: Vec<AggregateField>,
}

/// A field of the model, as the path of names in Rust.
#[derive(Clone)]
pub(crate) struct FieldPath {
    pub(crate) path: Vec<String>,
    pub(crate) tokens: Expr,
}

/// A key of the groups.
pub(crate) struct Key {
    /// The name of the field of the result.
    pub(crate) name: String,
    /// The whole key, as written.
    pub(crate) tokens: Expr,
    pub(crate) of: FieldPath,
    pub(crate) form: KeyForm,
}

/// The value that the documents of one group share.
pub(crate) enum KeyForm {
    Value,
    LowerCase,
    /// A zone `None` is given by each call.
    Period {
        unit: String,
        zone: Option<String>,
        start_of_week: String,
    },
    Ranges(Vec<Constant>),
}

/// A field of the result.
pub(crate) struct AggregateField {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) visibility: Visibility,
    /// The name in Rust, without `r#`.
    pub(crate) rust_name: String,
    /// The name in the answer of the server.
    pub(crate) name: String,
    /// The value; `None` for a key, and for a field of the parent.
    pub(crate) value: Option<AggregateValue>,
    /// The relation whose children the value is computed from.
    pub(crate) children: Option<ChildrenPath>,
    /// True after a mistake in the attribute.
    pub(crate) broken: bool,
}

/// The relation by which children refer to a parent: `LogMsg::host`.
pub(crate) struct ChildrenPath {
    pub(crate) child: Path,
    pub(crate) reference: Ident,
    /// The relation, as written.
    pub(crate) tokens: Expr,
}

impl ChildrenPath {
    /// Returns the relation as a text.
    pub(crate) fn text(&self) -> String {
        let segments = self.child.segments.iter().map(|segment| segment.ident.to_string());
        segments.chain([self.reference.to_string()]).collect::<Vec<_>>().join("::")
    }
}

impl Aggregate {
    /// True when each row is a parent with values of the children.
    pub(crate) fn is_of_parents(&self) -> bool {
        self.fields.iter().any(|field| field.children.is_some())
    }
}

/// A value of each group.
pub(crate) struct AggregateValue {
    pub(crate) kind: ValueKind,
    /// The content of the attribute, or the word.
    pub(crate) tokens: TokenStream,
}

/// The kind of a value.
pub(crate) enum ValueKind {
    Count(Option<Test>),
    CountDistinct {
        of: FieldPath,
        max: Option<Number>,
    },
    /// `sum`, `avg`, `min`, `max` or `std_dev` of a term.
    Function {
        word: &'static str,
        of: Term,
    },
    First {
        of: FieldPath,
        order: Vec<QueryKey>,
    },
    Last {
        of: FieldPath,
        order: Vec<QueryKey>,
    },
    Top {
        most: Option<Number>,
        order: Vec<QueryKey>,
    },
    Collect {
        of: FieldPath,
        max: Option<Number>,
    },
    Any(Test),
    All(Test),
    Lookup {
        key: String,
        path: Vec<String>,
    },
}

/// A value that the server computes for each document.
pub(crate) enum Term {
    Field(Vec<String>),
    Number(Constant),
    Or(Box<Term>, Box<Term>),
    Operation(&'static str, Box<Term>, Box<Term>),
}

/// A condition on each document.
pub(crate) enum Test {
    Compare { path: Vec<String>, operator: &'static str, value: Constant },
    IsNull(Vec<String>),
    Every(Vec<Test>),
    Some(Vec<Test>),
    Not(Box<Test>),
}
