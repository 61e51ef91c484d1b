//! Writes the result of an aggregation: the definition, the tokens of the fields and the calls of the checks.

mod children;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::DeriveInput;

use super::{
    Mistake,
    check_call::check,
    definition::expand_allows,
    literal::{expand_literal, expand_option, number},
    span::{over, placed, written},
};
use crate::{
    model::{
        Lost, QueryKey,
        aggregate::{Aggregate, AggregateField, AggregateValue, Key, KeyForm, Term, Test, ValueKind},
    },
    parse::ungroup,
};

pub(crate) fn expand_aggregate(aggregate: &Aggregate, mistake: Option<&Mistake>) -> Option<TokenStream> {
    let (name, of, whole) = (&aggregate.ident, &aggregate.of, mistake.is_none());
    let model = model_of(aggregate);
    let text = name.to_string();
    let alias = mistake.map(Mistake::alias);
    let fields = aggregate.fields.iter().map(expand_field);
    let definition = if whole { expand_definition(aggregate) } else { quote!(new(&[], &[], &[])) };
    // After a mistake the definition names no children, and nothing is judged.
    let (relations, checks) = match (whole, aggregate.is_of_parents()) {
        (false, _) => (TokenStream::new(), TokenStream::new()),
        (true, true) => (children::expand_relations(aggregate), children::expand_checks(aggregate)),
        (true, false) => (TokenStream::new(), expand_checks(aggregate)),
    };
    let filled = aggregate.fill.as_ref().map(|_| quote!(impl __schema::Filled for #name {}));
    let merged = aggregate.into.as_ref().map(|into| {
        let into = written(into);
        quote!(impl __schema::Merged for #name { type Into = #into; })
    });
    let into = aggregate.into.as_ref().filter(|_| whole);
    let merge_check = into.map(|into| check(into, "aggregate_merge", quote!(::<#name>), quote!()));
    let fill = aggregate.fill.as_ref().map(|_| quote!(.filled()));
    let allows = (!aggregate.allows.is_empty()).then(|| {
        let allows = expand_allows(&aggregate.allows);
        quote!(.allows(#allows))
    });
    let (tokens_name, tokens) = expand_tokens(aggregate);
    let made = aggregate.fields.iter().filter(|field| has_token(field)).map(|field| {
        let ident = &field.ident;
        quote!(#ident: __schema::field_token())
    });
    Some(quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            #alias
            #tokens
            impl __schema::Record for #name {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__Stored] = &[#(#fields),*];
            }
            impl __schema::AggregateSource for #name {
                type Of = #model;
                const DOCUMENTS: &'static __Definition = &__Definition::of_groups(#text, <Self as __schema::Record>::FIELDS, #whole);
                const GROUPS: ::core::option::Option<&'static __schema::Groups> =
                    ::core::option::Option::Some(&<Self as __schema::Aggregate>::ALL);
            }
            impl __schema::TopRow for #name {}
            #filled
            #merged
            #relations
            impl __schema::Aggregate for #name {
                type Source = #of;
                type Fields = #tokens_name;
                const F: #tokens_name = #tokens_name { #(#made,)* };
                const AGGREGATE: __schema::AggregateDefinition = __schema::AggregateDefinition::#definition #fill #allows;
            }
        };
        #checks
        #merge_check
    })
}

/// Writes the impls after a mistake that leaves the model unknown.
pub(crate) fn fallback_aggregate(input: &DeriveInput, mistake: &Mistake, _: &[Lost]) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let (name, alias) = (&input.ident, mistake.alias());
    quote! {
        const _: () = {
            use ::schema_runtime::__private as __schema;
            #alias
            impl __schema::Record for #name {
                const STRUCT: &'static str = "";
                const FIELDS: &'static [__schema::FieldDefinition] = &[];
            }
            impl __schema::AggregateSource for #name {
                type Of = __Mistake;
                const DOCUMENTS: &'static __schema::ModelDefinition = &__schema::ModelDefinition::of_groups("", &[], false);
            }
            impl __schema::TopRow for #name {}
            impl __schema::Aggregate for #name {
                type Source = __Mistake;
                type Fields = __Mistake;
                const F: __Mistake = ::core::unreachable!();
                const AGGREGATE: __schema::AggregateDefinition = __schema::AggregateDefinition::new(&[], &[], &[]);
            }
        };
    }
}

