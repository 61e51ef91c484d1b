//! An array keeps its bound with any number of concurrent writers, and a value over its bound is never sent.

use mongodb::bson::doc;
use schema_runtime::{
    BoundUnit,
    operation::{ById, Update},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::{Person, address, person, raw};

/// Returns field, bound and size of the refused value.
fn exceeded(error: Error) -> (String, u64, u64) {
    match error {
        Error::BoundExceeded { model, field, bound, size, unit, .. } => {
            assert_eq!(model, "Person");
            assert!(matches!(unit, BoundUnit::Elements | BoundUnit::CodePoints));
            (field, bound, size)
        }
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_value_over_its_bound_is_never_sent() {
    let (db, log) = database_with_log().await;
    log.clear();
    let long = "x".repeat(21);
    let update = |change: fn(Update<Person, ById>, &str) -> _| change(Person::update_by_id(1), &long);
    let cases = [
        (update(|update, long| update.set(Person::F.name, long)), ("name", 20, 21)),
        (update(|update, long| update.set_on_insert(Person::F.name, long)), ("name", 20, 21)),
        (update(|update, long| update.max(Person::F.name, long)), ("name", 20, 21)),
        (update(|update, long| update.push(Person::F.tags, long)), ("tags.*", 8, 21)),
        (update(|update, long| update.add_to_set(Person::F.tags, long)), ("tags.*", 8, 21)),
        (update(|update, long| update.set(Person::F.tags, vec!["a".to_owned(), long.to_owned()])), ("tags.1", 8, 21)),
        (update(|update, _| update.set(Person::F.tags, vec!["a".to_owned(); 5])), ("tags", 4, 5)),
        (update(|update, _| update.push_each(Person::F.tags, ["a"; 5])), ("tags", 4, 5)),
        (update(|update, long| update.set(Person::F.home.city_name, long)), ("home.cityName", 20, 21)),
        (update(|update, long| update.push(Person::F.addresses, &address(long, ""))), ("addresses.*.cityName", 20, 21)),
        (
            update(|update, long| {
                let long = long.to_owned();
                update.each(
                    Person::F.addresses,
                    |_| Filter::all(),
                    move |change, address| change.set(address.city_name, long),
                )
            }),
            ("addresses.*.cityName", 20, 21),
        ),
        (
            update(|update, long| {
                let long = long.to_owned();
                update.each(Person::F.tags, |tag| tag.eq("a"), move |change, tag| change.set(tag, long))
            }),
            ("tags.*", 8, 21),
        ),
    ];
    let error = Person::update_by_id(1).push(Person::F.tags, long.as_str()).execute(&db).await.unwrap_err();
    assert_eq!(error.to_string(), "a value in `tags` of `Person` has 21 code points, the bound is 8");
    for (update, (field, bound, size)) in cases {
        assert_eq!(exceeded(update.execute(&db).await.unwrap_err()), (field.to_owned(), bound, size));
    }
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn a_full_array_is_left_as_it_is() {
    let (db, log) = database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    Person::update_by_id(1).push_each(Person::F.tags, ["c", "d"]).execute(&db).await.unwrap();
    let before = raw(&db, 1).await;
    log.clear();
    let push = Person::update_by_id(1).push(Person::F.tags, "e").set(Person::F.age, 1).execute(&db).await.unwrap_err();
    assert_eq!(exceeded(push), ("tags".to_owned(), 4, 5));
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["update", "find"], "one command more says why");
    let added = Person::update_by_id(1).add_to_set(Person::F.tags, "e").execute(&db).await.unwrap_err();
    assert_eq!(exceeded(added), ("tags".to_owned(), 4, 5));
    let found = Person::find_one_and_update(Person::F.name.eq("n1")).push(Person::F.tags, "e").fetch_after(&db).await;
    assert_eq!(exceeded(found.unwrap_err()), ("tags".to_owned(), 4, 5));
    let one = Person::update_one(Person::F.name.eq("n1")).push(Person::F.tags, "e").execute(&db).await.unwrap_err();
    assert_eq!(exceeded(one), ("tags".to_owned(), 4, 5));
    assert_eq!(raw(&db, 1).await, before);
    // A value that the array contains already needs no capacity.
    Person::update_by_id(1).add_to_set(Person::F.tags, "d").execute(&db).await.unwrap();
    assert_eq!(raw(&db, 1).await, before);
    let absent = Person::update_by_id(2).push(Person::F.tags, "e").execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { .. }), "{absent}");
}

#[tokio::test]
async fn one_of_many_with_room_is_changed_and_all_of_many_need_room() {
    let db = database().await;
    Person::insert_many(&db, &[person(1), person(2)]).await.unwrap();
    Person::update_by_id(1).push_each(Person::F.tags, ["c", "d"]).execute(&db).await.unwrap();
    let all = Person::update_many(Filter::all()).push(Person::F.tags, "e").execute(&db).await.unwrap_err();
    assert_eq!(exceeded(all), ("tags".to_owned(), 4, 5));
    assert_eq!(raw(&db, 2).await.get_array("tags").unwrap().len(), 2);
    let one = Person::update_one(Filter::all()).push(Person::F.tags, "e").execute(&db).await.unwrap();
    assert_eq!((one.matched, raw(&db, 2).await.get_array("tags").unwrap().len()), (1, 3));
    let all = Person::update_many(Person::F.id.gt(1)).push(Person::F.tags, "f").execute(&db).await.unwrap();
    assert_eq!(all.modified, 1);
}

#[tokio::test]
async fn the_array_of_an_element_keeps_its_bound() {
    let db = database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let add = |floor: i32| {
        Person::update_by_id(1).each(
            Person::F.addresses,
            |address| address.city_name.eq("Oslo"),
            move |change, address| change.push(address.floors, floor),
        )
    };
    add(2).execute(&db).await.unwrap();
    assert_eq!(exceeded(add(3).execute(&db).await.unwrap_err()), ("addresses.*.floors".to_owned(), 2, 3));
    let stored = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!((&stored.addresses[0].floors[..], &stored.addresses[1].floors[..]), (&[1, 2][..], &[1][..]));
    // The second address has capacity, and the update does not concern the full address.
    let other = Person::update_by_id(1).each(
        Person::F.addresses,
        |address| address.city_name.eq("Bergen"),
        |change, address| change.push(address.floors, 9),
    );
    other.execute(&db).await.unwrap();
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap().addresses[1].floors, [1, 9]);
}

