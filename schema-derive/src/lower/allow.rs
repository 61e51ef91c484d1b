//! `allow(rule, reason = "..")`: a rule that may be broken here, with the reason.

use crate::{
    attributes::{Attribute, words::ALLOW_OF_AGGREGATE},
    errors::Errors,
    model::Allow,
    parse::{Argument, Form, Value, Word},
};

/// An attribute in which rules may be silenced.
struct JudgingPlace {
    /// The attribute as text: `#[model(..)]`.
    text: String,
    /// The rules that are judged in the attribute.
    rules: &'static [&'static str],
}

impl JudgingPlace {
    fn of(attribute: Attribute) -> JudgingPlace {
        JudgingPlace { text: attribute.text(), rules: judged_by(attribute.row().words.iter().copied().flatten()) }
    }

    /// Returns the attribute of an aggregation, which is not in the table of attributes.
    fn of_aggregate() -> JudgingPlace {
        JudgingPlace { text: "#[aggregate(..)]".to_owned(), rules: judged_by([&ALLOW_OF_AGGREGATE]) }
    }

    fn all() -> impl Iterator<Item = JudgingPlace> {
        Attribute::ALL.iter().copied().map(JudgingPlace::of).chain([JudgingPlace::of_aggregate()])
    }
}

/// Returns every `allow(..)` among the arguments of this attribute.
pub(crate) fn lower_allows(arguments: &[Argument], place: Attribute, errors: &Errors) -> Vec<Allow> {
    let place = JudgingPlace::of(place);
    arguments
        .iter()
        .filter(|argument| argument.word == "allow")
        .filter_map(|argument| lower(argument, &place, errors))
        .collect()
}

/// Reads an `allow(..)` of `#[aggregate(..)]`.
pub(crate) fn lower_aggregate_allow(argument: &Argument, errors: &Errors) -> Option<Allow> {
    let is_right = argument.expect(ALLOW_OF_AGGREGATE.form, ALLOW_OF_AGGREGATE.example, errors);
    is_right.then(|| lower(argument, &JudgingPlace::of_aggregate(), errors)).flatten()
}

/// Returns the rules of the word `allow` among these words.
fn judged_by<'a>(words: impl IntoIterator<Item = &'a Word>) -> &'static [&'static str] {
    let mut words = words.into_iter();
    words.find_map(|word| if let Form::Allow(rules) = word.form { Some(rules) } else { None }).unwrap_or_default()
}

fn lower(argument: &Argument, place: &JudgingPlace, errors: &Errors) -> Option<Allow> {
    let (rule, words) = argument.inside().split_first()?;
    if !place.rules.contains(&rule.word.as_str()) || !matches!(rule.value, Value::None) {
        errors.at(&rule.tokens, refusal(rule, place));
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
fn refusal(rule: &Argument, JudgingPlace { text: place_text, rules: here }: &JudgingPlace) -> String {
    let text = &rule.word;
    let elsewhere: Vec<String> = JudgingPlace::all()
        .filter(|place| place.rules.contains(&text.as_str()))
        .map(|place| format!("`{}`", place.text))
        .collect();
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
