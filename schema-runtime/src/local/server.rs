//! A server to work with: a started server, or the server in `MONGODB_URI`.

use std::{fmt, path::PathBuf};

use mongodb::{Client, Database};
use tokio::sync::{Mutex, MutexGuard};

use super::{member::Member, source::failure};
use crate::{
    connect,
    error::{Error, Result},
};

/// A MongoDB server: a server started for this value and removed with the value, or the server in `MONGODB_URI`.
///
/// A drop ends the server, removes its data, and waits until both are gone (about 0.1 s). The end of the process, a
/// panic and SIGKILL also end the server and remove its data.
pub struct Server {
    uri: String,
    own: Option<Own>,
}

struct Own {
    ports: Vec<u16>,
    members: Mutex<Vec<Member>>,
}

impl fmt::Debug for Server {
    /// Omits the connection string of another server, because the string may hold a password.
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

    /// Returns the connection string. With `MONGODB_URI`, the string is the value of the variable and may hold a
    /// password: not for a log.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns whether the server was started for this value and is removed with the value.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Returns the ports on 127.0.0.1, one port for each member; empty for the server in `MONGODB_URI`.
    #[must_use]
    pub fn ports(&self) -> &[u16] {
        self.own.as_ref().map_or(&[], |own| &own.ports)
    }

    /// Returns the process ids of the members, as last started; empty for the server in `MONGODB_URI`.
    pub async fn pids(&self) -> Vec<u32> {
        match &self.own {
            Some(own) => own.members.lock().await.iter().map(Member::pid).collect(),
            None => Vec::new(),
        }
    }

    /// Returns the directories with the data and logs of the members; empty for the server in `MONGODB_URI`.
    pub async fn directories(&self) -> Vec<PathBuf> {
        match &self.own {
            Some(own) => own.members.lock().await.iter().map(|member| member.directory().to_owned()).collect(),
            None => Vec::new(),
        }
    }

    /// Returns a new client. Each runtime, as each `#[tokio::test]`, needs a separate client.
    ///
    /// # Errors
    /// [`Error::ConnectionString`] when `MONGODB_URI` is not valid.
    pub async fn client(&self) -> Result<Client> {
        connect::client(connect::options(&self.uri).await?)
    }

    /// Returns a database of a new client.
    ///
    /// # Errors
    /// Errors of [`Server::client`].
    pub async fn database(&self, name: &str) -> Result<Database> {
        Ok(self.client().await?.database(name))
    }

    /// Kills one member as a crash would. The data stay for [`Server::restart`].
    ///
    /// # Errors
    /// [`Error::Embedded`] when the member does not exist, or the server was not started for this value.
    pub async fn kill(&self, member: usize) -> Result<()> {
        let mut members = self.own_members().await?;
        members.get_mut(member).ok_or_else(|| no_member(member))?.kill().await
    }

    /// Starts a member again on the same port and data, and waits until the member answers. A running member is killed
    /// first. A replica set may need some more seconds until a primary exists again.
    ///
    /// # Errors
    /// [`Error::Embedded`] when the member does not exist or does not start, or the server was not started for this
    /// value.
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
