//! Connects to the database of a connection string, with one clear error for each way to fail. Talks to a server
//! through the driver; uses nothing else of the crate but `error` and the gate of `executor`.

mod secrets;
mod version;

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::{
    Client, Database,
    bson::doc,
    error::{Error as DriverError, ErrorKind},
    options::ClientOptions,
};

use crate::{
    error::{Error, Result},
    executor,
};

/// The time to look for a server where the connection string does not set `serverSelectionTimeoutMS`. The driver's own
/// default is 30 seconds.
const SERVER_SELECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// The most connections of a client to one server where the connection string does not set `maxPoolSize`. The driver's
/// own default is 10. While a transaction is open, plain writes take all connections but two, so that few connections
/// are few writes at once. The number is the default of most drivers (MongoDB manual, "Connection String Options":
/// `maxPoolSize`).
const MAX_POOL_SIZE: u32 = 100;

/// Connects to `database` on the server of a connection string, and checks that the server answers and is new enough:
/// see [the page `connect`](crate::guide).
///
/// If the connection string does not set `serverSelectionTimeoutMS`, the search for a server takes up to 5 seconds. If
/// the string does not set `maxPoolSize`, the client has up to 100 connections to each server; the driver's own default
/// is 10. While a transaction is open, plain writes take at most all connections but two.
///
/// # Errors
/// [`Error::ConnectionString`] when the string is not valid; the error does not repeat the string, since the string may
/// hold a password. [`Error::Connection`] when no server answers in time, [`Error::ServerTooOld`] when the server is
/// older than MongoDB 6.0. [`Error::Driver`] for any other error of the driver or the server, as a refused login.
///
/// ```no_run
/// # async fn example() -> schema_runtime::Result<()> {
/// let db = schema_runtime::connect("mongodb://127.0.0.1:27017", "shop").await?;
/// # Ok(()) }
/// ```
pub fn connect<'a>(uri: &'a str, database: &'a str) -> BoxFuture<'a, Result<Database>> {
    open(uri, database).boxed()
}

/// Connects with options in code. Options that are not set have the driver's defaults, also `maxPoolSize`: 10
/// connections.
///
/// # Errors
/// [`Error::ConnectionString`] when two options do not go together, and the errors of [`connect`] except the error of a
/// string that is not valid.
///
/// ```no_run
/// # use schema_runtime::{mongodb::options::ClientOptions, prelude::*};
/// # async fn example() -> Result<()> {
/// let mut options = ClientOptions::parse("mongodb://127.0.0.1:27017").await?;
/// options.max_pool_size = Some(200);
/// let db = schema_runtime::connect_with(options, "shop").await?;
/// # Ok(()) }
/// ```
pub fn connect_with(options: ClientOptions, database: &str) -> BoxFuture<'_, Result<Database>> {
    open_with(options, database).boxed()
}

async fn open(uri: &str, database: &str) -> Result<Database> {
    open_with(options(uri).await?, database).await
}

async fn open_with(options: ClientOptions, database: &str) -> Result<Database> {
    let client = client(options.clone())?;
    check_server(&client, &options).await?;
    Ok(client.database(database))
}

/// Returns the options of a connection string, with this crate's defaults of the server selection timeout and the
/// number of connections.
pub(crate) async fn options(uri: &str) -> Result<ClientOptions> {
    let mut options = ClientOptions::parse(uri).await.map_err(|error| refused_string(uri, &error))?;
    options.server_selection_timeout.get_or_insert(SERVER_SELECTION_TIMEOUT);
    options.max_pool_size.get_or_insert(MAX_POOL_SIZE);
    Ok(options)
}

/// Makes a client with the options.
pub(crate) fn client(options: ClientOptions) -> Result<Client> {
    #[cfg(feature = "log-values")]
    let options = {
        let mut options = options;
        crate::log_values(&mut options);
        options
    };
    executor::client(options).map_err(|error| match *error.kind {
        ErrorKind::InvalidArgument { .. } => Error::ConnectionString { message: secrets::SHAPE.to_owned() },
        _ => error.into(),
    })
}

/// Asks the server for the version of the server: one round trip.
async fn check_server(client: &Client, options: &ClientOptions) -> Result<()> {
    let reply = client.database("admin").run_command(doc! { "buildInfo": 1 }).await;
    let build = reply.map_err(|error| unreachable_server(error, options))?;
    version::check(build.get_str("version").unwrap_or("of an unknown version"))
}

/// Refuses a server that is older than this crate supports, over a connection that the caller has made.
pub(crate) async fn require_supported(database: &Database) -> Result<()> {
    let build = database.run_command(doc! { "buildInfo": 1 }).await?;
    version::check(build.get_str("version").unwrap_or("of an unknown version"))
}

fn refused_string(uri: &str, error: &DriverError) -> Error {
    match &*error.kind {
        ErrorKind::DnsResolve { message, .. } => {
            let (address, message) = (secrets::hosts(uri).to_owned(), secrets::hide_login(message, uri));
            Error::Connection { address, message, sent: false }
        }
        ErrorKind::InvalidArgument { message, .. } => Error::ConnectionString { message: secrets::hide(message, uri) },
        _ => Error::ConnectionString { message: secrets::SHAPE.to_owned() },
    }
}

fn unreachable_server(error: DriverError, options: &ClientOptions) -> Error {
    let mut error = Error::from(error);
    if let Error::Connection { address, message, .. } = &mut error {
        // The driver itself refuses servers that are even older, and does not tell the version of the server.
        if message.contains("driver requires at least") {
            return Error::ServerTooOld { found: "older than 4.4".to_owned() };
        }
        *address = options.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    }
    error
}
