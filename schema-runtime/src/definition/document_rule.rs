//! Rules about several fields of a document.

use mongodb::bson::{Bson, Document, doc};

use super::{Literal, str_eq};

/// A rule about two fields of a document, by their stored names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DocumentRule {
    /// The values compare so, where neither is null or absent.
    Compares {
        /// The comparison.
        operator: Comparison,
        /// The first field.
        left: &'static str,
        /// The second field.
        right: &'static str,
    },
    /// A field has a value where another field has one of some values.
    RequiredIf {
        /// The field that must have a value.
        field: &'static str,
        /// The field that decides.
        on: &'static str,
        /// The values of the field that decides.
        values: &'static [Literal],
    },
}

/// The comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `lt`
    Less,
    /// `lte`
    LessOrEqual,
    /// `gt`
    Greater,
    /// `gte`
    GreaterOrEqual,
    /// `eq`
    Equal,
    /// `ne`
    NotEqual,
}

impl DocumentRule {
    /// Makes a comparison from the user's word.
    pub const fn compares(word: &str, left: &'static str, right: &'static str) -> Self {
        let mut at = 0;
        while at < Comparison::ALL.len() {
            if str_eq(Comparison::ALL[at].word(), word) {
                return DocumentRule::Compares { operator: Comparison::ALL[at], left, right };
            }
            at += 1;
        }
        panic!("the derive knows the words of comparisons")
    }

    /// Makes a rule that demands a field.
    pub const fn required_if(field: &'static str, on: &'static str, values: &'static [Literal]) -> Self {
        DocumentRule::RequiredIf { field, on, values }
    }

    /// Returns the rule in the user's word.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            DocumentRule::Compares { operator, .. } => operator.word(),
            DocumentRule::RequiredIf { .. } => "required_if",
        }
    }

    /// Returns the judged field, and the other field.
    pub(crate) const fn fields(&self) -> [&'static str; 2] {
        match *self {
            DocumentRule::Compares { left, right, .. } => [left, right],
            DocumentRule::RequiredIf { field, on, .. } => [field, on],
        }
    }

    /// Returns the rule as an expression of the server. Null is less than each value, and an absent field less than
    /// null.
    pub(crate) fn expression(&self) -> Document {
        let path = |name: &str| format!("${name}");
        match self {
            DocumentRule::Compares { operator, left, right } => {
                let operator = format!("${}", operator.word());
                doc! { "$or": [
                    { "$lte": [path(left), Bson::Null] },
                    { "$lte": [path(right), Bson::Null] },
                    { operator: [path(left), path(right)] },
                ] }
            }
            DocumentRule::RequiredIf { field, on, values } => {
                let values: Vec<Bson> = values.iter().map(|value| Bson::from(*value)).collect();
                doc! { "$or": [
                    { "$gt": [path(field), Bson::Null] },
                    { "$not": [{ "$in": [path(on), { "$literal": values }] }] },
                ] }
            }
        }
    }

    /// Returns whether an expression may be the expression of a rule: the model may have had the rule before.
    pub(crate) fn is_expression(expression: &Bson) -> bool {
        let Some(Ok(all)) = expression.as_document().map(|expression| expression.get_array("$or")) else {
            return false;
        };
        let words: Vec<&str> =
            all.iter().filter_map(Bson::as_document).filter_map(|one| one.keys().next().map(String::as_str)).collect();
        match words[..] {
            ["$lte", "$lte", operator] => Comparison::ALL.iter().any(|known| operator == format!("${}", known.word())),
            ["$gt", "$not"] => true,
            _ => false,
        }
    }
}

impl Comparison {
    const ALL: [Comparison; 6] = [
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
        Comparison::Equal,
        Comparison::NotEqual,
    ];

    /// Returns the user's word, which is the server's operator without the dollar sign.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Comparison::Less => "lt",
            Comparison::LessOrEqual => "lte",
            Comparison::Greater => "gt",
            Comparison::GreaterOrEqual => "gte",
            Comparison::Equal => "eq",
            Comparison::NotEqual => "ne",
        }
    }

    /// Returns whether the comparison needs an order of the values.
    pub(crate) const fn is_of_order(self) -> bool {
        !matches!(self, Comparison::Equal | Comparison::NotEqual)
    }
}
