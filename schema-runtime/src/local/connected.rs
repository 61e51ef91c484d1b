//! A database together with the server of the database.

use std::ops::Deref;

use mongodb::Database;

use super::{Server, Topology};
use crate::{error::Result, executor};

/// A database and the server of the database: a drop of the value removes the server. The value can be used wherever a
/// [`Database`] can.
#[derive(Debug)]
pub struct Connected {
    database: Database,
    server: Server,
}

/// Starts a [`Server`], a replica set of one member, or uses the server in `MONGODB_URI`. Returns the database `name`
/// on the server.
///
/// # Errors
/// Errors of [`Builder::start`](super::Builder::start).
///
/// ```no_run
/// # async fn example() -> schema_runtime::Result<()> {
/// let db = schema_runtime::local::connect("shop").await?;
/// # Ok(()) }
/// ```
pub async fn connect(name: &str) -> Result<Connected> {
    let server = Server::start(Topology::default()).await?;
    Ok(Connected { database: server.database(name).await?, server })
}

impl Connected {
    /// Returns the server.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }
}

impl Deref for Connected {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

impl executor::Sealed for Connected {}

impl executor::Executor for Connected {
    fn plain_context(&self) -> Result<executor::Context> {
        self.database.plain_context()
    }
}