/// Returns whether a condition and a sort may name the field. A list of documents has no order, and a looked up field
/// is read after the limit.
fn has_token(field: &AggregateField) -> bool {
    let kind = field.value.as_ref().map(|value| &value.kind);
    !matches!(kind, Some(ValueKind::Top { .. } | ValueKind::Lookup { .. }))
}

/// Writes the struct of the tokens.
fn expand_tokens(aggregate: &Aggregate) -> (Ident, TokenStream) {
    let (name, visibility) = (&aggregate.ident, &aggregate.visibility);
    let tokens_name = format_ident!("__{name}Fields");
    let fields = aggregate.fields.iter().enumerate().filter(|(_, field)| has_token(field)).map(|(at, field)| {
        let (ident, ty, visibility) = (&field.ident, &field.ty, &field.visibility);
        let at = Literal::usize_unsuffixed(at);
        quote!(#visibility #ident: __Token<#name, #ty, __schema::Segment<__schema::Root, #name, #at>, __schema::Plain>)
    });
    let tokens = quote! {
        #[doc(hidden)]
        #[allow(dead_code, private_bounds, private_interfaces, unreachable_pub, clippy::type_complexity)]
        #visibility struct #tokens_name {
            #(#fields,)*
        }
    };
    (tokens_name, tokens)
}

