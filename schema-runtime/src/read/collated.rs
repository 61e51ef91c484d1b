//! The collation of a query.

use mongodb::options::Collation;

use super::Query;
use crate::{
    definition::Kind,
    error::{Error, Result},
};

impl Query {
    /// Returns the collation of the caller's own command; `None` without a collation, and for a further command.
    pub(crate) fn collation(&self) -> Option<&Collation> {
        self.asked.and(self.options.as_ref()?.collation_set())
    }

    /// Refuses a collation where `_id` may hold texts: pages end with the `_id`, and under a collation two `_id`s may
    /// be equal.
    pub(crate) fn refuse_text_id(&self) -> Result<()> {
        let (Some(asked), Some(_)) = (self.asked, self.collation()) else { return Ok(()) };
        let id = asked.model.fields.iter().find(|field| field.name == "_id");
        if id.is_some_and(|id| matches!(id.shape.kind, Kind::Scalar(_))) {
            return Ok(());
        }
        Err(Error::Query {
            message: "pages with a collation need an `_id` without texts: two texts may be equal under the collation",
        })
    }
}
