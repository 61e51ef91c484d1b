//! Inserts, reads, replaces and deletes: the effects, and a single command for each operation.

use futures_util::{StreamExt, TryStreamExt};
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::prelude::*;
use schema_tests::CommandLog;

use crate::sent::sent;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    email: Option<String>,
    #[relation(one_to_few, embed, max = 20)]
    addresses: Vec<Address>,
    #[relation(one_to_one, embed)]
    home: Address,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Address {
    street_name: String,
    city: String,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Person)]
struct PersonName {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

fn address(city: &str) -> Address {
    Address { street_name: "Main".to_owned(), city: city.to_owned() }
}

fn person(id: i64) -> Person {
    Person {
        id,
        name: format!("n{id}"),
        email: (id % 2 == 0).then(|| format!("{id}@example.org")),
        addresses: vec![address("Oslo"), address(&format!("c{id}"))],
        home: address(&format!("h{id}")),
    }
}

async fn people(count: i64) -> Database {
    people_with_log(count).await.0
}

async fn people_with_log(count: i64) -> (Database, CommandLog) {
    let (db, log) = schema_tests::database_with_log().await;
    let people: Vec<_> = (0..count).map(person).collect();
    Person::insert_many(&db, &people).await.unwrap();
    (db, log)
}

#[tokio::test]
async fn an_insert_is_one_command_and_comes_back_the_same() {
    let (db, log) = schema_tests::database_with_log().await;
    let (result, names) = sent(&log, Person::insert(&db, &person(1))).await;
    result.unwrap();
    assert_eq!(names, ["insert"]);

    let (found, names) = sent(&log, Person::find_by_id(&db, &1)).await;
    assert_eq!(found.unwrap(), Some(person(1)));
    assert_eq!(names, ["find"]);
    // The stored document, not only the decoded document.
    let stored = db.collection::<Document>("people").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(stored.keys().collect::<Vec<_>>(), ["_id", "name", "email", "addresses", "home"]);
    assert_eq!(stored.get_document("home").unwrap(), &doc! { "streetName": "Main", "city": "h1" });
    assert_eq!(stored.get("email"), Some(&Bson::Null));
}

#[tokio::test]
async fn many_are_inserted_by_one_command_and_none_by_no_command() {
    let (db, log) = schema_tests::database_with_log().await;
    let people: Vec<_> = (0..10_000).map(person).collect();
    let (result, names) = sent(&log, Person::insert_many(&db, &people)).await;
    result.unwrap();
    assert_eq!(names, ["insert"]);
    assert_eq!(Person::find(Filter::all()).count(&db).await.unwrap(), 10_000);

    let (result, names) = sent(&log, Person::insert_many(&db, Vec::<Person>::new())).await;
    result.unwrap();
    assert_eq!(names, [] as [&str; 0]);
}

#[tokio::test]
async fn what_one_message_cannot_hold_is_split() {
    let (db, log) = schema_tests::database_with_log().await;
    // 60 documents of 1 MiB are more than 48 MB.
    let people: Vec<_> = (0..60).map(|id| Person { name: "x".repeat(1024 * 1024), ..person(id) }).collect();
    let (result, names) = sent(&log, Person::insert_many(&db, &people)).await;
    result.unwrap();
    assert_eq!(names, ["insert", "insert"]);
    assert_eq!(Person::find(Filter::all()).count(&db).await.unwrap(), 60);
}

#[tokio::test]
async fn a_find_is_one_command() {
    let (db, log) = people_with_log(500).await;
    let (found, names) = sent(&log, Person::find(Filter::all()).fetch_all(&db)).await;
    assert_eq!(found.unwrap(), (0..500).map(person).collect::<Vec<_>>());
    assert_eq!(names, ["find"]);

    let (found, names) = sent(&log, Person::find_one(&db, Person::F.name.eq("n7"))).await;
    assert_eq!(found.unwrap(), Some(person(7)));
    assert_eq!(names, ["find"]);

    let (count, names) = sent(&log, Person::find(Person::F.id.is_in([1, 2, 900])).count(&db)).await;
    assert_eq!(count.unwrap(), 2);
    assert_eq!(names, ["aggregate"]);
}

#[tokio::test]
async fn nothing_is_asked_before_it_is_awaited() {
    let (db, log) = people_with_log(1).await;
    let (_, names) = sent(&log, async {
        drop(Person::find(Filter::all()).limit(1).fetch_all(&db));
        drop(Person::insert(&db, &person(5)));
        drop(Person::insert_many(&db, &[person(6)]));
        drop(Person::delete_by_id(&db, &0));
    })
    .await;
    assert_eq!(names, [] as [&str; 0]);
    assert_eq!(Person::find(Filter::all()).count(&db).await.unwrap(), 1);
}

#[tokio::test]
async fn absent_is_none_or_not_found() {
    let db = people(1).await;
    assert_eq!(Person::find_one(&db, Person::F.name.eq("nobody")).await.unwrap(), None);
    assert_eq!(Person::find_by_id(&db, &77).await.unwrap(), None);
    for error in [
        Person::get(&db, Person::F.name.eq("nobody")).await.unwrap_err(),
        Person::get_by_id(&db, &77).await.unwrap_err(),
        Person::find(Person::F.id.eq(77)).fetch_one(&db).await.unwrap_err(),
        Person::replace(&db, &person(77)).await.unwrap_err(),
    ] {
        assert!(matches!(error, Error::NotFound { model: "Person", collection: "people" }), "{error}");
        assert_eq!(error.to_string(), "no document of `Person` in `people` matches");
    }
    assert_eq!(Person::get(&db, Person::F.id.eq(0)).await.unwrap(), person(0));
    assert_eq!(Person::get_by_id(&db, &0).await.unwrap(), person(0));
}

#[tokio::test]
async fn tokens_lead_through_embedded_structs_and_arrays() {
    let db = people(3).await;
    let ids =
        async |filter| Person::find(filter).fetch_all(&db).await.unwrap().iter().map(|p| p.id).collect::<Vec<_>>();
    assert_eq!(ids(Person::F.addresses.city.eq("c1")).await, [1]);
    assert_eq!(ids(Person::F.addresses.city.eq("Oslo")).await, [0, 1, 2]);
    assert_eq!(ids(Person::F.home.city.is_in(["h0", "h2"])).await, [0, 2]);
    assert_eq!(ids(Person::F.home.street_name.eq("Main").and(Person::F.name.eq("n1"))).await, [1]);
    assert_eq!(ids(Person::F.email.eq("2@example.org")).await, [2]);
    assert_eq!(ids(Person::F.email.eq(None)).await, [1]);
    assert_eq!(ids(Person::F.id.is_in(Vec::<i64>::new())).await, [] as [i64; 0]);
}

#[tokio::test]
async fn limit_skip_count_and_select() {
    let db = people(10).await;
    let page = Person::find(Filter::all()).skip(3).limit(2).fetch_all(&db).await.unwrap();
    assert_eq!(page, [person(3), person(4)]);
    assert_eq!(Person::find(Filter::all()).skip(3).limit(2).count(&db).await.unwrap(), 2);
    assert_eq!(Person::find(Filter::all()).skip(9).limit(5).count(&db).await.unwrap(), 1);

    let names = Person::find(Filter::all()).limit(2).select::<PersonName>().fetch_all(&db).await.unwrap();
    assert_eq!(names, [PersonName { id: 0, name: "n0".to_owned() }, PersonName { id: 1, name: "n1".to_owned() }]);
    // The client asks the server for these fields and no more.
    let explained = Person::find(Filter::all()).select::<PersonName>().explain(&db).await.unwrap();
    let projection = explained.get_document("command").unwrap().get_document("projection").unwrap();
    assert_eq!(projection.keys().collect::<Vec<_>>(), ["_id", "name"]);
}

#[tokio::test]
async fn replace_and_delete_take_the_document_of_the_id() {
    let (db, log) = people_with_log(3).await;
    let changed = Person { name: "other".to_owned(), addresses: vec![], ..person(1) };
    let (result, names) = sent(&log, Person::replace(&db, &changed)).await;
    result.unwrap();
    assert_eq!(names, ["update"]);
    assert_eq!(Person::find(Filter::all()).fetch_all(&db).await.unwrap(), [person(0), changed.clone(), person(2)]);

    let (deleted, names) = sent(&log, Person::delete(&db, &changed)).await;
    assert!(deleted.unwrap());
    assert_eq!(names, ["delete"]);
    assert!(!Person::delete(&db, &changed).await.unwrap());
    assert!(Person::delete_by_id(&db, &2).await.unwrap());
    assert_eq!(Person::find(Filter::all()).fetch_all(&db).await.unwrap(), [person(0)]);
}

#[tokio::test]
async fn explain_says_how_a_read_is_done() {
    let db = people(5).await;
    let stage = |explained: &Document| {
        let plan = explained.get_document("queryPlanner").unwrap().get_document("winningPlan").unwrap();
        plan.to_string()
    };
    assert!(stage(&Person::find(Person::F.id.eq(3)).explain(&db).await.unwrap()).contains("IDHACK"));
    let explained = Person::find(Person::F.name.eq("n3")).limit(1).explain(&db).await.unwrap();
    assert!(stage(&explained).contains("COLLSCAN"));
    assert_eq!(explained.get_document("executionStats").unwrap().get_i32("nReturned").unwrap(), 1);
}

#[tokio::test]
async fn a_stream_gives_all_in_small_replies() {
    let (db, log) = people_with_log(2_500).await;
    let (people, names) = sent(&log, async {
        Person::find(Filter::all()).stream(&db).await.unwrap().try_collect::<Vec<_>>().await.unwrap()
    })
    .await;
    assert_eq!(people, (0..2_500).map(person).collect::<Vec<_>>());
    assert_eq!(names, ["find", "getMore", "getMore"]);
    // A client that stops early has asked for no more than the first reply.
    let (first, names) =
        sent(&log, async { Person::find(Filter::all()).stream(&db).await.unwrap().next().await.unwrap().unwrap() })
            .await;
    assert_eq!(first, person(0));
    assert_eq!(names, ["find"]);
}

#[tokio::test]
async fn a_document_that_does_not_fit_is_named_and_the_rest_is_reachable() {
    let db = people(3).await;
    let raw = db.collection::<Document>("people");
    raw.update_one(doc! { "_id": 1 }, doc! { "$set": { "addresses.1.city": 42 } }).await.unwrap();

    let failed = |error: &Error| match error {
        Error::Decode { collection, model, id, path, message } => {
            assert_eq!((collection.as_str(), *model, &**id), ("people", "Person", &Bson::Int64(1)));
            assert_eq!(path, "addresses.1.city");
            assert!(message.contains("string"), "{message}");
            let text = "a document of `people` does not fit `Person` at `addresses.1.city`: found an integer, expected \
                        a string";
            assert_eq!(error.to_string(), text);
        }
        other => panic!("{other}"),
    };
    failed(&Person::find(Filter::all()).fetch_all(&db).await.unwrap_err());
    failed(&Person::find_by_id(&db, &1).await.unwrap_err());

    let each = Person::find(Filter::all()).fetch_each(&db).await.unwrap();
    let streamed: Vec<_> = Person::find(Filter::all()).stream(&db).await.unwrap().collect().await;
    for all in [each, streamed] {
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].as_ref().unwrap(), &person(0));
        failed(all[1].as_ref().unwrap_err());
        assert_eq!(all[2].as_ref().unwrap(), &person(2));
    }
    // A view without the broken field reads the document.
    let names = Person::find(Filter::all()).select::<PersonName>().fetch_all(&db).await.unwrap();
    assert_eq!(names.len(), 3);
}

