//! Both ends of links agree and no reference dangles, for all concurrent writes of clients: random programs, with
//! commands that fail and clients that stop, and clients that are killed.

mod kill;
mod programs;

use mongodb::bson::doc;
use schema_runtime::local::Server;

/// Starts a separate server. The transaction of a stopped client holds its documents until the server ends the
/// transaction, by default after a minute; on this server after 2 s.
async fn server() -> Server {
    let server = Server::builder().start().await.expect("a server");
    let admin = server.client().await.expect("a client").database("admin");
    let limit = doc! { "setParameter": 1, "transactionLifetimeLimitSeconds": 2 };
    admin.run_command(limit).await.expect("the limit");
    server
}
