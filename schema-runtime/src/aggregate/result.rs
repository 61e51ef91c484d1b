//! The check of a group before the group is decoded.

use mongodb::bson::{RawBsonRef, RawDocument};

use crate::{
    definition::{AggregateDefinition, FieldDefinition, Kind, Scalar, ValueKind},
    error::{AggregateError, Result},
};

/// Refuses a number of integers that the server answers as a double or as a decimal: the number is over 64 bits.
pub(super) fn check(
    name: &'static str,
    fields: &[FieldDefinition],
    definition: &AggregateDefinition,
    group: &RawDocument,
) -> Result<()> {
    for value in definition.values {
        let field = &fields[value.field];
        let is_sum = matches!(value.kind, ValueKind::Sum(_) | ValueKind::Min(_) | ValueKind::Max(_));
        if is_sum
            && matches!(field.shape.kind, Kind::Scalar(Scalar::Integer))
            && let Ok(Some(RawBsonRef::Double(_) | RawBsonRef::Decimal128(_))) = group.get(field.name)
        {
            return Err(AggregateError::Overflow { model: name, field: field.rust_name.to_owned() }.into());
        }
    }
    Ok(())
}
