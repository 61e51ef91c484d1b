//! The check of a value before a write, without a server.

use super::write::checked;
use crate::{
    error::Result,
    model::{Model, OwnDocument},
};

/// The check of a value of a model.
pub trait CheckValue: Model + OwnDocument {
    /// Checks a value as each write of the value does, and writes nothing: the bounds, the rules of the fields and of
    /// the model, and the derives of other crates: see [the page `value_rules`](crate::guide).
    /// [`check_stored`](crate::check_stored) also reads the written document, for unit tests of types.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "events", check(lt(starts, ends)))]
    /// struct Event {
    ///     #[serde(rename = "_id")]
    ///     id: i64,
    ///     starts: i64,
    ///     ends: i64,
    /// }
    ///
    /// assert!(Event::check(&Event { id: 1, starts: 8, ends: 9 }).is_ok());
    /// let Err(Error::DocumentInvalid { failures, .. }) = Event::check(&Event { id: 1, starts: 9, ends: 8 }) else {
    ///     panic!("a wrong event")
    /// };
    /// assert_eq!((failures[0].field.as_str(), failures[0].rule.as_str()), ("starts", "lt"));
    /// ```
    ///
    /// # Errors
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded), [`Error::DocumentInvalid`](crate::Error::DocumentInvalid)
    /// with all failures, [`Error::DocumentTooLarge`](crate::Error::DocumentTooLarge) and
    /// [`Error::Encode`](crate::Error::Encode).
    fn check(value: &Self) -> Result<()> {
        checked(value).map(drop)
    }
}

impl<M: Model + OwnDocument> CheckValue for M {}
