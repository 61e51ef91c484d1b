//! The collation of a query.

use mongodb::options::Collation;

use super::Query;
use crate::{
    definition::{CollationDefinition, Texts},
    error::{Error, Result},
};

impl Query {
    /// Returns the collation of the caller's own command, given or of the collection; `None` for the comparison by
    /// bytes, and for a further command.
    pub(crate) fn collation(&self) -> Option<Collation> {
        let asked = self.asked?;
        match self.options.as_ref().and_then(|options| options.collation_set()) {
            Some(given) => Some(given.clone()),
            None if self.texts == Texts::Bytes => Some(CollationDefinition::SIMPLE.into()),
            None => asked.model.options.collation.map(Collation::from),
        }
    }

    /// Returns the collation of the order of a page.
    pub(crate) fn collation_of_page(&self) -> Option<Collation> {
        self.collation().or_else(|| self.inherited.map(Collation::from))
    }

    /// Refuses a collation where `_id` may hold texts: pages end with the `_id`, and under a collation two `_id`s may
    /// be equal.
    pub(crate) fn refuse_text_id(&self) -> Result<()> {
        let (Some(asked), Some(_)) = (self.asked, self.collation()) else { return Ok(()) };
        let id = asked.model.fields.iter().find(|field| field.name == "_id");
        if id.is_some_and(|id| !id.shape.may_hold_text()) {
            return Ok(());
        }
        Err(Error::Query {
            message: "pages with a collation need an `_id` without texts: two texts may be equal under the collation",
        })
    }
}