#[tokio::test]
async fn the_drivers_own_collection_is_one_call_away() {
    let db = people(2).await;
    let found = Person::collection(&db).find_one(doc! { "name": "n1" }).await.unwrap();
    assert_eq!(found, Some(person(1)));
    let raw = Person::find(Filter::raw(doc! { "_id": { "$gte": 1 } })).fetch_all(&db).await.unwrap();
    assert_eq!(raw, [person(1)]);
}

#[tokio::test]
async fn futures_may_move_between_threads() {
    let db = people(1).await;
    let found = tokio::spawn(async move {
        Person::insert(&db, &person(8)).await.unwrap();
        Person::replace(&db, &person(8)).await.unwrap();
        let streamed: Vec<_> = Person::find(Filter::all()).stream(&db).await.unwrap().try_collect().await.unwrap();
        assert_eq!(streamed.len(), 2);
        Person::get_by_id(&db, &8).await.unwrap()
    });
    assert_eq!(found.await.unwrap(), person(8));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    #[opaque(max_bytes = 1_000)]
    value: Bson,
    text: String,
    number: u64,
}

/// Values that may come from outside stay values, whatever the text of the value.
#[tokio::test]
async fn a_value_never_becomes_an_operator() {
    let db = schema_tests::database().await;
    let values = [
        Bson::String("plain".to_owned()),
        Bson::Document(doc! { "x": 1 }),
        Bson::Document(doc! { "nested": { "deep": true } }),
        Bson::Int32(5),
        Bson::Null,
    ];
    let things: Vec<_> =
        (0..).zip(values).map(|(id, value)| Thing { id, value, text: "$where".to_owned(), number: 1 }).collect();
    Thing::insert_many(&db, &things).await.unwrap();
    #[allow(clippy::unnecessary_fallible_conversions, reason = "bson 3 has a string type of its own for these")]
    let regex = mongodb::bson::Regex { pattern: "plain".try_into().unwrap(), options: "".try_into().unwrap() };
    let hostile = [
        Bson::Document(doc! { "$gt": "" }),
        Bson::Document(doc! { "$ne": null }),
        Bson::Document(doc! { "$where": "true" }),
        Bson::Document(doc! { "$exists": true }),
        Bson::RegularExpression(regex),
    ];
    for value in hostile {
        let equal = Thing::find(Thing::F.value.eq(value.clone())).fetch_all(&db).await.unwrap();
        assert_eq!(equal, [], "{value}");
        let among = Thing::find(Thing::F.value.is_in([value.clone(), Bson::Int32(7)])).fetch_all(&db).await.unwrap();
        assert_eq!(among, [], "{value}");
        let both = Thing::F.text.eq("$where").and(Thing::F.value.eq(value.clone()));
        assert_eq!(Thing::find(both).fetch_all(&db).await.unwrap(), [], "{value}");
    }
    assert_eq!(
        Thing::find(Thing::F.value.eq(Bson::Document(doc! { "x": 1 }))).fetch_all(&db).await.unwrap(),
        [things[1].clone()]
    );
    assert_eq!(
        Thing::find(Thing::F.value.is_in([Bson::Document(doc! { "x": 1 })])).fetch_all(&db).await.unwrap(),
        [things[1].clone()]
    );
    assert_eq!(Thing::find(Thing::F.text.eq("$where")).count(&db).await.unwrap(), 5);
    assert_eq!(Thing::find(Thing::F.text.eq("{\"$gt\": \"\"}")).count(&db).await.unwrap(), 0);
}

