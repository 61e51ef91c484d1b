//! Copies, in the words of the holder and of the source: `#[denormalize(..)]`, `#[copied_to(..)]`, `#[changes(..)]`.

use syn::{Expr, Type};

use super::{allow::lower_allows, collection::split, given::Given, number};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{ChangeRate, Changes, CopiedTo, Copy, CopyMode},
    parse::{Arguments, Value, is_reference, path_of},
};

/// Reads the source of a copy; `None` for a field that is not a copy, and after a mistake.
pub(super) fn lower_copy(given: &Given<'_>, ty: &Type, errors: &Errors) -> Option<Copy> {
    let attribute = given.get(Attribute::Denormalize)?;
    if is_reference(ty) {
        errors.at(
            attribute.path(),
            "a reference cannot be a copy: a reference names the source document of the copies\nhelp: remove `#[denormalize(..)]`, or copy a plain field of the source",
        );
        return None;
    }
    let mut arguments = Arguments::read(attribute, errors);
    if let Some(path) = arguments.list.iter().find(|argument| argument.word.contains('.')) {
        errors.at(
            &path.tokens,
            format!("`#[denormalize(..)]` names the copied field with `from`\nhelp: write `from = {}`", path.word),
        );
        return None;
    }
    arguments.expect_words(&Attribute::Denormalize.words(), errors);
    let example = "write `#[denormalize(from = host.ipaddr)]`: the field of this struct that refers to the source, and the field of the source";
    let Some(argument) = arguments.get("from") else {
        if errors.is_empty() {
            errors.at(
                attribute.path(),
                format!("`#[denormalize(..)]` needs `from` with the copied field\nhelp: {example}"),
            );
        }
        return None;
    };
    let path = match &argument.value {
        Value::Assigned(value) => path_of(value).filter(|path| path.len() > 1).zip(Some(value)),
        Value::None | Value::List(_) | Value::Typed(_) => None,
    };
    let Some((mut path, tokens)) = path else {
        errors.at(
            &argument.tokens,
            format!("`from` takes a path: a reference, and a field of the referenced model\nhelp: {example}"),
        );
        return None;
    };
    let mode = match (arguments.get("snapshot"), arguments.get("external")) {
        (Some(_), Some(external)) => {
            errors.at(
                &external.tokens,
                "`external` contradicts `snapshot`: a snapshot is never updated\nhelp: remove `external` or `snapshot`",
            );
            CopyMode::Snapshot
        }
        (Some(_), None) => CopyMode::Snapshot,
        (None, Some(_)) => CopyMode::External,
        (None, None) => CopyMode::Synced,
    };
    let given = arguments.get("given");
    if let Some(given) = given.filter(|_| mode != CopyMode::Snapshot) {
        errors.at(
            &given.tokens,
            "`given` says that the program gives the value of a snapshot, and this copy is filled by this crate\nhelp: write `snapshot, given`, or remove `given`",
        );
    }
    let (reference, given) = (path.remove(0), given.is_some());
    let allows = lower_allows(&arguments.list, Attribute::Denormalize, errors);
    Some(Copy { reference, from: path, mode, given, tokens: tokens.clone(), allows })
}

/// Reads the holders that a field is copied to.
pub(super) fn lower_copied_to(given: &Given<'_>, errors: &Errors) -> Vec<CopiedTo> {
    let mut all: Vec<CopiedTo> = Vec::new();
    for copied in given.all(Attribute::CopiedTo).filter_map(|attribute| lower_one_copied_to(attribute, errors)) {
        match all.iter().any(|other| other.tokens == copied.tokens) {
            true => errors
                .at(&copied.tokens, "this field is already copied there\nhelp: remove the second `#[copied_to(..)]`"),
            false => all.push(copied),
        }
    }
    all
}

fn lower_one_copied_to(attribute: &syn::Attribute, errors: &Errors) -> Option<CopiedTo> {
    let mut arguments = Arguments::read(attribute, errors);
    let place = arguments
        .list
        .iter()
        .position(|argument| matches!(&argument.tokens, Expr::Path(path) if path.path.segments.len() > 1));
    let Some(place) = place else {
        if errors.is_empty() {
            errors.at(
                attribute.path(),
                "`#[copied_to(..)]` names the field that holds the copies\nhelp: write `#[copied_to(Product::parts)]` with the model and the field that hold the copies",
            );
        }
        return None;
    };
    let place = arguments.list.remove(place);
    if let Some(second) = arguments.list.iter().find(|argument| argument.word.contains("::")) {
        errors.at(
            &second.tokens,
            format!(
                "`#[copied_to(..)]` names a single field\nhelp: write a second attribute `#[copied_to({})]`",
                second.word
            ),
        );
        return None;
    }
    arguments.expect_words(&Attribute::CopiedTo.words(), errors);
    let Expr::Path(path) = &place.tokens else { return None };
    let (holder, field) = split(&path.path)?;
    let fan_out = number(arguments.get("fan_out"));
    Some(CopiedTo {
        holder,
        field,
        fan_out,
        tokens: place.tokens,
        allows: lower_allows(&arguments.list, Attribute::CopiedTo, errors),
    })
}

/// Reads how often a field changes, and how often a day in all documents together. For a copy, the source says both.
pub(super) fn lower_changes(given: &Given<'_>, copy: Option<&Copy>, errors: &Errors) -> Changes {
    let Some(attribute) = given.get(Attribute::Changes) else { return Changes::default() };
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Changes.words(), errors);
    if copy.is_some_and(Copy::tracks_source) {
        errors.at(
            attribute.path(),
            "a copy changes as often as the source\nhelp: put `#[changes(..)]` on the source field",
        );
        return Changes::default();
    }
    for argument in &arguments.list {
        if let Some(message) = given.excluding_word(Attribute::Changes, &argument.word) {
            errors.at(&argument.tokens, message);
        }
    }
    if arguments.list.is_empty() && errors.count() == before {
        errors.at(
            attribute.path(),
            "`#[changes(..)]` says how often the field changes\nhelp: write `#[changes(seldom)]`, `#[changes(often)]`, or how often a day in all documents together: `#[changes(per_day = 3)]`",
        );
    }
    let rate = match (arguments.get("often"), arguments.get("seldom")) {
        (Some(_), Some(seldom)) => {
            errors.at(
                &seldom.tokens,
                "`seldom` contradicts `often`: a field changes often or seldom\nhelp: remove `seldom` or `often`",
            );
            None
        }
        (Some(_), None) => Some(ChangeRate::Often),
        (None, Some(_)) => Some(ChangeRate::Seldom),
        (None, None) => None,
    };
    Changes { rate, per_day: number(arguments.get("per_day")) }
}
