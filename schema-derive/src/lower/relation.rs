//! `#[relation(cardinality, storage, ..)]`.

use super::{allow::lower_allows, collection::split, number, order::lower_order};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Apart, Cardinality, DeleteRule, MirrorOf, OnDelete, Relation, Storage},
    parse::{Argument, Arguments},
};

/// Reads a relation; `None` without a cardinality or without a storage.
pub(crate) fn lower_relation(mut arguments: Arguments, errors: &Errors) -> Option<Relation> {
    arguments.expect_words(&Attribute::Relation.words(), errors);
    let cardinality = only(&arguments, Cardinality::ALL, Cardinality::word, "cardinality", errors);
    let storage = only(&arguments, Storage::ALL, Storage::word, "storage", errors);
    let ((cardinality, cardinality_tokens), (storage, storage_tokens)) = (cardinality?, storage?);
    let of = lower_mirror(&arguments, storage, errors);
    let max = number(arguments.get("max"));
    if let Some(max) = max.as_ref().filter(|_| !storage.is_array(cardinality, of.is_some())) {
        errors.at(&max.tokens, without_array(cardinality, storage));
    }
    let order = match arguments.get("order") {
        Some(order) if !storage.may_order() || storage.is_mirrored() && storage.is_array(cardinality, of.is_some()) => {
            errors.at(&order.tokens, "`order` sorts the documents that the far side reads, and this relation has no sorted reads: an array has an order already\nhelp: remove `order`");
            Vec::new()
        }
        Some(order) if storage.is_array(cardinality, false) && arguments.get("inverse").is_none() => {
            errors.at(&order.tokens, "`order` sorts the documents that the far side reads, and this relation names no accessor for the far side\nhelp: name the accessor, as `inverse = products`; or remove `order`");
            Vec::new()
        }
        Some(order) => lower_order(order, errors),
        None => Vec::new(),
    };
    let inverse = match arguments.get("inverse") {
        Some(inverse) if !storage.has_far_side() => {
            errors.at(
                &inverse.tokens,
                "`inverse` is for references, and an embedded struct is read with the document\nhelp: remove `inverse`",
            );
            None
        }
        Some(inverse) => inverse.name(),
        None if storage.needs_far_side() && of.is_none() && arguments.get("of").is_none() => {
            errors.at(&storage_tokens, without_far_side(storage));
            None
        }
        None => None,
    };
    let on_delete = arguments.get("on_delete").and_then(|argument| match &of {
        Some(_) => lower_on_delete(argument, errors),
        None => {
            errors.at(&argument.tokens, "`on_delete` is about a delete of the referenced document, and is declared on the referenced model\nhelp: write `#[inverse(logmsgs = LogMsg::host, on_delete = cascade)]` on the referenced model, or `on_delete` beside the `of = ..` of a `two_way`");
            None
        }
    });
    let apart = Apart::ALL.iter().find_map(|apart| arguments.get(apart.word()).map(|argument| (*apart, argument)));
    let apart = apart.map(|(apart, argument)| {
        if !storage.could_be_embedded(cardinality) {
            errors.at(
                &argument.tokens,
                format!(
                    "`{}` says why a relation is not embedded, and `{}, {}` needs no reason\nhelp: remove `{}`",
                    apart.word(),
                    cardinality.word(),
                    storage.word(),
                    apart.word()
                ),
            );
        }
        (apart, argument.tokens.clone())
    });
    let by = match arguments.get("by") {
        Some(by) if !storage.refers() => {
            errors.at(&by.tokens, "`by` names the reference inside of extended references, and an embedded struct refers to nothing\nhelp: remove `by`");
            None
        }
        Some(by) if !storage.may_be_extended() => {
            errors.at(
                &by.tokens,
                "`two_way` stores bare references at both ends\nhelp: remove `by`, and store `Ref<..>`s",
            );
            None
        }
        Some(by) => by.name(),
        None => None,
    };
    let allows = lower_allows(&arguments.list, Attribute::Relation, errors);
    Some(Relation {
        cardinality,
        cardinality_tokens,
        storage,
        storage_tokens,
        max,
        order,
        inverse,
        of,
        on_delete,
        apart,
        by,
        allows,
    })
}

