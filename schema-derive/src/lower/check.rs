//! Reads `#[check(..)]`: the rules about the value of a field.

use syn::{Type, spanned::Spanned};

use super::given::Given;
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Check, CheckRule, Stored},
    parse::{Argument, Arguments, Constant, Literal, Pattern, collection_literal, is_reference},
};

/// The rule about the values of the words.
const CHECK_LITERAL: &str = "check_literal";

/// The words of all `#[check(..)]` of a field.
#[derive(Default)]
pub(super) struct Checks {
    /// The rules about the value, in the order of the words.
    pub(super) rules: Vec<Check>,
    /// The word `required_if` with the condition.
    pub(super) required_if: Option<Argument>,
}

/// Reads the words of all attributes of a field. Each word is given once.
pub(super) fn lower_checks(given: &Given<'_>, ty: &Type, storage: &Stored, errors: &Errors) -> Checks {
    let (mut checks, mut words) = (Checks::default(), Vec::new());
    for attribute in given.all(Attribute::Check) {
        if refers(ty, storage) {
            errors.at(
                attribute.path(),
                "a rule is about a value, and a reference holds the `_id` of a document\nhelp: remove `#[check(..)]`; a rule about the `_id` is on the `_id` of the model",
            );
            return Checks::default();
        }
        let before = errors.count();
        let mut arguments = Arguments::read(attribute, errors);
        arguments.expect_words(&Attribute::Check.words(), errors);
        if arguments.list.is_empty() && errors.count() == before {
            errors.at_span(
                attribute.path().span(),
                "`#[check(..)]` needs a rule\nhelp: write `#[check(min = 0)]` with the rule that the value obeys",
            );
        }
        for argument in arguments.list {
            if words.contains(&argument.word) {
                errors.at(
                    &argument.tokens,
                    format!("`{0}` is given twice on the field\nhelp: remove the second `{0}`", argument.word),
                );
                continue;
            }
            words.push(argument.word.clone());
            if argument.word == "required_if" {
                checks.required_if = Some(argument);
            } else if let Some(rule) = rule_of(&argument, errors) {
                checks.rules.push(Check { rule, tokens: argument.tokens });
            }
        }
    }
    checks
}

/// Returns whether a field holds references.
fn refers(ty: &Type, storage: &Stored) -> bool {
    let item = match collection_literal(ty) {
        Some(Literal::Array(item) | Literal::Map(item)) => item,
        None => ty,
    };
    matches!(storage, Stored::Relation(relation) if relation.storage.refers()) || is_reference(item)
}

/// Returns the rule of a word; `None` after a mistake that is reported.
fn rule_of(argument: &Argument, errors: &Errors) -> Option<CheckRule> {
    Some(match argument.word.as_str() {
        "min" => CheckRule::Min(argument.limit()?),
        "max" => CheckRule::Max(argument.limit()?),
        "more_than" => CheckRule::MoreThan(argument.limit()?),
        "less_than" => CheckRule::LessThan(argument.limit()?),
        "multiple_of" => CheckRule::MultipleOf(argument.limit()?),
        "min_len" => CheckRule::MinLen(argument.number()?),
        "not_empty" => CheckRule::NotEmpty,
        "pattern" => CheckRule::Pattern(pattern_of(argument, errors)?),
        "email" => CheckRule::Email,
        "url" => CheckRule::Url,
        "one_of" => CheckRule::OneOf(values_of(argument, errors)?),
        "unique_items" => CheckRule::UniqueItems,
        "min_items" => CheckRule::MinItems(argument.number()?),
        "with" => CheckRule::With(argument.names()?.clone()),
        _ => return None,
    })
}

/// Returns the pattern, in the syntax that the server and Rust share.
fn pattern_of(argument: &Argument, errors: &Errors) -> Option<Pattern> {
    match Pattern::read(&argument.text()?.value()) {
        Ok(pattern) => Some(pattern),
        Err((what, help)) => {
            errors.rule(&argument.tokens, CHECK_LITERAL, &what, &help);
            None
        }
    }
}

/// Returns the values of `one_of(..)`: texts, or whole numbers.
fn values_of(argument: &Argument, errors: &Errors) -> Option<Vec<Constant>> {
    let mut values = Vec::new();
    for inside in argument.inside() {
        let value = inside.constant()?;
        if values.contains(&value) {
            let what = "the value is in `one_of(..)` twice";
            errors.rule(&inside.tokens, CHECK_LITERAL, what, "remove the second value");
            return None;
        }
        values.push(value);
    }
    Some(values)
}
