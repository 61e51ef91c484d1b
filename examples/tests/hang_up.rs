//! A service with clients that hang up: an axum server with a pool of 10 connections, and 32 clients; most clients
//! close the connection 5 to 50 milliseconds after the request. The server never freezes, and after the last request
//! all derived data is right.

use std::{
    collections::hash_map::RandomState,
    hash::BuildHasher,
    net::SocketAddr,
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{delete, post, put},
};
use schema_runtime::{connect, finish_writes, prelude::*};
use schema_tests::{
    database,
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, message},
    scale, server,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

const CLIENTS: u64 = 32;

/// How many parents the requests share.
const HOSTS: u64 = 4;

/// A request that has no answer in this time is taken for a freeze.
const FREEZE: Duration = Duration::from_secs(20);

/// Returns the duration of the load.
fn lasts() -> Duration {
    Duration::from_secs(if scale::is_long() { 60 } else { 5 })
}

fn status<T>(done: Result<T>) -> StatusCode {
    match done {
        Ok(_) => StatusCode::NO_CONTENT,
        Err(error) => StatusCode::from_u16(error.kind().http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

async fn insert(State(db): State<Database>, Path((id, host)): Path<(i64, i64)>) -> StatusCode {
    let counter = Some(Ref::new(1));
    status(LogMsg::insert(&db, &LogMsg { counter, ..message(id, host) }).await)
}

async fn change(State(db): State<Database>, Path((id, bytes)): Path<(i64, i64)>) -> StatusCode {
    status(LogMsg::update_by_id(id).set(LogMsg::F.bytes, bytes as i32).execute(&db).await)
}

async fn remove(State(db): State<Database>, Path(id): Path<i64>) -> StatusCode {
    status(LogMsg::delete_by_id(&db, id).await)
}

async fn rename(State(db): State<Database>, Path(id): Path<i64>) -> StatusCode {
    status(Host::update_by_id(id).set(Host::F.name, "another").execute(&db).await)
}

fn app(db: Database) -> Router {
    let messages = "/messages/{id}/{number}";
    let one = Router::new().route("/messages/{id}", delete(remove)).route("/hosts/{id}/name", put(rename));
    one.route(messages, post(insert).put(change)).with_state(db)
}

/// Returns the request number `at` of a client.
fn request(client: u64, at: u64) -> String {
    let (id, before) = (client * 1_000_000 + at, client * 1_000_000 + at.saturating_sub(3));
    let host = 1 + (client + at) % HOSTS;
    let line = match at % 8 {
        3 => format!("PUT /messages/{before}/{}", at % 500),
        5 => format!("DELETE /messages/{before}"),
        7 => format!("PUT /hosts/{host}/name"),
        _ => format!("POST /messages/{id}/{host}"),
    };
    format!("{line} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

/// Sends a request and hangs up after a while; every tenth client waits for the answer instead. Returns the waiting
/// time of a client that waits.
async fn send(address: SocketAddr, client: u64, at: u64) -> Option<Duration> {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request(client, at).as_bytes()).await.expect("a request");
    let mut answer = Vec::new();
    if client.is_multiple_of(10) {
        let read = timeout(FREEZE, stream.read_to_end(&mut answer)).await.expect("the server has frozen");
        read.expect("an answer");
        assert!(
            answer.starts_with(b"HTTP/1.1 2") || answer.starts_with(b"HTTP/1.1 4"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
        return Some(begun.elapsed());
    }
    let pause = 5 + RandomState::new().hash_one((client, at)) % 46;
    let _ = timeout(Duration::from_millis(pause), stream.read_to_end(&mut answer)).await;
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_hang_up() {
    let name = database().await.name().to_owned();
    let uri = server().await.uri();
    let join = if uri.contains('?') { '&' } else { '?' };
    let db = connect(&format!("{uri}{join}maxPoolSize=10"), &name).await.expect("a client");
    schema_runtime::schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, (1..=HOSTS as i64).map(host)).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = axum::serve(listener, app(db.clone())).with_graceful_shutdown(async { drop(stopped.await) });
    let serving = tokio::spawn(async move { serving.await });

    let until = Instant::now() + lasts();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            tokio::spawn(async move {
                let (mut waited, mut at) = (Vec::new(), 0);
                while Instant::now() < until {
                    waited.extend(send(address, client, at).await);
                    at += 1;
                }
                (waited, at)
            })
        })
        .collect();
    let (mut waited, mut requests) = (Vec::new(), 0);
    for client in clients {
        let (of_client, count) = client.await.expect("no panic");
        waited.extend(of_client);
        requests += count;
    }
    let _ = stop.send(());
    timeout(FREEZE, serving).await.expect("the server has frozen").expect("no panic").expect("it has served");
    timeout(FREEZE, finish_writes(&db)).await.expect("the writes have frozen");
    waited.sort_unstable();
    let p99 = waited.get(waited.len() * 99 / 100).copied().unwrap_or_default();
    println!("{requests} requests, {} were waited for, p99 {} ms", waited.len(), p99.as_millis());
    assert!(!waited.is_empty());
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
