//! Rule: `bucket_operation`. The page is `guide/pages/rules/bucket_operation.md`.

mod index;

use crate::{
    errors::Errors,
    model::{Field, Managed, Model, Relation, Stored},
    parse::last_segment,
};

const ID: &str = "bucket_operation";
/// The fields that a bucket stores beside the parent and the day or the hour.
const OF_BUCKET: [&str; 8] = ["_id", "page", "count", "first", "last", "items", "emptied", "followed"];

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(bucket) = &model.bucket else { return };
    if let Some(tagged) = &model.tagged {
        let what = "an enum is not stored in buckets: all children of a bucket have the same fields";
        errors.rule(
            &tagged.ident,
            ID,
            what,
            "make the model a struct with a field that is an enum, or remove `bucket(..)`",
        );
        return;
    }
    for field in model.record.judged() {
        if let Some((word, tokens)) = refused(field) {
            let what = format!("`#[{word}]` needs separate documents, and a child in a bucket is a part of a document");
            errors.rule(tokens, ID, &what, "remove the attribute, or remove `bucket(..)` from `#[model(..)]`");
        }
    }
    // A tree has an inverse without `#[inverse(..)]`.
    let inverses = model.inverses.iter().filter(|_| !model.record.fields.iter().any(|field| field.tree.is_some()));
    let of_struct = inverses.map(|inverse| ("inverse(..)", &inverse.accessor));
    let of_struct = of_struct.chain(model.queries.iter().map(|query| ("query(..)", &query.name)));
    for (word, tokens) in of_struct {
        let what = format!("`#[{word}]` reads separate documents, and a child in a bucket is a part of a document");
        errors.rule(tokens, ID, &what, "remove the attribute, or remove `bucket(..)` from `#[model(..)]`");
    }
    if let Some(field) = model.shard_key.as_ref().and_then(|key| key.fields.first()) {
        let what = "`#[shard_key(..)]` needs separate documents, and a child in a bucket is a part of a document";
        errors.rule(&field.tokens, ID, what, "remove the attribute, or remove `bucket(..)` from `#[model(..)]`");
    }
    enforce_relations(model, &bucket.tokens, errors);
    index::enforce(model, errors);
}

/// Returns the attribute on a field that needs separate documents, with the user's tokens; `None` for a field of a
/// child.
fn refused(field: &Field) -> Option<(&'static str, proc_macro2::TokenStream)> {
    use quote::ToTokens;
    if let Some(managed) = field.managed.as_ref().filter(|managed| managed.managed == Managed::Version) {
        return Some(("version", managed.tokens.to_token_stream()));
    }
    if let Some(slug) = &field.slug {
        return Some(("slug(..)", slug.tokens.to_token_stream()));
    }
    if let Some(tree) = &field.tree {
        return Some(("tree(..)", tree.tokens.to_token_stream()));
    }
    match &field.storage {
        Stored::History(history) => Some(("history(..)", history.keep.tokens.to_token_stream())),
        _ => None,
    }
}

/// Checks that a child has a single parent, and no further relation that refers.
fn enforce_relations(model: &Model, bucket: &syn::Expr, errors: &Errors) {
    let refers =
        |field: &Field| field.tree.is_none() && field.relation().is_some_and(|relation| relation.storage.refers());
    let mut parent: Option<&Field> = None;
    let mut found = false;
    for field in model.record.fields.iter().filter(|field| refers(field)) {
        let Some(relation) = field.relation() else { continue };
        found = true;
        let (name, ident) = (&field.rust_name, &field.ident);
        match parent {
            _ if !relation.cardinality.is_without_limit() => {
                let what = format!(
                    "`{name}` is `{}, {}`, and a child in a bucket has a single relation: to the parent of any number of children",
                    relation.cardinality.word(),
                    relation.storage.word()
                );
                let help = format!(
                    "if `{name}` is the parent, write `#[relation(one_to_squillions, parent_ref)] {ident}: Ref<..>`; else remove `#[relation(..)]`: `{name}` is then a plain reference"
                );
                errors.rule(&relation.cardinality_tokens, ID, &what, &help);
            }
            Some(first) => {
                let what = format!(
                    "a bucket holds the children of a single parent, and `{}` is the parent already",
                    first.rust_name
                );
                let help = format!(
                    "choose the parent by which the children are read together, and remove `#[relation(..)]` from the second field: `{name}` is then a plain reference"
                );
                errors.rule(&relation.cardinality_tokens, ID, &what, &help);
            }
            None => {
                parent = Some(field);
                enforce_parent(model, field, relation, errors);
            }
        }
    }
    if !found && errors.is_empty() {
        let what = "a bucket holds the children of a single parent, and this model names no parent";
        let help = "add the reference to the parent: `#[relation(one_to_squillions, parent_ref, order = asc(created_on))] post: Ref<Post>`";
        errors.rule(bucket, ID, what, help);
    }
}

fn enforce_parent(model: &Model, field: &Field, relation: &Relation, errors: &Errors) {
    let (name, ident) = (&field.rust_name, &field.ident);
    if field.broken {
        return;
    }
    if let Some(by) = &relation.by {
        let what =
            format!("`{name}` is an extended reference, and the buckets of a parent are found by the parent's `_id`");
        errors.rule(by, ID, &what, &format!("write `{ident}: Ref<..>`; the struct with copies may be a second field"));
    } else if last_segment(&field.ty).is_some_and(|(ty, _)| ty == "Option") {
        let what = format!("`{name}` is an `Option`, and a child without a parent is in no bucket");
        errors.rule(&field.ty, ID, &what, &format!("write `{ident}: Ref<..>`"));
    }
    let span = model.bucket.as_ref().and_then(|bucket| bucket.by.as_ref()).map(|by| by.span.word());
    let stored = field.name.as_str();
    if OF_BUCKET.contains(&stored) || span == Some(stored) {
        let what = format!(
            "`{name}` is stored as `{stored}` beside the children, and a bucket has a field `{stored}` already"
        );
        errors.rule(&field.ident, ID, &what, "give the field another name with `#[serde(rename = \"..\")]`");
    }
}
