//! Generated mistakes in attributes. Each mistake gives a single message under the mistaken tokens, and the derive
//! takes the words of the help when typed.

use super::attributes::{PLACES, forms, mistakes, reported, with};
use crate::{
    attributes::{Attribute, Place},
    parse::Form,
};

/// Returns the only message of a mistake in the attributes. The message stands under `mistaken` or under a part of
/// `mistaken`.
fn the_message(place: Place, attributes: &str, field: &str, mistaken: &str) -> String {
    let mut found = reported(place, attributes, field);
    let messages: Vec<&str> = found.iter().map(|reported| reported.message.as_str()).collect();
    assert_eq!(messages.len(), 1, "{attributes} in {place:?}: {messages:?}");
    let reported = found.remove(0);
    let is_there = !reported.under.is_empty() && without_spaces(mistaken).contains(&without_spaces(&reported.under));
    assert!(
        is_there,
        "{attributes} in {place:?}: `{}` is under the message, `{mistaken}` is the mistake",
        reported.under
    );
    reported.message
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the help of a message.
fn help_of(message: &str) -> &str {
    let (_, help) = message.split_once("help: ").unwrap_or_else(|| panic!("no help: {message}"));
    help.lines().next().unwrap_or_default()
}

pub(super) fn may_follow(form: Form, written: &str) -> bool {
    match form {
        Form::Flag | Form::Switch => written == "alone",
        Form::Text => written == "text",
        Form::Number | Form::Percentage => written == "number",
        Form::Limit => matches!(written, "number" | "negative"),
        Form::Optional(form) => written == "alone" || may_follow(*form, written),
        Form::Values => written == "number in parentheses",
        // The content of the forms below is judged where the content is read.
        Form::Name
        | Form::Path
        | Form::Field
        | Form::Call
        | Form::Order
        | Form::List
        | Form::Words(_)
        | Form::Allow(_) => false,
    }
}

#[test]
fn an_attribute_in_another_place_has_one_message_with_help() {
    let mut tried = 0;
    for place in PLACES {
        for attribute in Attribute::ALL.iter().filter(|attribute| !attribute.may_stand(place)) {
            let (tokens, field) = attribute.row().example;
            // Both derives of an item that is a model and a projection report the same token.
            let mistaken = match (attribute, place) {
                (Attribute::Model, Place::Projection) => Attribute::Projection,
                _ => *attribute,
            };
            let message = the_message(place, tokens, field, mistaken.word());
            assert!(!help_of(&message).is_empty(), "{attribute:?} in {place:?}");
            tried += 1;
        }
    }
    assert!(tried > 250, "{tried}");
}

#[test]
fn the_form_that_a_help_names_is_taken() {
    let (mut tried, mut taken) = (0, 0);
    for attribute in Attribute::ALL {
        let field = attribute.row().example.1;
        for place in PLACES.into_iter().filter(|place| attribute.may_stand(*place)) {
            if *attribute == Attribute::Index && matches!(place, Place::Model | Place::ModelVariant) {
                // A word in a wrong form may be a field here.
                continue;
            }
            // `allow(..)` takes a list of rules.
            for word in attribute.words().into_iter().filter(|word| !matches!(word.form, Form::Allow(_))) {
                for (kind, written) in forms(word.name).into_iter().filter(|(kind, _)| !may_follow(word.form, kind)) {
                    if kind == "alone" && *attribute == Attribute::ShardKey {
                        continue;
                    }
                    let attributes = with(*attribute, word.name, &written);
                    if !mistakes(place, &with(*attribute, word.name, ""), field).is_empty() {
                        continue;
                    }
                    let message = the_message(place, &attributes, field, &written);
                    let help = help_of(&message);
                    let typed = match help.strip_prefix("write `").and_then(|help| help.split('`').next()) {
                        Some(typed) => typed,
                        None if help.starts_with("remove") => "",
                        None => panic!("{attributes}: {message}"),
                    };
                    let after = mistakes(place, &with(*attribute, word.name, typed), field);
                    assert!(!after.contains(&message), "{attributes}: {message}");
                    tried += 1;
                    taken += usize::from(after.is_empty());
                }
            }
        }
    }
    assert!(tried > 1_200 && taken > 500, "{tried} {taken}");
}
