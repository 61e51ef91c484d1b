//! The guide's page of each attribute: the facts on the page come from the table of attributes. Write the facts again
//! with `SCHEMA_TESTS_BLESS=1 cargo test -p schema-derive guide`.

use std::{env, fmt::Write, fs, path::Path};

use super::attributes::PLACES;
use crate::{
    attributes::{Attribute, Place},
    parse::{Form, Word},
};

fn text_of(place: Place) -> &'static str {
    match place {
        Place::Model => "a model",
        Place::ModelField => "a field of a model",
        Place::Id => "the field that is stored as `_id`",
        Place::Embed => "an embedded struct",
        Place::EmbedField => "a field of an embedded struct",
        Place::Newtype => "a newtype",
        Place::NewtypeField => "the value of a newtype",
        Place::Enum => "an enum",
        Place::Variant => "a variant of an enum",
        Place::VariantField => "a field of a variant",
        Place::VariantValue => "the struct in a variant",
        Place::ModelVariant => "a variant of a model",
        Place::ModelVariantField => "a field of a variant of a model",
        Place::Projection => "a projection",
        Place::ProjectionField => "a field of a projection",
        Place::Patch => "a patch",
        Place::PatchField => "a field of a patch",
    }
}

fn text_of_form(form: &Form) -> String {
    match form {
        Form::Flag => "the word alone".to_owned(),
        Form::Switch => "the word alone, or `= true`, `= false`".to_owned(),
        Form::Text => "a text".to_owned(),
        Form::Number => "a whole number".to_owned(),
        Form::Limit => "a number, also negative or with a fraction".to_owned(),
        Form::Percentage => "a percentage".to_owned(),
        Form::Name => "a name".to_owned(),
        Form::Path => "a path of Rust".to_owned(),
        Form::Field => "a field, also of an embedded struct".to_owned(),
        Form::Call => "a function of a field".to_owned(),
        Form::Order => "fields with directions".to_owned(),
        Form::Optional(form) => format!("the word alone, or with {}", text_of_form(form)),
        Form::List => "a list in parentheses".to_owned(),
        Form::Values => "texts or whole numbers in parentheses".to_owned(),
        Form::Words(words) => format!("words in parentheses: {}", crate::parse::listed(words)),
        Form::Allow(rules) => {
            let rules: Vec<String> = rules.iter().map(|rule| format!("[`{rule}`](../rules/{rule}.md)")).collect();
            format!("a rule and the reason: {}", rules.join(", "))
        }
    }
}

/// Returns the rows of words, and of the words inside of words. The path leads to an inner word.
fn rows_of(words: &[Word], path: &str, rows: &mut String) {
    for word in words {
        let example = word.example.replace('|', "\\|");
        writeln!(rows, "| `{path}{}` | {} | `{example}` |", word.name, text_of_form(&word.form)).expect("a String");
        if let Form::Words(inner) | Form::Optional(Form::Words(inner)) = &word.form {
            rows_of(inner, &format!("{path}{}: ", word.name), rows);
        }
    }
}

/// Returns the facts of an attribute as Markdown.
fn facts(attribute: Attribute) -> String {
    let row = attribute.row();
    let places = PLACES.into_iter().filter(|place| attribute.may_stand(*place)).map(text_of);
    let (example, field) = row.example;
    let field = if field.is_empty() { String::new() } else { format!(", as in `{field}`") };
    let mut facts = format!("- Form: `{example}`{field}\n- Places: {}\n", places.collect::<Vec<_>>().join(", "));
    let repeated = if row.repeats { "may stand several times on an item" } else { "stands once on an item" };
    writeln!(facts, "- Number: the attribute {repeated}").expect("a String");
    let words = attribute.words();
    if !words.is_empty() {
        facts.push_str("\n| word | form | example |\n|---|---|---|\n");
        rows_of(&words, "", &mut facts);
    }
    let mut excluded = String::new();
    for other in Attribute::ALL.iter().filter(|other| **other != attribute) {
        if let Some(why) = attribute.excludes(*other).and_then(|reason| reason.why) {
            let (word, name) = (other.word(), other.text());
            writeln!(excluded, "| [`{name}`]({word}.md) | {why} |").expect("a String");
        }
    }
    if !excluded.is_empty() {
        write!(facts, "\n| not beside | reason |\n|---|---|\n{excluded}").expect("a String");
    }
    facts
}

/// Returns the table of all attributes: a row for each attribute, with a link to the page.
fn index() -> String {
    let mut table = String::from("| attribute | places | example |\n|---|---|---|\n");
    for attribute in Attribute::ALL {
        let places = PLACES.into_iter().filter(|place| attribute.may_stand(*place)).map(text_of);
        let (name, text, example) = (attribute.word(), attribute.text(), attribute.row().example.0);
        let places = places.collect::<Vec<_>>().join(", ");
        writeln!(table, "| [`{text}`](../attributes/{name}.md) | {places} | `{example}` |").expect("a String");
    }
    table
}

#[test]
fn the_guide_has_the_facts_of_each_attribute() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guide");
    // The facts, and the page that includes the facts.
    let of_attribute = |attribute: &Attribute| (format!("attributes/{}", attribute.word()), facts(*attribute));
    let mut files: Vec<(String, String)> = Attribute::ALL.iter().map(of_attribute).collect();
    files.push(("reference/attributes".to_owned(), index()));
    for (name, facts) in files {
        let path = guide.join(format!("generated/{name}.md"));
        if env::var_os("SCHEMA_TESTS_BLESS").is_some() {
            fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the facts");
            fs::write(&path, &facts).expect("the facts can be written");
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == facts, "{} is not of the table: bless as the head of this file says", path.display());
        let page = fs::read_to_string(guide.join(format!("pages/{name}.md"))).unwrap_or_default();
        let include = format!("{{{{#include ../../generated/{name}.md}}}}");
        assert!(page.contains(&include), "guide/pages/{name}.md has no line `{include}`");
    }
}
