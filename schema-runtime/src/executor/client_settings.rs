//! Changes and reads the settings of a client.

use mongodb::Database;

use super::{client::KeptPerClient, pools::gate_of, settings::Settings};
use crate::error::Result;

/// The settings of the clients without a known address.
static FOREIGN: KeptPerClient<Settings> = KeptPerClient::new();

/// Changes the settings of the client of a database.
///
/// # Errors
/// The error of a client that was made without this crate, when no server answers.
pub(super) async fn change<T>(db: &Database, change: impl FnOnce(&Settings) -> T) -> Result<T> {
    Ok(match gate_of(db.client()) {
        Some(gate) => change(gate.settings()),
        None => change(&FOREIGN.keep(db).await?.shared),
    })
}

/// Reads the settings of the client of a database; `None` for a client whose settings were never changed.
pub(super) async fn read<T>(db: &Database, read: impl FnOnce(&Settings) -> T) -> Option<T> {
    match gate_of(db.client()) {
        Some(gate) => Some(read(gate.settings())),
        None => FOREIGN.known(db).await.map(|of_client| read(&of_client.shared)),
    }
}
