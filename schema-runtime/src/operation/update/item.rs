//! An update of a value that is stored in an array with other values.

use mongodb::bson::{Bson, DateTime, Document, RawDocument, doc};

use super::{
    bounds,
    guard::{self, Guard},
};
use crate::{
    changes::{IfAbsent, Operator},
    definition::ModelDefinition,
    error::{Error, Result},
    field::{self, Change, ChangeList, MIN_BESIDE_NULL, Parts, of_null},
    operation::{
        growth::Growth,
        managed::{self, Version},
    },
    refusal,
};

/// The identifier that stands for the element in each path of the update.
const IDENTIFIER: &str = "child";

/// An update of an element, in MongoDB's own syntax.
pub(crate) struct ItemUpdate {
    definition: &'static ModelDefinition,
    /// The conditions on the element in addition to the `_id`: the element has capacity and the changed fields, and the
    /// numbers stay in their ranges.
    pub(crate) condition: Document,
    pub(crate) update: Document,
    pub(crate) array_filters: Vec<Document>,
    growths: Vec<Growth>,
    guards: Vec<Guard>,
}

impl ItemUpdate {
    /// Creates the update of the element with this `_id` in the array at `array`.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`] when a value does not hold its bounds; [`Error::Update`] when nothing is changed.
    pub(crate) fn new(
        definition: &'static ModelDefinition,
        changes: ChangeList,
        array: &str,
        id: &Bson,
    ) -> Result<Self> {
        let parts = changes.into_parts()?;
        parts.refuse_empty(definition)?;
        let leaves_stored = parts.leaves_stored();
        let Parts { raw, mut changes, array_filters, full, variants, present, .. } = parts;
        let is_of_two = |change: &&Change| matches!(change.operator, Operator::Rename | Operator::SetExpression);
        if let Some(change) = changes.iter().find(is_of_two) {
            let message = format!(
                "a child in a bucket is an element of an array, and the server gives no field of an element the value of \
                 another field: `set` a value in the place of the change of `{}`",
                change.path
            );
            return Err(Error::Update { message });
        }
        let growths = bounds::checked(definition, &changes)?;
        let guards = Guard::all(definition, &changes)?;
        if !leaves_stored {
            changes.extend(managed::changes(definition, Version::Next, IfAbsent::Ignore, DateTime::now()));
        }
        let (least, changes): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(Change::loses_to_null);
        let is_element = |identifier: &str| doc! { format!("{identifier}._id"): { "$eq": id } };
        let mut filters = array_filters;
        if !changes.is_empty() || !raw.is_empty() {
            filters.insert(0, is_element(IDENTIFIER));
        }
        let mut changes = field::change_set(raw, changes).inside(&format!("{array}.$[{IDENTIFIER}]"));
        for (at, Change { path, value, .. }) in least.into_iter().enumerate() {
            for (letter, operator, is_null) in MIN_BESIDE_NULL {
                let identifier = format!("{IDENTIFIER}{letter}{at}");
                let condition = of_null(&format!("{identifier}.{path}"), is_null);
                filters.push(field::and(is_element(&identifier), condition));
                changes.put(operator, format!("{array}.$[{identifier}].{path}"), value.clone());
            }
        }
        let needed = field::and(variants, present);
        let condition = if full.is_empty() { needed } else { field::and(needed, field::nor(full)) };
        let condition = field::and(condition, guard::all_hold(&guards));
        let update = changes.into_document();
        Ok(ItemUpdate { definition, condition, update, array_filters: filters, growths, guards })
    }

    /// Returns the reason why the current element does not meet the conditions of the update.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`] when the element has no capacity for the added elements; [`Error::DocumentInvalid`]
    /// when a number would leave its range.
    pub(crate) fn refused_by(&self, element: &RawDocument) -> Result<()> {
        guard::refuse_in(self.definition, &self.guards, element)?;
        for growth in &self.growths {
            let size = growth.size_in(element);
            if size > growth.bound {
                refusal::refuse(self.definition, vec![growth.exceeded(size)])?;
            }
        }
        Ok(())
    }
}
