//! A review of a schema by its reads and writes, without a server and on a server.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    Error,
    definition::DeleteRule,
    prelude::*,
    review::{IndexAsker, Review, ReviewNote, TransactionReview},
};
use schema_tests::{database, fail_command};

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "hosts", allow(unused_index, reason = "another program reads by it"))]
#[inverse(logmsgs = LogMsg::host, per_day = 500, on_delete = cascade, allow(delete_rule, reason = "a host has few"))]
#[query(by_address(ipaddr), one, per_day = 20_000)]
#[query(everywhere)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    #[bound(max_len = 40)]
    #[copied_to(LogMsg::ipaddr, fan_out = 500, allow(copy_ratio, reason = "the board must not wait"))]
    #[changes(seldom, per_day = 3)]
    ipaddr: String,
    #[index(name = "old")]
    rack: i32,
    #[subset(of = LogMsg::host, keep = 10, order = desc(time))]
    recent: Vec<LogLine>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct LogLine {
    #[serde(rename = "_id")]
    id: i64,
    time: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "logmsg")]
#[query(of_address(ipaddr), order = desc(time), limit = 50, per_day = 1_000)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    ipaddr: String,
    time: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = tasks)]
    owner: Option<Ref<Person>>,
    #[index(ttl = "1h")]
    until: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, of = Task::owner, max = 100)]
    tasks: Vec<Ref<Task>>,
}

const TEXT: &str = "\
Host (`hosts`)
  reads          a day  documents  index
    by_address  20_000          1  ipaddr_1
    everywhere       ?          ?  none
    logmsgs        500          ?  host_1_time_-1__id_-1  of `logmsg`
  writes    a day  commands  documents
    ipaddr      3         5        501
  indexes     asked by
    ipaddr_1  declared, unique, by_address
    old       declared
    2 more    derived data
  in a transaction: an update of ipaddr and its copies, a delete and the work of the delete rules, an insert and the children that are there
  a delete: cascade on logmsg.host (any number)

LogMsg (`logmsg`)
  reads         a day  documents  index
    of_address  1_000         50  ipaddr_1_time_-1
    host            ?          1  _id_              of `hosts`
  writes    a day  commands  documents
    host        ?         5          3
    time        ?         4          2
  copies    read a day  written  holders
    ipaddr       1_000        3      500  of Host.ipaddr
  indexes                  asked by
    host_1_time_-1__id_-1  the relation host, derived data
    ipaddr_1_time_-1       of_address
    2 more                 derived data
  in a transaction: an update of host and the parent there, a write of fields that the parent by host keeps

Task (`tasks`)
  reads    a day  documents  index
    owner      ?          1  _id_   of `people`
  indexes           asked by
    until_1         declared, expiry
    owner_1__id_-1  the relation owner
  in a transaction: each write of owner and the far side

Person (`people`)
  reads    a day  documents  index
    tasks      ?        100  _id_   of `tasks`
  in a transaction: each write of tasks and the far side, a delete and the work of the delete rules
  a delete: nullify on tasks.owner (at most 100)

A day: 21_500 reads, and 4 declared reads that do not say how often; 3 writes of declared fields, by 15 commands.
Look at:
  Host::everywhere reads every document: ask for a field, or say an order or a page of `_id`
  old of Host serves no declared read: remove the index, or declare the query of the index
  ipaddr of LogMsg is written more often than read: read the value from the source";

fn schema() -> schema_runtime::Schema {
    schema![Host, LogMsg, Task, Person]
}

#[test]
fn the_text_says_what_the_attributes_say() {
    assert_eq!(schema().review().to_string(), TEXT);
}

fn model<'r>(review: &'r Review, name: &str) -> &'r schema_runtime::review::ModelReview {
    review.models.iter().find(|model| model.model == name).expect("a model")
}

