//! Updates of null and absent values: a `None` is stored as serde stores a `None`, a null loses to a value, and no part
//! of an absent struct is written.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: i32,
    #[index(unique, sparse)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[index(unique, partial(exists(phone)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Address {
    city: String,
    zip: i64,
    best: Option<i64>,
    #[bound(max_items = 5)]
    floors: Vec<i64>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i32,
    best: Option<i64>,
    #[relation(one_to_one, embed)]
    home: Option<Address>,
    #[relation(one_to_few, embed, max = 5)]
    more: Option<Vec<Address>>,
}

fn user(id: i32) -> User {
    User { id, email: Some(format!("{id}@x")), phone: Some(format!("{id}")) }
}

fn address() -> Address {
    Address { city: "A".to_owned(), zip: 1, best: None, floors: vec![1] }
}

fn person(id: i32) -> Person {
    Person { id, best: None, home: None, more: None }
}

async fn raw(db: &Database, collection: &str) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let found = db.collection::<Document>(collection).find(doc! {}).sort(doc! { "_id": 1 }).await.unwrap();
    found.try_collect().await.unwrap()
}

#[tokio::test]
async fn none_is_left_out_as_serde_leaves_it_out() {
    let db = database().await;
    let schema = schema![User];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let f = User::F;
    User::insert_many(&db, (1..=6).map(user)).await.unwrap();
    User::update_by_id(1).set(f.email, None).set(f.phone, None).execute(&db).await.unwrap();
    User::update_one(f.id.eq(2)).set(f.email, None).set(f.phone, None).execute(&db).await.unwrap();
    User::update_many(f.id.is_in([3, 4])).set(f.email, None).set(f.phone, None).execute(&db).await.unwrap();
    let after = User::find_one_and_update(f.id.eq(5)).set(f.email, None).set(f.phone, None).fetch_after(&db).await;
    assert_eq!(after.unwrap(), Some(User { id: 5, email: None, phone: None }));
    let bulk = User::bulk().update(User::update_by_id(6).set(f.email, None).set(f.phone, None));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    User::update_by_id(7)
        .set_on_insert(f.email, None)
        .set_on_insert(f.phone, None)
        .upsert()
        .execute(&db)
        .await
        .unwrap();
    User::update_one(f.id.eq(8) & f.email.eq(None)).set(f.phone, None).upsert().execute(&db).await.unwrap();
    User::update_by_id(1).set(f.email, "1@x").set(f.email, None).execute(&db).await.unwrap();
    let expected: Vec<Document> = (1..=8).map(|id| doc! { "_id": id }).collect();
    assert_eq!(raw(&db, "users").await, expected);
    User::update_one(f.email.eq(None) & f.id.eq(8)).set(f.phone, "8").upsert().execute(&db).await.unwrap();
    assert_eq!(raw(&db, "users").await[7], doc! { "_id": 8, "phone": "8" });
}

#[tokio::test]
async fn the_value_wins_over_a_null() {
    let db = database().await;
    let f = Person::F;
    Person::insert_many(&db, (1..=6).map(person)).await.unwrap();
    Person::update_by_id(1).min(f.best, 42).execute(&db).await.unwrap();
    Person::update_one(f.id.eq(2)).min(f.best, 42).execute(&db).await.unwrap();
    Person::update_many(f.id.is_in([3, 4])).min(f.best, 42).execute(&db).await.unwrap();
    Person::find_one_and_update(f.id.eq(5)).min(f.best, 42).fetch_before(&db).await.unwrap().unwrap();
    let bulk = Person::bulk()
        .update(Person::update_by_id(6).min(f.best, 40))
        .update(Person::update_by_id(6).set(f.best, None))
        .update(Person::update_by_id(6).min(f.best, 42));
    let counts = bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((counts.matched, counts.modified), (3, 3));
    Person::update_by_id(7).min(f.best, 42).set(f.home, None).set(f.more, None).upsert().execute(&db).await.unwrap();
    for id in 1..=7 {
        assert_eq!(Person::get_by_id(&db, id).await.unwrap().best, Some(42), "{id}");
        Person::update_by_id(id).min(f.best, None).execute(&db).await.unwrap();
        Person::update_by_id(id).max(f.best, None).execute(&db).await.unwrap();
        Person::update_by_id(id).min(f.best, 50).execute(&db).await.unwrap();
        assert_eq!(Person::get_by_id(&db, id).await.unwrap().best, Some(42), "{id}");
    }
    Person::update_by_id(1).set(f.best, None).execute(&db).await.unwrap();
    Person::update_by_id(1).min(f.best, 9).upsert().execute(&db).await.unwrap();
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap().best, Some(9));
    assert!(matches!(Person::update_by_id(99).min(f.best, 1).execute(&db).await, Err(Error::NotFound { .. })));
    assert_eq!(Person::update_one(f.id.eq(99)).min(f.best, 1).execute(&db).await.unwrap().matched, 0);
}

