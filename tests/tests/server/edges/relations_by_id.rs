//! A document, an `_id` or a reference names the parent: the commands and the results are the same.

use std::sync::Arc;

use mongodb::bson::doc;
use schema_runtime::{bucket::ChildrenInBuckets, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
#[inverse(visits = Visit::shop)]
#[inverse(owner = Owner::shop, one_to_one)]
struct Shop {
    #[serde(rename = "_id")]
    id: String,
    #[relation(one_to_few, embed, max = 20)]
    desks: Vec<Desk>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Desk {
    number: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_one, parent_ref, inverse = owner, standalone)]
    shop: Ref<Shop>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits", bucket(size = 3))]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    shop: Ref<Shop>,
}

/// A note that refers to the whole document of a message, not to the `_id` alone.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref, by = id)]
    shop: ShopOfNote,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct ShopOfNote {
    id: Ref<Shop>,
    written_at: i64,
}

#[tokio::test]
async fn one_parent() {
    let (db, log) = database_with_log().await;
    let hosts = [host("a"), host("b")];
    insert(&db, &hosts).await;
    let messages: Vec<LogMsg> = (0..5).map(|at| message(&hosts[0], at, "text")).collect();
    insert(&db, &messages).await;
    let (mut document, id, reference) = (hosts[0].clone(), hosts[0].id, Ref::to(&hosts[0]));
    let shared = Arc::new(document.clone());
    log.clear();

    let newest_first: Vec<LogMsg> = messages.iter().rev().cloned().collect();
    let ways = [
        LogMsg::of_host(&document),
        LogMsg::of_host(&&document),
        LogMsg::of_host(id),
        LogMsg::of_host(&id),
        LogMsg::of_host(reference),
        LogMsg::of_host(&reference),
        LogMsg::of_host(&shared),
        LogMsg::of_host(&mut document),
        LogMsg::HOST.children(id),
        Host::LOGMSGS.of(id),
        Host::LOGMSGS.of(&messages[3].host),
        host("another").logmsgs(),
    ];
    for (number, children) in ways.into_iter().enumerate() {
        let read = children.fetch_all(&db).await.unwrap();
        let expected: &[LogMsg] = if number < 11 { &newest_first } else { &[] };
        assert_eq!(read.iter().cloned().collect::<Vec<_>>(), expected, "{number}");
    }
    let finds = log.named("find");
    let of_id = |find: &&mongodb::bson::Document| find.get_document("filter").unwrap() == &doc! { "host": id };
    assert_eq!((finds.len(), finds.iter().filter(of_id).count()), (12, 11), "{finds:#?}");

    // The handle holds the `_id` and not the document.
    let children = {
        let read = Host::get_by_id(&db, id).await.unwrap();
        read.logmsgs()
    };
    assert_eq!(children.clone().count(&db).await.unwrap(), 5);
    assert!(children.clone().exists(&db).await.unwrap());
    assert_eq!(children.clone().latest(2).fetch_all(&db).await.unwrap().len(), 2);
    assert_eq!(children.clone().fetch_one(&db).await.unwrap(), messages[4]);
    assert_eq!(children.clone().select::<LogLine>().fetch_all(&db).await.unwrap().len(), 5);
    let first = children.clone().paginate(3).fetch(&db).await.unwrap();
    let second = children.paginate(3).after(first.next.as_ref()).fetch(&db).await.unwrap();
    assert_eq!((first.items.len(), second.items.len()), (3, 2));
}