#[test]
fn the_same_as_data() {
    let review = schema().review();
    let host = model(&review, "Host");
    assert_eq!(host.reads[0].documents_per_day(), Some(20_000));
    assert_eq!(host.reads[2].documents_per_day(), None);
    assert!(host.reads[2].is_lookup && !host.reads[0].is_lookup);
    let ipaddr = &host.writes[0];
    assert_eq!((ipaddr.commands_per_day(), ipaddr.documents_per_day()), (Some(15), Some(1_503)));
    let unique = host.indexes.iter().find(|index| index.name == "ipaddr_1").unwrap();
    assert_eq!(unique.asked_by, [IndexAsker::Declared, IndexAsker::Unique, IndexAsker::Query("by_address")]);
    let step = host.deletes[0][0];
    assert_eq!((step.collection, step.field, step.rule, step.documents), ("logmsg", "host", DeleteRule::Cascade, None));
    let copy = &model(&review, "LogMsg").copies[0];
    assert_eq!(copy.ratio(), Some(1_000.0 / 1_500.0));
    assert_eq!(
        model(&review, "LogMsg").transactions,
        [TransactionReview::Parent("host"), TransactionReview::Kept("host")]
    );
    assert!(review.models.iter().all(|model| model.stored.is_none()) && review.working_set().is_none());
    assert_eq!(review.notes().len(), 3);
}

const HOSTS: i64 = 20;
const MESSAGES: i64 = 400;

async fn stored(db: &Database) {
    schema().plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let host = |id| Host { id, ipaddr: format!("127.0.0.{id}"), rack: 1, recent: Vec::new() };
    Host::insert_many(db, (0..HOSTS).map(host).collect::<Vec<_>>()).await.unwrap();
    let message = |id: i64| LogMsg { id, host: Ref::new(id % HOSTS), ipaddr: String::new(), time: id };
    LogMsg::insert_many(db, (0..MESSAGES).map(message).collect::<Vec<_>>()).await.unwrap();
}

/// The sizes are the sizes that the server reports. A collection without problems gets no note.
#[tokio::test]
async fn on_a_server_it_says_what_is_there() {
    let db = database().await;
    stored(&db).await;
    for _ in 0..7 {
        LogMsg::of_address("127.0.0.1").fetch_all(&db).await.unwrap();
    }
    let said = async || db.run_command(doc! { "collStats": "logmsg" }).await.unwrap();
    let before = said().await;
    let review = schema().review_on(&db).await.unwrap();
    let after = said().await;
    let messages = model(&review, "LogMsg");
    let stored = messages.stored.as_ref().unwrap();
    let number =
        |said: &Document, name: &str| said.get_i32(name).map(i64::from).or_else(|_| said.get_i64(name)).unwrap() as u64;
    assert_eq!((stored.documents, stored.bytes), (number(&after, "count"), number(&after, "size")));
    // A checkpoint writes the pages that were only in memory, and the files grow.
    let sizes = [number(&before, "totalIndexSize"), stored.index_bytes, number(&after, "totalIndexSize")];
    assert!(sizes[0] > 0 && sizes.is_sorted(), "{sizes:?}");
    let pipeline = [doc! { "$group": { "_id": null, "largest": { "$max": { "$bsonSize": "$$ROOT" } } } }];
    let mut largest = db.collection::<Document>("logmsg").aggregate(pipeline).await.unwrap();
    assert!(largest.advance().await.unwrap());
    let largest = largest.deserialize_current().unwrap().get_i32("largest").unwrap();
    assert_eq!(stored.largest_sampled, largest as u64);
    let index = messages.indexes.iter().find(|index| index.name == "ipaddr_1_time_-1").unwrap();
    assert_eq!(index.stored.unwrap().used, 7);
    assert!(messages.indexes.iter().all(|index| index.stored.is_some_and(|index| index.bytes > 0)));
    assert!(review.undeclared.is_empty() && stored.undeclared.is_empty());
    let missing = review.notes().into_iter().filter(|note| matches!(note, ReviewNote::Missing { .. }));
    assert_eq!(missing.count(), 0);
    let text = review.to_string();
    assert!(text.contains("LogMsg (`logmsg`): 400 documents of "), "{text}");
}

