//! `#[slug(..)]`: a text for addresses, made from another field.

use quote::ToTokens;

use super::{given::Given, number};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Bound, Direction, Index, IndexKey, Origin, Record, Slug, Stored},
    parse::{Arguments, Value, path_of},
};

const EXAMPLE: &str = "write `#[slug(from = name, max_len = 80)]`: the field that the slug is made from, and the most characters of the slug";

/// Reads the source of a slug. The `max_len` is the bound of the field.
pub(super) fn lower_slug(given: &Given<'_>, storage: &mut Stored, errors: &Errors) -> Option<Slug> {
    let attribute = given.get(Attribute::Slug)?;
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Slug.words(), errors);
    let max_len = number(arguments.get("max_len"));
    let keep_old = number(arguments.get("keep_old"));
    let follow = arguments.get("follow").map(|argument| argument.tokens.clone());
    let from = arguments.get("from").and_then(|argument| match &argument.value {
        Value::Assigned(value) => match path_of(value)?.as_slice() {
            [only] => Some((only.clone(), value.clone())),
            _ => None,
        },
        Value::None | Value::List(_) | Value::Typed(_) => None,
    });
    if errors.count() == before && (max_len.is_none() || from.is_none()) {
        let missing = match (arguments.get("from"), &from) {
            (None, _) => "needs `from`",
            (Some(_), None) => "is made `from` a single field of this struct",
            _ => "needs `max_len`",
        };
        errors.at(attribute.path(), format!("`#[slug(..)]` {missing}\nhelp: {EXAMPLE}"));
    }
    *storage = Stored::Bound(Bound { max: None, max_len: Some(max_len?), max_bytes: None, allows: Vec::new() });
    from.map(|(from, tokens)| Slug { from, tokens, follow, keep_old })
}

/// Returns the unique index of each slug: a slug belongs to a single document.
pub(super) fn needed_indexes(record: &Record) -> impl Iterator<Item = Index> + '_ {
    record.fields.iter().filter(|field| field.slug.is_some()).map(|field| {
        let ident = &field.ident;
        let path = vec![field.rust_name.clone()];
        let key = IndexKey { path, direction: Direction::Ascending, tokens: ident.to_token_stream() };
        Index { unique: Some(syn::parse_quote!(#ident)), ..Index::plain(vec![key], Origin::Slug(ident.clone())) }
    })
}
