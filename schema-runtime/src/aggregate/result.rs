//! The check of a group before the group is decoded.

use mongodb::bson::{RawBsonRef, RawDocument};

use crate::{
    definition::{AggregateDefinition, FieldDefinition, Kind, Scalar, ValueDefinition, ValueKind},
    error::{AggregateError, Result},
};

/// Refuses a number of integers that the server answers as a double or as a decimal: the number is over 64 bits.
pub(super) fn check(
    name: &'static str,
    fields: &[FieldDefinition],
    definition: &AggregateDefinition,
    group: &RawDocument,
) -> Result<()> {
    let of_children = definition.children.iter().flat_map(|children| children.values.values);
    for value in definition.values.iter().chain(of_children) {
        let field = &fields[value.field];
        if may_overflow(field, value)
            && let Ok(Some(RawBsonRef::Double(_) | RawBsonRef::Decimal128(_))) = group.get(field.name)
        {
            return Err(AggregateError::Overflow { model: name, field: field.rust_name.to_owned() }.into());
        }
    }
    Ok(())
}

/// Returns whether the server answers the value as a double or as a decimal when the value is over 64 bits.
pub(super) fn may_overflow(field: &FieldDefinition, value: &ValueDefinition) -> bool {
    let is_integer = matches!(field.shape.kind, Kind::Scalar(Scalar::Integer));
    is_integer && matches!(value.kind, ValueKind::Sum(_) | ValueKind::Min(_) | ValueKind::Max(_))
}
