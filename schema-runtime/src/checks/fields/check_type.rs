//! Rule: `check_type`. The page is `guide/pages/rules/check_type.md`.

use super::field_type::kind;
use crate::definition::{Kind, Scalar, Shape, ValueRule, refuse};

/// Judges the type of one rule.
#[track_caller]
pub(in crate::checks) const fn enforce(name: &str, shape: &Shape, rule: &ValueRule) {
    if fits(shape, rule) {
        return;
    }
    let word = rule.name();
    match (rule, shape.kind) {
        (ValueRule::MinItems(_), Kind::Array { .. }) => refuse! {
            "`{}` of `#[check(..)]` is about arrays of any length, and the type of `{}` has a fixed number of elements",
                word, name;
            help: "remove `{}`", word
        },
        (ValueRule::MinItems(_) | ValueRule::UniqueItems, Kind::String { .. }) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "remove `{}`; the length of a string has the rule `min_len = N`", word
        },
        (ValueRule::UniqueItems, Kind::Map { .. }) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "remove `{}`", word
        },
        (_, Kind::Array { .. } | Kind::Map { .. }) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and each element of `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "write the rule in a newtype of the inner type: `#[derive(Embed)] struct Name(#[check({})] ..);`", word
        },
        (_, Kind::Document { .. }) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "write the rule on a field of the struct"
        },
        (_, Kind::Scalar(Scalar::DateTime | Scalar::Decimal128)) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}, a type that a validator does not compare",
                word, subject(rule), name, kind(shape);
            help: "remove `{}`, and compare the value in the program", word
        },
        (_, Kind::String { .. }) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "remove `{}`; a string has the rules `min_len`, `not_empty`, `pattern`, `email`, `url` and `one_of`", word
        },
        (_, Kind::Enum(_)) => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "remove `{}`; the variants that are allowed have the rule `one_of(..)`", word
        },
        _ => refuse! {
            "`{}` of `#[check(..)]` is about {}, and `{}` is {}",
                word, subject(rule), name, kind(shape);
            help: "remove `{}`", word
        },
    }
}

/// Returns whether a rule is about values of this shape. A model in a field has a message of another rule.
pub(in crate::checks) const fn fits(shape: &Shape, rule: &ValueRule) -> bool {
    match (rule, shape.kind) {
        (_, Kind::Model { .. }) | (ValueRule::With(_), _) => true,
        (
            ValueRule::Min(_)
            | ValueRule::Max(_)
            | ValueRule::MoreThan(_)
            | ValueRule::LessThan(_)
            | ValueRule::MultipleOf(_),
            Kind::Scalar(scalar),
        ) => matches!(scalar, Scalar::Integer | Scalar::Double | Scalar::Single),
        (
            ValueRule::MinLen(_)
            | ValueRule::Pattern(..)
            | ValueRule::Email
            | ValueRule::Url
            | ValueRule::NotEmpty
            | ValueRule::OneOf(_),
            Kind::String { .. },
        ) => true,
        (ValueRule::OneOf(_), Kind::Enum(_) | Kind::Scalar(Scalar::Integer)) => true,
        (ValueRule::NotEmpty | ValueRule::MinItems(_), Kind::Array { min, .. }) => min == 0,
        (ValueRule::NotEmpty | ValueRule::MinItems(_), Kind::Map { .. }) => true,
        (ValueRule::UniqueItems, Kind::Array { .. }) => true,
        _ => false,
    }
}

const fn subject(rule: &ValueRule) -> &'static str {
    match rule {
        ValueRule::MinLen(_) | ValueRule::Pattern(..) | ValueRule::Email | ValueRule::Url => "strings",
        ValueRule::OneOf(_) => "strings, enums and integers",
        ValueRule::NotEmpty => "strings, arrays and maps",
        ValueRule::MinItems(_) => "arrays and maps",
        ValueRule::UniqueItems => "arrays",
        _ => "integers and floating-point numbers",
    }
}
