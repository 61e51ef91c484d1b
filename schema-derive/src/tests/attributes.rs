//! Compares the table of attributes with the declarations and the messages of the macros: each attribute in each place,
//! and each pair of attributes on a field.

use std::fmt::Write;

use proc_macro2::TokenStream;
use syn::{Macro, spanned::Spanned};

use super::help::may_follow;
use crate::{
    attributes::{Attribute, Place, Reason},
    parse::{Form, Word},
    pipeline,
};

pub(super) const PLACES: [Place; 17] = [
    Place::Model,
    Place::ModelField,
    Place::Id,
    Place::Embed,
    Place::EmbedField,
    Place::Newtype,
    Place::NewtypeField,
    Place::Enum,
    Place::Variant,
    Place::VariantField,
    Place::VariantValue,
    Place::ModelVariant,
    Place::ModelVariantField,
    Place::Projection,
    Place::ProjectionField,
    Place::Patch,
    Place::PatchField,
];

/// A message of a derive, and the text under the message.
pub(super) struct Reported {
    pub(super) message: String,
    pub(super) under: String,
}

/// Returns the messages of the mistakes that the derive of this place finds when the attributes stand there.
pub(super) fn mistakes(place: Place, attributes: &str, field: &str) -> Vec<String> {
    reported(place, attributes, field).into_iter().map(|reported| reported.message).collect()
}

/// Returns the mistakes that the derive of this place finds when the attributes stand there.
pub(super) fn reported(place: Place, attributes: &str, field: &str) -> Vec<Reported> {
    let field = if field.is_empty() { "name: String" } else { field };
    let ty = field.split_once(": ").map_or(field, |(_, ty)| ty);
    let beside = "beside: Option<Ref<Host>>, host: Ref<Host>";
    let stored_as_id = "#[serde(rename = \"_id\")]";
    let model = "#[model(collection = \"hosts\")]";
    let view = "#[projection(of = Host)]";
    let (derive, item): (fn(TokenStream) -> TokenStream, String) = match place {
        Place::Model if attributes.contains("#[model") => {
            (pipeline::derive_model, format!("{attributes} struct A {{ {stored_as_id} id: ObjectId, name: String }}"))
        }
        Place::Model => (
            pipeline::derive_model,
            format!("{model} {attributes} struct A {{ {stored_as_id} id: ObjectId, name: String }}"),
        ),
        Place::ModelField => (
            pipeline::derive_model,
            format!(
                "{model} struct A {{ {stored_as_id} id: ObjectId, title: String, {beside}, {attributes} {field} }}"
            ),
        ),
        Place::Id => {
            (pipeline::derive_model, format!("{model} struct A {{ {beside}, {attributes} {stored_as_id} {field} }}"))
        }
        Place::Embed => (pipeline::derive_embed, format!("{attributes} struct A {{ name: String }}")),
        Place::EmbedField => (pipeline::derive_embed, format!("struct A {{ {beside}, {attributes} {field} }}")),
        Place::Newtype => (pipeline::derive_embed, format!("{attributes} struct A(String);")),
        Place::NewtypeField => (pipeline::derive_embed, format!("struct A({attributes} {ty});")),
        Place::Enum => (pipeline::derive_embed, format!("{attributes} enum A {{ Open, Closed }}")),
        Place::Variant => (pipeline::derive_embed, format!("enum A {{ {attributes} Open, Closed }}")),
        Place::VariantField => (
            pipeline::derive_embed,
            format!("#[serde(tag = \"kind\")] enum A {{ Open {{ {beside}, {attributes} {field} }}, Closed }}"),
        ),
        Place::VariantValue => {
            (pipeline::derive_embed, format!("#[serde(tag = \"kind\")] enum A {{ Open({attributes} {ty}), Closed }}"))
        }
        Place::ModelVariant => (
            pipeline::derive_model,
            format!(
                "{model} #[serde(tag = \"kind\")] enum A {{ {attributes} Open {{ {stored_as_id} id: ObjectId, name: String }} }}"
            ),
        ),
        Place::ModelVariantField => (
            pipeline::derive_model,
            format!(
                "{model} #[serde(tag = \"kind\")] enum A {{ Open {{ {stored_as_id} id: ObjectId, title: String, {beside}, {attributes} {field} }} }}"
            ),
        ),
        Place::Projection if attributes.contains("#[projection") => {
            (pipeline::derive_projection, format!("{attributes} struct A {{ name: String }}"))
        }
        Place::Projection => (pipeline::derive_projection, format!("{view} {attributes} struct A {{ name: String }}")),
        Place::ProjectionField => (pipeline::derive_projection, format!("{view} struct A {{ {attributes} {field} }}")),
        Place::Patch => {
            let of = if attributes.contains("#[patch") { "" } else { "#[patch(Host)]" };
            (pipeline::derive_patch, format!("{of} {attributes} struct A {{ name: Option<String> }}"))
        }
        Place::PatchField => {
            (pipeline::derive_patch, format!("#[patch(Host)] struct A {{ {attributes} name: Option<String> }}"))
        }
    };
    let code: syn::File = syn::parse2(derive(item.parse().expect("it is Rust"))).expect("the derive writes items");
    let under = |reported: &Macro| {
        let (first, last) = (reported.path.span().start(), reported.delimiter.span().close().end());
        item.get(first.column..last.column).unwrap_or_default().to_owned()
    };
    let read = |reported| Reported { message: message(reported), under: under(reported) };
    compile_errors(&code).map(read).collect()
}

