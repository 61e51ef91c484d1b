//! Values that the operations of one client share in a process. The driver does not tell the client of a database: a
//! session tells.

use std::sync::{Arc, Weak};

use mongodb::{
    ClientSession, Database,
    bson::doc,
    error::ErrorKind,
    options::{ReadPreference, SelectionCriteria},
};
use tokio::sync::Mutex;

use crate::error::Result;

/// A `T` for each client. The `T` lives as long as an operation holds the `T`.
pub(crate) struct PerClient<T> {
    all: Mutex<Vec<Weak<OfClient<T>>>>,
}

/// The `T` of one client.
pub(crate) struct OfClient<T> {
    /// A session of the client with an open transaction. The session never sends a command.
    probe: Mutex<ClientSession>,
    pub(crate) shared: T,
}

impl<T: Default> PerClient<T> {
    pub(crate) const fn new() -> Self {
        PerClient { all: Mutex::const_new(Vec::new()) }
    }

    /// Returns the `T` of the client of this database, if an operation holds the `T`.
    pub(crate) async fn known(&self, database: &Database) -> Option<Arc<OfClient<T>>> {
        find(&mut *self.all.lock().await, database).await
    }

    /// Returns the `T` of the client of this database.
    pub(crate) async fn of(&self, database: &Database) -> Result<Arc<OfClient<T>>> {
        if let Some(found) = find(&mut *self.all.lock().await, database).await {
            return Ok(found);
        }
        // Outside of the lock: the first session of a client may wait for a server.
        let mut probe = database.client().start_session().await?;
        probe.start_transaction().await?;
        let mut all = self.all.lock().await;
        if let Some(found) = find(&mut all, database).await {
            return Ok(found);
        }
        let new = Arc::new(OfClient { probe: Mutex::new(probe), shared: T::default() });
        all.push(Arc::downgrade(&new));
        Ok(new)
    }
}

/// A `T` for each client that was asked for once, as long as the process lives.
pub(crate) struct KeptPerClient<T> {
    of_clients: PerClient<T>,
    kept: Mutex<Vec<Arc<OfClient<T>>>>,
}

impl<T: Default> KeptPerClient<T> {
    pub(crate) const fn new() -> Self {
        KeptPerClient { of_clients: PerClient::new(), kept: Mutex::const_new(Vec::new()) }
    }

    /// Returns the `T` of the client of this database, and keeps the `T`.
    pub(crate) async fn keep(&self, database: &Database) -> Result<Arc<OfClient<T>>> {
        let of_client = self.of_clients.of(database).await?;
        let mut kept = self.kept.lock().await;
        if !kept.iter().any(|other| Arc::ptr_eq(other, &of_client)) {
            kept.push(Arc::clone(&of_client));
        }
        Ok(of_client)
    }

    /// Returns the `T` of the client of this database, if the `T` is kept.
    pub(crate) async fn known(&self, database: &Database) -> Option<Arc<OfClient<T>>> {
        self.of_clients.known(database).await
    }
}

async fn find<T>(all: &mut Vec<Weak<OfClient<T>>>, database: &Database) -> Option<Arc<OfClient<T>>> {
    all.retain(|of| of.strong_count() > 0);
    for of in all.iter().filter_map(Weak::upgrade) {
        if is_of_client(&mut *of.probe.lock().await, database).await {
            return Some(of);
        }
    }
    None
}

/// Returns whether a database belongs to the client of this session. The driver refuses a session of another client
/// before the driver looks at the read preference, which no transaction may have: nothing is sent in either case.
async fn is_of_client(probe: &mut ClientSession, database: &Database) -> bool {
    let secondary = SelectionCriteria::ReadPreference(ReadPreference::Secondary { options: Default::default() });
    let refused = database.run_command(doc! { "ping": 1 }).selection_criteria(secondary).session(probe).await;
    matches!(refused.map_err(|error| *error.kind), Err(ErrorKind::Transaction { .. }))
}
