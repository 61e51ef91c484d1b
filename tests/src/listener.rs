//! A listener between a client and a server, for the proxy and for the search indexes of Atlas.

use std::{io, net::Ipv4Addr};

use mongodb::{Client, Database, options::ClientOptions};
use tokio::net::{TcpListener, TcpStream};

/// Returns the host and the port of the server with this connection string.
pub(crate) async fn host_of(uri: &str) -> String {
    let options = ClientOptions::parse(uri).await.expect("a valid connection string");
    options.hosts[0].to_string()
}

/// Serves each connection to a free port in a task, and returns the port. An error ends the connection.
pub(crate) async fn listen<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> u16
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client));
        }
    });
    port
}

/// Returns a database with a client of the listener at this port.
pub(crate) async fn database_at(port: u16, name: &str) -> Database {
    let uri = format!("mongodb://127.0.0.1:{port}/?directConnection=true");
    let options = ClientOptions::parse(uri).await.expect("a valid connection string");
    Client::with_options(options).expect("a client").database(name)
}
