//! The commands of a part of a program as lines for `mongosh`, without a write.

use super::{
    counted::{self, Kind},
    lines::Lines,
};
use crate::error::{Error, Result};

/// Returns the commands of an operation as lines for `mongosh`, with all values, and writes nothing. The operation runs
/// up to the first write. The reads before the write are sent, so that the line of the write has the values of the
/// reads, as the copies of a source. The first write ends the operation. Without a write all commands of the operation
/// are shown. See [the page `visibility`](crate::guide).
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: ObjectId, name: String }
/// # async fn example(db: &Database, part: Part) -> Result<()> {
/// println!("{}", schema_runtime::preview(Part::insert(db, &part)).await?);
/// # Ok(())
/// # }
/// ```
///
/// The commands of the driver itself, as of `Part::collection(&db)`, and tasks that the operation spawns are outside of
/// the preview: the operations of this crate are inside. Applying a plan is refused.
///
/// # Errors
/// The errors of the operation before the first write.
pub async fn preview<T, E>(operation: impl Future<Output = Result<T, E>>) -> Result<String, E> {
    let (result, kind) = counted::within(Kind::Preview(Lines::default()), operation).await;
    let Kind::Preview(lines) = &*kind else { return result.map(|_| String::new()) };
    let (lines, has_write) = lines.taken();
    match result {
        Err(error) if !has_write => Err(error),
        _ => Ok(lines.join("\n")),
    }
}

/// Returns whether a preview is around the caller.
pub(crate) fn is_preview() -> bool {
    counted::preview(|_| ()).is_some()
}

/// Refuses actions of the driver in a preview: an action may write.
pub(super) fn refuse_action(operation: &str) -> Result<()> {
    let refused = counted::preview(|lines| lines.add(&format!("{operation} by the driver"), None, false));
    Ok(refused.transpose().map(drop)?)
}

/// Refuses work that a preview cannot stop before a write.
pub(crate) fn refuse_preview() -> Result<()> {
    let message = "a preview does not apply a plan: the plan lists the steps";
    if is_preview() { Err(Error::Query { message }) } else { Ok(()) }
}
