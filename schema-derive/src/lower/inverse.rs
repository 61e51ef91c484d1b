//! `#[inverse(..)]`: the far side of a relation, and the effect of a delete there.

use syn::{Expr, Ident, Path};

use super::{
    allow::lower_allows, collection::split, given::Given, lost::of_inverse as lost_of_inverse, number,
    relation::lower_on_delete,
};
use crate::{
    attributes::{Attribute, words::OF_INVERSE},
    errors::Errors,
    model::{Inverse, Lost},
    parse::{Argument, Arguments, Value, names_of, refuse_unknown, similar},
};

/// Reads every `#[inverse(accessor = Child::field)]`.
pub(crate) fn lower_inverses(given: &Given<'_>, lost: &mut Vec<Lost>, errors: &Errors) -> Vec<Inverse> {
    let mut inverses: Vec<Inverse> = Vec::new();
    for attribute in given.all(Attribute::Inverse) {
        let judged = errors.count();
        let mut arguments = Arguments::read(attribute, errors);
        let before = inverses.len();
        let mut is_begun = false;
        for argument in arguments.take(|argument| !is_option(argument)) {
            let is_unknown = is_begun && !names_a_field(&argument);
            is_begun = true;
            if is_unknown || is_misspelt(&argument) {
                refuse_unknown("#[inverse(..)]", &argument, OF_INVERSE, "beside the accessor", errors);
                continue;
            }
            let Some((accessor, child, field)) = lower_one(&argument, errors) else { continue };
            if inverses.iter().any(|other| other.accessor == accessor) {
                errors.at(
                    &accessor,
                    format!(
                        "`{accessor}` is given twice in `#[inverse(..)]`\nhelp: give each relation a separate accessor"
                    ),
                );
            }
            inverses.push(Inverse {
                accessor,
                child,
                field,
                is_one: false,
                on_delete: None,
                at_most: None,
                per_day: None,
                allows: Vec::new(),
            });
        }
        arguments.expect_words(OF_INVERSE, errors);
        match (&mut inverses[before..], arguments.list.first()) {
            (_, None) => {}
            ([inverse], Some(_)) => {
                inverse.is_one = arguments.get("one_to_one").is_some();
                inverse.on_delete = arguments.get("on_delete").and_then(|argument| lower_on_delete(argument, errors));
                inverse.at_most = number(arguments.get("at_most"));
                inverse.per_day = number(arguments.get("per_day"));
                inverse.allows = lower_allows(&arguments.list, Attribute::Inverse, errors);
            }
            (found, Some(option)) => {
                let what = if found.is_empty() { "no accessor" } else { "several accessors" };
                if !found.is_empty() || errors.is_empty() {
                    let written = if let Value::None = option.value { "" } else { " = .." };
                    errors.at(
                        &option.tokens,
                        format!("`{0}` is an option of a single accessor, and this `#[inverse(..)]` has {what}\nhelp: write `#[inverse(logmsgs = LogMsg::host, {0}{written})]` for each accessor", option.word),
                    );
                }
            }
        }
        if errors.count() > judged {
            lost.extend(lost_of_inverse(attribute));
        }
    }
    inverses
}

fn is_option(argument: &Argument) -> bool {
    OF_INVERSE.iter().any(|word| word.name == argument.word)
}

/// Returns whether the argument names a field, as `logmsgs = LogMsg::host`; false for a word with a value of another
/// kind.
fn names_a_field(argument: &Argument) -> bool {
    argument.names().is_some_and(|path| path.segments.len() > 1)
}

/// Returns whether the argument is a misspelt option.
fn is_misspelt(argument: &Argument) -> bool {
    !names_a_field(argument) && similar(&argument.word, &names_of(OF_INVERSE)).is_some()
}

/// Reads `logmsgs = LogMsg::host`; `None` after a mistake.
fn lower_one(argument: &Argument, errors: &Errors) -> Option<(Ident, Path, Ident)> {
    let accessor = match &argument.tokens {
        Expr::Assign(assign) => match &*assign.left {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        },
        _ => None,
    };
    let far = argument.names().and_then(split);
    match (accessor, far) {
        (Some(accessor), Some((child, field))) => Some((accessor, child, field)),
        _ => {
            errors.at(
                &argument.tokens,
                "an inverse names an accessor and the field that stores the relation\nhelp: write `#[inverse(logmsgs = LogMsg::host)]`",
            );
            None
        }
    }
}
