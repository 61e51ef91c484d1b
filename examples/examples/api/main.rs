//! A small blog as a JSON API with axum: create, read, list by pages, patch and delete, in the JSON of this crate, with
//! errors as problems of RFC 9457. The structs of the documents are the structs of the API.
//!
//! `cargo run --example api` starts a MongoDB server, serves on a free port of 127.0.0.1, asks the service with the
//! HTTP client `ureq`, prints each question with its answer, and ends. With `MONGODB_URI` the service runs on another
//! server, in the database `schema_example_api`.

mod client;
mod models;
mod routes;

use std::{error::Error, net::Ipv4Addr};

use schema_runtime::{local, prelude::*};
use tokio::{net::TcpListener, sync::oneshot};

use models::{Author, Post};

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn Error>> {
    let db = local::connect("schema_example_api").await?;
    schema![Author, Post].plan(&db).await?.apply(&db).await?.complete()?;
    Post::delete_many(&db, Filter::all()).await?; // the documents of an earlier run
    Author::delete_many(&db, Filter::all()).await?;

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let base = format!("http://{}", listener.local_addr()?);
    let (stop, stopped) = oneshot::channel::<()>();
    let service = axum::serve(listener, routes::app(db.clone())).with_graceful_shutdown(async {
        let _ = stopped.await;
    });
    let service = tokio::spawn(service.into_future());

    tokio::task::spawn_blocking(move || client::ask_everything(&base)).await??;
    let _ = stop.send(());
    service.await??;
    schema_runtime::finish_writes(&db).await;
    Ok(())
}
