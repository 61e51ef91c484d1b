//! The bounds and the rules of the values that an update writes.

use crate::{
    changes::Operator,
    definition::ModelDefinition,
    error::{Fault, Result},
    field::Change,
    operation::growth::Growth,
    refusal,
};

/// Returns the arrays that the changes make longer, where every value holds its bounds and obeys its rules.
///
/// # Errors
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) with all values over their bounds;
/// [`Error::DocumentInvalid`](crate::Error::DocumentInvalid) with all faults, where a value fails a rule.
pub(super) fn checked(definition: &ModelDefinition, changes: &[Change]) -> Result<Vec<Growth>> {
    let (mut faults, mut growths) = (Vec::new(), Vec::new());
    for change in changes {
        faults.extend(faults_of(change)?);
        if let Some(growth) = Growth::of(change) {
            if growth.added > growth.bound {
                faults.push(growth.exceeded(growth.added));
            }
            growths.push(growth);
        }
    }
    refusal::refuse(definition, faults)?;
    Ok(growths)
}

fn faults_of(change: &Change) -> Result<Vec<Fault>> {
    let Some(shape) = change.shape else { return Ok(Vec::new()) };
    match change.operator {
        Operator::Set | Operator::SetOnInsert | Operator::Min | Operator::Max => {
            refusal::faults_of_value(&change.path, shape, &change.value)
        }
        Operator::Push | Operator::AddToSet => refusal::faults_of_elements(&change.path, shape, &change.value),
        _ => Ok(Vec::new()),
    }
}