#[tokio::test]
async fn what_is_missing_unused_or_undeclared_is_a_note() {
    let db = database().await;
    stored(&db).await;
    let messages = db.collection::<Document>("logmsg");
    messages.drop_index("ipaddr_1_time_-1").await.unwrap();
    messages.create_index(mongodb::IndexModel::builder().keys(doc! { "text": 1 }).build()).await.unwrap();
    db.collection::<Document>("leftover").insert_one(doc! {}).await.unwrap();
    db.collection::<Document>("people").drop().await.unwrap();
    let review = schema().review_on(&db).await.unwrap();
    assert_eq!(review.undeclared, ["leftover"]);
    assert!(model(&review, "Person").stored.is_none());
    let notes = review.notes();
    let said = |note: &ReviewNote| assert!(notes.contains(note), "{note:?} is not in {notes:?}");
    said(&ReviewNote::Missing { model: "LogMsg", index: "ipaddr_1_time_-1".to_owned() });
    said(&ReviewNote::UndeclaredIndex { model: "LogMsg", index: "text_1".to_owned() });
    said(&ReviewNote::UndeclaredCollection("leftover".to_owned()));
    let never = notes.iter().filter_map(|note| match note {
        ReviewNote::NeverUsed { index, .. } => Some(index.as_str()),
        _ => None,
    });
    assert_eq!(never.collect::<Vec<_>>(), ["owner_1__id_-1"]);
    assert!(!notes.iter().any(|note| matches!(note, ReviewNote::WorkingSetOverMemory { .. })));
}

/// The working set: the indexes, and of each collection the data that its reads return in a day, or all data.
#[tokio::test]
async fn the_working_set_is_compared_with_the_memory() {
    let db = database().await;
    stored(&db).await;
    let review = schema().review_on(&db).await.unwrap();
    let all = review.models.iter().filter_map(|model| model.stored.as_ref());
    let whole: u64 = all.map(|stored| stored.bytes + stored.index_bytes).sum();
    assert_eq!(review.working_set(), Some(whole), "a thousand reads of 50 are more than the 400 that there are");
    let over = |memory| {
        let notes = review.clone().with_memory(memory).notes();
        notes.into_iter().any(|note| matches!(note, ReviewNote::WorkingSetOverMemory { .. }))
    };
    assert!(over(whole - 1) && !over(whole));
    let text = review.clone().with_memory(8 << 30).to_string();
    assert!(text.contains(", of 8.6 GB of memory."), "{text}");
}

/// The index in a review is the index that the server uses.
#[tokio::test]
async fn the_index_of_a_read_is_that_of_the_plan() {
    let db = database().await;
    stored(&db).await;
    let review = schema().review();
    let explained = [
        (&model(&review, "Host").reads[0], Host::by_address("127.0.0.1").explain(&db).await),
        (&model(&review, "LogMsg").reads[0], LogMsg::of_address("127.0.0.1").explain(&db).await),
        (&model(&review, "Host").reads[2], Host::get_by_id(&db, 1).await.unwrap().logmsgs().explain(&db).await),
    ];
    for (read, explained) in explained {
        let text = explained.unwrap().to_string();
        let index = read.index.as_ref().unwrap();
        assert!(text.contains(&format!("\"indexName\": \"{index}\"")), "{index}: {text}");
    }
}

#[tokio::test]
async fn a_user_without_the_right_to_read_statistics_learns_which() {
    let db = database().await;
    stored(&db).await;
    // The first aggregation asks for the sizes, the second for the use of the indexes.
    for (skipped, action) in [(0, "collStats"), (1, "indexStats")] {
        let refused = doc! { "failCommands": ["aggregate"], "errorCode": 13 };
        let failing = fail_command(&db, doc! { "skip": skipped }, refused).await;
        let review = schema().review_on(&db).await;
        failing.clear().await;
        match review {
            Err(Error::NotAuthorized { action: refused, collection }) => {
                assert_eq!((refused, collection.as_str()), (action, "hosts"));
            }
            other => panic!("{other:?}"),
        }
    }
}
