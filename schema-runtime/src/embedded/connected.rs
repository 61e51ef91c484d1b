//! A database together with the server it is on, in one value.

use std::ops::Deref;

use mongodb::Database;

use super::{Server, Topology};
use crate::{error::Result, executor};

/// A database and the server it is on: the server goes with this value. It can be used wherever a [`Database`] can.
#[derive(Debug)]
pub struct Connected {
    database: Database,
    server: Server,
}

/// The database `name` on a [`Server`]: a replica set of one, or what `MONGODB_URI` names.
///
/// # Errors
/// Those of [`Builder::start`](super::Builder::start).
///
/// ```no_run
/// # async fn example() -> schema_runtime::Result<()> {
/// let db = schema_runtime::embedded::connect("shop").await?;
/// # Ok(()) }
/// ```
pub async fn connect(name: &str) -> Result<Connected> {
    let server = Server::start(Topology::default()).await?;
    Ok(Connected { database: server.database(name).await?, server })
}

impl Connected {
    /// The server.
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
    fn context(&self) -> Result<executor::Context> {
        self.database.context()
    }
}