#[tokio::test]
async fn an_upsert_that_adds_is_of_one_document() {
    let db = database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let full = || Person::update_by_id(1).push_each(Person::F.tags, ["x", "y"]).upsert();
    full().execute(&db).await.unwrap();
    assert_eq!(exceeded(full().execute(&db).await.unwrap_err()), ("tags".to_owned(), 4, 6));
    let inserted = Person::update_by_id(5).push_each(Person::F.tags, ["x", "y"]).upsert().execute(&db).await.unwrap();
    assert_eq!(inserted.upserted_id, Some(5));
    let refused = Person::update_one(Person::F.name.eq("n9")).push(Person::F.tags, "x").upsert().execute(&db).await;
    assert!(matches!(refused, Err(Error::Update { .. })), "{refused:?}");
    assert_eq!(
        refused.unwrap_err().to_string(),
        "this update cannot be sent: an upsert that adds to a bounded array must name a single document: write \
         `update_by_id(id)`"
    );
    assert_eq!(db.collection::<mongodb::bson::Document>("people").count_documents(doc! {}).await.unwrap(), 2);
}

#[tokio::test]
async fn many_writers_never_exceed_a_bound_and_lose_nothing() {
    let db = database().await;
    Person::insert(&db, &Person { tags: Vec::new(), addresses: Vec::new(), ..person(1) }).await.unwrap();
    let writers = (0..40).map(|writer| {
        let db = db.clone();
        tokio::spawn(async move {
            let push =
                Person::update_by_id(1).push(Person::F.addresses, &address(&writer.to_string(), "")).execute(&db).await;
            let add = Person::update_by_id(1).add_to_set(Person::F.tags, format!("t{}", writer % 8)).execute(&db).await;
            (push.map(|_| writer).map_err(exceeded), add.is_ok())
        })
    });
    let mut pushed = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        match writer.await.unwrap().0 {
            Ok(writer) => pushed.push(writer.to_string()),
            Err(refused) => assert_eq!(refused, ("addresses".to_owned(), 3, 4)),
        }
    }
    let stored = raw(&db, 1).await;
    let cities = stored.get_array("addresses").unwrap().iter().map(|address| {
        let address: &mongodb::bson::Document = address.as_document().unwrap();
        address.get_str("cityName").unwrap().to_owned()
    });
    let (mut cities, tags) = (cities.collect::<Vec<_>>(), stored.get_array("tags").unwrap());
    cities.sort();
    pushed.sort();
    assert_eq!((cities.len(), tags.len()), (3, 4));
    assert_eq!(cities, pushed, "who got the answer that it is there is there");
}
