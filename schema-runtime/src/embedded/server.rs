//! A server to work with: started here, or the one that `MONGODB_URI` names.

use std::{fmt, path::PathBuf};

use mongodb::{Client, Database};
use tokio::sync::{Mutex, MutexGuard};

use super::{member::Member, source::failure};
use crate::{
    connect,
    error::{Error, Result},
};

/// A MongoDB server: one that was started for this value and goes with it, or the one that `MONGODB_URI` names.
///
/// Dropping it ends the server and removes its data, and waits for that (about 0.1 s). The end of the process, a panic and
/// SIGKILL do the same.
pub struct Server {
    uri: String,
    own: Option<Own>,
}

struct Own {
    ports: Vec<u16>,
    members: Mutex<Vec<Member>>,
}

impl fmt::Debug for Server {
    /// Without the connection string of another server: it may hold a password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("ports", &self.ports()).finish_non_exhaustive()
    }
}

impl Server {
    pub(super) fn own(uri: String, ports: Vec<u16>, members: Vec<Member>) -> Self {
        Server { uri, own: Some(Own { ports, members: Mutex::new(members) }) }
    }

    pub(super) fn elsewhere(uri: String) -> Self {
        Server { uri, own: None }
    }

    /// The connection string. With `MONGODB_URI` it is that one, and may hold a password: not for a log.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Whether this server was started for this value, and goes with it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// The ports on 127.0.0.1, one for each member; none for the server that `MONGODB_URI` names.
    #[must_use]
    pub fn ports(&self) -> &[u16] {
        self.own.as_ref().map_or(&[], |own| &own.ports)
    }

    /// The process ids of the members, as last started; none for the server that `MONGODB_URI` names.
    pub async fn pids(&self) -> Vec<u32> {
        match &self.own {
            Some(own) => own.members.lock().await.iter().map(Member::pid).collect(),
            None => Vec::new(),
        }
    }

    /// Where the members keep their data and logs; none for the server that `MONGODB_URI` names.
    pub async fn directories(&self) -> Vec<PathBuf> {
        match &self.own {
            Some(own) => own.members.lock().await.iter().map(|member| member.directory().to_owned()).collect(),
            None => Vec::new(),
        }
    }

    /// A new client. Each runtime, as each `#[tokio::test]`, needs its own.
    ///
    /// # Errors
    /// [`Error::ConnectionString`] when `MONGODB_URI` is not valid.
    pub async fn client(&self) -> Result<Client> {
        connect::client(connect::options(&self.uri).await?)
    }

    /// A database by a new client.
    ///
    /// # Errors
    /// Those of [`Server::client`].
    pub async fn database(&self, name: &str) -> Result<Database> {
        Ok(self.client().await?.database(name))
    }

    /// Kills one member as a crash would. Its data stay for [`Server::restart`].
    ///
    /// # Errors
    /// [`Error::Embedded`] when there is no such member, or the server is not this value's own.
    pub async fn kill(&self, member: usize) -> Result<()> {
        let mut members = self.own_members().await?;
        members.get_mut(member).ok_or_else(|| no_member(member))?.kill().await
    }

    /// Starts a member again on its port and data, after killing it where it still runs, and waits until it answers. A
    /// replica set may need some seconds more until it has a primary again.
    ///
    /// # Errors
    /// [`Error::Embedded`] when there is no such member, it does not start, or the server is not this value's own.
    pub async fn restart(&self, member: usize) -> Result<()> {
        let mut members = self.own_members().await?;
        members.get_mut(member).ok_or_else(|| no_member(member))?.restart().await
    }

    async fn own_members(&self) -> Result<MutexGuard<'_, Vec<Member>>> {
        match &self.own {
            Some(own) => Ok(own.members.lock().await),
            None => Err(failure("the server of MONGODB_URI is not started or killed from here".to_owned())),
        }
    }
}

fn no_member(index: usize) -> Error {
    failure(format!("there is no member {index}"))
}
