//! A client with a runtime of its own: a stopped client leaves no running work behind.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::future::BoxFuture;
use mongodb::{Client, Database, options::ClientOptions};
use schema_runtime::finish_writes;
use tokio::runtime::{Builder, Runtime};

use crate::{Proxy, fail::end_transactions_of, server};

/// The stack size. Without optimisation, the futures of all writes in a single future need more than the default 2 MiB
/// of a thread.
const STACK: usize = 16 * 1024 * 1024;

/// How long a thread of a stopped client may take to end.
const END: Duration = Duration::from_secs(60);

/// The end of a client.
#[derive(Debug)]
pub struct Ended<T> {
    /// The answer that the client gave before the end.
    pub answered: Option<T>,
    /// True when the client was stopped: in its work, or in the work that it had left to the background.
    pub is_stopped: bool,
}

fn runtime() -> Runtime {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(1).thread_stack_size(STACK).enable_all().build().expect("a runtime")
}

/// Ends all tasks of the runtime.
async fn stop(runtime: Runtime) {
    // The shutdown runs in a thread that may block.
    tokio::task::spawn_blocking(move || runtime.shutdown_timeout(END)).await.expect("no panic");
}

/// Runs a client of this proxy in this database. The client ends when the work is finished, also in the background, or
/// when the proxy stops the client.
///
/// # Panics
/// If the work panics.
pub async fn run_behind<T: Send + 'static>(
    proxy: &Proxy,
    name: &str,
    work: impl FnOnce(Database) -> BoxFuture<'static, T> + Send + 'static,
) -> Ended<T> {
    let runtime = runtime();
    let answered = Arc::new(Mutex::new(None));
    let (own, name, answer) = (proxy.clone(), name.to_owned(), Arc::clone(&answered));
    let mut running = runtime.spawn(async move {
        let db = own.database(&name).await;
        let answered = work(db.clone()).await;
        *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answered);
        finish_writes(&db).await;
    });
    let is_stopped = tokio::select! {
        ended = &mut running => {
            ended.expect("no panic");
            false
        }
        () = proxy.reached() => true,
    };
    stop(runtime).await;
    let answered = answered.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ended { answered, is_stopped }
}

/// Runs a client in this database. The client stops at the answer: the work that is left to the background stays
/// undone, and the transactions that the client has left open end, as the server would end them after a minute.
///
/// # Panics
/// If the work panics.
pub async fn run_and_stop<T: Send + 'static>(
    name: &str,
    work: impl FnOnce(Database) -> BoxFuture<'static, T> + Send + 'static,
) -> T {
    let (runtime, name) = (runtime(), name.to_owned());
    let application = format!("{name} stopped");
    let mut options = ClientOptions::parse(server().await.uri()).await.expect("a valid connection string");
    options.app_name = Some(application.clone());
    let running =
        runtime.spawn(async move { work(Client::with_options(options).expect("a client").database(&name)).await });
    let answered = running.await.expect("no panic");
    stop(runtime).await;
    let client = server().await.client().await.expect("a client");
    end_transactions_of(&client.database("admin"), &application).await;
    answered
}