/// Returns the messages of a derive. Types that a mistake leaves unknown repeat the message, and rustc reports the
/// message once.
pub(super) fn messages(code: &syn::File) -> Vec<String> {
    compile_errors(code).map(message).collect()
}

fn compile_errors(code: &syn::File) -> impl Iterator<Item = &Macro> {
    code.items.iter().filter_map(|item| match item {
        syn::Item::Macro(reported) if reported.mac.path.segments.last()?.ident == "compile_error" => {
            Some(&reported.mac)
        }
        _ => None,
    })
}

fn message(reported: &Macro) -> String {
    reported.parse_body::<syn::LitStr>().expect("a message").value()
}

/// Returns an example that fits this place.
fn example(attribute: Attribute, place: Place) -> (&'static str, &'static str) {
    match (attribute, place) {
        (Attribute::Index, Place::Model | Place::ModelVariant) => ("#[index(name, unique)]", ""),
        (Attribute::Index, Place::Id) => ("#[index(hashed)]", ""),
        (Attribute::Relation, Place::Id) => ("#[relation(one_to_one, parent_ref, standalone)]", "user: Ref<User>"),
        (Attribute::Unversioned, _) => ("#[unversioned]", "stock: i32, #[version] version: i64"),
        (Attribute::Patch, Place::PatchField) => ("#[patch(field = title)]", ""),
        (Attribute::Embed, Place::ModelField | Place::EmbedField | Place::ProjectionField) => {
            ("#[serde(flatten)] #[embed(flat)]", "home: Address")
        }
        (Attribute::Extra, _) => ("#[extra(max_bytes = 4_000)]", "#[serde(skip)] rest: Document"),
        _ => attribute.row().example,
    }
}

#[test]
fn each_derive_declares_every_attribute_of_the_table() {
    let file = syn::parse_file(include_str!("../lib.rs")).expect("it is Rust");
    let mut derives = 0;
    for item in file.items {
        let syn::Item::Fn(function) = item else { continue };
        let Some(derive) = function.attrs.iter().find(|found| found.path().is_ident("proc_macro_derive")) else {
            continue;
        };
        let syn::Meta::List(list) = &derive.meta else { panic!("a derive has a list") };
        let text = list.tokens.to_string();
        let (_, declared) = text.split_once("attributes").expect("the derive declares attributes");
        let declared: Vec<&str> = declared
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let (serde, ours) = declared.split_last().expect("the derive declares attributes");
        let expected = match function.sig.ident.to_string().as_str() {
            "derive_aggregate" => [&["aggregate"], crate::lower::words_of_values().as_slice()].concat(),
            "derive_facets" => [&["facets"], crate::lower::words_of_facets().as_slice()].concat(),
            _ => Attribute::WORDS.to_vec(),
        };
        assert_eq!((*serde, ours), ("serde", expected.as_slice()), "{}", function.sig.ident);
        derives += 1;
    }
    assert_eq!(derives, 6);
}

#[test]
fn an_attribute_may_stand_where_the_table_says() {
    for attribute in Attribute::ALL {
        for place in attribute.row().places {
            let (tokens, field) = example(*attribute, *place);
            assert_eq!(mistakes(*place, tokens, field), Vec::<String>::new(), "{attribute:?} in {place:?}");
        }
    }
}

