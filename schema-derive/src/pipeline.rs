//! The order of the stages. No further file knows the order.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Token, Type, parse::Parser, parse2, punctuated::Punctuated};

use crate::{
    errors::Errors,
    expand::{self, Mistake},
    lower,
    model::{Lost, Model},
    parse::SerdeRefusal,
    rules,
};

pub(crate) fn derive_model(input: TokenStream) -> TokenStream {
    let lose = |model: &mut Model| model.lose();
    let expand = (expand::expand_model as _, expand::fallback_model as _);
    stages(input, lower::lower_model, rules::enforce_model, lose, expand)
}

pub(crate) fn derive_embed(input: TokenStream) -> TokenStream {
    let expand = (expand::expand_embed as _, expand::fallback_embed as _);
    stages(input, lower::lower_embed, rules::enforce_embed, |_| (), expand)
}

pub(crate) fn derive_projection(input: TokenStream) -> TokenStream {
    let expand = (expand::expand_projection as _, expand::fallback_projection as _);
    stages(input, lower::lower_projection, rules::enforce_projection, |_| (), expand)
}

pub(crate) fn derive_patch(input: TokenStream) -> TokenStream {
    let expand = (expand::expand_patch as _, expand::fallback_patch as _);
    stages(input, lower::lower_patch, rules::enforce_patch, |_| (), expand)
}

pub(crate) fn derive_aggregate(input: TokenStream) -> TokenStream {
    let expand = (expand::expand_aggregate as _, expand::fallback_aggregate as _);
    stages(input, lower::lower_aggregate, rules::enforce_aggregate, |_| (), expand)
}

pub(crate) fn derive_facets(input: TokenStream) -> TokenStream {
    let expand = (expand::expand_facets as _, expand::fallback_facets as _);
    stages(input, lower::lower_facets, rules::enforce_facets, |_| (), expand)
}

type Expand<T> = fn(&T, Option<&Mistake>) -> Option<TokenStream>;
type Fallback = fn(&DeriveInput, &Mistake, &[Lost]) -> TokenStream;

/// Reads, judges and writes an item. After a mistake the impls are still written, without the checks and with the lost
/// names, so that a single mistake gives a single message.
fn stages<T>(
    input: TokenStream,
    lower: fn(&DeriveInput, &Errors) -> Option<T>,
    enforce: fn(&T, &Errors),
    lose: fn(&mut T),
    (expand, fallback): (Expand<T>, Fallback),
) -> TokenStream {
    let input = match parse2(input).and_then(name_self) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::new();
    let refusal = SerdeRefusal::of(&input);
    let mut lowered = lower(&input, &errors);
    if let Some(lowered) = &lowered {
        enforce(lowered, &errors);
    }
    // Serde's derive has the message when serde refuses the item: more messages would be about parts that serde did not
    // read.
    let mistake = refusal.error().or(errors.first()).map(Mistake::new);
    if let (Some(lowered), Some(_)) = (&mut lowered, &mistake) {
        lose(lowered);
    }
    let code = lowered.and_then(|lowered| expand(&lowered, mistake.as_ref()));
    let code = match (code, &mistake) {
        (Some(code), _) => allow_lints(code, &input),
        (None, Some(mistake)) => fallback(&input, mistake, &lower::lost_of_item(&input)),
        (None, None) => TokenStream::new(),
    };
    let errors = errors.finish();
    if refusal.is_any() {
        let serde = expand::expand_refused(&input, &refusal);
        return quote!(#code #serde);
    }
    quote!(#errors #code)
}

/// Returns the item with the item's name in the place of `Self`: generated code has the types of fields in places with
/// a different `Self`.
fn name_self(input: DeriveInput) -> syn::Result<DeriveInput> {
    if !input.generics.params.is_empty() {
        return Ok(input);
    }
    let name = input.ident.clone();
    let mut is_changed = false;
    let tokens = replace_self(quote!(#input), &name, &mut is_changed);
    if is_changed { parse2(tokens) } else { Ok(input) }
}

fn replace_self(tokens: TokenStream, name: &Ident, is_changed: &mut bool) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            *is_changed = true;
            let mut name = name.clone();
            name.set_span(ident.span());
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace_self(group.stream(), name, is_changed));
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        token => token,
    };
    tokens.into_iter().map(replace).collect()
}

/// Allows the lints that serde's derives do not raise either: names and types in the generated items come from the
/// user.
fn allow_lints(code: TokenStream, input: &DeriveInput) -> TokenStream {
    let allow = quote! {
        #[allow(deprecated, nonstandard_style, unused_qualifications)]
        #[allow(clippy::all, clippy::nursery, clippy::pedantic)]
    };
    // A check names the struct, and no further name of the user.
    let of_checks = is_deprecated(input).then(|| quote!(#[allow(deprecated)]));
    let (mut item, mut allowed) = (Vec::new(), TokenStream::new());
    for token in code {
        let is_end = matches!(&token, TokenTree::Punct(end) if end.as_char() == ';');
        item.push(token);
        if is_end {
            allowed.extend(if item.iter().any(is_block) { Some(&allow) } else { of_checks.as_ref() }.cloned());
            allowed.extend(item.drain(..));
        }
    }
    allowed.extend(item);
    allowed
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Returns whether the item or a field of the item is `#[deprecated]`.
fn is_deprecated(input: &DeriveInput) -> bool {
    let has = |attributes: &[Attribute]| attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"));
    let fields = match &input.data {
        Data::Struct(data) => data.fields.iter().any(|field| has(&field.attrs)),
        Data::Enum(data) => data.variants.iter().any(|variant| has(&variant.attrs)),
        Data::Union(_) => false,
    };
    has(&input.attrs) || fields
}

pub(crate) fn schema(input: TokenStream) -> TokenStream {
    match Punctuated::<Type, Token![,]>::parse_terminated.parse2(input) {
        Ok(models) => expand::expand_schema(&models.into_iter().collect::<Vec<_>>()),
        Err(error) => error.into_compile_error(),
    }
}
