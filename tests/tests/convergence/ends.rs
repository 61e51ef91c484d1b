//! Both ends of links agree and nothing dangles, whatever clients write at the same time: random programs, with commands that fail and
//! clients that stop, and clients that are killed.

mod kill;
mod programs;

use mongodb::bson::doc;
use schema_runtime::embedded::Server;

/// A server of their own: what a stopped client has begun holds its documents until the server ends it, which takes a minute where
/// nobody asks for less.
async fn server() -> Server {
    let server = Server::builder().start().await.expect("a server");
    let admin = server.client().await.expect("a client").database("admin");
    let limit = doc! { "setParameter": 1, "transactionLifetimeLimitSeconds": 2 };
    admin.run_command(limit).await.expect("the limit");
    server
}
