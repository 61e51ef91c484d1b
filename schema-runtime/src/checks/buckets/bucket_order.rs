//! Rule: `bucket_order`. The page is `guide/pages/rules/bucket_order.md`.
//!
//! The half of the rule that knows the types of the fields.

use crate::{
    checks::fields::field_type::kind,
    definition::{FieldDefinition, Kind, Scalar, find, refuse, text},
    model::Model,
};

/// Judges the `order` of the children.
#[track_caller]
pub const fn bucket_order<M: Model>() {
    let Some(bucket) = M::DEFINITION.bucket else { return };
    let Some(order) = &bucket.order else { return };
    let Some(field) = find(M::FIELDS, order.field) else { return };
    // The rules of every order refuse arrays and fields that may be null or absent.
    if field.shape.is_collection()
        || field.shape.nullable
        || !field.required
        || matches!(field.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_))
    {
        return;
    }
    refuse! {
        "`{}.{}` is {}, and the children of a bucket are sorted by a single value: each bucket stores the least and the greatest value",
            M::STRUCT, field.rust_name, kind(&field.shape);
        help: "order by a date, a number or a string that every child has, for example a `DateTime` set at creation"
    }
}

/// Judges the field of `by = day(..)`.
#[track_caller]
pub const fn bucket_by<M: Model>() {
    let Some(bucket) = M::DEFINITION.bucket else { return };
    let Some((span, time)) = &bucket.by else { return };
    let Some(field) = find(M::FIELDS, time.field) else { return };
    let why = if !matches!(field.shape.kind, Kind::Scalar(Scalar::DateTime)) {
        text!("is {}", kind(&field.shape))
    } else if may_be_absent(field) {
        text!("may be null or absent")
    } else {
        return;
    };
    refuse! {
        "`{}.{}` {}, and a child without a date belongs to no {}", M::STRUCT, field.rust_name, why.as_str(), span.word();
        help: "name a `DateTime` that every child has"
    }
}

const fn may_be_absent(field: &FieldDefinition) -> bool {
    field.shape.nullable || !field.required
}
