//! The rules that a document does not meet, from the server's validator and from this crate.

use std::{borrow::Cow, fmt};

use super::{BoundUnit, ExceededBound};
use crate::definition::{DocumentRule, EMAIL, Judge, Kind, Literal, URL, ValueRule};

/// A rule that a document does not meet: a rule of the collection's validator, which the server or this crate has
/// judged. The text (`Display`) has no value of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedRule {
    /// The stored path of the field, with the positions of array elements and `*` for an entry of a map; empty for the
    /// document itself. For `required` the path is the path of the missing field.
    pub field: String,
    /// The rule, in MongoDB's own word: `required`, `bsonType`, `enum`, `minimum`, `$expr`. `exclusiveMinimum` and
    /// `exclusiveMaximum` are the rules `more_than` and `less_than`.
    pub rule: String,
    /// The type that the value has, in MongoDB's word, where the rule is `bsonType`; `binData` where the rule is `$nor`
    /// and the value is a binary that is no UUID.
    pub found_type: Option<String>,
    /// The limit of the rule: a number of `minimum`, `maximum` and `multipleOf`, a count of `minLength` and `minItems`,
    /// the pattern of `pattern`, the function of `with`.
    pub limit: Option<RuleLimit>,
    /// The text that a function of `with` returns, or the message of a derive of another crate (`garde`, `validator`).
    /// A message of another crate may hold values, and the text of the failed rule leaves such a message out.
    pub message: Option<String>,
}

/// The limit of a [`FailedRule`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RuleLimit {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Double(f64),
    /// A pattern, or the path of a function.
    Text(Cow<'static, str>),
    /// The stored name of another field: the field of a comparison, or the field that decides in `required_if`.
    Field(&'static str),
}

/// A limit is a finite number, and equals itself.
impl Eq for RuleLimit {}

/// Why a document is refused.
pub(crate) enum Fault {
    /// A value is larger than a bound.
    Bound(ExceededBound),
    /// A value fails a rule.
    Rule(FailedRule),
}

impl Fault {
    /// Returns the failed rule; of an exceeded bound, the rule of the validator.
    pub(crate) fn into_rule(self) -> FailedRule {
        match self {
            Fault::Rule(failed) => failed,
            Fault::Bound(ExceededBound { field, bound, unit, .. }) => {
                let rule = match unit {
                    BoundUnit::Elements => "maxItems",
                    BoundUnit::Entries => "maxProperties",
                    BoundUnit::CodePoints => "maxLength",
                    BoundUnit::Bytes => "maxBytes",
                };
                FailedRule { limit: i64::try_from(bound).ok().map(RuleLimit::Integer), ..FailedRule::new(field, rule) }
            }
        }
    }
}

impl FailedRule {
    pub(super) fn new(field: impl Into<String>, rule: &str) -> Self {
        FailedRule { field: field.into(), rule: rule.to_owned(), found_type: None, limit: None, message: None }
    }

    /// Makes the failure of a rule about several fields.
    pub(crate) fn of_document(rule: &DocumentRule) -> Self {
        let [field, other] = rule.fields();
        FailedRule { limit: Some(RuleLimit::Field(other)), ..FailedRule::new(field, rule.word()) }
    }

    /// Makes the failure that a derive of another crate found.
    #[cfg(any(feature = "garde", feature = "validator"))]
    pub(crate) fn judged(field: String, rule: &str, message: String) -> Self {
        FailedRule { message: Some(message), ..FailedRule::new(field, rule) }
    }

    /// Makes the failure that a function of the user found.
    pub(crate) fn refused(field: String, judge: &Judge, text: &'static str) -> Self {
        let limit = Some(RuleLimit::Text(judge.name.into()));
        FailedRule { limit, message: Some(text.to_owned()), ..FailedRule::new(field, "with") }
    }

    /// Returns the failure with the path of a value that lies under a name or a position.
    #[cfg(feature = "json")]
    pub(super) fn under(self, name: &str) -> Self {
        FailedRule { field: format!("{name}.{}", self.field), ..self }
    }

    /// Makes the failure of a rule about a value of this kind.
    pub(crate) fn of(field: String, rule: &ValueRule, kind: &Kind) -> Self {
        FailedRule { limit: rule.limit().and_then(RuleLimit::of), ..FailedRule::new(field, rule.word(kind)) }
    }
}

impl RuleLimit {
    fn of(limit: Literal) -> Option<Self> {
        match limit {
            Literal::Integer(limit) => Some(RuleLimit::Integer(limit)),
            Literal::Double(limit) => Some(RuleLimit::Double(limit)),
            Literal::String(limit) => Some(RuleLimit::Text(limit.into())),
            Literal::Bool(_) => None,
        }
    }
}

impl fmt::Display for RuleLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleLimit::Integer(limit) => limit.fmt(formatter),
            RuleLimit::Double(limit) => limit.fmt(formatter),
            RuleLimit::Text(limit) => limit.fmt(formatter),
            RuleLimit::Field(name) => write!(formatter, "`{name}`"),
        }
    }
}

