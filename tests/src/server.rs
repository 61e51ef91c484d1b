//! The server that the tests of a binary share, and the databases of the tests.

use std::time::{Duration, SystemTime};

use mongodb::{
    Client, Database,
    bson::oid::ObjectId,
    options::{ClientOptions, ServerMonitoringMode},
};
use schema_runtime::local::Server;
use tokio::sync::OnceCell;

use crate::{memory, spans};

/// The prefix of the names of the databases of the tests. An ObjectId with the time of the creation follows.
const PREFIX: &str = "schema_test_";

/// The age from which a database counts as left behind by an earlier run.
const LEFT_BEHIND: Duration = Duration::from_secs(60 * 60);

/// The parameter that closes the files of unused collections and indexes, in seconds. Every test has a database of its
/// own, and mongod keeps the file of each collection and index open for ten minutes after its last use. A whole run
/// opens 20,000 files; an operating system may allow fewer, and then mongod ends itself.
const CLOSE_FILES_AFTER: &str = "wiredTigerFileHandleCloseIdleTime=20";

/// The interval of the client's checks of the server. The driver allows no shorter time.
const HEARTBEAT: Duration = Duration::from_millis(500);

static SERVER: OnceCell<Server> = OnceCell::const_new();

/// Returns the server that the tests of this binary share: a replica set of a single member with fail points, or the
/// server that `MONGODB_URI` names. The server ends with the process.
pub async fn server() -> &'static Server {
    spans::enable();
    SERVER.get_or_init(start).await
}

async fn start() -> Server {
    // Eight tests run in parallel, and some of the tests write documents of 16 MB. With a smaller cache, the server
    // refuses some of the writes (388).
    let server = memory::builder().fail_points(true).cache_gigabytes(0.5);
    let server = server.arguments(["--setParameter", CLOSE_FILES_AFTER]).start().await;
    let server = server.expect("the tests need a MongoDB server");
    if !server.is_own() {
        drop_left_behind(&server.client().await.expect("a client")).await;
    }
    server
}

/// Returns a new database with a client of its own. The client belongs to the runtime of the calling test.
pub async fn database() -> Database {
    database_with(|_| ()).await
}

/// Returns a new database with changed options. The client's application name is the database's name: a fail point can
/// then affect this client alone.
pub(crate) async fn database_with(change: impl FnOnce(&mut ClientOptions)) -> Database {
    let name = format!("{PREFIX}{}", ObjectId::new().to_hex());
    let mut options = ClientOptions::parse(server().await.uri()).await.expect("a valid connection string");
    options.app_name = Some(name.clone());
    // After a failure by a fail point, a server has nothing new to report, and a client that waits for reports waits
    // for ten seconds.
    options.server_monitoring_mode = Some(ServerMonitoringMode::Poll);
    options.heartbeat_freq = Some(HEARTBEAT);
    change(&mut options);
    Client::with_options(options).expect("a client").database(&name)
}

/// Drops the databases that earlier runs have left behind on a server that outlives the tests, as far as possible. A
/// database that may belong to a run in progress stays.
async fn drop_left_behind(client: &Client) {
    let old = SystemTime::now() - LEFT_BEHIND;
    for name in client.list_database_names().await.unwrap_or_default() {
        let made = name.strip_prefix(PREFIX).and_then(|id| ObjectId::parse_str(id).ok());
        if made.is_some_and(|id| id.timestamp().to_system_time() < old) {
            let _ = client.database(&name).drop().await;
        }
    }
}
