//! Copies in every shape: two references in a struct, an optional reference, an embedded struct, a field inside a
//! struct of the source, a snapshot.

use mongodb::bson::doc;
use schema_runtime::{Throttle, prelude::*};
use schema_tests::database;

use super::writes::raw;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "cities")]
struct City {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Trip::from_name, fan_out = 100)]
    #[copied_to(Trip::to_name, fan_out = 100)]
    #[copied_to(Trip::stop, fan_out = 100)]
    name: String,
    #[copied_to(Trip::street, fan_out = 100)]
    #[relation(one_to_one, embed)]
    station: Station,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Station {
    #[serde(rename = "st")]
    street: String,
    tracks: i32,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "trips")]
struct Trip {
    #[serde(rename = "_id")]
    id: i64,
    from: Ref<City>,
    #[denormalize(from = from.name)]
    from_name: String,
    #[denormalize(from = from.station.street)]
    street: String,
    to: Option<Ref<City>>,
    #[denormalize(from = to.name)]
    to_name: Option<String>,
    #[denormalize(from = from.name, snapshot)]
    name_then: String,
    #[relation(one_to_one, embed)]
    stop: Option<Stop>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Stop {
    city: Ref<City>,
    #[denormalize(from = city.name)]
    name: String,
    minutes: i32,
}

fn city(id: i64, name: &str) -> City {
    City { id, name: name.to_owned(), station: Station { street: format!("street {id}"), tracks: 2 } }
}

fn trip(id: i64, from: i64, to: Option<i64>) -> Trip {
    Trip {
        id,
        from: Ref::new(from),
        from_name: String::new(),
        street: String::new(),
        to: to.map(Ref::new),
        to_name: Some("?".to_owned()),
        name_then: "then".to_owned(),
        stop: None,
    }
}

async fn three(db: &Database) {
    City::insert_many(db, &[city(1, "Oslo"), city(2, "Bergen"), city(3, "Voss")]).await.unwrap();
    let stop = Stop { city: Ref::new(3), name: String::new(), minutes: 4 };
    Trip::insert_many(db, &[Trip { stop: Some(stop), ..trip(1, 1, Some(2)) }, trip(2, 2, None)]).await.unwrap();
}

#[tokio::test]
async fn each_reference_has_its_own_copies() {
    let db = database().await;
    three(&db).await;
    let get = async |id: i64| Trip::get_by_id(&db, &id).await.unwrap();
    let first = get(1).await;
    assert_eq!((&*first.from_name, first.to_name.as_deref(), &*first.street), ("Oslo", Some("Bergen"), "street 1"));
    assert_eq!((first.stop.unwrap().name, first.name_then), ("Voss".to_owned(), "Oslo".to_owned()));
    assert_eq!((get(2).await.to_name, get(2).await.from_name), (None, "Bergen".to_owned()));
    let stored = raw(&db, "trips", 1).await;
    assert!(["_v_from", "_v_to"].iter().all(|version| stored.get_timestamp(version).is_ok()), "{stored}");
    assert!(stored.get_document("stop").unwrap().get_timestamp("_v_city").is_ok(), "{stored}");

    City::update_by_id(2).set(City::F.name, "Bjørgvin").execute(&db).await.unwrap();
    assert_eq!((get(1).await.to_name, get(2).await.from_name), (Some("Bjørgvin".to_owned()), "Bjørgvin".to_owned()));
    City::update_by_id(3).set(City::F.name, "Vossevangen").execute(&db).await.unwrap();
    assert_eq!(get(1).await.stop.unwrap(), Stop { city: Ref::new(3), name: "Vossevangen".to_owned(), minutes: 4 });
    City::update_by_id(1).set(City::F.station.street, "Jernbanetorget").execute(&db).await.unwrap();
    City::update_by_id(1)
        .set(City::F.station, Station { street: "Torget".to_owned(), tracks: 19 })
        .execute(&db)
        .await
        .unwrap();
    City::update_by_id(1).set(City::F.name, "Christiania").execute(&db).await.unwrap();
    assert_eq!((get(1).await.street, get(1).await.name_then), ("Torget".to_owned(), "Oslo".to_owned()));
}

#[tokio::test]
async fn a_reference_is_given_and_taken_away() {
    let db = database().await;
    three(&db).await;
    let get = async |id: i64| Trip::get_by_id(&db, &id).await.unwrap();
    Trip::update_by_id(2).set(Trip::F.to, Ref::new(3)).execute(&db).await.unwrap();
    assert_eq!(get(2).await.to_name.as_deref(), Some("Voss"));
    Trip::update_by_id(2).set(Trip::F.to, None).execute(&db).await.unwrap();
    assert_eq!((get(2).await.to, get(2).await.to_name), (None, None));
    Trip::update_by_id(1).unset(Trip::F.to).execute(&db).await.unwrap();
    assert_eq!((get(1).await.to, get(1).await.to_name), (None, None));
    let stored = raw(&db, "trips", 1).await;
    assert!(!stored.contains_key("_v_to") && !stored.contains_key("to_name"), "{stored}");
    City::update_by_id(2).set(City::F.name, "Bjørgvin").execute(&db).await.unwrap();
    assert_eq!(get(1).await.to_name, None);

    let stop = Stop { city: Ref::new(1), name: "?".to_owned(), minutes: 9 };
    Trip::update_by_id(1).set(Trip::F.stop, stop).execute(&db).await.unwrap();
    assert_eq!(get(1).await.stop.unwrap().name, "Oslo");
    Trip::update_by_id(1).set(Trip::F.stop.city, 2).inc(Trip::F.stop.minutes, 1).execute(&db).await.unwrap();
    assert_eq!(get(1).await.stop.unwrap(), Stop { city: Ref::new(2), name: "Bjørgvin".to_owned(), minutes: 10 });
    assert_eq!(Trip::find(Trip::F.stop.name.eq("Bjørgvin")).count(&db).await.unwrap(), 1);
    let mut saved = get(1).await;
    saved.stop = None;
    saved.to = Some(Ref::new(2));
    saved.name_then = "now".to_owned();
    Trip::save(&db, &mut saved).await.unwrap();
    assert_eq!((saved.to_name.as_deref(), saved.stop.as_ref(), &*saved.name_then), (Some("Bjørgvin"), None, "now"));
    assert_eq!(saved, get(1).await);
}

/// The progress of a fan-out, and the leftovers of a caller that gives up.
#[tokio::test]
async fn a_fan_out_in_chunks_tells_stops_and_goes_on() {
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };

