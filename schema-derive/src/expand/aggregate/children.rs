//! Writes a result of parents: the fields of the parent, and the values of the children by relation.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{
    super::{
        check_call::check,
        span::{over, written},
    },
    expand_value, values,
};
use crate::{
    model::aggregate::{Aggregate, AggregateField, AggregateValue, ChildrenPath, ValueKind},
    parse::{identifier, ungroup},
};

/// The values of one relation, with their fields and the numbers of the fields.
struct OfRelation<'a> {
    children: &'a ChildrenPath,
    values: Vec<(usize, &'a AggregateField, &'a AggregateValue)>,
}

/// Returns the values by relation, in the order of the struct.
fn by_relation(aggregate: &Aggregate) -> Vec<OfRelation<'_>> {
    let mut relations: Vec<OfRelation<'_>> = Vec::new();
    for (at, field, value) in values(aggregate) {
        let Some(children) = &field.children else { continue };
        match relations.iter_mut().find(|relation| relation.children.text() == children.text()) {
            Some(relation) => relation.values.push((at, field, value)),
            None => relations.push(OfRelation { children, values: vec![(at, field, value)] }),
        }
    }
    relations
}

/// Returns the fields of the parent, with their numbers.
fn own(aggregate: &Aggregate) -> impl Iterator<Item = (Literal, &AggregateField)> {
    let fields = aggregate.fields.iter().enumerate().filter(|(_, field)| field.value.is_none());
    fields.map(|(at, field)| (Literal::usize_unsuffixed(at), field))
}

pub(super) fn expand_definition(aggregate: &Aggregate) -> TokenStream {
    let own = own(aggregate).map(|(at, _)| at);
    let children = by_relation(aggregate).into_iter().enumerate().map(|(number, OfRelation { children, values })| {
        let (number, reference) = (Literal::usize_unsuffixed(number), identifier(&children.reference));
        let values = values.into_iter().filter_map(|(at, field, value)| expand_value(aggregate, at, field, value));
        let made = over(&children.child, quote!(__schema::ChildrenDefinition::new::<__Relations, #number>));
        quote!(#made(#reference, &[#(#values),*]))
    });
    quote!(of_parents(&[#(#own),*], &[#(#children),*]))
}

/// Writes the model of the children of each relation, and the checks of the values, which read the models there.
pub(super) fn expand_relations(aggregate: &Aggregate) -> TokenStream {
    let (name, checks) = (&aggregate.ident, expand_value_checks(aggregate));
    let relations = by_relation(aggregate).into_iter().enumerate().map(|(number, OfRelation { children, .. })| {
        let (number, child) = (Literal::usize_unsuffixed(number), written(&children.child));
        quote! {
            impl __schema::RelationOfRows<#number> for __Relations {
                type Rows = #name;
                type Child = #child;
            }
        }
    });
    quote! {
        #[allow(dead_code)]
        enum __Relations {}
        #(#relations)*
        #checks
    }
}

/// Writes the checks of the fields of the parent.
pub(super) fn expand_checks(aggregate: &Aggregate) -> TokenStream {
    let (name, mut checks) = (&aggregate.ident, TokenStream::new());
    for (at, field) in own(aggregate) {
        checks.extend(check(&field.ident, "aggregate_parent", quote!(::<#name>), quote!(#at)));
        checks.extend(check(ungroup(&field.ty), "aggregate_parent_type", quote!(::<#name>), quote!(#at)));
    }
    checks
}

fn expand_value_checks(aggregate: &Aggregate) -> TokenStream {
    let mut checks = TokenStream::new();
    for (number, OfRelation { values, .. }) in by_relation(aggregate).into_iter().enumerate() {
        let number = Literal::usize_unsuffixed(number);
        for (at, (_, field, value)) in values.into_iter().enumerate() {
            let Some(children) = &field.children else { continue };
            let at = Literal::usize_unsuffixed(at);
            let of = || quote!(::<__Relations, #number>);
            checks.extend(check(&children.tokens, "aggregate_children", of(), quote!()));
            checks.extend(check(&value.tokens, "aggregate_children_value", of(), quote!(#at)));
            checks.extend(check(&value.tokens, "aggregate_kept", of(), quote!(#at)));
            if let ValueKind::First { order, .. } | ValueKind::Last { order, .. } | ValueKind::Top { order, .. } =
                &value.kind
            {
                for (key_at, key) in order.iter().enumerate() {
                    let key_at = Literal::usize_unsuffixed(key_at);
                    checks.extend(check(&key.tokens, "aggregate_children_order", of(), quote!(#at, #key_at)));
                }
            }
            checks.extend(check(ungroup(&field.ty), "aggregate_children_type", of(), quote!(#at)));
        }
    }
    checks
}