#[tokio::test]
async fn the_value_wins_over_a_null_in_an_element() {
    let db = database().await;
    let f = Person::F;
    let more = Some(vec![address(), Address { best: Some(3), ..address() }, Address { best: Some(9), ..address() }]);
    Person::insert(&db, &Person { more, ..person(1) }).await.unwrap();
    Person::update_by_id(1)
        .each(f.more, |_| Filter::all(), |change, one| change.min(one.best, 5).set(one.city, "Oslo"))
        .execute(&db)
        .await
        .unwrap();
    Person::update_by_id(1)
        .each(f.more, |one| one.best.eq(3), |change, one| change.min(one.best, 2))
        .each(f.more, |one| one.best.eq(3), |change, one| change.min(one.best, None))
        .execute(&db)
        .await
        .unwrap();
    let more = Person::get_by_id(&db, 1).await.unwrap().more.unwrap();
    assert_eq!(more.iter().map(|one| one.best).collect::<Vec<_>>(), [Some(5), Some(2), Some(5)]);
    assert!(more.iter().all(|one| one.city == "Oslo"));
}

#[tokio::test]
async fn a_field_of_a_struct_that_is_not_there_is_not_written() {
    let db = database().await;
    let f = Person::F;
    Person::insert_many(&db, [Person { home: Some(address()), ..person(1) }, person(2), person(3)]).await.unwrap();
    db.collection::<Document>("people").insert_one(doc! { "_id": 4 }).await.unwrap();
    let before = raw(&db, "people").await;
    type Changing = fn(
        schema_runtime::operation::Update<Person, schema_runtime::operation::Many>,
    ) -> schema_runtime::operation::Update<Person, schema_runtime::operation::Many>;
    let changes: [Changing; 9] = [
        |update| update.set(Person::F.home.city, "Oslo"),
        |update| update.inc(Person::F.home.zip, 1),
        |update| update.mul(Person::F.home.zip, 2),
        |update| update.min(Person::F.home.best, 5),
        |update| update.max(Person::F.home.best, 6),
        |update| update.push(Person::F.home.floors, 2),
        |update| update.add_to_set(Person::F.home.floors, 3),
        |update| update.pull(Person::F.home.floors, 3),
        |update| update.each(Person::F.home.floors, |_| Filter::all(), |change, one| change.inc(one, 1)),
    ];
    for (at, change) in changes.iter().enumerate() {
        let updated = change(Person::update_many(Filter::all())).execute(&db).await;
        assert_eq!(updated.unwrap().matched, 1, "{at}");
        assert_eq!(raw(&db, "people").await[1..], before[1..], "{at}");
    }
    let home = Person::get_by_id(&db, 1).await.unwrap().home.unwrap();
    assert_eq!(home, Address { city: "Oslo".to_owned(), zip: 4, best: Some(6), floors: vec![2, 3] });
    for id in [2, 4] {
        let by_id = Person::update_by_id(id).set(f.home.city, "Oslo").execute(&db).await;
        assert!(matches!(by_id, Err(Error::NotFound { .. })), "{by_id:?}");
        let found = Person::find_one_and_update(f.id.eq(id)).set(f.home.city, "Oslo").fetch_after(&db).await;
        assert_eq!(found.unwrap(), None);
        let bulk = Person::bulk().update(Person::update_by_id(id).inc(f.home.zip, 1)).execute(&db).await.unwrap();
        assert_eq!(bulk.counts.matched, 0);
        let upsert = Person::update_by_id(id).set(f.home.city, "Oslo").upsert().execute(&db).await;
        assert!(matches!(upsert, Err(Error::Update { .. })), "{upsert:?}");
        Person::update_by_id(id).unset(f.home.best).execute(&db).await.unwrap();
    }
    assert_eq!(raw(&db, "people").await[1..], before[1..]);
}

#[tokio::test]
async fn each_leaves_an_array_that_is_not_there() {
    let db = database().await;
    let f = Person::F;
    Person::insert_many(&db, [Person { more: Some(vec![address()]), ..person(1) }, person(2)]).await.unwrap();
    db.collection::<Document>("people").insert_one(doc! { "_id": 3 }).await.unwrap();
    let updated = Person::update_many(Filter::all())
        .each(f.more, |_| Filter::all(), |change, one| change.set(one.city, "Oslo"))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!((updated.matched, updated.modified), (1, 1));
    for id in [2, 3] {
        let each = Person::update_by_id(id).each(f.more, |_| Filter::all(), |change, one| change.inc(one.zip, 1));
        let counts = Person::bulk().update(each.clone()).execute(&db).await.unwrap().counts;
        assert_eq!(counts.matched, 0);
        assert!(matches!(each.execute(&db).await, Err(Error::NotFound { .. })));
    }
    let stored = raw(&db, "people").await;
    assert_eq!(stored[1].get("more"), Some(&Bson::Null));
    assert_eq!(stored[2], doc! { "_id": 3 });
}
