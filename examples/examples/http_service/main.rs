//! A blog over HTTP with axum: ids in paths, JSON, statuses of errors, requests that always run to the end, and a
//! shutdown that loses nothing.
//!
//! `cargo run --example http_service` starts a MongoDB server and listens on 127.0.0.1:3000 until Ctrl-C; with
//! `MONGODB_URI` the service runs on another server, in the database `schema_example_http_service`.
//! `cargo test -p schema-examples --example http_service` tests the service on a real server.

mod models;
mod problem;
mod routes;
mod run_to_end;
#[cfg(test)]
mod tests;
mod views;

use schema_runtime::{Schema, local, prelude::*, worker::WorkerEvent};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use models::{Author, Post};

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    // In production: `schema_runtime::connect(&std::env::var("MONGODB_URI")?, "blog").await?`.
    let db = local::connect("schema_example_http_service").await?;
    let listener = TcpListener::bind("127.0.0.1:3000").await?;
    println!("http://{}/posts", listener.local_addr()?);
    serve(listener, &db, asked_to_stop()).await
}

// ANCHOR: serve
/// Serves requests until `stop` completes, and then until the last request has run to its end.
async fn serve(
    listener: TcpListener,
    db: &Database,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let schema = schema![Author, Post];
    schema.plan(db).await?.apply(db).await?.complete()?;

    let stop_worker = CancellationToken::new();
    let worker = tokio::spawn(work(schema, db.clone(), stop_worker.clone()));

    let requests = TaskTracker::new();
    axum::serve(listener, routes::app(db.clone(), requests.clone())).with_graceful_shutdown(stop).await?;
    requests.close();
    requests.wait().await; // the requests whose clients have hung up

    stop_worker.cancel();
    worker.await?;
    schema_runtime::finish_writes(db).await;
    Ok(())
}
// ANCHOR_END: serve

// ANCHOR: work
/// Completes what a stopped process has left behind: at the start, and then once a minute.
async fn work(schema: Schema, db: Database, stop: CancellationToken) {
    let worker = schema.worker(&db).on_progress(|event| {
        if let WorkerEvent::Retrying { .. } = event {
            eprintln!("{event}");
        }
    });
    match worker.run_until(stop.cancelled_owned()).await {
        Ok(report) => println!("the worker has ended: {report}"),
        Err(error) => eprintln!("the worker has failed: {error}"),
    }
}
// ANCHOR_END: work

// ANCHOR: asked_to_stop
/// Ctrl-C, or the signal that a supervisor sends.
async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate()).expect("a handler of SIGTERM");
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}
// ANCHOR_END: asked_to_stop
