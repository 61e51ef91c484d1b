//! Writes copies as `const` data, and the impls of extended references.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::{
    bounded_generics,
    definition::{expand_allows, expand_changes, expand_rate, target_of},
    span::{local, over, placed, this, written},
};
use crate::{
    model::{Allow, ChangeRate, Copy, CopyMode, Field, Managed, Record, Stored},
    parse::{identifier, last_segment},
};

/// Writes `const COPIES: .. = &[..];` of a struct; nothing for a struct without copies.
pub(super) fn expand_copies(record: &Record) -> Option<TokenStream> {
    let mut copies = record.fields.iter().filter_map(|field| expand_copy(record, field)).peekable();
    copies.peek()?;
    Some(quote!(const COPIES: &'static [__schema::CopyDefinition] = &[#(#copies),*];))
}

fn expand_copy(record: &Record, field: &Field) -> Option<TokenStream> {
    let copy = field.copy.as_ref()?;
    let reference = record.reference_of(copy)?;
    let (rust_name, name) = (&field.rust_name, &field.name);
    let (reference_rust, reference_name, from) = (&reference.rust_name, &reference.name, &copy.from);
    let target = target_of(&reference.ty);
    let follow = match copy.mode {
        CopyMode::Synced => TokenStream::new(),
        CopyMode::Snapshot if copy.given => quote!(.snapshot().given()),
        CopyMode::Snapshot => quote!(.snapshot()),
        CopyMode::External => quote!(.external()),
    };
    let code = quote! {
        __schema::CopyDefinition::new::<#target>(
            (#rust_name, #name), (#reference_rust, #reference_name), &[#(#from),*]
        ) #follow
    };
    let allows = allowed(&copy.allows);
    Some(over(&copy.tokens, quote!(#code #allows)))
}

/// Writes `const COPIED_TO: .. = &[..];` of a model; nothing when no field is copied.
pub(super) fn expand_copied_to(record: &Record) -> Option<TokenStream> {
    let mut copied = record
        .copied()
        .map(|(rust_name, copied)| {
            let (holder, holder_field) = (written(&copied.holder), identifier(&copied.field));
            let fan_out = copied.fan_out.as_ref().map(|fan_out| {
                let fan_out = Literal::u64_unsuffixed(fan_out.value);
                quote!(.fan_out(#fan_out))
            });
            let field = record.fields.iter().find(|field| field.rust_name == rust_name);
            let of_flat = || expand_rate(&record.flat(rust_name)?.changes);
            let changes = field.and_then(expand_changes).or_else(of_flat);
            let allows = allowed(&copied.allows);
            let code = quote! {
                __schema::CopiedTo::new::<#holder>(#rust_name, #holder_field) #fan_out #changes #allows
            };
            over(&copied.holder, code)
        })
        .peekable();
    copied.peek()?;
    Some(quote!(const COPIED_TO: &'static [__schema::CopiedTo] = &[#(#copied),*];))
}

fn allowed(allows: &[Allow]) -> Option<TokenStream> {
    if allows.is_empty() {
        return None;
    }
    let allows = expand_allows(allows);
    Some(quote!(.allows(#allows)))
}

/// Writes `const COPYABLE: .. = &["name", ..];` of a model. A copy of a field outside this list is refused at the copy.
pub(super) fn expand_copyable(record: &Record) -> TokenStream {
    let flats = record.flats.iter().map(|flat| &flat.rust_name);
    let names = record.fields.iter().filter(|field| is_copyable(field)).map(|field| &field.rust_name).chain(flats);
    quote!(const COPYABLE: &'static [&'static str] = &[#(#names),*];)
}

fn is_copyable(field: &Field) -> bool {
    let is_set_often =
        matches!(field.managed.as_ref().map(|managed| managed.managed), Some(Managed::Version | Managed::UpdatedAt))
            || field.changes.rate == Some(ChangeRate::Often);
    field.name != "_id"
        && !field.copy.as_ref().is_some_and(Copy::tracks_source)
        && field.rollup.is_none()
        && !matches!(field.storage, Stored::Opaque { .. })
        && (!is_set_often || field.allows("copy_of_volatile"))
}

/// Writes the impls of an extended reference: the target is the model that the single reference inside refers to.
pub(super) fn expand_reference(record: &Record) -> Option<TokenStream> {
    let reference = record.reference()?;
    let (name, ident, ty, text) = (&record.ident, &reference.ident, &reference.ty, &reference.rust_name);
    let bounded = bounded_generics(record);
    let (generics, type_generics, where_clause) = bounded.split_for_impl();
    let (target, inner) = (target_of(ty), written(ty));
    let (this, visit) = (this(ty), local(&format_ident!("visit"), ty));
    let each = over(ty, quote!(__References::each(&#this.#ident, #visit)));
    let reference = over(ty, quote!(<#inner as __schema::Reference>::reference(&#this.#ident)));
    // A reference field takes an extended reference as a value. An extended reference that may be empty is not a value.
    let values = is_never_empty(ty).then(|| {
        let fields =
            [placed(ty, quote!(__schema::Ref<#target>)), quote!(::core::option::Option<__schema::Ref<#target>>)];
        fields.map(|field| {
            quote! {
                impl #generics __schema::IntoValue<#field> for &#name #type_generics #where_clause {
                    fn into_value(self) -> __schema::Result<__schema::Bson> {
                        __schema::reference_value(self)
                    }
                }
            }
        })
    });
    let values = values.into_iter().flatten();
    Some(quote! {
        #(#values)*
        impl #generics __References for #name #type_generics #where_clause {
            type Target = #target;
            const BY: ::core::option::Option<&'static str> = ::core::option::Option::Some(#text);
            fn each<'__a>(&'__a self, visit: &mut dyn ::core::ops::FnMut(&'__a <Self::Target as __schema::Model>::Id)) {
                #each
            }
        }
        impl #generics __schema::Reference for #name #type_generics #where_clause {
            fn reference(&self) -> ::core::option::Option<&<Self::Target as __schema::Model>::Id> {
                #reference
            }
        }
    })
}

/// Returns whether a type is written as `Ref<..>`, not as `Option<Ref<..>>`.
fn is_never_empty(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|(name, _)| name == "Ref")
}
