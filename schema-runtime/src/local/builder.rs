//! The options of a server before the start, and the start.

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

/// The number of start attempts, because another program may take the port in between.
const PORT_ATTEMPTS: usize = 8;

/// The options for the start of a [`Server`].
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
    /// Sets the servers to start. Default: a replica set of one member. Has no effect on the server in `MONGODB_URI`.
    #[must_use]
    pub fn topology(mut self, topology: Topology) -> Self {
        self.settings.topology = topology;
        self
    }

    /// Allows fail points (`configureFailPoint`), the way of MongoDB to test failures: `enableTestCommands=1`.
    #[must_use]
    pub fn fail_points(mut self, allowed: bool) -> Self {
        self.settings.fail_points = allowed;
        self
    }

    /// Sets the maximum memory that each server uses as cache, in gigabytes. Default: 0.25, the minimum of MongoDB.
    #[must_use]
    pub fn cache_gigabytes(mut self, gigabytes: f64) -> Self {
        self.settings.cache_gigabytes = gigabytes;
        self
    }

    /// Sets the size of the oplog of a replica set, in megabytes. Default: 512. A member that misses more writes than
    /// the oplog holds cannot catch up.
    #[must_use]
    pub fn oplog_megabytes(mut self, megabytes: u32) -> Self {
        self.settings.oplog_megabytes = megabytes;
        self
    }

    /// Sets the parent directory of the data directory of each server. Default: the directory for temporary files. A
    /// directory in memory, as `/dev/shm` on Linux, makes a server with many new collections and indexes faster.
    #[must_use]
    pub fn data_in(mut self, directory: impl Into<PathBuf>) -> Self {
        self.settings.data_in = Some(directory.into());
        self
    }

    /// Adds arguments for mongod, after the arguments of this crate: `["--auth"]` for a standalone server with access
    /// control. The localhost exception of MongoDB allows the creation of the first user.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.settings.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Starts a server even when `MONGODB_URI` is set: for operations that must not run on a shared server.
    #[must_use]
    pub fn own(mut self, own: bool) -> Self {
        self.own = own;
        self
    }

    /// Sets whether a missing mongod may be downloaded (with the feature `local-download`). Default: true.
    #[must_use]
    pub fn download(mut self, allowed: bool) -> Self {
        self.download = allowed;
        self
    }

    /// Starts the server, and waits until the server accepts writes.
    ///
    /// # Errors
    /// [`Error::Embedded`](crate::Error::Embedded) when no mongod exists or mongod does not start, with advice or with
    /// the last output of mongod; [`Error::ServerTooOld`](crate::Error::ServerTooOld) when mongod is older than 6.0;
    /// with `MONGODB_URI`, the errors of [`connect`](crate::connect()).
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
        Err(failure(format!("{PORT_ATTEMPTS} free ports in turn were taken by another program")))
    }
}

impl Server {
    /// Starts a server of this topology with the defaults of [`Builder`].
    ///
    /// # Errors
    /// Errors of [`Builder::start`].
    pub async fn start(topology: Topology) -> Result<Server> {
        Server::builder().topology(topology).start().await
    }

    /// Returns a builder, for more options than the topology.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }
}
