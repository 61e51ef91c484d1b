//! Updates: the effect of each operator on the raw document, a single command for each update, and bounds that hold.

mod bounds;
mod capped;
mod elements;
mod exact;
mod failure;
mod history;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    name: String,
    age: i64,
    height: f64,
    nick: Option<String>,
    seen: Option<DateTime>,
    #[bound(max_items = 4, max_len = 8)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 3)]
    addresses: Vec<Address>,
    #[relation(one_to_one, embed)]
    home: Address,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Address {
    #[bound(max_len = 20)]
    city_name: String,
    cc: String,
    #[bound(max_items = 2)]
    floors: Vec<i32>,
}

fn address(city: &str, cc: &str) -> Address {
    Address { city_name: city.to_owned(), cc: cc.to_owned(), floors: vec![1] }
}

fn person(id: i64) -> Person {
    Person {
        id,
        name: format!("n{id}"),
        age: 30,
        height: 1.5,
        nick: Some("nick".to_owned()),
        seen: None,
        tags: vec!["a".to_owned(), "b".to_owned()],
        addresses: vec![address("Oslo", "NO"), address("Bergen", "NO")],
        home: address("Paris", "FR"),
    }
}

async fn raw(db: &Database, id: i64) -> Document {
    db.collection::<Document>("people").find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

#[tokio::test]
async fn every_operator_in_one_command() {
    let (db, log) = schema_tests::database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    log.clear();
    let updated = Person::update_by_id(1)
        .set(Person::F.name, "new")
        .set(Person::F.home.city_name, "Lyon")
        .unset(Person::F.nick)
        .inc(Person::F.age, -2)
        .mul(Person::F.height, 2.0)
        .current_date(Person::F.seen)
        .push_each(Person::F.tags, ["c", "d"])
        .pull(Person::F.addresses, &address("Oslo", "NO"))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!((updated.matched, updated.modified, updated.upserted_id), (1, 1, None));

    let commands = log.commands();
    assert_eq!(commands.len(), 1, "{commands:?}");
    let update = commands[0].1.get_array("updates").unwrap()[0].as_document().unwrap().clone();
    assert_eq!(
        (update.get_document("q").unwrap(), update.get_document("u").unwrap()),
        (
            &doc! { "_id": 1_i64, "$nor": [{ "tags.2": { "$exists": true } }] },
            &doc! {
                "$set": { "name": "new", "home.cityName": "Lyon" },
                "$unset": { "nick": "" },
                "$inc": { "age": -2_i64 },
                "$mul": { "height": 2.0 },
                "$currentDate": { "seen": { "$type": "date" } },
                "$push": { "tags": { "$each": ["c", "d"] } },
                "$pullAll": { "addresses": [{ "cityName": "Oslo", "cc": "NO", "floors": [1] }] },
            }
        )
    );

    let stored = Person::get_by_id(&db, &1).await.unwrap();
    assert!(stored.seen.is_some());
    let mut expected =
        Person { name: "new".to_owned(), nick: None, age: 28, height: 3.0, seen: stored.seen, ..person(1) };
    expected.home.city_name = "Lyon".to_owned();
    expected.tags.extend(["c".to_owned(), "d".to_owned()]);
    expected.addresses.remove(0);
    assert_eq!(stored, expected);
    assert!(!raw(&db, 1).await.contains_key("nick"));
}

#[tokio::test]
async fn min_and_max_keep_the_smaller_and_the_larger() {
    let db = schema_tests::database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    Person::update_by_id(1).min(Person::F.age, 40).max(Person::F.height, 1.0).execute(&db).await.unwrap();
    let kept = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!((kept.age, kept.height), (30, 1.5));
    Person::update_by_id(1).min(Person::F.age, 7).max(Person::F.height, 9.0).execute(&db).await.unwrap();
    let changed = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!((changed.age, changed.height), (7, 9.0));
}

#[tokio::test]
async fn one_and_many_and_none() {
    let db = schema_tests::database().await;
    Person::insert_many(&db, (1..=5).map(person).collect::<Vec<_>>()).await.unwrap();
    let one = Person::update_one(Person::F.age.eq(30)).set(Person::F.age, 31).execute(&db).await.unwrap();
    assert_eq!((one.matched, one.modified), (1, 1));
    let many = Person::update_many(Person::F.age.gte(30)).set(Person::F.age, 31).execute(&db).await.unwrap();
    assert_eq!((many.matched, many.modified), (5, 4));
    let none = Person::update_many(Person::F.age.eq(99)).set(Person::F.age, 1).execute(&db).await.unwrap();
    assert_eq!((none.matched, none.modified), (0, 0));
    let absent = Person::update_by_id(99).set(Person::F.age, 1).execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { model: "Person", .. }), "{absent}");
    assert!(!Person::delete_one(&db, Person::F.age.eq(99)).await.unwrap());
    assert!(Person::delete_one(&db, Person::F.age.eq(31)).await.unwrap());
    assert_eq!(Person::delete_many(&db, Person::F.age.eq(31)).await.unwrap(), 4);
}