    use super::{
        models::{Host, LogMsg, Part, Product},
        writes::{message, two_hosts},
    };

    let db = database().await;
    let schema = schema![Host, LogMsg, Part, Product];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    two_hosts(&db).await;
    LogMsg::insert_many(&db, (0..25).map(|id| message(id, 1)).collect::<Vec<_>>()).await.unwrap();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&reported);
    let throttle =
        Throttle::new().chunk(10).progress(move |progress| tell.lock().unwrap().push((progress.done, progress.total)));
    Host::update_by_id(1).set(Host::F.ipaddr, "127.0.0.8").throttle(throttle).execute(&db).await.unwrap();
    assert_eq!(*reported.lock().unwrap(), [(10, Some(25)), (20, Some(25)), (25, Some(25))]);

    let stopped = Arc::new(tokio::sync::Notify::new());
    let stop = Arc::clone(&stopped);
    let throttle = Throttle::new().chunk(10).pause(Duration::from_secs(3_600)).progress(move |_| stop.notify_one());
    let update = Host::update_by_id(1).set(Host::F.ipaddr, "127.0.0.9").throttle(throttle);
    tokio::select! {
        done = update.execute(&db) => panic!("it had an hour to wait: {done:?}"),
        () = stopped.notified() => {}
    }
    let new = async || LogMsg::find(LogMsg::F.ipaddr.eq("127.0.0.9")).count(&db).await.unwrap();
    assert_eq!(new().await, 10);
    assert!(raw(&db, "hosts", 1).await.contains_key("_sync_logmsg_host"));
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(new().await, 25);
    assert!(!raw(&db, "hosts", 1).await.contains_key("_sync_logmsg_host"));
}
