//! A host and squillions of log messages, as in the "6 rules of thumb": each message holds a copy of the host's
//! address, and the host holds the latest thousand messages and the number of all messages.
//!
//! `cargo run --example logs` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_logs`, and first empties the collections of the example.

use schema_examples::{access, table};
use schema_runtime::{Throttle, assert_queries_indexed, bson::Document, local, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host, per_day = 500)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    name: String,
    #[index(unique)]
    #[copied_to(LogMsg::ipaddr)]
    #[changes(seldom, per_day = 2)]
    ipaddr: String,
    /// The latest messages, in one read with the host; every write of a message updates the list.
    #[subset(of = LogMsg::host, keep = 1_000, order = desc(time))]
    recent: Vec<LogLine>,
    #[computed(count(LogMsg::host))]
    messages: i64,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    time: DateTime,
    #[bound(max_len = 1_000)]
    message: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[query(of_address(ipaddr), order = desc(time), limit = 5_000, per_day = 20_000)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    ipaddr: String,
    time: DateTime,
    #[bound(max_len = 1_000)]
    message: String,
}

/// The whole host kept in each of the squillions of documents: an embedded plain struct, which keeps the state of the
/// day.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "audit")]
struct AuditMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    host: HostThen,
    time: DateTime,
    #[bound(max_len = 1_000)]
    message: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct HostThen {
    name: String,
    ipaddr: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_logs").await?;
    for collection in ["hosts", "logmsg", "audit"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Host, LogMsg, AuditMsg];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let (name, ipaddr) = ("goofy.example.com".to_owned(), "127.66.66.66".to_owned());
    let host = Host { id: ObjectId::new(), name, ipaddr, recent: Vec::new(), messages: 0 };
    Host::insert(&db, &host).await?;
    let audited = AuditMsg {
        id: ObjectId::new(),
        host: HostThen { name: host.name.clone(), ipaddr: host.ipaddr.clone() },
        time: DateTime::now(),
        message: "taken into service".to_owned(),
    };
    AuditMsg::insert(&db, &audited).await?;

    let to_host = Ref::to(&host);
    let first = LogMsg::insert_with(&db, &to_host, |host| LogMsg {
        id: ObjectId::new(),
        host: Ref::to(host),
        ipaddr: host.ipaddr.clone(),
        time: DateTime::from_millis(0),
        message: "cpu is on fire!".to_owned(),
    });
    println!("The first message came from {}", first.await?.ipaddr);
    let more: Vec<LogMsg> = (1..2_000)
        .map(|minute| LogMsg {
            id: ObjectId::new(),
            host: Ref::to(&host),
            // The insert writes the host's address.
            ipaddr: String::new(),
            time: DateTime::from_millis(minute * 60_000),
            message: format!("cpu at {} degrees", 40 + minute % 50),
        })
        .collect();
    LogMsg::insert_many(&db, &more).await?;

    println!("\nThe host alone knows the latest, and how many there are:");
    let stored = Host::get_by_id(&db, &host).await?;
    println!(
        "{} messages, of which it has {}; the last: {}",
        stored.messages,
        stored.recent.len(),
        stored.recent[0].message
    );
    LogMsg::delete_many(&db, LogMsg::F.time.lt(DateTime::from_millis(60_000_000))).await?;
    println!("{} after the first 1,000 were deleted", Host::get_by_id(&db, &host).await?.messages);

    println!("\nThe messages of an address, without a join:");
    let of_address = LogMsg::of_address("127.66.66.66").limit(3);
    println!("how: {}", access(&of_address.explain(&db).await?));
    println!("{}", messages(of_address.fetch_all(&db).await?.iter()));

    println!("\nThe host moves, and its messages with it:");
    let throttle = Throttle::new().chunk(1_000).progress(|progress| {
        println!("  {} of {} messages", progress.done, progress.total.unwrap_or_default());
    });
    Host::update_by_id(host.id).set(Host::F.ipaddr, "127.0.0.7").throttle(throttle).execute(&db).await?;
    let latest = host.logmsgs().latest(3);
    println!("how: {}", access(&host.logmsgs().latest(3).explain(&db).await?));
    println!("{}", messages(latest.fetch_all(&db).await?.iter()));

    let then = AuditMsg::get(&db, AuditMsg::F.host.name.eq("goofy.example.com")).await?;
    println!("\nWhat is embedded as a whole stays as it was: {}", then.host.ipaddr);
    assert_queries_indexed(&schema, &db).await;
    println!("\nWhat verify finds: {}", schema.verify(&db).await?);
    println!("\nHow it is used:\n\n{}", schema.review_on(&db).await?.with_memory(256 << 20));
    Ok(())
}

fn messages<'a>(messages: impl Iterator<Item = &'a LogMsg>) -> String {
    let rows = messages.map(|one| [one.time.to_string(), one.ipaddr.clone(), one.message.clone()]);
    table(["time", "address", "message"], rows).to_string()
}
