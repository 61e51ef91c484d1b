//! Copies, as their holder and their source say them: `#[denormalize(..)]`, `#[copied_to(..)]`, `#[volatile]`,
//! `#[rarely_changes]`.

use syn::{Attribute, Expr, Meta};

use super::{allow::lower_allows, collection::split, managed::WORDS, number};
use crate::{
    errors::Errors,
    model::{ChangeRate, CopiedTo, Copy, CopyMode},
    parse::{Arguments, Value, is_reference, path_of},
};

/// Attributes of the source's fields.
pub(super) const OF_SOURCES: [&str; 3] = ["copied_to", "volatile", "rarely_changes"];

/// What a field is a copy of.
pub(super) fn lower_copy(field: &syn::Field, errors: &Errors) -> Option<Copy> {
    let mut attributes = named(field, "denormalize");
    let attribute = attributes.next()?;
    if let Some(second) = attributes.next() {
        errors.at(
            second.path(),
            "`#[denormalize(..)]` is given twice: a copy has one source\nhelp: remove one of the two",
        );
        return None;
    }
    let arguments = Arguments::read(attribute, errors);
    if let Some(path) = arguments.list.iter().find(|argument| argument.word.contains('.')) {
        errors.at(&path.tokens, format!("a copy says of what it is with `from`\nhelp: write `from = {}`", path.word));
        return None;
    }
    arguments.expect_words(&["from", "snapshot", "streamed", "allow"], errors);
    let example = "write `#[denormalize(from = host.ipaddr)]`: the field beside this one that refers to the source, and the field there";
    let Some(argument) = arguments.get("from") else {
        if errors.is_empty() {
            errors.at(attribute.path(), format!("this copy does not say of what\nhelp: {example}"));
        }
        return None;
    };
    let path = match &argument.value {
        Value::Assigned(value) => path_of(value).filter(|path| path.len() > 1).zip(Some(value)),
        _ => None,
    };
    let Some((mut path, tokens)) = path else {
        errors.at(&argument.tokens, format!("`from` takes a path of fields\nhelp: {example}"));
        return None;
    };
    let word = |word| arguments.get(word).inspect(|argument| argument.expect_word(errors));
    let mode = match (word("snapshot"), word("streamed")) {
        (Some(_), Some(streamed)) => {
            errors.at(
                &streamed.tokens,
                "`streamed` contradicts `snapshot`: a snapshot follows nothing\nhelp: remove one of the two",
            );
            CopyMode::Snapshot
        }
        (Some(_), None) => CopyMode::Snapshot,
        (None, Some(_)) => CopyMode::Streamed,
        (None, None) => CopyMode::Synced,
    };
    let reference = path.remove(0);
    let allows = lower_allows(&arguments.list, errors);
    Some(Copy { reference, from: path, mode, tokens: tokens.clone(), allows })
}

/// What a copy cannot be besides.
pub(super) fn refuse_beside_copy(field: &syn::Field, is_id: bool, errors: &Errors) {
    let Some(attribute) = named(field, "denormalize").next() else { return };
    let beside = |word: &&&str| field.attrs.iter().any(|attribute| attribute.path().is_ident(**word));
    let message = if is_id {
        "the `_id` is of this document alone and never changes, and a copy follows its source\nhelp: put the copy in a field of its own".to_owned()
    } else if is_reference(&field.ty) {
        "a reference says of what the copies beside it are, and is no copy itself\nhelp: remove this, or copy a plain field of the source".to_owned()
    } else if let Some(word) = ["relation", "opaque"].iter().find(beside) {
        format!(
            "a copy is what its source is, and `#[{word}(..)]` says something else of it\nhelp: remove one of the two"
        )
    } else if let Some(word) = WORDS.iter().find(beside) {
        format!(
            "the crate sets a field with `#[{word}]` at each write of this document, and a copy is set by the writes of its source\nhelp: remove one of the two"
        )
    } else {
        return;
    };
    errors.at(attribute.path(), message);
}

/// An `_id` is in every reference already, and never changes.
pub(super) fn refuse_of_sources(field: &syn::Field, errors: &Errors) {
    if let Some((word, attribute)) = OF_SOURCES.iter().find_map(|word| Some((word, named(field, word).next()?))) {
        let what = match *word {
            "copied_to" => "the `_id` is in each reference to this model, so there is nothing to copy",
            _ => "the `_id` never changes, so there is nothing to say of it",
        };
        errors.at(attribute.path(), format!("{what}\nhelp: remove this"));
    }
}

/// Where a field is copied to.
pub(super) fn lower_copied_to(field: &syn::Field, errors: &Errors) -> Vec<CopiedTo> {
    let mut all: Vec<CopiedTo> = Vec::new();
    for copied in named(field, "copied_to").filter_map(|attribute| lower_one_copied_to(attribute, errors)) {
        match all.iter().any(|other| other.tokens == copied.tokens) {
            true => errors.at(&copied.tokens, "this is given twice\nhelp: remove one of the two"),
            false => all.push(copied),
        }
    }
    all
}

fn lower_one_copied_to(attribute: &Attribute, errors: &Errors) -> Option<CopiedTo> {
    let mut arguments = Arguments::read(attribute, errors);
    let place = arguments
        .list
        .iter()
        .position(|argument| matches!(&argument.tokens, Expr::Path(path) if path.path.segments.len() > 1));
    let Some(place) = place else {
        if errors.is_empty() {
            errors.at(
                attribute.path(),
                "this does not say where the field is copied to\nhelp: write `#[copied_to(Product::parts)]`: the model that holds the copies, and its field",
            );
        }
        return None;
    };
    let place = arguments.list.remove(place);
    if let Some(second) = arguments.list.iter().find(|argument| argument.word.contains("::")) {
        errors.at(
            &second.tokens,
            format!("a field is copied to one place in each `#[copied_to(..)]`\nhelp: write `#[copied_to({})]` beside this one", second.word),
        );
        return None;
    }
    arguments.expect_words(&["fan_out", "allow"], errors);
    let Expr::Path(path) = &place.tokens else { return None };
    let (holder, field) = split(&path.path)?;
    let fan_out = number(arguments.get("fan_out"), errors);
    Some(CopiedTo { holder, field, fan_out, tokens: place.tokens, allows: lower_allows(&arguments.list, errors) })
}

/// How often a field changes, as far as the user says.
pub(super) fn lower_changes(field: &syn::Field, errors: &Errors) -> Option<(ChangeRate, syn::Path)> {
    let mut found: Option<(ChangeRate, syn::Path)> = None;
    for (word, changes) in [("volatile", ChangeRate::Often), ("rarely_changes", ChangeRate::Rarely)] {
        for attribute in named(field, word) {
            if !matches!(attribute.meta, Meta::Path(_)) {
                errors.at(&attribute.meta, format!("`#[{word}]` takes no words\nhelp: write `#[{word}]`"));
            } else if found.is_some() {
                errors.at(
                    attribute.path(),
                    "a field is `#[volatile]` or `#[rarely_changes]`, once\nhelp: remove this one",
                );
            } else {
                found = Some((changes, attribute.path().clone()));
            }
        }
    }
    found
}

pub(super) fn named<'f>(field: &'f syn::Field, word: &'static str) -> impl Iterator<Item = &'f Attribute> {
    field.attrs.iter().filter(move |attribute| attribute.path().is_ident(word))
}
