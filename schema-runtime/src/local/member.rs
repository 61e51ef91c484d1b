//! One mongod of a server: the command, the port, and the wait until mongod answers.

use std::{
    io,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    pin::pin,
    time::{Duration, Instant},
};

use mongodb::{Client, Database, bson::doc, options::ClientOptions};

use super::{
    directory::DataDirectory,
    settings::Settings,
    source::failure,
    supervisor::Supervisor,
    topology::{Role, Topology, address},
};
use crate::error::{Error, Result, code::is_unauthorized};

/// The maximum time of one step of a start; a longer step is an error. Seen: 0.7 s to the first answer, 0.1 s to a
/// primary. A machine with much other work needs longer.
pub(super) const PATIENCE: Duration = Duration::from_secs(180);

/// The wait between two checks.
pub(super) const PAUSE: Duration = Duration::from_millis(10);

/// One mongod that answers at its port, or was killed.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) port: u16,
    pub(super) role: Role,
    command: Vec<String>,
    directory: DataDirectory,
    supervisor: Supervisor,
}

/// The reason of a failed start.
pub(super) enum StartError {
    /// Another program took the port in between: worth another try.
    PortTaken,
    /// Any other error.
    Failed(Error),
}

impl From<Error> for StartError {
    fn from(error: Error) -> Self {
        StartError::Failed(error)
    }
}

impl Member {
    /// Starts `program` in a separate directory and waits until mongod answers.
    pub(super) async fn start(program: &Path, role: Role, options: &Settings) -> Result<Self, StartError> {
        let port = free_port().map_err(|error| failure(format!("no port of 127.0.0.1 is free: {error}")))?;
        let directory = DataDirectory::new(options.data_in.as_deref())?;
        let command = command(program, role, directory.path(), port, options);
        let supervisor = Supervisor::start(directory.clone(), &command)?;
        let member = Member { port, role, command, directory, supervisor };
        member.answers().await?;
        Ok(member)
    }

    /// Waits until this mongod, and not another mongod at the same port, answers.
    async fn answers(&self) -> Result<(), StartError> {
        let mut ended = pin!(self.supervisor.ended());
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            if tokio::time::timeout(PAUSE, &mut ended).await.is_ok() {
                return Err(self.early_end());
            }
            if Instant::now() > deadline {
                let said = self.supervisor.last_words();
                return Err(failure(format!("`{}` does not answer; the output is:\n{said}", self.command[0])).into());
            }
        }
        let status = match self.admin().await?.run_command(doc! { "serverStatus": 1 }).await {
            Ok(status) => status,
            // The server has access control, and does not report the process id.
            Err(error) if is_unauthorized(&error) => return Ok(()),
            Err(error) => return Err(Error::from(error).into()),
        };
        let pid = status.get_i64("pid").unwrap_or_default();
        if pid == i64::from(self.supervisor.pid()) { Ok(()) } else { Err(StartError::PortTaken) }
    }

    fn early_end(&self) -> StartError {
        let said = self.supervisor.last_words();
        if said.contains("Address already in use") {
            return StartError::PortTaken;
        }
        StartError::Failed(failure(format!("`{}` ended at once; the output is:\n{said}", self.command[0])))
    }

    /// Returns the `admin` database of this member only.
    pub(super) async fn admin(&self) -> Result<Database> {
        let uri = Topology::Standalone.uri(&[self.port]);
        let mut options = ClientOptions::parse(uri).await?;
        options.server_selection_timeout = Some(PATIENCE);
        Ok(Client::with_options(options)?.database("admin"))
    }

    /// Kills mongod as a crash would; the data stay.
    pub(super) async fn kill(&mut self) -> Result<()> {
        self.supervisor.kill().await
    }

    /// Starts mongod again on the same port and data. A connection of another program may have the port for a moment.
    pub(super) async fn restart(&mut self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.supervisor.kill().await?;
            let next = Supervisor::start(self.directory.clone(), &self.command)?;
            std::mem::replace(&mut self.supervisor, next).hand_over()?;
            match self.answers().await {
                Ok(()) => return Ok(()),
                Err(StartError::PortTaken) if Instant::now() < deadline => tokio::time::sleep(PAUSE).await,
                Err(StartError::PortTaken) => {
                    return Err(failure(format!("port {} was taken by another program", self.port)));
                }
                Err(StartError::Failed(error)) => return Err(error),
            }
        }
    }

    /// Returns the process id of mongod.
    pub(super) fn pid(&self) -> u32 {
        self.supervisor.pid()
    }

    /// Returns the address of the member in the configuration of a replica set.
    pub(super) fn address(&self) -> String {
        address(self.port)
    }

    /// Returns the directory of the data.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }
}

/// Returns a port that was free a moment ago.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn command(program: &Path, role: Role, directory: &Path, port: u16, options: &Settings) -> Vec<String> {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let mut command = vec![path(program), "--nounixsocket".to_owned(), "--quiet".to_owned()];
    let mut option = |name: &str, value: String| command.extend([name.to_owned(), value]);
    option("--bind_ip", Ipv4Addr::LOCALHOST.to_string());
    option("--port", port.to_string());
    option("--dbpath", path(directory));
    option("--logpath", path(&directory.join("mongod.log")));
    option("--wiredTigerCacheSizeGB", options.cache_gigabytes.to_string());
    option("--setParameter", "diagnosticDataCollectionEnabled=false".to_owned());
    if options.fail_points {
        option("--setParameter", "enableTestCommands=1".to_owned());
    }
    if role == Role::ConfigServer && options.fail_points {
        // Five minutes by default, for clients that hold old routes.
        option("--setParameter", "reshardingMinimumOperationDurationMillis=0".to_owned());
    }
    if let Some(set) = role.set() {
        option("--replSet", set);
        option("--oplogSize", options.oplog_megabytes.to_string());
    }
    match role {
        Role::Standalone | Role::Member => {}
        Role::ConfigServer => command.push("--configsvr".to_owned()),
        Role::Shard(_) => command.push("--shardsvr".to_owned()),
    }
    command.extend(options.arguments.iter().cloned());
    command
}