#[tokio::test]
async fn a_number_that_bson_does_not_have_is_refused() {
    let (db, log) = schema_tests::database_with_log().await;
    let thing = Thing { id: 1, value: Bson::Null, text: String::new(), number: u64::MAX };
    let (result, names) = sent(&log, Thing::insert(&db, &thing)).await;
    assert!(matches!(result, Err(Error::Encode { .. })), "{result:?}");
    assert_eq!(names, [] as [&str; 0]);
    let fine = Thing { number: i64::MAX as u64, ..thing.clone() };
    Thing::insert(&db, &fine).await.unwrap();
    assert_eq!(Thing::get_by_id(&db, &1).await.unwrap(), fine);
    assert!(matches!(Thing::replace(&db, &thing).await, Err(Error::Encode { .. })));
    assert!(matches!(Thing::find(Thing::F.number.eq(u64::MAX)).fetch_all(&db).await, Err(Error::Encode { .. })));
    assert!(matches!(Thing::find(Thing::F.number.eq(u64::MAX)).count(&db).await, Err(Error::Encode { .. })));
    let many = Thing::insert_many(&db, &[Thing { id: 2, ..fine.clone() }, Thing { id: 3, ..thing }]).await;
    match many {
        Err(Error::InsertMany { inserted: 0, index: Some(1), source, .. }) => {
            assert!(matches!(*source, Error::Encode { .. }));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(Thing::find(Filter::all()).count(&db).await.unwrap(), 1);
}
