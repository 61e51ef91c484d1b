//! Derive macros of `schema-runtime`.

use proc_macro::TokenStream;

/// See `schema_runtime`.
#[proc_macro_derive(Model, attributes(model, relation, index, bound, opaque, inverse))]
pub fn derive_model(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// See `schema_runtime`.
#[proc_macro_derive(Embed, attributes(relation, bound, opaque))]
pub fn derive_embed(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// See `schema_runtime`.
#[proc_macro_derive(Projection, attributes(projection))]
pub fn derive_projection(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// See `schema_runtime`.
#[proc_macro]
pub fn schema(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}
