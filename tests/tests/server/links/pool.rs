//! Concurrent links and plain writes of the same document, with few connections.

use std::time::Duration;

use futures_util::future::join_all;
use mongodb::{event::EventHandler, options::ClientOptions};
use schema_runtime::{connect, connect_with, prelude::*, transaction};
use schema_tests::{database, server};
use tokio::sync::Barrier;

/// The number of links, and the number of renames.
const WRITES: i64 = 30;

/// Half of the time limit of the server for a transaction.
const IN_TIME: Duration = Duration::from_secs(30);

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "errands")]
struct Errand {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = errands)]
    runner: Option<Ref<Runner>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "runners")]
struct Runner {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[relation(one_to_many, two_way, of = Errand::runner, max = 100)]
    errands: Vec<Ref<Errand>>,
}

/// Runs concurrent links and renames of a runner, all through this client. A transaction holds the runner until all
/// remaining writes have begun.
async fn links_and_renames_end(db: &Database) {
    Runner::insert(db, &Runner { id: 1, name: String::new(), errands: Vec::new() }).await.unwrap();
    Errand::insert_many(db, (0..WRITES).map(|id| Errand { id, runner: None })).await.unwrap();
    let (held, begun) = (&Barrier::new(2), &Barrier::new(2));
    let first = transaction(db, |tx| async move {
        Errand::RUNNER.reassign(&tx, 0, 1).await?;
        held.wait().await;
        begun.wait().await;
        Errand::RUNNER.reassign(&tx, 1, 1).await
    });
    let others = async {
        held.wait().await;
        let links = join_all((2..WRITES).map(|id| Errand::RUNNER.reassign(db, id, 1)));
        let renames = join_all((0..WRITES).map(async |number| {
            Runner::update_by_id(1).set(Runner::F.name, format!("name {number}")).execute(db).await
        }));
        let begin = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            begun.wait().await;
        };
        tokio::join!(renames, links, begin)
    };
    let all = async { tokio::join!(first, others) };
    let (first, (renames, links, ())) = tokio::time::timeout(IN_TIME, all).await.expect("all end in time");
    assert!(first.unwrap());
    assert!(links.into_iter().all(|linked| linked.unwrap()));
    assert!(renames.into_iter().all(|renamed| renamed.unwrap().matched == 1));
    let runner = Runner::get_by_id(db, 1).await.unwrap();
    let mut errands: Vec<i64> = runner.errands.iter().map(|errand| *errand.id()).collect();
    errands.sort_unstable();
    assert_eq!(errands, Vec::from_iter(0..WRITES));
    assert!(runner.name.starts_with("name "), "{}", runner.name);
    let linked = Errand::find(Errand::F.runner.eq(Some(Ref::new(1_i64)))).count(db).await.unwrap();
    assert_eq!(linked, WRITES as u64);
    Runner::update_by_id(1).set(Runner::F.name, "last").execute(db).await.unwrap();
    assert_eq!(Runner::get_by_id(db, 1).await.unwrap().name, "last");
}

#[tokio::test]
async fn links_and_renames_share_ten_connections() {
    let name = database().await.name().to_owned();
    let uri = server().await.uri();
    let join = if uri.contains('?') { '&' } else { '?' };
    let db = connect(&format!("{uri}{join}maxPoolSize=10"), &name).await.unwrap();
    links_and_renames_end(&db).await;
}

/// The application's own handler of events stays.
#[tokio::test]
async fn links_and_renames_share_connections_of_options_in_code() {
    let name = database().await.name().to_owned();
    let mut options = ClientOptions::parse(server().await.uri()).await.unwrap();
    options.max_pool_size = Some(10);
    let (sender, mut events) = tokio::sync::mpsc::channel(1_000);
    options.sdam_event_handler = Some(EventHandler::TokioMpsc(sender));
    let db = connect_with(options, &name).await.unwrap();
    links_and_renames_end(&db).await;
    assert!(events.recv().await.is_some());
}
