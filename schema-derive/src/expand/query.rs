//! How an application reads a model: `const` data, and a method for each query.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, parse_quote};

use super::span::{over, written};
use crate::{
    model::{Condition, Model, Operator, Query, QueryKey},
    parse::identifier,
};

/// `const QUERIES: .. = &[..];` of a model; nothing where it declares none.
pub(super) fn expand_queries(model: &Model) -> Option<TokenStream> {
    let queries = model.queries.iter().map(|query| {
        let name = identifier(&query.name);
        let conditions = query.conditions.iter().map(|condition| {
            let (path, operator) = (&condition.path, operator(condition.operator));
            quote!(__schema::ConditionDefinition::new(&[#(#path),*], __schema::ConditionOperator::#operator))
        });
        let order = (!query.order.is_empty()).then(|| {
            let keys = query.order.iter().map(|QueryKey { path, descending, .. }| {
                let make = Ident::new(if *descending { "desc" } else { "asc" }, Span::call_site());
                quote!(__Key::#make(&[#(#path),*]))
            });
            quote!(.order(&[#(#keys),*]))
        });
        let size = match (&query.limit, &query.page) {
            _ if query.one => Some(quote!(One)),
            (Some(limit), _) => Some(number(limit.value)).map(|limit| quote!(Limit(#limit))),
            (None, Some(page)) => Some(number(page.value)).map(|page| quote!(Page(#page))),
            (None, None) => None,
        };
        let size = size.map(|size| quote!(.size(__schema::QuerySize::#size)));
        let select = query.select.as_ref().map(|select| {
            let inner = written(select);
            over(select, quote!(.select::<#inner>()))
        });
        let per_day = query.per_day.as_ref().map(|often| {
            let often = number(often.value);
            quote!(.per_day(#often))
        });
        quote!(__schema::QueryDefinition::new(#name, &[#(#conditions),*]) #order #size #select #per_day)
    });
    let mut queries = queries.peekable();
    queries.peek()?;
    Some(quote!(const QUERIES: &'static [__schema::QueryDefinition] = &[#(#queries),*];))
}

/// `impl LogMsg { pub fn of_address(ipaddr: impl IntoValue<String>) -> Find<Self> { .. } }`
pub(super) fn expand_query_methods(model: &Model) -> TokenStream {
    if model.queries.is_empty() {
        return TokenStream::new();
    }
    let name = &model.record.ident;
    let methods = model.queries.iter().enumerate().map(|(at, query)| expand_method(model, at, query));
    quote! {
        #[allow(dead_code, private_interfaces, clippy::wrong_self_convention, clippy::should_implement_trait)]
        impl #name {
            #(#methods)*
        }
    }
}

fn expand_method(model: &Model, at: usize, query: &Query) -> TokenStream {
    let (name, at) = (&query.name, Literal::usize_unsuffixed(at));
    let (mut generics, mut arguments, mut filters) = (Vec::new(), Vec::new(), Vec::new());
    for condition in &query.conditions {
        let (argument, tokens, operator) = (&condition.argument, &condition.tokens, condition.operator);
        let ty = type_of(model, condition);
        let argument_type = match operator {
            Operator::Equals | Operator::More | Operator::NotLess | Operator::Less | Operator::NotMore => {
                quote!(impl __schema::IntoValue<#ty>)
            }
            Operator::Contains => quote!(impl __schema::IntoValue<__schema::ItemOf<#ty>>),
            Operator::IsIn => quote!(impl ::core::iter::IntoIterator<Item = impl __schema::IntoValue<#ty>>),
            Operator::StartsWith => quote!(&str),
            Operator::Between => {
                let value = match generics.len() {
                    0 => format_ident!("V"),
                    more => format_ident!("V{more}"),
                };
                generics.push(quote!(#value: __schema::IntoValue<#ty> + ::core::clone::Clone));
                quote!(impl ::core::ops::RangeBounds<#value>)
            }
        };
        arguments.push(quote!(#argument: #argument_type));
        let method = Ident::new(operator.word(), Span::call_site());
        let field = written(tokens);
        filters.push(over(tokens, quote!(Self::F.#field.#method(#argument))));
    }
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    let (read, call) = match &query.select {
        Some(select) => {
            let inner = written(select);
            (quote!(Self, #inner), quote!(__schema::declared_as(#at, [#(#filters),*])))
        }
        None => (quote!(Self), quote!(__schema::declared(#at, [#(#filters),*]))),
    };
    let (returned, call) = match &query.page {
        Some(_) => (quote!(__schema::FindPage<'static, #read>), quote!(__schema::pages_of(#at, #call))),
        None => (quote!(__schema::Find<#read>), call),
    };
    let doc = words(query);
    quote! {
        #[doc = #doc]
        pub fn #name #generics (#(#arguments),*) -> #returned {
            #call
        }
    }
}

/// The type that a condition's field is compared with.
fn type_of(model: &Model, condition: &Condition) -> TokenStream {
    let of_field = || model.record.fields.iter().find(|field| condition.path == [field.rust_name.clone()]);
    let ty: Type = match &condition.ty {
        Some(ty) => ty.clone(),
        None => of_field().map_or_else(|| parse_quote!(()), |field| field.ty.clone()),
    };
    written(&ty)
}

fn operator(operator: Operator) -> Ident {
    Ident::new(&format!("{operator:?}"), Span::call_site())
}

fn number(value: u64) -> Literal {
    Literal::u64_unsuffixed(value)
}

/// What the query reads, for the documentation.
fn words(query: &Query) -> String {
    let conditions: Vec<String> = query
        .conditions
        .iter()
        .map(|condition| {
            let path = condition.path.join(".");
            match condition.operator {
                Operator::Equals => format!("`{path}`"),
                other => format!("`{}({path})`", other.word()),
            }
        })
        .collect();
    let order: Vec<String> = query
        .order
        .iter()
        .map(|key| {
            let direction = if key.descending { "desc" } else { "asc" };
            format!("`{direction}({})`", key.path.join("."))
        })
        .collect();
    let mut words = match conditions.is_empty() {
        true => "The documents".to_owned(),
        false => format!("The documents by {}", conditions.join(", ")),
    };
    if !order.is_empty() {
        words.push_str(&format!(", in the order of {}", order.join(", ")));
    }
    match (&query.limit, &query.page) {
        _ if query.one => words.push_str(", one of them"),
        (Some(limit), _) => words.push_str(&format!(", {} at most", limit.value)),
        (None, Some(page)) => words.push_str(&format!(", in pages of {}", page.value)),
        (None, None) => {}
    }
    words.push_str(": a query that this model declares.");
    words
}
