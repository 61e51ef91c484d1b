//! Writes the declared reads of a model: `const QUERIES`, and a method for each query.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Path;

use super::{
    collation::expand_collation,
    fields::expand_value_of,
    literal::number,
    span::{local, over, placed, written},
};
use crate::{
    model::{Condition, Model, Operator, Query, QueryKey},
    parse::{self, collection_literal, identifier},
};

/// Writes `const QUERIES: .. = &[..];` of a model; nothing for a model without queries.
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
            _ if query.one => Some(quote!(First)),
            (Some(limit), _) => Some(number(limit.value)).map(|limit| quote!(Limit(#limit))),
            (None, Some(page)) => Some(number(page.value)).map(|page| quote!(Page(#page))),
            (None, None) => None,
        };
        let size = size.map(|size| quote!(.size(__schema::QuerySize::#size)));
        let select = query.select.as_ref().map(|select| {
            let inner = written(select);
            over(select, quote!(.select::<#inner>()))
        });
        let aggregate = query.aggregate.as_ref().map(|result| {
            let function = expand_groups(result);
            over(result, quote!(.aggregate(#function)))
        });
        let per_day = query.per_day.as_ref().map(|often| {
            let often = number(often.value);
            quote!(.per_day(#often))
        });
        let collation = expand_collation(query.collation.as_ref());
        let hint = query.hint.as_ref().map(|hint| quote!(.hint(#hint)));
        let partial = query.partial_index(&model.indexes, &model.record).map(|at| {
            let at = Literal::usize_unsuffixed(at);
            quote!(.over_partial(#at))
        });
        quote!(__schema::QueryDefinition::new(#name, &[#(#conditions),*]) #order #size #select #aggregate #hint #partial #collation #per_day)
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
    // A rule reports two queries of the same name; only the first query is written.
    let mut taken = model.methods();
    let queries = model.queries.iter().enumerate().filter(|(_, query)| {
        let name = identifier(&query.name);
        let is_new = !taken.contains(&name);
        taken.push(name);
        is_new
    });
    let methods = queries.map(|(at, query)| expand_method(model, at, query));
    quote! {
        #[allow(dead_code, private_bounds, private_interfaces, unreachable_pub, clippy::wrong_self_convention, clippy::should_implement_trait)]
        impl #name {
            #(#methods)*
        }
    }
}

fn expand_method(model: &Model, at: usize, query: &Query) -> TokenStream {
    let (name, at) = (&query.name, Literal::usize_unsuffixed(at));
    let (mut generics, mut arguments, mut filters) = (Vec::new(), Vec::new(), Vec::new());
    for condition in &query.conditions {
        let (argument, tokens) = (&condition.argument, &condition.tokens);
        let (ty, fitted) = (type_of(model, condition), expand_fitted(condition));
        let argument_type = match condition.operator {
            Operator::Equals | Operator::More | Operator::NotLess | Operator::Less | Operator::NotMore => {
                quote!(impl __schema::IntoValue<#ty>)
            }
            Operator::Contains if condition.ty.is_some() => quote!(impl __schema::IntoValue<#ty>),
            Operator::Contains => match item_of(model, condition) {
                Some(item) => quote!(impl __schema::IntoValue<#item>),
                None => quote!(impl __schema::IntoValue<__schema::ElementOf<#ty>>),
            },
            Operator::IsIn => quote!(impl ::core::iter::IntoIterator<Item = impl __schema::IntoValue<#ty>>),
            Operator::StartsWith => quote!(&str),
            Operator::Between => {
                let value = match generics.len() {
                    0 => format_ident!("__V"),
                    more => format_ident!("__V{more}"),
                };
                generics.push(over(tokens, quote!(#value: __schema::IntoValue<#ty> + ::core::clone::Clone)));
                quote!(impl ::core::ops::RangeBounds<#value>)
            }
        };
        // The span is the user's code, so that rustc reports a mistake once, at the code of the user.
        let argument_type = over(tokens, argument_type);
        arguments.push(quote!(#argument: #argument_type));
        let method = Ident::new(condition.operator.word(), Span::call_site());
        let field = written(tokens);
        filters.push(over(tokens, quote!(Self::F.#field.#method(#fitted))));
    }
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    let doc = words(query);
    let head = quote!(#[doc = #doc] pub fn #name #generics (#(#arguments),*));
    if let Some(result) = &query.aggregate {
        let (inner, function) = (written(result), expand_groups(result));
        return quote!(#head -> __schema::Aggregation<#inner> { #function(#at, [#(#filters),*]) });
    }
    let (read, call) = match &query.select {
        Some(select) => {
            let inner = written(select);
            let function = placed(select, quote!(__schema::declared_as::<Self, #inner, _>));
            (quote!(Self, #inner), quote!(#function(#at, [#(#filters),*])))
        }
        None => (quote!(Self), quote!(__schema::declared(#at, [#(#filters),*]))),
    };
    let (returned, call) = match &query.page {
        Some(_) => (quote!(__schema::FindPage<'static, #read>), quote!(__schema::pages_of(#at, #call))),
        None => (quote!(__schema::Find<#read>), call),
    };
    quote!(#head -> #returned { #call })
}

/// Writes the function that makes a declared aggregation.
fn expand_groups(result: &Path) -> TokenStream {
    let inner = written(result);
    placed(result, quote!(__schema::declared_groups::<Self, #inner, _>))
}

/// Writes the argument of a condition. With a type from the user, the argument becomes a value that fits the type.
fn expand_fitted(condition: &Condition) -> TokenStream {
    let tokens = &condition.tokens;
    let argument = local(&condition.argument, tokens);
    let Some(ty) = &condition.ty else { return argument };
    let function = match condition.operator {
        Operator::StartsWith => return argument,
        Operator::Contains => "fitting_item",
        Operator::IsIn => "all_fitting",
        Operator::Between => "fitting_range",
        Operator::Equals | Operator::More | Operator::NotLess | Operator::Less | Operator::NotMore => "fitting",
    };
    let values = matches!(condition.operator, Operator::IsIn | Operator::Between).then(|| quote!(, _));
    let (function, ty, field) = (Ident::new(function, Span::call_site()), written(ty), written(tokens));
    over(tokens, quote!(__schema::#function::<#ty, _ #values>(Self::F.#field, #argument)))
}

/// Returns the type that the field of a condition is compared with.
fn type_of(model: &Model, condition: &Condition) -> TokenStream {
    let of_field = || model.record.fields.iter().find(|field| condition.path == [field.rust_name.clone()]);
    match (&condition.ty, of_field()) {
        (Some(ty), _) => written(ty),
        (None, Some(field)) => expand_value_of(model, field),
        (None, None) => quote!(()),
    }
}

/// Returns the type of an element; `None` when the array is not written out.
fn item_of(model: &Model, condition: &Condition) -> Option<TokenStream> {
    let field = model.record.fields.iter().find(|field| condition.path == [field.rust_name.clone()])?;
    match collection_literal(&field.ty)? {
        parse::Literal::Array(item) => Some(written(item)),
        parse::Literal::Map(_) => None,
    }
}

fn operator(operator: Operator) -> Ident {
    Ident::new(&format!("{operator:?}"), Span::call_site())
}

/// Describes the read of the query, for the documentation.
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
    let read = if query.aggregate.is_some() { "The groups of the documents" } else { "The documents" };
    let mut words = match conditions.is_empty() {
        true => read.to_owned(),
        false => format!("{read} by {}", conditions.join(", ")),
    };
    if !order.is_empty() {
        words.push_str(&format!(", in the order of {}", order.join(", ")));
    }
    match (&query.limit, &query.page) {
        _ if query.one => words.push_str(", one at most"),
        (Some(limit), _) => words.push_str(&format!(", {} at most", limit.value)),
        (None, Some(page)) => words.push_str(&format!(", in pages of {}", page.value)),
        (None, None) => {}
    }
    words.push_str(": a query that this model declares.");
    words
}
