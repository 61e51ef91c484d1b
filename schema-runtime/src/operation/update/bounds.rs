//! The bounds of the values that an update writes.

use crate::{
    changes::Operator,
    definition::ModelDefinition,
    error::{ExceededBound, Result},
    field::Change,
    operation::{bound, growth::Growth},
};

/// Returns the arrays that the changes make longer, where every value holds its bounds.
///
/// # Errors
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) with all values over their bounds.
pub(super) fn checked(definition: &ModelDefinition, changes: &[Change]) -> Result<Vec<Growth>> {
    let (mut exceeded, mut growths) = (Vec::new(), Vec::new());
    for change in changes {
        exceeded.extend(exceeded_by(change)?);
        if let Some(growth) = Growth::of(change) {
            if growth.added > growth.bound {
                exceeded.push(growth.exceeded(growth.added));
            }
            growths.push(growth);
        }
    }
    bound::refuse(definition, exceeded)?;
    Ok(growths)
}

fn exceeded_by(change: &Change) -> Result<Vec<ExceededBound>> {
    let Some(shape) = change.shape else { return Ok(Vec::new()) };
    match change.operator {
        Operator::Set | Operator::SetOnInsert | Operator::Min | Operator::Max => {
            bound::exceeded_in_value(&change.path, shape, &change.value)
        }
        Operator::Push | Operator::AddToSet => bound::exceeded_in_elements(&change.path, shape, &change.value),
        _ => Ok(Vec::new()),
    }
}
