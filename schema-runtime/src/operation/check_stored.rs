//! The check of a value for unit tests: the value is written and read, without a server.

use mongodb::bson::Bson;

use super::write::{checked, encoded};
use crate::{
    codec,
    error::{Error, Result},
    field::Field,
    model::Model,
    read,
};

/// Checks that a value can be stored, and that the stored document reads as a value that is stored in the same way. The
/// function sends nothing: call the function in a unit test of each type with `#[stored_as(..)]`.
///
/// ```
/// use schema_runtime::{check_stored, prelude::*};
///
/// #[derive(Embed, Serialize, Deserialize, Clone)]
/// #[stored_as(i64)]
/// struct Cents(i64);
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "accounts")]
/// struct Account {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     balance: Cents,
/// }
///
/// # fn main() -> Result<()> {
/// for balance in [Cents(0), Cents(-5), Cents(i64::MAX)] {
///     check_stored(&Account { id: ObjectId::new(), balance })?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::StoredAs`] for a value that serde writes as another BSON type than declared; [`Error::Encode`],
/// [`Error::BoundExceeded`] and [`Error::DocumentTooLarge`] as in an insert; [`Error::Decode`] for a document that
/// serde does not read, or reads as a value that serde writes differently.
pub fn check_stored<M: Model>(value: &M) -> Result<()> {
    let (collection, model) = (M::DEFINITION.collection, M::DEFINITION.model);
    let written = checked(value)?;
    let again = encoded(&read::decode::<M>(collection, &written)?)?;
    let differs = |name: &&str| codec::bytes_of(&written, name) != codec::bytes_of(&again, name);
    let Some(name) = codec::elements(&written).map(|element| element.name()).find(differs) else { return Ok(()) };
    let id = Box::new(value.id().to_bson().unwrap_or(Bson::Null));
    let message = Error::message_of_form("serde reads a value, and writes the value differently");
    Err(Error::Decode { collection: collection.to_owned(), model, id, path: name.to_owned(), message })
}
