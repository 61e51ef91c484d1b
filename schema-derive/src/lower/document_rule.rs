//! Reads the rules about several fields of a document.

use syn::Expr;

use crate::{
    attributes::Place,
    errors::Errors,
    model::{DocumentRule, DocumentRuleKind, Judges},
    parse::{Argument, Constant, Value},
};

const OPERATORS: [&str; 6] = ["lt", "lte", "gt", "gte", "eq", "ne"];

/// Reads the words in `check(..)` of a model.
pub(super) fn lower_document_rules(check: Option<&Argument>, errors: &Errors) -> (Vec<DocumentRule>, Judges) {
    let (mut rules, mut judges) = (Vec::new(), Judges::default());
    for argument in check.map(Argument::inside).unwrap_or_default() {
        let is_alone = matches!(argument.value, Value::None);
        match argument.word.as_str() {
            "garde" if is_alone => judges.garde = argument_ident(argument),
            "validator" if is_alone => judges.validator = argument_ident(argument),
            word => match OPERATORS.iter().find(|operator| **operator == word).zip(two_fields(argument)) {
                Some((operator, fields)) => rules.push(DocumentRule {
                    kind: DocumentRuleKind::Compares { operator, fields },
                    tokens: argument.tokens.clone(),
                }),
                None => errors.at(
                    &argument.tokens,
                    "`check(..)` of a model compares two fields of the model\nhelp: write `lt(starts, ends)`, with one of `lt`, `lte`, `gt`, `gte`, `eq`, `ne`; or `garde` or `validator`, for a model with a derive of that crate; a rule about one field stands on the field: `#[check(min = 0)]`",
                ),
            },
        }
    }
    (rules, judges)
}

/// Reads `required_if(state = "paid")` of the field with the name; `None` after a mistake.
pub(super) fn lower_required_if(
    argument: &Argument,
    name: &str,
    place: Place,
    errors: &Errors,
) -> Option<DocumentRule> {
    // The mistake is reported with the words of the attribute.
    if argument.inside().is_empty() {
        return None;
    }
    if place != Place::ModelField {
        errors.at(
            &argument.tokens,
            "`required_if` names a field of the document, and stands on a field of a model\nhelp: remove `required_if`",
        );
        return None;
    }
    let condition = match argument.inside() {
        [condition] if !condition.word.is_empty() => {
            values_of(condition).map(|values| (condition.word.clone(), values))
        }
        _ => None,
    };
    let Some((on, values)) = condition else {
        errors.at(
            &argument.tokens,
            "`required_if` names one field with its values\nhelp: write `required_if(state = \"paid\")`, or `required_if(state(\"paid\", \"sent\"))` for several values",
        );
        return None;
    };
    let kind = DocumentRuleKind::RequiredIf { field: name.to_owned(), on, values };
    Some(DocumentRule { kind, tokens: argument.tokens.clone() })
}

/// Returns the two fields of a comparison.
fn two_fields(argument: &Argument) -> Option<[String; 2]> {
    let is_field = |field: &Argument| matches!(field.value, Value::None) && !field.word.contains("::");
    match argument.inside() {
        [left, right] if is_field(left) && is_field(right) => Some([left.word.clone(), right.word.clone()]),
        _ => None,
    }
}

/// Returns the values of a condition: `state = "paid"`, or `state("paid", "sent")`.
fn values_of(condition: &Argument) -> Option<Vec<Constant>> {
    let of = |value: &Expr| Constant::of(value).filter(|value| !matches!(value, Constant::Double(_)));
    match &condition.value {
        Value::Assigned(value) => Some(vec![of(value)?]),
        Value::List(list) if !list.is_empty() => {
            let values = list.iter().map(|value| match &value.value {
                Value::Assigned(literal) if value.word.is_empty() => of(literal),
                _ => None,
            });
            values.collect()
        }
        _ => None,
    }
}

fn argument_ident(argument: &Argument) -> Option<proc_macro2::Ident> {
    match &argument.tokens {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}
