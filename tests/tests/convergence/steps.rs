//! A client, and the events between its commands: concurrent writes overtake the client, or the client stops.

use std::{ops::ControlFlow, time::Duration};

use mongodb::{
    Database,
    bson::{Document, Timestamp, doc},
};
use schema_runtime::{Error, Result, Schema, Throttle};
use schema_tests::{
    Fault, Proxy,
    copies::{Place, Write, dangling, intents, marks, prepare, stale},
};

/// A database for programs. Four commands begin each program.
pub(crate) struct Steps {
    pub(crate) db: Database,
    pub(crate) schema: Schema,
    /// How long an overtaking write may wait for the overtaken client.
    pub(crate) patience: Duration,
}

/// The result of a write with interference.
pub(crate) struct Ran {
    /// `None` when the client was stopped.
    pub(crate) result: Option<Result<()>>,
    /// The commands of the write.
    pub(crate) names: Vec<String>,
}

/// How long an overtaking write may wait for a transaction of the overtaken client.
const BLOCKED: Duration = Duration::from_millis(150);

impl Steps {
    pub(crate) async fn new() -> Self {
        let db = schema_tests::database().await;
        let schema = prepare(&db).await;
        Steps { db, schema, patience: BLOCKED }
    }

    /// Inserts two sources of each kind and two holders of each kind, all in sync.
    pub(crate) async fn begin(&self, place: Place) {
        let first = Timestamp { time: 1, increment: 1 };
        let label = |number| format!("{}:begin", place.id(number));
        let source = |number| doc! { "_id": place.id(number), "label": label(number), "count": 0_i64, "plain": 0_i64, "_v": first };
        let tag = |number, key: i64| {
            doc! { "tagId": place.id(number), "label": label(number), "count": 0_i64, "key": -key, "_v_tagId": first }
        };
        let item = |number, owner| {
            doc! {
                "_id": place.id(number), "title": "", "tags": [tag(0, 1), tag(1, 2), tag(0, 3)],
                "owner": place.id(owner), "label": label(owner), "count": 0_i64, "_v_owner": first,
                "backup": place.id(0), "backup_label": label(0), "_v_backup": first,
            }
        };
        let card = |number| {
            let (id, tag) = (place.id(number), place.id(number));
            doc! { "_id": id, "tag": tag, "label": label(number), "count": 0_i64, "text": "", "_v_tag": first }
        };
        for (collection, documents) in [
            ("tags", [source(0), source(1)]),
            ("owners", [source(0), source(1)]),
            ("items", [item(0, 0), item(1, 1)]),
            ("cards", [card(0), card(1)]),
        ] {
            self.db.collection::<Document>(collection).insert_many(documents).await.expect("the beginning");
        }
    }

    /// Returns all stored documents of a program.
    pub(crate) async fn stored(&self, place: Place) -> Vec<Document> {
        let mut stored = Vec::new();
        for collection in ["tags", "owners", "items", "cards"] {
            let filter = doc! { "_id": { "$gte": place.range().start, "$lt": place.range().end } };
            let mut found =
                self.db.collection::<Document>(collection).find(filter).sort(doc! { "_id": 1 }).await.expect("a read");
            while found.advance().await.expect("a document") {
                stored.push(Document::try_from(found.current()).expect("BSON"));
            }
        }
        stored
    }

    /// Runs a write, with these faults at these commands.
    pub(crate) async fn run(&self, place: Place, write: &Write, faults: &[(usize, Fault)]) -> Ran {
        let proxy = Proxy::start(faults.iter().copied()).await;
        let db = proxy.database(self.db.name()).await;
        let result = tokio::select! {
            result = Box::pin(write.run(place, &db)) => Some(result),
            () = proxy.reached() => None,
        };
        Ran { result, names: proxy.names() }
    }

    /// Runs a write, and runs the `others` before the commands at their places. The write is stopped before the command
    /// at `stop`.
    pub(crate) async fn overtaken(
        &self,
        place: Place,
        write: &Write,
        others: &[(usize, Write)],
        stop: Option<usize>,
    ) -> Ran {
        let mut places: Vec<usize> = others.iter().map(|(at, _)| *at).collect();
        places.dedup();
        let faults = places.iter().map(|at| (*at, Fault::Hold)).chain(stop.map(|at| (at, Fault::StopBefore)));
        let proxy = Proxy::start(faults).await;
        let db = proxy.database(self.db.name()).await;
        let mut running = Box::pin(write.run(place, &db));
        let mut waiting = Vec::new();
        let mut result = None;
        for at in places {
            let step = tokio::select! {
                ended = &mut running => ControlFlow::Break(ended),
                () = proxy.reached() => ControlFlow::Continue(()),
            };
            if let ControlFlow::Break(ended) = step {
                result = Some(ended);
                break;
            }
            for (_, other) in others.iter().filter(|(place, _)| *place == at) {
                let (db, other) = (self.db.clone(), other.clone());
                let mut other = tokio::spawn(async move {
                    let result = other.run(place, &db).await;
                    result.or_else(|error| if other.is_refused(&error) { Ok(()) } else { Err(error) })
                });
                // A write that waits for the transaction of the first write runs concurrently.
                match tokio::time::timeout(self.patience, &mut other).await {
                    Ok(ended) => ended.expect("no panic").expect("a write that overtakes"),
                    Err(_) => waiting.push(other),
                }
            }
            proxy.release();
        }
        if result.is_none() {
            result = tokio::select! {
                ended = running => Some(ended),
                () = proxy.reached() => None,
            };
        }
        for other in waiting {
            other.await.expect("no panic").expect("a write that overtakes");
        }
        Ran { result, names: proxy.names() }
    }

    /// Returns the errors after `recover`.
    pub(crate) async fn wrong_after_recover(&self, place: Place) -> Vec<Document> {
        let before = dangling(&self.db, place.range()).await;
        self.schema.recover(&self.db, &Throttle::new()).await.expect("recover");
        let mut wrong = stale(&self.db, place.range()).await;
        wrong.extend(marks(&self.db, place.range(), &["_sync", "_look"]).await);
        wrong.extend(intents(&self.db, place.range()).await);
        if !before.is_empty() {
            let after = dangling(&self.db, place.range()).await;
            if before != after {
                wrong.push(doc! { "copies of deleted sources were": before, "and are": after });
            }
        }
        wrong
    }

    /// Returns the stale copies and the marked sources of a program without stopped clients.
    pub(crate) async fn wrong_without_recover(&self, place: Place) -> Vec<Document> {
        let mut wrong = stale(&self.db, place.range()).await;
        wrong.extend(marks(&self.db, place.range(), &["_sync"]).await);
        wrong.extend(intents(&self.db, place.range()).await);
        wrong
    }
}

/// Returns whether an error says that the write is done or not done; `None` when the error says neither.
pub(crate) fn is_done(error: &Error) -> Option<bool> {
    match error {
        Error::CopiesPending { .. } => Some(true),
        Error::Connection { sent, .. } => (!*sent).then_some(false),
        Error::TimedOut { .. } | Error::InsertMany { .. } | Error::Bulk { .. } => None,
        _ => Some(false),
    }
}

/// The stack size. Without optimisation, the futures of all writes in a single future need more than the default 2 MiB
/// of a thread.
pub(crate) const STACK: usize = 16 * 1024 * 1024;

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).thread_stack_size(STACK).enable_all().build().expect("a runtime")
}
