//! A link to the server that delays each direction, like a network. Many commands may be in progress at once.

use std::{net::Ipv4Addr, time::Duration};

use schema_runtime::{
    mongodb::{
        Client,
        options::{ClientOptions, DatabaseOptions, WriteConcern},
    },
    prelude::*,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::Instant,
};

/// Returns the connection string of the shared server, without a delay.
pub(crate) async fn local() -> String {
    let options = ClientOptions::parse(schema_tests::server().await.uri()).await.expect("a valid connection string");
    format!("mongodb://{}/?directConnection=true", options.hosts[0])
}

/// Returns the connection string of the same server, with this delay in each direction.
pub(crate) async fn delayed(each: Duration) -> String {
    let options = ClientOptions::parse(schema_tests::server().await.uri()).await.expect("a valid connection string");
    let server = options.hosts[0].to_string();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let Ok(server) = TcpStream::connect(&server).await else { continue };
            let _ = (client.set_nodelay(true), server.set_nodelay(true));
            let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
            pass(from_client, to_server, each);
            pass(from_server, to_client, each);
        }
    });
    format!("mongodb://127.0.0.1:{port}/?directConnection=true")
}

fn pass(
    mut from: impl AsyncReadExt + Unpin + Send + 'static,
    mut to: impl AsyncWriteExt + Unpin + Send + 'static,
    each: Duration,
) {
    let (sender, mut receiver) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        let mut buffer = vec![0; 65_536];
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            if sender.send((Instant::now() + each, buffer[..count].to_vec())).is_err() {
                return;
            }
        }
    });
    tokio::spawn(async move {
        while let Some((at, bytes)) = receiver.recv().await {
            tokio::time::sleep_until(at).await;
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    });
}

/// Returns a database with writes on a majority, by a client with enough connections for all writers.
pub(crate) async fn database(uri: &str, name: &str) -> Database {
    let mut options = ClientOptions::parse(uri).await.expect("a valid connection string");
    options.max_pool_size = Some(100);
    let mut majority = DatabaseOptions::default();
    majority.write_concern = Some(WriteConcern::majority());
    Client::with_options(options).expect("a client").database_with_options(name, majority)
}
