//! `#[inverse(..)]`: the far side of a relation, and what a delete there does.

use syn::{Expr, Ident, Path};

use super::{allow::lower_allows, collection::split, given::Given, number, relation::lower_on_delete};
use crate::{
    attributes::{Attribute, OF_INVERSE},
    errors::Errors,
    model::Inverse,
    parse::{Argument, Arguments, Value},
};

/// Every `#[inverse(accessor = Child::field)]`.
pub(crate) fn lower_inverses(given: &Given<'_>, errors: &Errors) -> Vec<Inverse> {
    let mut inverses: Vec<Inverse> = Vec::new();
    for attribute in given.all(Attribute::Inverse) {
        let arguments = Arguments::read(attribute, errors);
        let before = inverses.len();
        for argument in arguments.list.iter().filter(|argument| !is_option(argument)) {
            let Some((accessor, child, field)) = lower_one(argument, errors) else { continue };
            if inverses.iter().any(|other| other.accessor == accessor) {
                errors.at(
                    &accessor,
                    format!("`{accessor}` is given twice in `#[inverse(..)]`\nhelp: give each an accessor of its own"),
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
        let options = arguments.list.iter().find(|argument| is_option(argument));
        match (&mut inverses[before..], options) {
            (_, None) => {}
            ([inverse], Some(_)) => {
                let one = arguments.get("one_to_one");
                inverse.is_one = one.inspect(|argument| argument.expect_word(errors)).is_some();
                inverse.on_delete = arguments.get("on_delete").and_then(|argument| lower_on_delete(argument, errors));
                inverse.at_most = number(arguments.get("at_most"), errors);
                inverse.per_day = number(arguments.get("per_day"), errors);
                inverse.allows = lower_allows(&arguments.list, errors);
            }
            (found, Some(option)) => {
                let what = if found.is_empty() { "no accessor" } else { "several accessors" };
                if !found.is_empty() || errors.is_empty() {
                    let written = if let Value::None = option.value { "" } else { " = .." };
                    errors.at(
                        &option.tokens,
                        format!("`{0}` is said of one accessor, and this `#[inverse(..)]` has {what}\nhelp: write one `#[inverse(logmsgs = LogMsg::host, {0}{written})]` for each", option.word),
                    );
                }
            }
        }
    }
    inverses
}

fn is_option(argument: &Argument) -> bool {
    OF_INVERSE.contains(&argument.word.as_str())
}

/// `logmsgs = LogMsg::host`
fn lower_one(argument: &Argument, errors: &Errors) -> Option<(Ident, Path, Ident)> {
    let accessor = match &argument.tokens {
        Expr::Assign(assign) => match &*assign.left {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        },
        _ => None,
    };
    let far = match &argument.value {
        Value::Assigned(Expr::Path(path)) => split(&path.path),
        _ => None,
    };
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