/// Writes the definition of a field of the result.
fn expand_field(field: &AggregateField) -> TokenStream {
    let (rust_name, name, ty) = (&field.rust_name, &field.name, written(&field.ty));
    let shape = match field.value.as_ref().map(|value| &value.kind) {
        Some(ValueKind::Top { .. }) => over(ungroup(&field.ty), quote!(<#ty as __schema::TopRows>::SHAPE)),
        _ => over(ungroup(&field.ty), quote!(<#ty as __Field>::SHAPE)),
    };
    quote!(__Stored::new(#rust_name, #name, #shape))
}

fn expand_definition(aggregate: &Aggregate) -> TokenStream {
    if aggregate.is_of_parents() {
        return children::expand_definition(aggregate);
    }
    let unwind = aggregate.unwind.iter().map(|path| names(&path.path));
    let keys = aggregate.keys.iter().filter_map(|key| expand_key(aggregate, key));
    let values = values(aggregate).filter_map(|(at, field, value)| expand_value(aggregate, at, field, value));
    quote!(new(&[#(#unwind),*], &[#(#keys),*], &[#(#values),*]))
}

/// Returns the values with their fields, and the numbers of the fields.
fn values(aggregate: &Aggregate) -> impl Iterator<Item = (usize, &AggregateField, &AggregateValue)> {
    let fields = aggregate.fields.iter().enumerate();
    fields.filter_map(|(at, field)| field.value.as_ref().map(|value| (at, field, value)))
}

/// Returns the number of the field of a key.
fn field_of(aggregate: &Aggregate, key: &Key) -> Option<usize> {
    aggregate.fields.iter().position(|field| field.rust_name == key.name)
}

pub(super) fn names(path: &[String]) -> TokenStream {
    quote!(&[#(#path),*])
}

fn expand_key(aggregate: &Aggregate, key: &Key) -> Option<TokenStream> {
    let field = Literal::usize_unsuffixed(field_of(aggregate, key)?);
    let path = names(&key.of.path);
    let form = match &key.form {
        KeyForm::Value => quote!(Value),
        KeyForm::LowerCase => quote!(LowerCase),
        KeyForm::Period { unit, zone, start_of_week } => {
            let zone = expand_option(zone.as_ref().map(|zone| quote!(#zone)));
            quote!(Period { unit: #unit, zone: #zone, start_of_week: #start_of_week })
        }
        KeyForm::Ranges(limits) => {
            let limits = limits.iter().map(expand_literal);
            quote!(Ranges(&[#(#limits),*]))
        }
    };
    Some(quote!(__schema::KeyDefinition { field: #field, path: #path, form: __schema::KeyForm::#form }))
}

/// Writes the kind of a number; `None` for another value.
pub(super) fn expand_number(kind: &ValueKind) -> Option<TokenStream> {
    Some(match kind {
        ValueKind::Count(None) => quote!(Count(::core::option::Option::None)),
        ValueKind::Count(Some(test)) => {
            let test = expand_test(test);
            quote!(Count(::core::option::Option::Some(#test)))
        }
        ValueKind::Function { word, of } => {
            let name = match *word {
                "sum" => "Sum",
                "avg" => "Avg",
                "min" => "Min",
                "max" => "Max",
                _ => "StdDev",
            };
            let (name, of) = (Ident::new(name, Span::call_site()), expand_term(of));
            quote!(#name(#of))
        }
        _ => return None,
    })
}

fn expand_value(
    aggregate: &Aggregate,
    at: usize,
    field: &AggregateField,
    value: &AggregateValue,
) -> Option<TokenStream> {
    let at = Literal::usize_unsuffixed(at);
    let kind = match &value.kind {
        ValueKind::Count(_) | ValueKind::Function { .. } => expand_number(&value.kind)?,
        ValueKind::CountDistinct { of, max } => {
            let (path, max) = (names(&of.path), number(max.as_ref()?.value));
            quote!(CountDistinct { path: #path, max: #max })
        }
        ValueKind::First { of, order } => {
            let (path, order) = (names(&of.path), expand_order(order));
            quote!(First { path: #path, order: #order })
        }
        ValueKind::Last { of, order } => {
            let (path, order) = (names(&of.path), expand_order(order));
            quote!(Last { path: #path, order: #order })
        }
        ValueKind::Top { most, order } => {
            let (most, order, ty) = (number(most.as_ref()?.value), expand_order(order), written(&field.ty));
            let fields =
                over(ungroup(&field.ty), quote!(<<#ty as __schema::TopRows>::Item as __schema::Record>::FIELDS));
            quote!(Top { most: #most, order: #order, fields: #fields })
        }
        ValueKind::Collect { of, max } => {
            let (path, max) = (names(&of.path), number(max.as_ref()?.value));
            quote!(Collect { path: #path, max: #max })
        }
        ValueKind::Any(test) => {
            let test = expand_test(test);
            quote!(Any(#test))
        }
        ValueKind::All(test) => {
            let test = expand_test(test);
            quote!(All(#test))
        }
        ValueKind::Lookup { key, path } => {
            let (names, target) = (names(path), target_of(aggregate, key, value)?);
            quote!(Lookup { key: #key, path: #names, target: __Target::of::<#target>() })
        }
    };
    Some(quote!(__schema::ValueDefinition { field: #at, kind: __schema::ValueKind::#kind }))
}

/// Writes the model that the key of a lookup refers to. A key that is no field of the result refers to the model of the
/// aggregation, and a check has the message.
fn target_of(aggregate: &Aggregate, key: &str, value: &AggregateValue) -> Option<TokenStream> {
    let field = aggregate.fields.iter().find(|field| field.rust_name == *key && field.value.is_none());
    Some(match field {
        Some(field) => {
            let ty = written(&field.ty);
            placed(&value.tokens, quote!(::schema_runtime::__private::TargetOf<#ty>))
        }
        None => model_of(aggregate),
    })
}

/// Writes the model of the stored documents.
fn model_of(aggregate: &Aggregate) -> TokenStream {
    let of = written(&aggregate.of);
    placed(&aggregate.of, quote!(<#of as ::schema_runtime::__private::AggregateSource>::Of))
}

pub(super) fn expand_order(order: &[QueryKey]) -> TokenStream {
    let keys = order.iter().map(|QueryKey { path, descending, .. }| {
        let make = Ident::new(if *descending { "desc" } else { "asc" }, Span::call_site());
        quote!(__Key::#make(&[#(#path),*]))
    });
    quote!(&[#(#keys),*])
}

fn expand_term(term: &Term) -> TokenStream {
    let term = match term {
        Term::Field(path) => {
            let path = names(path);
            quote!(Field(#path))
        }
        Term::Number(value) => {
            let value = expand_literal(value);
            quote!(Number(#value))
        }
        Term::Or(first, second) => {
            let (first, second) = (expand_term(first), expand_term(second));
            quote!(Or(&#first, &#second))
        }
        Term::Operation(operation, left, right) => {
            let (operation, left, right) =
                (Ident::new(operation, Span::call_site()), expand_term(left), expand_term(right));
            quote!(Operation(__schema::Operation::#operation, &#left, &#right))
        }
    };
    quote!(__schema::Term::#term)
}

fn expand_test(test: &Test) -> TokenStream {
    let test = match test {
        Test::Compare { path, operator, value } => {
            let (path, operator, value) = (names(path), Ident::new(operator, Span::call_site()), expand_literal(value));
            quote!(Compare { path: #path, operator: __schema::TestOperator::#operator, value: #value })
        }
        Test::IsNull(path) => {
            let path = names(path);
            quote!(IsNull(#path))
        }
        Test::Every(tests) => {
            let tests = tests.iter().map(expand_test);
            quote!(Every(&[#(#tests),*]))
        }
        Test::Some(tests) => {
            let tests = tests.iter().map(expand_test);
            quote!(Some(&[#(#tests),*]))
        }
        Test::Not(inner) => {
            let inner = expand_test(inner);
            quote!(Not(&#inner))
        }
    };
    quote!(__schema::Test::#test)
}

fn expand_checks(aggregate: &Aggregate) -> TokenStream {
    let name = &aggregate.ident;
    let index = Literal::usize_unsuffixed;
    let mut checks = TokenStream::new();
    for (at, path) in aggregate.unwind.iter().enumerate() {
        let at = index(at);
        checks.extend(check(&path.tokens, "aggregate_unwound", quote!(::<#name>), quote!(#at)));
    }
    for (at, key) in aggregate.keys.iter().enumerate() {
        let at = index(at);
        checks.extend(check(&key.of.tokens, "aggregate_key", quote!(::<#name>), quote!(#at)));
        if let Some(field) = aggregate.fields.iter().find(|field| field.rust_name == key.name) {
            checks.extend(check(ungroup(&field.ty), "aggregate_key_type", quote!(::<#name>), quote!(#at)));
        }
    }
    for (at, (_, field, value)) in values(aggregate).enumerate() {
        let at = index(at);
        checks.extend(check(&value.tokens, "aggregate_value", quote!(::<#name>), quote!(#at)));
        let order = match &value.kind {
            ValueKind::First { order, .. } | ValueKind::Last { order, .. } | ValueKind::Top { order, .. } => order,
            ValueKind::Lookup { key, .. } => {
                let is_key = aggregate.keys.iter().any(|other| other.name == *key);
                if let (true, Some(target)) = (is_key, target_of(aggregate, key, value)) {
                    let generics = quote!(::<#name, #target>);
                    checks.extend(check(&value.tokens, "aggregate_looked_up", generics, quote!(#at)));
                }
                continue;
            }
            _ => {
                checks.extend(check(ungroup(&field.ty), "aggregate_value_type", quote!(::<#name>), quote!(#at)));
                continue;
            }
        };
        for (key_at, key) in order.iter().enumerate() {
            let key_at = index(key_at);
            checks.extend(check(&key.tokens, "aggregate_order", quote!(::<#name>), quote!(#at, #key_at)));
        }
        checks.extend(check(ungroup(&field.ty), "aggregate_value_type", quote!(::<#name>), quote!(#at)));
    }
    checks
}
