//! Rule: `document_rule`. The page is `guide/pages/rules/document_rule.md`.
//!
//! The half of the rule that knows the types of the fields. A validator compares texts by the collation of the
//! collection, and the crate compares texts by bytes, so a rule of a collection with a collation compares no texts.

use crate::{
    definition::{
        Comparison, DocumentRule, FieldDefinition, Kind, Literal, Scalar, Shape, each, find_stored, refuse, str_eq,
    },
    model::Model,
};

/// Judges rule number `at` of the model.
#[track_caller]
pub const fn document_rule<M: Model>(at: usize) {
    let definition = M::DEFINITION;
    let rule = &definition.document_rules[at];
    let [one, other] = rule.fields();
    let (Some(one), Some(other)) = (find_stored(definition.fields, one), find_stored(definition.fields, other)) else {
        return;
    };
    if definition.options.collation.is_some() && matches!(other.shape.kind, Kind::String { .. }) {
        refuse! {
            "the server compares `{}` by the collation of the collection, and this crate compares texts by bytes", other.rust_name;
            help: "remove the rule; or remove the collation of the collection, and write the collation on the indexes and \
                   queries that compare texts by a language"
        }
    }
    match *rule {
        DocumentRule::Compares { operator, .. } => enforce_comparison(operator, one, other),
        DocumentRule::RequiredIf { values, .. } => enforce_required(one, other, values),
    }
}

/// The kinds of values that are compared with each other.
#[derive(Clone, Copy)]
enum Compared {
    Number,
    Date,
    Text,
    Id,
    /// Only for equality.
    Name,
    Bool,
    Uuid,
    None,
}

const fn compared(shape: &Shape) -> Compared {
    match shape.kind {
        Kind::Scalar(Scalar::Integer | Scalar::Double | Scalar::Single) => Compared::Number,
        Kind::Scalar(Scalar::DateTime) => Compared::Date,
        Kind::Scalar(Scalar::ObjectId) => Compared::Id,
        Kind::Scalar(Scalar::Bool) => Compared::Bool,
        Kind::Scalar(Scalar::Uuid) => Compared::Uuid,
        Kind::String { .. } => Compared::Text,
        Kind::Enum(_) => Compared::Name,
        _ => Compared::None,
    }
}

#[track_caller]
const fn enforce_comparison(operator: Comparison, one: &FieldDefinition, other: &FieldDefinition) {
    let (left, right) = (compared(&one.shape), compared(&other.shape));
    let both: &[&FieldDefinition] = &[one, other];
    each!(for field in both {
        if let Compared::None = compared(&field.shape) {
            refuse! {
                "`{}` is no number, date, string, bool or id, and only such values are compared", field.rust_name;
                help: "name a field with a single value"
            }
        }
    });
    if left as u8 != right as u8 {
        refuse! {
            "`{}` and `{}` have different types, and the order of the types would decide", one.rust_name, other.rust_name;
            help: "name two fields of one type; all number types count as one type"
        }
    }
    if operator.is_of_order() && matches!(left, Compared::Bool | Compared::Name | Compared::Uuid) {
        refuse! {
            "`{}` and `{}` are compared by their order, and bools, UUIDs and the names of an enum have no order with a meaning",
                one.rust_name, other.rust_name;
            help: "write `eq({}, {})` or `ne({}, {})`", one.rust_name, other.rust_name, one.rust_name, other.rust_name
        }
    }
}

#[track_caller]
const fn enforce_required(field: &FieldDefinition, on: &FieldDefinition, values: &[Literal]) {
    if !field.shape.nullable {
        refuse! {
            "`{}` is not an `Option`, and every document has a value", field.rust_name;
            help: "write an `Option`, or remove `required_if`"
        }
    }
    each!(for value in values {
        if !fits(&on.shape, value) {
            refuse! {
                "`{}` never has this value", on.rust_name;
                help: "write a stored value of `{}`: a string, a whole number, a bool, or the stored name of a variant", on.rust_name
            }
        }
    });
}

const fn fits(shape: &Shape, value: &Literal) -> bool {
    match (shape.kind, value) {
        (Kind::String { .. }, Literal::String(_))
        | (Kind::Scalar(Scalar::Integer), Literal::Integer(_))
        | (Kind::Scalar(Scalar::Bool), Literal::Bool(_)) => true,
        (Kind::Enum(names), Literal::String(value)) => {
            let mut at = 0;
            while at < names.len() {
                if str_eq(names[at], value) {
                    return true;
                }
                at += 1;
            }
            false
        }
        _ => false,
    }
}
