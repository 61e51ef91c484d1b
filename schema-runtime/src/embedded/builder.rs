//! What can be said about a server before it starts, and the start.

use std::path::{Path, PathBuf};

use futures_util::future::try_join_all;

use super::{
    member::{Member, StartError},
    replica_set,
    server::Server,
    settings::Settings,
    source::{self, Environment, Source, failure},
    topology::{Role, Topology},
};
use crate::error::Result;

/// How often a start is tried again because another program took the port in between.
const PORT_ATTEMPTS: usize = 8;

/// How to start a [`Server`].
#[derive(Clone, Debug)]
pub struct Builder {
    settings: Settings,
    own: bool,
    download: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Builder { settings: Settings::default(), own: false, download: true }
    }
}

impl Builder {
    /// Which servers are started. A replica set of one where this is not said. Says nothing about the server that
    /// `MONGODB_URI` names.
    #[must_use]
    pub fn topology(mut self, topology: Topology) -> Self {
        self.settings.topology = topology;
        self
    }

    /// Allows fail points (`configureFailPoint`), MongoDB's own way to test failures: `enableTestCommands=1`.
    #[must_use]
    pub fn fail_points(mut self, allowed: bool) -> Self {
        self.settings.fail_points = allowed;
        self
    }

    /// The most memory that each server uses as cache, in gigabytes; 0.25, the least MongoDB takes, where this is not said.
    #[must_use]
    pub fn cache_gigabytes(mut self, gigabytes: f64) -> Self {
        self.settings.cache_gigabytes = gigabytes;
        self
    }

    /// The size of a replica set's log of writes, in megabytes; 512 where this is not said. A member that was away for more
    /// than that cannot catch up.
    #[must_use]
    pub fn oplog_megabytes(mut self, megabytes: u32) -> Self {
        self.settings.oplog_megabytes = megabytes;
        self
    }

    /// Where each server makes the directory of its data: inside this directory, or among the temporary directories where this is not said. A
    /// directory in memory, as `/dev/shm` on Linux, makes a server faster that creates many collections and indexes.
    #[must_use]
    pub fn data_in(mut self, directory: impl Into<PathBuf>) -> Self {
        self.settings.data_in = Some(directory.into());
        self
    }

    /// Gives mongod more arguments, after those of this crate: `["--auth"]` for a standalone server with access control,
    /// whose first user is made by MongoDB's localhost exception.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.settings.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Starts a server even where `MONGODB_URI` is set: for what may not be done to a server that others use.
    #[must_use]
    pub fn own(mut self, own: bool) -> Self {
        self.own = own;
        self
    }

    /// Whether a missing mongod may be downloaded (with the feature `embedded-download`); it may where this is not said.
    #[must_use]
    pub fn download(mut self, allowed: bool) -> Self {
        self.download = allowed;
        self
    }

    /// Starts it, and waits until it takes writes.
    ///
    /// # Errors
    /// [`Error::Embedded`](crate::Error::Embedded) when there is no mongod or it does not start, with what to do or its last
    /// words; [`Error::ServerTooOld`](crate::Error::ServerTooOld) when it is older than 6.0; with `MONGODB_URI` those of
    /// [`connect`](crate::connect()).
    pub async fn start(self) -> Result<Server> {
        if !self.settings.topology.is_valid() {
            let members = self.settings.topology.members();
            return Err(failure(match self.settings.topology {
                Topology::Shards { shards } => format!("there are 1 to 6 shards, not {shards}"),
                _ => format!("a replica set has 1 to 7 members, not {members}"),
            }));
        }
        let mut environment = Environment::of_process()?;
        if self.own {
            environment.uri = None;
        }
        let program = match source::choose(environment)? {
            Source::Uri(uri) => {
                crate::connect(&uri, "admin").await?;
                return Ok(Server::elsewhere(uri));
            }
            Source::Program(program) => program,
            Source::Missing => {
                let fetch = tokio::task::spawn_blocking(move || source::fetch(self.download));
                fetch.await.map_err(|error| failure(error.to_string()))??
            }
        };
        self.start_program(program).await
    }

    async fn start_program(self, program: PathBuf) -> Result<Server> {
        let roles = self.settings.topology.roles();
        let members = try_join_all(roles.into_iter().map(|role| self.start_member(&program, role))).await?;
        match self.settings.topology {
            Topology::Standalone => {}
            Topology::ReplicaSet { .. } => replica_set::initiate(&members).await?,
            Topology::Shards { .. } => replica_set::join_shards(&members).await?,
        }
        let ports: Vec<u16> = members.iter().map(|member| member.port).collect();
        let uri = self.settings.topology.uri(&ports);
        crate::connect(&uri, "admin").await?;
        Ok(Server::own(uri, ports, members))
    }

    async fn start_member(&self, program: &Path, role: Role) -> Result<Member> {
        for _ in 0..PORT_ATTEMPTS {
            match Member::start(program, role, &self.settings).await {
                Ok(member) => return Ok(member),
                Err(StartError::PortTaken) => continue,
                Err(StartError::Failed(error)) => return Err(error),
            }
        }
        Err(failure(format!("{PORT_ATTEMPTS} free ports in turn were taken by other programs")))
    }
}

impl Server {
    /// Starts a server of this topology with all else as a [`Builder`] has it.
    ///
    /// # Errors
    /// Those of [`Builder::start`].
    pub async fn start(topology: Topology) -> Result<Server> {
        Server::builder().topology(topology).start().await
    }

    /// To say more than the topology.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }
}
