//! Writes a tree: the definition of the fields, and the method that returns the path of a value.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::span::{over, this, written};
use crate::model::{Field, Model, Record, TreeRole};

/// Returns the most ancestors of a document; 1 after a mistake.
fn max_depth(record: &Record) -> Literal {
    let mut trees = record.fields.iter().filter_map(|field| field.tree.as_ref());
    let number = trees.find_map(|tree| tree.max_depth.as_ref());
    Literal::u64_unsuffixed(number.map_or(1, |number| number.value.clamp(1, 100)))
}

/// Writes `.tree(TreeField::Parent, 16)` or nothing.
pub(super) fn expand_tree(field: &Field, record: &Record, id: Option<&TokenStream>) -> Option<TokenStream> {
    let max_depth = max_depth(record);
    let role = match field.tree.as_ref()?.role {
        TreeRole::Parent => quote!(Parent),
        TreeRole::Ancestors => quote!(Ancestors),
        TreeRole::Path => {
            let id = id?;
            return Some(quote!(.tree_path(#max_depth, #id)));
        }
        TreeRole::Depth => quote!(Depth),
    };
    Some(quote!(.tree(__schema::TreeField::#role, #max_depth)))
}

/// `impl Tree for Category`
pub(super) fn expand_tree_impl(model: &Model) -> Option<TokenStream> {
    let name = &model.record.ident;
    let field = |role: TreeRole| {
        let mut fields = model.record.fields.iter();
        fields.find(|field| field.tree.as_ref().is_some_and(|tree| tree.role == role))
    };
    // After a mistake the name of the parent may be unknown.
    field(TreeRole::Parent).map(drop).or(model.has_lost_tree.then_some(()))?;
    let path = field(TreeRole::Path).map(|field| {
        let (ident, this, ty) = (&field.ident, this(&field.ty), written(&field.ty));
        let path = over(&field.ty, quote!(<#ty as __schema::PathOf<Self>>::text(&#this.#ident)));
        quote! {
            fn tree_path(&self) -> ::core::option::Option<&str> {
                ::core::option::Option::Some(#path)
            }
        }
    });
    Some(quote! {
        impl __schema::Tree for #name {
            #path
        }
    })
}
