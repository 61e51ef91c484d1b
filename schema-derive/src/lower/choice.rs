//! The choice of one word of a few.

use crate::{errors::Errors, parse::Argument};

/// Returns the choice of the user; `what` names the choices, as "a validation level".
pub(super) fn one_of(
    argument: &Argument,
    what: &str,
    choices: &[(&str, &'static str)],
    errors: &Errors,
) -> Option<&'static str> {
    let ident = argument.name()?;
    let found = choices.iter().find(|(word, _)| ident == word).map(|(_, variant)| *variant);
    if found.is_none() {
        let words = choices.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        errors.at(&ident, format!("`{ident}` is not {what}\nhelp: write one of {words}"));
    }
    found
}
