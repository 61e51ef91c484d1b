//! Writes the struct of new values: `NewPost` of `Post`, the fields without a given value, and the code that reads and
//! encodes a new value.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Lit, LitStr, Meta, spanned::Spanned};

use super::{
    Mistake,
    definition::{expand_fields_of, expand_joined},
    span::{over, written},
};
use crate::{
    model::{Field, Fill, FillValue, Model, NewField, NewStruct, SerdeDefault},
    parse::identifier,
};

/// The two parts of the code.
pub(super) struct NewCode {
    /// The impls, inside the block of the derive.
    pub(super) impls: TokenStream,
    /// The struct, beside the model.
    pub(super) item: TokenStream,
}

/// Writes the struct of new values; `None` for a model that does not ask for the struct.
pub(super) fn expand_new(model: &Model, mistake: Option<&Mistake>) -> Option<NewCode> {
    let new = model.new.as_ref().filter(|_| model.tagged.is_none())?;
    let (name, of, text) = (&new.ident, &model.record.ident, new.ident.to_string());
    let whole = mistake.is_none();
    let definitions = model.new_fields(new).map(|(field, _)| {
        let definition = expand_fields_of(&model.record, &|other| other.ident == field.ident);
        let absent = is_default(field).then(|| quote!(.defaulted()));
        quote!(#definition #absent)
    });
    let definitions = expand_joined(quote!(#(#definitions),*), &model.record);
    let sequences = model.record.fields.iter().filter_map(Field::sequence);
    let left = model.record.fields.iter().filter(|field| field.is_left_to_writes()).map(|field| &field.name);
    let encode = if whole { expand_encode(model, new) } else { quote!(::core::unreachable!()) };
    let readers =
        model.new_fields(new).filter(|_| whole).filter_map(|(field, of)| expand_reader(model, field, of, new));
    let is_numbered = model.record.fields.iter().any(|field| field.sequence().is_some());
    let unnumbered = (!is_numbered || !whole).then(|| quote!(impl __schema::Unnumbered for #name {}));
    let unread = (!whole).then(|| expand_unread(name));
    let impls = quote! {
        impl __schema::Record for #name {
            const STRUCT: &'static str = #text;
            const FIELDS: &'static [__Stored] = #definitions;
        }
        impl __schema::NewValue for #name {
            type Of = #of;
            const SEQUENCES: &'static [&'static str] = &[#(#sequences),*];
            const LEFT: &'static [&'static str] = &[#(#left),*];
            fn encode(self, numbers: &[i64]) -> __schema::Result<__schema::RawDocumentBuf> {
                #encode
            }
        }
        #[allow(dead_code)]
        impl #name {
            #(#readers)*
        }
        #unnumbered
        #unread
    };
    Some(NewCode { impls, item: expand_item(model, new, whole) })
}

fn is_default(field: &Field) -> bool {
    field.fill.as_ref().is_some_and(Fill::is_default)
}

/// Writes the struct. serde's derive reads the struct from a request.
fn expand_item(model: &Model, new: &NewStruct, whole: bool) -> TokenStream {
    let (name, visibility, derives) = (&new.ident, &model.record.visibility, &new.derives);
    let about = format!(
        " A new [`{}`], without the fields that an insert or a write fills. A field with `None` gets the default.",
        model.record.ident
    );
    let metas = &new.serde;
    let read = whole.then(|| {
        let container = (!metas.is_empty()).then(|| quote!(#[serde(#(#metas),*)]));
        quote!(#[derive(::schema_runtime::__private::serde::Deserialize)] #container)
    });
    let fields = model.new_fields(new).map(|(field, of)| {
        let (ident, visibility, ty, docs) = (&field.ident, &field.visibility, field.written_ty(), &of.docs);
        let ty = if is_default(field) { quote!(::core::option::Option<#ty>) } else { quote!(#ty) };
        let serde = whole.then(|| expand_read(field, of, new));
        quote!(#(#docs)* #serde #visibility #ident: #ty)
    });
    let flats = model.record.flats.iter().zip(&new.flats).map(|(flat, of)| {
        let (ident, visibility, ty, docs) = (&flat.ident, &flat.visibility, &flat.ty, &of.docs);
        let serde = whole.then(|| quote!(#[serde(flatten)]));
        quote!(#(#docs)* #serde #visibility #ident: #ty)
    });
    let fields = fields.chain(flats);
    // rustc points at a struct by the first and the last token: both have the place of the model.
    let head = quote_spanned!(name.span()=> struct #name);
    let mut body = Group::new(Delimiter::Brace, quote!(#(#fields),*));
    body.set_span(name.span());
    quote! {
        #[doc = #about]
        #[derive(#(#derives),*)]
        #read
        #[allow(deprecated, nonstandard_style, unused_qualifications, clippy::all, clippy::nursery, clippy::pedantic)]
        #visibility #head #body
    }
}

/// Writes serde's attributes of a field that is read.
fn expand_read(field: &Field, of: &NewField, new: &NewStruct) -> TokenStream {
    let path = |function: Ident| LitStr::new(&format!("{}::{function}", new.ident), Span::call_site());
    let mut metas: Vec<TokenStream> = renamed(field).into_iter().collect();
    if is_default(field) {
        let reader = path(reader_ident(field));
        metas.push(quote!(default, deserialize_with = #reader));
    } else {
        let kept = ["with", "deserialize_with", "default"].iter().filter_map(|name| of.serde_of(name));
        metas.extend(kept.map(|meta| quote!(#meta)));
        if new.serde_default.is_some() && of.serde_of("default").is_none() {
            let default = path(default_ident(field));
            metas.push(quote!(default = #default));
        }
    }
    serde_attribute(metas)
}

fn renamed(field: &Field) -> Option<TokenStream> {
    let name = &field.name;
    (*name != field.rust_name).then(|| quote!(rename = #name))
}

fn serde_attribute(metas: Vec<TokenStream>) -> TokenStream {
    if metas.is_empty() { TokenStream::new() } else { quote!(#[serde(#(#metas),*)]) }
}

fn reader_ident(field: &Field) -> Ident {
    format_ident!("__read_{}", field.rust_name)
}

fn default_ident(field: &Field) -> Ident {
    format_ident!("__default_{}", field.rust_name)
}

/// Writes the function that serde reads a field with: the reader of a field with a default distinguishes null from an
/// absent field, and a default of the whole model is the default of the field.
fn expand_reader(model: &Model, field: &Field, of: &NewField, new: &NewStruct) -> Option<TokenStream> {
    let ty = &field.ty;
    if is_default(field) {
        let (name, own) = (reader_ident(field), quote!(<#ty as __schema::serde::Deserialize<'__de>>::deserialize));
        let read = of.reader.as_ref().map_or(own, |reader| quote!(#reader));
        return Some(quote! {
            fn #name<'__de, __D: __schema::serde::Deserializer<'__de>>(
                deserializer: __D,
            ) -> ::core::result::Result<::core::option::Option<#ty>, __D::Error> {
                ::core::result::Result::map(#read(deserializer), ::core::option::Option::Some)
            }
        });
    }
    let default = new.serde_default.as_ref().filter(|_| of.serde_of("default").is_none())?;
    let (name, ident, model) = (default_ident(field), &field.ident, &model.record.ident);
    let whole = match default {
        SerdeDefault::Trait => quote!(<#model as ::core::default::Default>::default()),
        SerdeDefault::Function(function) => quote!(#function()),
    };
    let ty = field.written_ty();
    Some(quote!(fn #name() -> #ty { #whole.#ident }))
}

/// Writes the impl of serde after a mistake: serde's derive would report the mistake of an attribute of serde again.
fn expand_unread(name: &Ident) -> TokenStream {
    quote! {
        impl<'__de> __schema::serde::Deserialize<'__de> for #name {
            fn deserialize<__D: __schema::serde::Deserializer<'__de>>(
                _: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                ::core::unreachable!()
            }
        }
    }
}

/// Writes the code that encodes a new value: serde writes a struct of all fields that an insert does not fill.
fn expand_encode(model: &Model, new: &NewStruct) -> TokenStream {
    let stored = || model.record.fields.iter().zip(&new.fields).filter(|(field, _)| !field.is_left_to_writes());
    let types = stored().map(|(field, of)| {
        let (ident, ty) = (&field.ident, field.written_ty());
        let mut metas: Vec<TokenStream> = renamed(field).into_iter().collect();
        let kept = ["with", "serialize_with", "skip_serializing_if"];
        metas.extend(kept.iter().filter_map(|name| of.serde_of(name)).map(|meta| quote!(#meta)));
        let serde = serde_attribute(metas);
        quote!(#serde #ident: #ty)
    });
    let types = types.chain(model.record.flats.iter().map(|flat| {
        let (ident, ty) = (&flat.ident, &flat.ty);
        quote!(#[serde(flatten)] #ident: #ty)
    }));
    let krate: Vec<&Meta> = new.serde.iter().filter(|meta| meta.path().is_ident("crate")).collect();
    let container = (!krate.is_empty()).then(|| quote!(#[serde(#(#krate),*)]));
    let mut sequences = 0;
    let values = stored().map(|(field, _)| {
        let (ident, value) = (&field.ident, expand_value(field, &mut sequences));
        quote!(#ident: #value)
    });
    let values = values.chain(model.record.flats.iter().map(|flat| {
        let ident = &flat.ident;
        quote!(#ident: self.#ident)
    }));
    quote! {
        #[derive(__schema::serde::Serialize)]
        #container
        struct __Filled {
            #(#types),*
        }
        __schema::encode_new::<Self>(&__Filled { #(#values),* })
    }
}

/// Writes the value of a field. Each expression of the user is in a function of its own, and sees no variable of the
/// derive.
fn expand_value(field: &Field, sequences: &mut usize) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    let Some(fill) = &field.fill else { return quote!(self.#ident) };
    match &fill.value {
        FillValue::Type => {
            let inner = written(ty);
            over(ty, quote!(<#inner as ::schema_runtime::__private::AutoValue>::new_value()))
        }
        FillValue::Function(function) => {
            let call = quote_spanned!(function.span()=> #function());
            quote!({ fn __auto() -> #ty { #call } __auto() })
        }
        FillValue::Sequence(_) => {
            let (at, name, inner) = (Literal::usize_unsuffixed(*sequences), identifier(ident), written(ty));
            *sequences += 1;
            let number = over(ty, quote!(<#inner as ::schema_runtime::__private::SequenceNumber>::numbered));
            quote!(#number(numbers, #at, #name)?)
        }
        FillValue::Default(value) => {
            let value = match value {
                None => over(&fill.tokens, quote!(::core::default::Default::default())),
                Some(Expr::Lit(literal)) if matches!(literal.lit, Lit::Str(_)) => {
                    over(literal, quote!(::core::convert::Into::into(#literal)))
                }
                Some(value) => quote!(#value),
            };
            quote! {
                match self.#ident {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => {
                        fn __default() -> #ty { #value }
                        __default()
                    }
                }
            }
        }
    }
}