#[tokio::test]
async fn find_one_and_update_gives_it_before_or_after() {
    let (db, log) = schema_tests::database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    log.clear();
    let matching = || Person::find_one_and_update(Person::F.name.eq("n1"));
    let before = matching().inc(Person::F.age, 1).fetch_before(&db).await.unwrap();
    let after = matching().inc(Person::F.age, 1).fetch_after(&db).await.unwrap();
    assert_eq!((before, after), (Some(person(1)), Some(Person { age: 32, ..person(1) })));
    let none =
        Person::find_one_and_update(Person::F.name.eq("n2")).inc(Person::F.age, 1).fetch_after(&db).await.unwrap();
    assert_eq!(none, None);
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify"; 3]);
}

#[tokio::test]
async fn an_upsert_inserts_what_is_set() {
    let db = schema_tests::database().await;
    let write = |age| {
        Person::update_by_id(7)
            .set(Person::F.age, age)
            .set_on_insert(Person::F.name, "seven")
            .set_on_insert(Person::F.height, 2.0)
            .set_on_insert(Person::F.tags, Vec::new())
            .set_on_insert(Person::F.addresses, Vec::new())
            .set_on_insert(Person::F.home, &address("Rome", "IT"))
            .upsert()
    };
    let inserted = write(1).execute(&db).await.unwrap();
    assert_eq!((inserted.matched, inserted.upserted_id), (0, Some(7)));
    Person::update_by_id(7).set(Person::F.name, "changed").execute(&db).await.unwrap();
    let updated = write(2).execute(&db).await.unwrap();
    assert_eq!((updated.matched, updated.upserted_id), (1, None));
    let seven = Person::get_by_id(&db, &7).await.unwrap();
    assert_eq!((seven.age, &*seven.name), (2, "changed"));
}

#[tokio::test]
async fn a_value_is_never_an_operator() {
    let db = schema_tests::database().await;
    let evil = "$where";
    Person::insert(&db, &person(1)).await.unwrap();
    Person::update_by_id(1).set(Person::F.name, evil).push(Person::F.tags, "$each").execute(&db).await.unwrap();
    Person::update_by_id(1).add_to_set(Person::F.tags, "{$gt:''}").execute(&db).await.unwrap();
    let stored = raw(&db, 1).await;
    assert_eq!(stored.get_str("name").unwrap(), evil);
    assert_eq!(stored.get_array("tags").unwrap()[2..], [Bson::from("$each"), Bson::from("{$gt:''}")]);
}

#[tokio::test]
async fn what_says_nothing_or_the_same_twice_is_refused() {
    let (db, log) = schema_tests::database_with_log().await;
    log.clear();
    let nothing = Person::update_by_id(1).execute(&db).await.unwrap_err();
    assert_eq!(nothing.to_string(), "this update cannot be sent: the update changes nothing of `Person`");
    let twice = Person::update_by_id(1).inc(Person::F.age, 1).inc(Person::F.age, 1).execute(&db).await.unwrap_err();
    assert_eq!(twice.to_string(), "this update cannot be sent: `$inc` of `age` is there twice");
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn operators_of_the_server_beside_typed_ones() {
    let db = schema_tests::database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let raw_update = doc! { "$bit": { "age": { "xor": 1_i64 } }, "$set": { "height": 2.5 } };
    Person::update_by_id(1).raw(raw_update).set(Person::F.name, "new").execute(&db).await.unwrap();
    let stored = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!((stored.age, stored.height, &*stored.name), (31, 2.5, "new"));
}

#[tokio::test]
async fn in_a_transaction_it_is_all_or_nothing() {
    let db = schema_tests::database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let failed = schema_runtime::transaction(&db, |tx| async move {
        Person::update_by_id(1).set(Person::F.age, 1).execute(&tx).await?;
        Person::update_many(Filter::all()).inc(Person::F.age, 1).execute(&tx).await?;
        let seen = Person::find_one_and_update(Person::F.age.eq(2)).inc(Person::F.age, 1).fetch_after(&tx).await?;
        assert_eq!(seen.unwrap().age, 3);
        Person::update_by_id(99).set(Person::F.age, 1).execute(&tx).await.map(drop)
    })
    .await;
    assert!(matches!(failed, Err(Error::NotFound { .. })), "{failed:?}");
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap(), person(1));
}
