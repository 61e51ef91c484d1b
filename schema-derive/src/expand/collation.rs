//! A collation, as `const` data.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::literal::number;
use crate::model::{Collation, CollationValue, spelled};

/// Writes `.collation(__schema::CollationDefinition::new("nb").strength(2))`; nothing without a collation.
pub(super) fn expand_collation(collation: Option<&Collation>) -> Option<TokenStream> {
    let collation = collation?;
    let locale = &collation.locale;
    let options = collation.options.iter().map(|option| {
        let method = Ident::new(option.word, Span::call_site());
        let value = match &option.value {
            CollationValue::Number(value) => {
                let value = number(*value);
                quote!(#value)
            }
            CollationValue::Switch(on) => quote!(#on),
            CollationValue::Word(word) => {
                let word = spelled(word);
                quote!(#word)
            }
        };
        quote!(.#method(#value))
    });
    Some(quote!(.collation(__schema::CollationDefinition::new(#locale) #(#options)*)))
}
