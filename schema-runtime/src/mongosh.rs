//! The text of a command for `mongosh`, the shell of MongoDB: a line that a person pastes into the shell. Pure.

mod line;
mod notation;

use mongodb::bson::Document;

use crate::error::Result;

pub(crate) use line::line;
pub(crate) use notation::text as literal;

/// A read or a write that is shown as a line for `mongosh` without a command to the server.
pub trait ToMongosh {
    #[doc(hidden)]
    fn command(&self) -> Result<Document>;

    /// Returns the command as a line for `mongosh`, and sends nothing. The line holds the values of the operation:
    /// see [the page `visibility`](crate::guide).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: ObjectId, name: String, qty: i64 }
    /// # fn example() -> Result<()> {
    /// let read = Part::find(Part::F.name.eq("bolt")).sort(Part::F.qty.asc()).limit(9);
    /// let expected = r#"db.getCollection("parts").find({ name: "bolt" }).sort({ qty: 1 }).limit(9)"#;
    /// assert_eq!(read.to_mongosh()?, expected);
    /// # Ok(())
    /// # }
    /// # example().unwrap();
    /// ```
    ///
    /// # Errors
    /// The errors of the operation before the first command, as a value that is no BSON.
    fn to_mongosh(&self) -> Result<String> {
        Ok(line(&self.command()?))
    }
}