#[test]
fn an_attribute_anywhere_else_is_refused_by_one_message() {
    let mut text = String::new();
    for place in PLACES {
        for attribute in Attribute::ALL.iter().filter(|attribute| !attribute.may_stand(place)) {
            let (tokens, field) = attribute.row().example;
            let mistakes = mistakes(place, tokens, field);
            assert_eq!(mistakes.len(), 1, "{attribute:?} in {place:?}: {mistakes:?}");
            writeln!(text, "{place:?}: {}", mistakes[0]).expect("a text takes all");
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn an_unknown_word_is_refused_with_the_words_of_the_table() {
    for attribute in Attribute::ALL.iter().filter(|attribute| !attribute.words().is_empty()) {
        let (tokens, field) = attribute.row().example;
        let places = [Place::ModelField, Place::Model, Place::Embed, Place::Projection, Place::Patch];
        let place = places.into_iter().find(|place| attribute.may_stand(*place)).expect("it stands in one of them");
        let mistakes = mistakes(place, &tokens.replace(")]", ", colour = 1)]"), field);
        let [mistake] = &mistakes[..] else { panic!("{attribute:?}: {mistakes:?}") };
        assert!(mistake.starts_with(&format!("unknown word `colour` in `{}`", attribute.text())), "{mistake}");
        for Word { name, .. } in attribute.words() {
            assert!(mistake.contains(&format!("`{name}`")), "{attribute:?} does not say `{name}`: {mistake}");
        }
    }
}

/// Returns the example of an attribute, with `written` in the place of the word, or behind the further words.
pub(super) fn with(attribute: Attribute, name: &str, written: &str) -> String {
    let tokens = attribute.row().example.0;
    let Some((head, inside)) = tokens.strip_suffix(")]").and_then(|text| text.split_once('(')) else {
        panic!("{attribute:?} takes words")
    };
    let list = syn::parse::Parser::parse_str(
        syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated,
        inside,
    );
    let is_of = |expression: &syn::Expr| {
        let of = match expression {
            syn::Expr::Assign(assign) => &assign.left,
            syn::Expr::Call(call) => &call.func,
            other => other,
        };
        matches!(of, syn::Expr::Path(path) if path.path.is_ident(name))
    };
    let others: Vec<String> = list
        .expect("a list of words")
        .iter()
        .filter(|expression| !is_of(expression))
        .map(|expression| quote::quote!(#expression).to_string())
        .chain([written.to_owned()])
        .collect();
    format!("{head}({})]", others.join(", "))
}

/// Returns the values to try behind a word: a single form is right, and every further form is wrong.
pub(super) fn forms(name: &str) -> Vec<(&'static str, String)> {
    vec![
        ("alone", name.to_owned()),
        ("text", format!("{name} = \"a text\"")),
        ("number", format!("{name} = 3")),
        ("unit", format!("{name} = 3k")),
        ("unit", format!("{name} = 0.5kb")),
        ("negative", format!("{name} = -3")),
        ("truth", format!("{name} = true")),
        ("truth", format!("{name} = false")),
        ("number in parentheses", format!("{name}(3)")),
        ("nothing in parentheses", format!("{name}()")),
        ("type", format!("{name} as String")),
    ]
}

#[test]
fn each_word_has_one_form_and_is_given_once() {
    let mut tried = 0;
    for attribute in Attribute::ALL {
        let field = attribute.row().example.1;
        let places = [Place::ModelField, Place::Model, Place::Embed, Place::Projection, Place::Patch];
        for place in places.into_iter().filter(|place| attribute.may_stand(*place)) {
            let in_struct = *attribute == Attribute::Index && place == Place::Model;
            for word in attribute.words() {
                let is_direction = crate::model::Direction::WORDS.contains(&word.name);
                for (kind, written) in forms(word.name).into_iter().filter(|(kind, _)| !may_follow(word.form, kind)) {
                    // A field may have the name of the word.
                    let is_field = kind == "alone" && (in_struct || *attribute == Attribute::ShardKey);
                    if is_field || in_struct && is_direction {
                        continue;
                    }
                    let tokens = with(*attribute, word.name, &written);
                    let tokens = if in_struct {
                        tokens.replace("(unique, ", "(name, ").replace("index(", "index(title, ")
                    } else {
                        tokens
                    };
                    let mistakes = mistakes(place, &tokens, field);
                    let [mistake] = &mistakes[..] else { panic!("{tokens} in {place:?}: {mistakes:?}") };
                    assert!(mistake.contains(&format!("`{}", word.name)), "{tokens} in {place:?}: {mistake}");
                    tried += 1;
                }
                let may_repeat = matches!(word.form, Form::Allow(_)) || in_struct && is_direction;
                if !may_repeat {
                    let tokens = with(*attribute, word.name, &format!("{0}, {0}", word.example));
                    let mistakes = mistakes(place, &tokens, field);
                    let twice = format!("`{}` is given twice", word.name);
                    assert!(
                        mistakes.iter().any(|mistake| mistake.starts_with(&twice)),
                        "{tokens} in {place:?}: {mistakes:?}"
                    );
                }
            }
        }
    }
    assert!(tried > 700, "{tried}");
}

/// Returns the message about `second` beside `first`, on a field of the type of `first` or of `second`.
fn beside(first: Attribute, second: Attribute, field: &str) -> Option<String> {
    let of = |attribute| example(attribute, Place::ModelField).0;
    let mut attributes = format!("{} {}", of(first), of(second));
    if (first, second) == (Attribute::Embed, Attribute::Embed) {
        attributes = attributes.replacen("#[serde(flatten)]", "", 1);
    }
    if (first, second) == (Attribute::Check, Attribute::Check) {
        attributes = attributes.replacen("min_len = 1", "not_empty", 1);
    }
    let field = match field.split_once(": ").filter(|_| [first, second].contains(&Attribute::Hidden)) {
        Some((name, ty)) if !ty.starts_with("Hidden<") => &format!("{name}: Hidden<{ty}>"),
        _ => field,
    };
    let mut mistakes = mistakes(Place::ModelField, &attributes, field);
    assert!(mistakes.len() < 2, "{attributes} {field}: {mistakes:?}");
    mistakes.pop()
}

#[test]
fn every_two_attributes_of_a_field_stand_beside_each_other_or_are_refused() {
    let of_fields: Vec<Attribute> =
        Attribute::ALL.iter().copied().filter(|attribute| attribute.may_stand(Place::ModelField)).collect();
    let mut text = String::new();
    for (at, first) in of_fields.iter().enumerate() {
        for second in &of_fields[at..] {
            let other = second.row().example.1;
            // An index may be over any field, and a reference needs the type of a reference.
            let is_index = (*first, *second) == (Attribute::Index, Attribute::Reference);
            let one = if is_index { other } else { first.row().example.1 };
            let said = [beside(*first, *second, one), beside(*second, *first, other)];
            let excluded = first.excludes(*second).is_some()
                || by_words(*first, *second).is_some()
                || by_words(*second, *first).is_some();
            for said in &said {
                assert_eq!(
                    excluded,
                    said.as_ref().is_some_and(|said| is_of_table(said)),
                    "{first:?}, {second:?}: {said:?}"
                );
            }
            let said = said[0].as_deref().unwrap_or("both");
            writeln!(text, "{}, {}: {said}", first.text(), second.text()).expect("a text takes all");
        }
    }
    insta::assert_snapshot!(text);
}

/// Returns why the words of the example of an attribute exclude another attribute.
fn by_words(attribute: Attribute, other: Attribute) -> Option<Reason> {
    let example = attribute.row().example.0;
    let words = attribute.words().into_iter().filter(|word| example.contains(word.name));
    words.into_iter().find_map(|word| attribute.excludes_with(word.name, other))
}

#[test]
fn every_word_of_changes_stands_beside_another_attribute_or_is_refused() {
    let changes = Attribute::Changes;
    let of_fields = Attribute::ALL.iter().copied().filter(|other| other.may_stand(Place::ModelField));
    let mut refused = Vec::new();
    for other in of_fields.filter(|other| *other != changes) {
        for word in changes.words() {
            let (example, field) = other.row().example;
            let written = format!("#[changes({})]", word.example);
            for attributes in [format!("{written} {example}"), format!("{example} {written}")] {
                let mistakes = mistakes(Place::ModelField, &attributes, field);
                assert!(mistakes.len() < 2, "{attributes}: {mistakes:?}");
                let is_excluded =
                    changes.excludes(other).is_some() || changes.excludes_with(word.name, other).is_some();
                let is_refused = mistakes.iter().any(|mistake| is_of_table(mistake));
                assert_eq!(is_refused, is_excluded, "{attributes}: {mistakes:?}");
                if is_refused {
                    refused.push(format!("{} {}", word.name, other.word()));
                }
            }
        }
    }
    refused.sort_unstable();
    refused.dedup();
    let expected = [
        "often created_at, often extra, often immutable, often opaque, often updated_at, often version",
        "per_day created_at, per_day extra, per_day immutable, per_day updated_at, per_day version",
        "seldom computed, seldom extra, seldom opaque, seldom subset, seldom updated_at, seldom version",
    ];
    assert_eq!(refused.join(", "), expected.join(", "));
}

fn is_of_table(message: &str) -> bool {
    message.contains("cannot be used with") || message.contains("` is given twice")
}
