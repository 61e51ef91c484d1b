//! Sends writes outside of transactions, and transactions, each through the gate of the client.

use mongodb::{Database, error::Error as DriverError};

use super::{
    gate::{Open, TURN, Write},
    options::Overdue,
    pools::gate_of,
    session,
};
use crate::error::cause::Held;

/// Lets a transaction begin; the drop of the returned value ends the transaction. Returns `None` for a client without a
/// gate.
pub(crate) async fn open(database: &Database) -> Option<Open> {
    match gate_of(database.client()) {
        Some(gate) => Some(gate.open().await),
        None => None,
    }
}

/// Lets a plain write begin. A write that the callback of a transaction makes outside of the session goes on at once:
/// the transaction waits for the write.
///
/// # Errors
/// The error of a write that got no turn before the deadline: the write is not sent.
pub(super) async fn write(
    database: &Database,
    collection: &'static str,
    overdue: Overdue,
) -> Result<Option<Write>, DriverError> {
    let Some(gate) = gate_of(database.client()).filter(|_| session::attempt() == 0) else { return Ok(None) };
    let left = overdue.left()?;
    match gate.write(left.map_or(TURN, |left| left.min(TURN))).await {
        Some(write) => Ok(Some(write)),
        None => {
            overdue.left()?;
            Err(DriverError::custom(Held { collection, seconds: TURN.as_secs() }))
        }
    }
}
