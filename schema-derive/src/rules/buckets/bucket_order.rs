//! Rule: `bucket_order`. The page is `guide/pages/rules/bucket_order.md`.

use crate::{
    errors::Errors,
    model::{Field, Managed, Model},
};

const ID: &str = "bucket_order";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some((bucket, parent, relation)) = model.bucket_parent() else { return };
    let find = |name: &str| model.record.fields.iter().find(|field| field.rust_name == name);
    if let Some(key) = relation.order.first() {
        let field = find(&key.field);
        let name = &key.field;
        if let Some(second) = relation.order.get(1) {
            let what = "the children of a bucket are sorted by a single field, and then by `_id`";
            errors.rule(&second.tokens, ID, what, &format!("write `order = asc({name})`"));
        } else if field.is_some_and(|field| field.name == "_id") {
            let what = "the children of a bucket are sorted by `_id` without an `order`";
            errors.rule(&key.tokens, ID, what, "remove `order`");
        } else if key.descending {
            let what =
                format!("buckets fill in the order of the inserts, and `desc({name})` would put the next child first");
            let help = format!("write `order = asc({name})`: `latest(n)` reads the last children first");
            errors.rule(&key.tokens, ID, &what, &help);
        } else if let Some(why) = field.and_then(|field| moves(field, parent)) {
            errors.rule(
                &key.tokens,
                ID,
                &format!("`{name}` {why}"),
                "order by a field that is set once, as a field with `#[created_at]`",
            );
        }
    }
    if let Some(by) = &bucket.by {
        let name = &by.field;
        let help = format!("name a `DateTime` of the child that is set once: `by = {}(time)`", by.span.word());
        match find(name) {
            None => {
                errors.rule(&by.tokens, ID, &format!("`{}` has no stored field `{name}`", model.record.ident), &help)
            }
            Some(field) => {
                if let Some(why) = moves(field, parent) {
                    errors.rule(&by.tokens, ID, &format!("`{name}` {why}"), &help);
                }
            }
        }
    }
}

/// Says why a field cannot decide the place of a child.
fn moves(field: &Field, parent: &Field) -> Option<&'static str> {
    if field.ident == parent.ident {
        return Some("is the parent, and all children of a bucket have the same parent");
    }
    let is_late = field.managed.as_ref().is_some_and(|managed| managed.managed == Managed::UpdatedAt);
    is_late.then_some("changes with each update, and a child keeps a fixed place in the bucket")
}
