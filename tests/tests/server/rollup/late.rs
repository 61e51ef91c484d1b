//! Commands whose connection is lost, and which the server does later: while their client goes on, or when it is done.

use mongodb::bson::{Document, doc};
use schema_runtime::{Schema, Throttle, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database,
    rollups::{Counter, Host, LogMsg, assert_right, host, message},
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Write {
    Insert,
    BulkInsert,
    Update,
    UpdateMany,
    BulkUpdateMany,
}

impl Write {
    async fn run(self, db: &Database) -> Result<()> {
        let of_host = || LogMsg::F.host.eq(Ref::new(1));
        let update = || LogMsg::update_many(of_host()).set(LogMsg::F.bytes, 1_000);
        match self {
            Write::Insert => LogMsg::insert_many(db, [message(4, 1), message(5, 2)]).await,
            Write::BulkInsert => LogMsg::bulk().insert(&message(4, 1)).run(db).await?.complete().map(drop),
            Write::Update => LogMsg::update_by_id(1).set(LogMsg::F.bytes, 1_000).run(db).await.map(drop),
            Write::UpdateMany => update().run(db).await.map(drop),
            Write::BulkUpdateMany => LogMsg::bulk().update(update()).run(db).await?.complete().map(drop),
        }
    }

    /// The place of the command that writes the messages, among those that the client sends.
    async fn of_messages(self) -> usize {
        let names = self.names(None).await;
        let name = if matches!(self, Write::Insert | Write::BulkInsert) { "insert" } else { "update" };
        let last = names.iter().position(|other| *other == "aggregate").unwrap_or(3);
        names[..last].iter().rposition(|other| other == name).unwrap()
    }

    /// The commands that it sends: to the end, or up to one that is late.
    async fn names(self, late: Option<usize>) -> Vec<String> {
        let db = start().await;
        let proxy = Proxy::start(late.map(|at| (at, Fault::Late))).await;
        let _ = self.run(&proxy.database(db.name()).await).await;
        proxy.names()
    }

    /// The command `late` is done when the client is about to send `hold`, or when it is done. How far the client came.
    async fn late(self, late: usize, hold: usize) -> usize {
        let db = start().await;
        let proxy = Proxy::start([(late, Fault::Late), (hold, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let mut written = tokio::spawn(async move { self.run(&slow).await });
        proxy.reached().await;
        let is_held = tokio::select! {
            _ = &mut written => false,
            () = proxy.reached() => true,
        };
        proxy.release();
        proxy.landed().await;
        if is_held {
            proxy.release();
            let _ = written.await.unwrap();
        }
        the_schema().recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;
        proxy.names().len()
    }
}

fn the_schema() -> Schema {
    schema![Host, LogMsg, Counter]
}

async fn start() -> Database {
    let db = database().await;
    the_schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 1), message(3, 2)]).await.unwrap();
    // They are older than all that follows: what `recover` finds at a young one it recomputes.
    let long_ago = ObjectId::parse_str("5e0be1000000000000000000").unwrap();
    let old = doc! { "$set": { "_rollup_logmsg_host.corrected": long_ago } };
    db.collection::<Document>("hosts").update_many(doc! {}, old).await.unwrap();
    db
}

/// What is written late has its record still: nobody counts it before `recover` does.
#[tokio::test]
async fn what_is_written_late_is_counted_once() {
    for write in [Write::BulkInsert, Write::UpdateMany, Write::BulkUpdateMany] {
        let late = write.of_messages().await;
        let mut hold = late + 1;
        while write.late(late, hold).await > hold {
            hold += 1;
        }
    }
}

/// Its client cannot know whether it is applied, and takes over what it has written: what comes later finds the mark revoked.
#[tokio::test]
async fn what_is_applied_late_is_counted_once() {
    for write in [Write::Insert, Write::Update] {
        let names = write.names(None).await;
        let late = names.iter().position(|name| name == "insert" || name == "aggregate").unwrap() + 1;
        let mut hold = late + 1;
        while write.late(late, hold).await > hold {
            hold += 1;
        }
        assert!(hold > late + 5, "{write:?}: it has taken over, {names:?}");
    }
}