/// Reads `of = Task::owner`: the relation that this field mirrors.
fn lower_mirror(arguments: &Arguments, storage: Storage, errors: &Errors) -> Option<MirrorOf> {
    let argument = arguments.get("of")?;
    if !storage.is_mirrored() {
        errors.at(&argument.tokens, format!("`of` names the relation that the mirror of a `two_way` follows, and `{}` has no mirror\nhelp: remove `of`", storage.word()));
        return None;
    }
    if let Some(inverse) = arguments.get("inverse") {
        errors.at(&inverse.tokens, "`inverse` is for the side that is written, and `of` is for the mirror\nhelp: remove `inverse` or `of`, and write the removed word at the far side");
        return None;
    }
    match argument.names().and_then(split) {
        Some((child, field)) => Some(MirrorOf { child, field, tokens: argument.tokens.clone() }),
        None => {
            errors.at(
                &argument.tokens,
                "`of` names the relation that is mirrored\nhelp: write `of = Task::owner`: the model and the field of the relation",
            );
            None
        }
    }
}

/// Returns the message for a relation that must name the far side.
fn without_far_side(storage: Storage) -> &'static str {
    if storage.is_mirrored() {
        "a `two_way` relation is stored at both ends, and this relation names no far side\nhelp: at the side that is written, name the field of the mirror: `inverse = tasks`; at the mirror, name the relation: `of = Task::owner`"
    } else {
        "`one_way` is read from both sides, and this relation names no accessor for the far side\nhelp: write `inverse = books` here, and `#[inverse(books = Book::categories)]` on the referenced model; for a relation that is read from this side only, write `one_to_many, child_refs`"
    }
}

/// Reads `on_delete = cascade`; `None` after a mistake.
pub(super) fn lower_on_delete(argument: &Argument, errors: &Errors) -> Option<OnDelete> {
    let tokens = argument.name()?;
    let rule = DeleteRule::ALL.iter().copied().find(|rule| tokens == rule.word());
    if rule.is_none() {
        let words = DeleteRule::WORDS.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        errors.at(&tokens, format!("`{tokens}` is not a rule for a delete\nhelp: write one of {words}"));
    }
    rule.map(|rule| OnDelete { rule, tokens })
}

/// Returns the message for a `max` on a relation without an array.
fn without_array(cardinality: Cardinality, storage: Storage) -> String {
    let of_array = |other: &&Cardinality| other.storages().contains(&storage) && storage.is_array(**other, false);
    let instead = match Cardinality::ALL.iter().find(of_array) {
        Some(other) => format!(", or write `{}`", other.word()),
        None => String::new(),
    };
    format!(
        "`{}, {}` stores no array, so `max` means nothing here\nhelp: remove `max`{instead}",
        cardinality.word(),
        storage.word()
    )
}

/// Returns the single word of a kind; no word and two words are a mistake.
fn only<T: Copy + PartialEq>(
    arguments: &Arguments,
    all: &[T],
    word: fn(T) -> &'static str,
    kind: &str,
    errors: &Errors,
) -> Option<(T, syn::Expr)> {
    let mut found: Option<(T, &Argument)> = None;
    for argument in &arguments.list {
        let Some(value) = all.iter().copied().find(|value| word(*value) == argument.word) else { continue };
        match found {
            Some((first, _)) if first != value => {
                errors.at(
                    &argument.tokens,
                    format!(
                        "`{0}` contradicts `{1}`: a relation has a single {kind}\nhelp: remove `{0}` or `{1}`",
                        argument.word,
                        word(first)
                    ),
                );
                return None;
            }
            Some(_) => {}
            None => found = Some((value, argument)),
        }
    }
    if found.is_none() && errors.is_empty() {
        let words = all.iter().map(|value| format!("`{}`", word(*value))).collect::<Vec<_>>().join(", ");
        errors.at_span(
            arguments.span,
            format!("this relation has no {kind}\nhelp: write one of {words}, as in `#[relation(one_to_squillions, parent_ref)]`"),
        );
    }
    found.map(|(value, argument)| (value, argument.tokens.clone()))
}
