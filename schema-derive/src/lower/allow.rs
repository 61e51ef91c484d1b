//! `allow(rule, reason = "..")`: a rule that may be broken here, with the reason.

use crate::{
    attributes::Attribute,
    errors::Errors,
    model::Allow,
    parse::{Argument, Form, Value},
};

/// Returns every `allow(..)` among the arguments of this attribute.
pub(crate) fn lower_allows(arguments: &[Argument], place: Attribute, errors: &Errors) -> Vec<Allow> {
    arguments
        .iter()
        .filter(|argument| argument.word == "allow")
        .filter_map(|argument| lower(argument, place, errors))
        .collect()
}

/// Returns the rules that are judged in this attribute, and so may be silenced here.
fn judged_in(attribute: Attribute) -> &'static [&'static str] {
    let mut words = attribute.row().words.iter().copied().flatten();
    words.find_map(|word| if let Form::Allow(rules) = word.form { Some(rules) } else { None }).unwrap_or_default()
}

fn lower(argument: &Argument, place: Attribute, errors: &Errors) -> Option<Allow> {
    let (rule, words) = argument.inside().split_first()?;
    let here = judged_in(place);
    if !here.contains(&rule.word.as_str()) || !matches!(rule.value, Value::None) {
        errors.at(&rule.tokens, refusal(rule, place, here));
        return None;
    }
    let mut reason = None;
    for word in words {
        if word.word != "reason" {
            let example = format!("allow({}, reason = \"..\")", rule.word);
            errors.at(&word.tokens, format!("unknown word `{}` in `allow(..)`\nhelp: write `{example}`", word.word));
            return None;
        }
        if reason.is_some() {
            errors.at(&word.tokens, "`reason` is given twice in `allow(..)`\nhelp: remove the second `reason`");
            return None;
        }
        if !word.expect(Form::Text, "reason = \"..\"", errors) {
            return None;
        }
        reason = word.text();
    }
    // A rule without a reason still counts as silenced, so that a single mistake gives a single message.
    let reason = reason.filter(|reason| !reason.value().trim().is_empty()).unwrap_or_else(|| {
        errors.at(
            &argument.tokens,
            format!("a silenced rule needs a reason\nhelp: write `allow({}, reason = \"..\")`", rule.word),
        );
        syn::LitStr::new("", proc_macro2::Span::call_site())
    });
    Some(Allow { rule: rule.word.clone(), reason })
}

/// Says why nothing is silenced here, and names the attributes that judge the rule.
fn refusal(rule: &Argument, place: Attribute, here: &[&str]) -> String {
    let text = &rule.word;
    let elsewhere: Vec<String> = Attribute::ALL
        .iter()
        .filter(|attribute| judged_in(**attribute).contains(&text.as_str()))
        .map(|attribute| format!("`{}`", attribute.text()))
        .collect();
    let place_text = place.text();
    if here.contains(&text.as_str()) || elsewhere.is_empty() {
        let rules = here.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
        let what = match (here.contains(&text.as_str()), text.is_empty()) {
            (true, _) => format!("`{text}` is the name of a rule, and takes no value"),
            (false, true) => "`allow(..)` begins with the name of a rule".to_owned(),
            (false, false) => format!("the rule `{text}` cannot be silenced"),
        };
        return format!("{what}\nhelp: write the name of a rule; `{place_text}` can silence {rules}");
    }
    format!(
        "`{text}` is not judged in `{place_text}`, so nothing is silenced here\nhelp: write `allow({text}, reason = \"..\")` in the {}",
        elsewhere.join(" or ")
    )
}
