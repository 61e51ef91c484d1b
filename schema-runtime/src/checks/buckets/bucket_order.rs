//! Rule: `bucket_order`
//!
//! The half of the rule that knows the types of the fields.

use crate::{
    checks::fields::field_type::kind,
    definition::{FieldDefinition, Kind, Message, Scalar, find},
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
    Message::new()
        .field(M::STRUCT, &[field.rust_name])
        .text(" is ")
        .text(kind(&field.shape))
        .text(", and the children of a bucket are sorted by a single value, whose least and greatest the bucket knows")
        .text("\nhelp: order by a date, a number or a string that every child has, such as a `DateTime` set at creation\nrule: bucket_order")
        .fail()
}

/// Judges the field of `by = day(..)`.
#[track_caller]
pub const fn bucket_by<M: Model>() {
    let Some(bucket) = M::DEFINITION.bucket else { return };
    let Some((span, time)) = &bucket.by else { return };
    let Some(field) = find(M::FIELDS, time.field) else { return };
    let message = Message::new().field(M::STRUCT, &[field.rust_name]);
    let message = if !matches!(field.shape.kind, Kind::Scalar(Scalar::DateTime)) {
        message.text(" is ").text(kind(&field.shape)).text(", which is of no ").text(span.word())
    } else if may_be_absent(field) {
        message.text(" may be null or absent, and a child without it is of no ").text(span.word())
    } else {
        return;
    };
    message.text("\nhelp: name a `DateTime` that every child has\nrule: bucket_order").fail()
}

const fn may_be_absent(field: &FieldDefinition) -> bool {
    field.shape.nullable || !field.required
}
