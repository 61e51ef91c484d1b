//! The names that attributes bring. After a mistake in an attribute, the names still exist.

use heck::ToShoutySnakeCase;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::format_ident;
use syn::{Data, DeriveInput, Meta, parse2};

use super::given::Given;
use crate::{
    attributes::{Attribute, words::OF_INVERSE},
    model::{BY_SHARD_KEY, CHILDREN, Lost, LostForm, Variant},
    parse::identifier,
};

/// Returns the names that the attributes of a field bring.
pub(super) fn of_field(given: &Given<'_>, ident: &Ident) -> Vec<Lost> {
    let text = identifier(ident);
    let mut lost = Vec::new();
    if given.get(Attribute::Relation).or(given.get(Attribute::Tree)).is_some() {
        lost.extend(relation(ident));
        lost.push(of_type(format_ident!("of_{text}", span = ident.span())));
    }
    if given.get(Attribute::Slug).is_some() {
        lost.push(of_type(format_ident!("by_{text}", span = ident.span())));
    }
    if given.get(Attribute::History).is_some() {
        lost.push(Lost { name: format_ident!("{text}_at", span = ident.span()), form: LostForm::OfValue(1) });
    }
    lost
}

/// Returns the names that a tree brings beside the fields.
pub(super) fn of_tree(input: &DeriveInput) -> Vec<Lost> {
    match has_tree(input) {
        true => relation(&Ident::new(CHILDREN, input.ident.span())).into(),
        false => Vec::new(),
    }
}

fn has_tree(input: &DeriveInput) -> bool {
    let Data::Struct(data) = &input.data else { return false };
    let mut attributes = data.fields.iter().flat_map(|field| &field.attrs);
    attributes.any(|attribute| Attribute::of(attribute.path()) == Some(Attribute::Tree))
}

/// Returns the accessors that an `#[inverse(..)]` names.
pub(super) fn of_inverse(attribute: &syn::Attribute) -> impl Iterator<Item = Lost> {
    let tokens: Vec<TokenTree> = tokens_of(attribute).into_iter().collect();
    let named = |pair: &[TokenTree]| match pair {
        [word, TokenTree::Punct(equals)] if equals.as_char() == '=' => name(word),
        _ => None,
    };
    let is_accessor = |word: &Ident| !OF_INVERSE.iter().any(|option| word == option.name);
    let accessors: Vec<Ident> = tokens.windows(2).filter_map(named).filter(is_accessor).collect();
    accessors.into_iter().flat_map(|accessor| relation(&accessor))
}

/// Returns the method of a `#[query(..)]`.
pub(super) fn of_query(attribute: &syn::Attribute) -> Option<Lost> {
    tokens_of(attribute).into_iter().next().as_ref().and_then(name).map(of_type)
}

/// Returns the filter of a `#[shard_key(..)]`.
pub(super) fn of_shard_key(attribute: &syn::Attribute) -> Lost {
    of_type(Ident::new(BY_SHARD_KEY, attribute.pound_token.span))
}

/// Returns all names that the attributes of an item bring, when nothing else is known of the item.
pub(crate) fn of_item(input: &DeriveInput) -> Vec<Lost> {
    let mut lost = of_tree(input);
    for attribute in &input.attrs {
        match Attribute::of(attribute.path()) {
            Some(Attribute::Query) => lost.extend(of_query(attribute)),
            Some(Attribute::Inverse) => lost.extend(of_inverse(attribute)),
            Some(Attribute::ShardKey) => lost.push(of_shard_key(attribute)),
            _ => {}
        }
    }
    match &input.data {
        Data::Struct(data) => {
            for field in &data.fields {
                let attributes = Given::all_of(&field.attrs);
                lost.extend(field.ident.iter().flat_map(|ident| of_field(&attributes, ident)));
            }
        }
        Data::Enum(data) => {
            let views = data.variants.iter().map(|variant| Variant::view_of(&variant.ident));
            lost.extend(views.filter_map(|view| syn::parse_str(&view).ok()).map(of_type));
        }
        Data::Union(_) => {}
    }
    lost
}

/// Returns `Post::AUTHOR` and `post.author()`.
fn relation(accessor: &Ident) -> [Lost; 2] {
    let constant = format_ident!("{}", identifier(accessor).to_shouty_snake_case(), span = accessor.span());
    [of_type(constant), Lost { name: accessor.clone(), form: LostForm::OfValue(0) }]
}

fn of_type(name: Ident) -> Lost {
    Lost { name, form: LostForm::OfType }
}

/// Returns the token as a name; `None` for a token that cannot be a name.
fn name(token: &TokenTree) -> Option<Ident> {
    parse2(token.clone().into()).ok()
}

/// Returns the tokens in the parentheses of an attribute. The tokens may be no list of arguments.
fn tokens_of(attribute: &syn::Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}
