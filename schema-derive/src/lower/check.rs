//! Reads `#[check(..)]`: the rules about the value of a field.

use syn::spanned::Spanned;

use super::given::Given;
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Check, CheckRule},
    parse::{Argument, Arguments},
};

/// Reads the rules of all attributes of a field, in the order of the words. Each word is given once.
pub(super) fn lower_checks(given: &Given<'_>, errors: &Errors) -> Vec<Check> {
    let mut checks: Vec<(String, Check)> = Vec::new();
    for attribute in given.all(Attribute::Check) {
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
            if checks.iter().any(|(word, _)| *word == argument.word) {
                errors.at(
                    &argument.tokens,
                    format!("`{0}` is given twice on the field\nhelp: remove the second `{0}`", argument.word),
                );
            } else if let Some(rule) = rule_of(&argument) {
                checks.push((argument.word, Check { rule }));
            }
        }
    }
    checks.into_iter().map(|(_, check)| check).collect()
}

/// Returns the rule of a word; `None` after a mistake that is reported.
fn rule_of(argument: &Argument) -> Option<CheckRule> {
    Some(match argument.word.as_str() {
        "min" => CheckRule::Min(argument.limit()?),
        "max" => CheckRule::Max(argument.limit()?),
        "more_than" => CheckRule::MoreThan(argument.limit()?),
        "less_than" => CheckRule::LessThan(argument.limit()?),
        "min_len" => CheckRule::MinLen(argument.number()?),
        "not_empty" => CheckRule::NotEmpty,
        "min_items" => CheckRule::MinItems(argument.number()?),
        _ => return None,
    })
}
