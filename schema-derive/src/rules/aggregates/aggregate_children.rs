//! Rule: `aggregate_children`. The page is `guide/pages/rules/aggregate_children.md`.

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, ValueKind},
};

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    let Some(first) = aggregate.fields.iter().find_map(|field| field.children.as_ref()) else { return };
    let refuse = |tokens: TokenStream, mistake: &str, help: &str| {
        errors.rule(tokens, "aggregate_children", mistake, help);
    };
    let (relation, child) = (first.text(), first.child.segments.last());
    let (child, key) = (child.map(|segment| segment.ident.to_string()).unwrap_or_default(), &first.reference);
    let word = match (&aggregate.keys[..], aggregate.has_lost_key, &aggregate.unwind[..], &aggregate.fill) {
        ([], false, [], None) => None,
        ([], false, [], Some(_)) => Some("fill"),
        ([], false, ..) => Some("unwind(..)"),
        _ => Some("by(..)"),
    };
    if let Some(word) = word {
        refuse(
            first.tokens.to_token_stream(),
            &format!("`{relation}` is of the children of one document, and `{word}` makes groups of documents"),
            &format!(
                "remove `{word}`: each row is one document; or group the children: `#[aggregate(of = {child}, by({key}))]`"
            ),
        );
        return;
    }
    for field in aggregate.fields.iter().filter(|field| !field.broken) {
        let Some(value) = &field.value else { continue };
        let is_lookup = matches!(value.kind, ValueKind::Lookup { .. });
        if is_lookup {
            refuse(
                value.tokens.clone(),
                "`lookup` is of a key of groups, and each row of this struct is one document",
                "read the referenced documents by the relation, or group the documents: `by(..)`",
            );
        } else if field.children.is_none() {
            refuse(
                value.tokens.clone(),
                "this value is of many documents, and each row of this struct is one document with its children",
                &format!("name the relation of the children: `{relation}`; or write a separate struct for this value"),
            );
        } else if field.name == "_id" {
            refuse(
                field.ident.to_token_stream(),
                "the `_id` of a row is the `_id` of the parent, and this field has a value of the children",
                "remove `#[serde(rename = \"_id\")]`",
            );
        }
    }
}