#[tokio::test]
async fn many_parents() {
    let db = database().await;
    let hosts: Vec<Host> = (0..250).map(|number| host(&format!("host {number}"))).collect();
    insert(&db, &hosts).await;
    let messages: Vec<LogMsg> = hosts.iter().step_by(2).flat_map(|of| (0..3).map(|at| message(of, at, "m"))).collect();
    insert(&db, &messages).await;
    let ids: Vec<ObjectId> = hosts.iter().map(|host| host.id).collect();
    let references: Vec<Ref<Host>> = hosts.iter().map(Ref::to).collect();

    let of_documents = Host::LOGMSGS.load(&db, &hosts).await.unwrap();
    let of_ids = Host::LOGMSGS.load(&db, &ids).await.unwrap();
    let of_owned_ids = Host::LOGMSGS.load(&db, ids.clone()).await.unwrap();
    let of_references = Host::LOGMSGS.load(&db, &references).await.unwrap();
    let twice = Host::LOGMSGS.load(&db, ids.iter().chain(&ids)).await.unwrap();
    for loaded in [of_ids, of_owned_ids, of_references, twice] {
        for (number, host) in hosts.iter().enumerate() {
            let expected: Vec<&LogMsg> = of_documents.of(host).iter().collect();
            assert_eq!(expected.len(), if number % 2 == 0 { 3 } else { 0 });
            assert_eq!(loaded.of(host).iter().collect::<Vec<_>>(), expected);
            assert_eq!(loaded.of(host.id).iter().collect::<Vec<_>>(), expected);
            assert_eq!(loaded.of(&Ref::to(host)).iter().collect::<Vec<_>>(), expected);
        }
        assert!(!loaded.of(ObjectId::new()).is_loaded());
    }
    assert_eq!(Host::LOGMSGS.load(&db, Vec::<ObjectId>::new()).await.unwrap().distinct().count(), 0);

    let latest = Host::LOGMSGS.latest(1).load(&db, messages.iter().map(|message| message.host)).await.unwrap();
    assert_eq!(latest.distinct().count(), 125);
    assert_eq!(latest.of(ids[0]).first(), Some(&messages[2]));
    let plan = Host::LOGMSGS.latest(1).explain(&db, &ids[..3]).await.unwrap();
    assert!(!plan.is_empty());
}

#[tokio::test]
async fn a_text_as_the_id() {
    let db = database().await;
    schema![Shop, Owner, Visit, Note].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let desks: Vec<Desk> = (0..9).map(|number| Desk { number }).collect();
    for id in ["north", "south"] {
        Shop::insert(&db, &Shop { id: id.to_owned(), desks: desks.clone() }).await.unwrap();
    }
    Owner::insert(&db, &Owner { id: 1, shop: Ref::new("north") }).await.unwrap();
    for id in 0..7 {
        Visit::insert(&db, &Visit { id, shop: Ref::new("north") }).await.unwrap();
        let shop = ShopOfNote { id: Ref::new("south"), written_at: id };
        Note::insert(&db, &Note { id, shop }).await.unwrap();
    }
    let north = String::from("north");

    assert_eq!(Owner::of_shop("north").fetch_one(&db).await.unwrap().id, 1);
    assert_eq!(Shop::OWNER.of(&north).fetch_optional(&db).await.unwrap().map(|owner| owner.id), Some(1));
    assert_eq!(Shop::OWNER.of("south").fetch_optional(&db).await.unwrap(), None);
    let owners = Shop::OWNER.load(&db, ["north", "south"]).await.unwrap();
    assert_eq!((owners.of("north").len(), owners.of(&north).len(), owners.of("south").len()), (1, 1, 0));

    assert_eq!(Shop::DESKS.slice(&db, "north", 2, 3).await.unwrap(), desks[2..5]);
    assert_eq!(Shop::DESKS.slice(&db, north.clone(), 0, 0).await.unwrap(), []);
    assert!(matches!(Shop::DESKS.slice(&db, "west", 0, 1).await, Err(Error::NotFound { .. })));
    assert!(!Shop::DESKS.explain(&db, &Ref::new("north"), 0, 1).await.unwrap().is_empty());

    assert_eq!(Visit::of_shop("north").count(&db).await.unwrap(), 7);
    assert_eq!(Shop::VISITS.of("north").bucket(2).fetch_all(&db).await.unwrap().len(), 3);
    assert_eq!(Shop::VISITS.of("south").count(&db).await.unwrap(), 0);

    // The reference is inside of a struct: the `_id` is still the `_id` of the parent.
    assert_eq!(Note::of_shop("south").count(&db).await.unwrap(), 7);
    assert_eq!(Note::SHOP.children(Ref::new("south")).count(&db).await.unwrap(), 7);
    assert_eq!(Note::SHOP.inverse().load(&db, ["north", "south"]).await.unwrap().of("south").len(), 7);
}
