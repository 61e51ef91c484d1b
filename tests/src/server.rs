//! The server that the tests of one binary share, and their databases.

use std::time::{Duration, SystemTime};

use mongodb::{
    Client, Database,
    bson::oid::ObjectId,
    options::{ClientOptions, ServerMonitoringMode},
};
use schema_runtime::embedded::Server;
use tokio::sync::OnceCell;

use crate::{memory, spans};

/// Databases of the tests have names that start so; an ObjectId follows, and says when.
const PREFIX: &str = "schema_test_";

/// How old a database must be to be one that an earlier run has left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(60 * 60);

/// Every test has a database of its own, and mongod keeps the file of each collection and index open for ten minutes after its
/// last use: 20,000 of them in a whole run, where the operating system may allow fewer, and then mongod ends itself. Seconds.
const CLOSE_FILES_AFTER: &str = "wiredTigerFileHandleCloseIdleTime=20";

/// How often a client looks at the server. The driver allows no shorter time.
const HEARTBEAT: Duration = Duration::from_millis(500);

static SERVER: OnceCell<Server> = OnceCell::const_new();

/// The server that the tests of this binary share: a replica set of one with fail points, or what `MONGODB_URI` names. It
/// goes with the process.
pub async fn server() -> &'static Server {
    spans::enable();
    SERVER.get_or_init(start).await
}

async fn start() -> Server {
    // Eight tests run side by side, some of them with documents of 16 MB: a smaller cache has the server refuse those now and then (388).
    let server = memory::builder().fail_points(true).cache_gigabytes(0.5);
    let server = server.arguments(["--setParameter", CLOSE_FILES_AFTER]).start().await;
    let server = server.expect("the tests need a MongoDB server");
    if !server.is_own() {
        drop_left_behind(&server.client().await.expect("a client")).await;
    }
    server
}

/// A new database with a client of its own, so that it belongs to the runtime of the calling test.
pub async fn database() -> Database {
    database_with(|_| ()).await
}

/// The same, with changed options. The client's application name is the database's name, so that a fail point can be for
/// this client alone.
pub(crate) async fn database_with(change: impl FnOnce(&mut ClientOptions)) -> Database {
    let name = format!("{PREFIX}{}", ObjectId::new().to_hex());
    let mut options = ClientOptions::parse(server().await.uri()).await.expect("a valid connection string");
    options.app_name = Some(name.clone());
    // After a failure of a fail point a server has nothing new to report, and a client that waits for reports waits for ten seconds.
    options.server_monitoring_mode = Some(ServerMonitoringMode::Poll);
    options.heartbeat_freq = Some(HEARTBEAT);
    change(&mut options);
    Client::with_options(options).expect("a client").database(&name)
}

/// On a server that outlives the tests: drops what earlier runs have left behind, as far as that is possible. What may be of
/// a run that is under way stays.
async fn drop_left_behind(client: &Client) {
    let old = SystemTime::now() - LEFT_BEHIND;
    for name in client.list_database_names().await.unwrap_or_default() {
        let made = name.strip_prefix(PREFIX).and_then(|id| ObjectId::parse_str(id).ok());
        if made.is_some_and(|id| id.timestamp().to_system_time() < old) {
            let _ = client.database(&name).drop().await;
        }
    }
}
