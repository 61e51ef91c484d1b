//! A migration into buckets and back is between two models that store the same fields: the rule `bucket_operation`.

use crate::definition::{
    BucketDefinition, FieldDefinition, ModelDefinition, each, find, find_relation, find_stored, refuse, same_shape,
    str_eq,
};

/// Compares `linked`, stored as separate documents, with `children`, stored in buckets.
#[track_caller]
pub const fn migration(
    bucket: &BucketDefinition,
    children: &'static ModelDefinition,
    linked: &'static ModelDefinition,
) {
    if !children.whole || !linked.whole {
        return;
    }
    if linked.derives() {
        refuse! {
            "the writes of `{}` have further effects (for example copies, rollups or a delete rule), and a migration moves documents unchanged",
                linked.model;
            help: "name a model with the same fields and without further effects"
        }
    }
    if let Some(field) = lacking(children.fields, linked.fields) {
        differs(linked, field, children)
    }
    if let Some(field) = lacking(linked.fields, children.fields) {
        differs(children, field, linked)
    }
    same_relation(bucket, children, linked);
}

#[track_caller]
const fn differs(model: &ModelDefinition, field: &FieldDefinition, other: &ModelDefinition) -> ! {
    refuse! {
        "`{}` does not store `{}` in the same way as `{}`, and a migration moves children unchanged",
            model.model, field.name, other.model;
        help: "give both models the same fields, with the same types and bounds"
    }
}

/// Returns the first of these fields that is not, in the same shape, among `others`.
const fn lacking(
    fields: &'static [FieldDefinition],
    others: &'static [FieldDefinition],
) -> Option<&'static FieldDefinition> {
    each!(for field in fields {
        match find_stored(others, field.name) {
            Some(other) if same_shape(&field.shape, &other.shape) => {}
            _ => return Some(field),
        }
    });
    None
}

/// Refuses a `linked` model whose relation does not match: the migration reads the children by the index of the
/// relation, so the parent is the same, and the order is the same in either direction.
#[track_caller]
const fn same_relation(
    bucket: &BucketDefinition,
    children: &'static ModelDefinition,
    linked: &'static ModelDefinition,
) {
    let parent = match find_stored(linked.fields, bucket.parent.name) {
        Some(field) => find_relation(linked.relations, field.rust_name),
        None => None,
    };
    let of_children = match find_relation(children.relations, bucket.parent.field) {
        Some(relation) => relation.target,
        None => None,
    };
    let is_same = match (parent, of_children) {
        (Some(relation), Some(target)) => {
            let same_target = match &relation.target {
                Some(other) => str_eq(other.name, target.name),
                None => false,
            };
            let same_order = match (relation.order, bucket.order) {
                ([], None) => true,
                ([key], Some(order)) => match find(linked.fields, key.field) {
                    Some(field) => str_eq(field.name, order.name),
                    None => false,
                },
                _ => false,
            };
            same_target && same_order && relation.cardinality.is_many()
        }
        _ => false,
    };
    if !is_same {
        refuse! {
            "`{}.{}` is not the same relation as in `{}`, and the migration reads the children in order by the index of the relation",
                linked.model, bucket.parent.name, children.model;
            help: "write `#[relation(one_to_squillions, parent_ref, ..)]` with the same parent and the same `order`"
        }
    }
}