impl fmt::Display for FailedRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailedRule { field, rule, found_type, limit, message } = self;
        let value = if field.is_empty() { "the document".to_owned() } else { format!("`{field}`") };
        match (rule.as_str(), found_type, limit) {
            ("required", ..) => write!(formatter, "`{field}` is missing"),
            ("minimum", _, Some(least)) => write!(formatter, "{value} is less than {least}, the least allowed value"),
            ("maximum", _, Some(greatest)) => {
                write!(formatter, "{value} is greater than {greatest}, the greatest allowed value")
            }
            ("minimum", ..) => write!(formatter, "{value} is less than the least allowed value"),
            ("maximum", ..) => write!(formatter, "{value} is greater than the greatest allowed value"),
            ("exclusiveMinimum", _, Some(limit)) => write!(formatter, "{value} is not more than {limit}"),
            ("exclusiveMaximum", _, Some(limit)) => write!(formatter, "{value} is not less than {limit}"),
            ("lt", _, Some(other)) => write!(formatter, "{value} is not less than {other}"),
            ("lte", _, Some(other)) => write!(formatter, "{value} is greater than {other}"),
            ("gt", _, Some(other)) => write!(formatter, "{value} is not greater than {other}"),
            ("gte", _, Some(other)) => write!(formatter, "{value} is less than {other}"),
            ("eq", _, Some(other)) => write!(formatter, "{value} does not equal {other}"),
            ("ne", _, Some(other)) => write!(formatter, "{value} equals {other}"),
            ("required_if", _, Some(other)) => {
                write!(formatter, "{value} has no value, and the value of {other} demands one")
            }
            ("minLength", _, Some(least)) => write!(formatter, "{value} has fewer than {least} code points"),
            ("minItems", _, Some(least)) => write!(formatter, "{value} has fewer than {least} elements"),
            ("minProperties", _, Some(least)) => write!(formatter, "{value} has fewer than {least} entries"),
            ("multipleOf", _, Some(of)) => write!(formatter, "{value} is no multiple of {of}"),
            ("pattern", _, Some(RuleLimit::Text(pattern))) if pattern == EMAIL => {
                write!(formatter, "{value} is no e-mail address")
            }
            ("pattern", _, Some(RuleLimit::Text(pattern))) if pattern == URL => write!(formatter, "{value} is no URL"),
            ("pattern", _, Some(pattern)) => write!(formatter, "{value} does not match the pattern {pattern}"),
            ("with", _, Some(function)) => match message {
                Some(text) => write!(formatter, "{value} is refused by `{function}`: {text}"),
                None => write!(formatter, "{value} is refused by `{function}`"),
            },
            ("uniqueItems", ..) => write!(formatter, "{value} has an element twice"),
            ("$nor", Some(_), _) => write!(formatter, "{value} is binary data, and no UUID (16 bytes of subtype 4)"),
            (rule, Some(found), _) => write!(formatter, "{value} is of type {found} and does not meet `{rule}`"),
            (rule, None, Some(limit)) => write!(formatter, "{value} does not meet `{rule}` of {limit}"),
            (rule, None, None) => write!(formatter, "{value} does not meet `{rule}`"),
        }
    }
}
