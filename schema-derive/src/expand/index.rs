//! An index as data.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::{collation::expand_collation, collection_kind::expand_clause};
use crate::model::{Direction, Index, LANGUAGES, Origin, Place};

pub(super) fn expand_index(index: &Index) -> TokenStream {
    let keys = index.keys.iter().map(|key| {
        let path = &key.path;
        let make = variant(match key.direction {
            Direction::Ascending => "asc",
            Direction::Descending => "desc",
            Direction::Hashed => "hashed",
            Direction::Sphere => "sphere",
            Direction::Text => "text",
            Direction::Wildcard => "wildcard",
            Direction::Plane => "plane",
        });
        quote!(__Key::#make(&[#(#path),*]))
    });
    let name = index.name.as_ref().map(|name| quote!(.named(#name)));
    let unique = index.unique.is_some().then(|| quote!(.unique()));
    let sparse = index.sparse.is_some().then(|| quote!(.sparse()));
    let partial = (!index.partial.is_empty()).then(|| {
        let clauses = index.partial.iter().map(expand_clause);
        quote!(.partial(&[#(#clauses),*]))
    });
    let ttl = index.ttl.as_ref().map(|(seconds, _)| quote!(.expire_after_seconds(#seconds)));
    let kind = expand_kind(index);
    let hidden = index.hidden.is_some().then(|| quote!(.hidden()));
    let collation = expand_collation(index.collation.as_ref());
    let origin = match &index.origin {
        Origin::Declared(_) => None,
        Origin::Relation(field) => {
            let field = crate::parse::identifier(field);
            Some(quote!(.for_relation(#field)))
        }
        Origin::ShardKey => Some(quote!(.for_shard_key())),
        Origin::Slug(_) => Some(quote!(.for_slug())),
        Origin::Tree(_) => Some(quote!(.for_tree())),
        Origin::Query(name) => {
            let name = crate::parse::identifier(name);
            Some(quote!(.for_query(#name)))
        }
    };
    let variant = index.variant.as_ref().map(|name| quote!(.of_variant(#name)));
    quote!(__Index::new(&[#(#keys),*]) #name #unique #sparse #partial #ttl #kind #hidden #collation #variant #origin)
}

/// Writes the settings of a text, wildcard or plane index.
fn expand_kind(index: &Index) -> Option<TokenStream> {
    let settings = &index.settings;
    let has = |direction| index.keys.iter().any(|key| key.direction == direction);
    if has(Direction::Text) {
        let weights = settings.weights.iter().map(|weight| {
            let (path, weight) = (&weight.path, Literal::u64_unsuffixed(weight.weight.min(u64::from(u32::MAX))));
            quote!(__schema::TextWeight::new(&[#(#path),*], #weight))
        });
        let weights = (!settings.weights.is_empty()).then(|| quote!(.weights(&[#(#weights),*])));
        let language = settings.language.as_ref().and_then(|(name, _)| {
            let (_, name) = LANGUAGES.iter().find(|(language, _)| *language == name.value())?;
            let name = variant(name);
            Some(quote!(.language(__schema::TextLanguage::#name)))
        });
        let field = settings.language_field.as_ref().map(|(field, _)| {
            let field = crate::parse::identifier(field);
            quote!(.language_field(#field))
        });
        Some(quote!(.text(__schema::TextIndex::new() #weights #language #field)))
    } else if has(Direction::Wildcard) {
        let paths = match (settings.only.as_slice(), settings.except.as_slice()) {
            ([], []) => quote!(All),
            ([], except) => expand_places("Except", except),
            (only, _) => expand_places("Only", only),
        };
        Some(quote!(.wildcard(__schema::WildcardPaths::#paths)))
    } else if has(Direction::Plane) {
        let bits = settings.bits.as_ref().map(|(bits, _)| {
            let bits = Literal::u64_unsuffixed((*bits).min(u64::from(u8::MAX)));
            quote!(.bits(#bits))
        });
        let min = settings.min.as_ref().map(|(min, _)| quote!(.min(#min)));
        let max = settings.max.as_ref().map(|(max, _)| quote!(.max(#max)));
        Some(quote!(.plane(__schema::PlaneIndex::new() #bits #min #max)))
    } else {
        None
    }
}

fn expand_places(kind: &str, places: &[Place]) -> TokenStream {
    let kind = variant(kind);
    let paths = places.iter().map(|place| {
        let path = &place.path;
        quote!(&[#(#path),*])
    });
    quote!(#kind(&[#(#paths),*]))
}

/// Makes a name of the runtime, with the span of the macro call.
fn variant(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
