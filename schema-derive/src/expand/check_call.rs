//! The call of a check that needs a type: a `const fn` of the runtime, spanned on the user's tokens.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use super::span::over;

/// Writes `const _: () = ::schema_runtime::__private::the_check(..);` at the user's tokens.
pub(super) fn check(user: &impl ToTokens, name: &str, generics: TokenStream, arguments: TokenStream) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    let call = over(user, quote!(::schema_runtime::__private::#name #generics (#arguments)));
    quote!(const _: () = #call;)
}
