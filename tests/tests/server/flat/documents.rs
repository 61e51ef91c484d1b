//! Documents, tokens, updates, patches, projections, indexes and the validator.

use schema_runtime::Error;

use super::*;

#[tokio::test]
async fn the_fields_are_stored_beside_each_other() {
    let (db, _) = people().await;
    assert_eq!(raw(&db, "people", 1).await, stored(1, "Oslo"));
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap(), person(1, "Oslo"));

    let changed = Person { version: 1, home: address("Lima"), ..person(1, "Oslo") };
    let mut saved = Person { version: 0, ..changed.clone() };
    Person::save(&db, &mut saved).await.unwrap();
    let mut document = stored(1, "Lima");
    document.remove("street");
    document.insert("version", 1_i64);
    let mut found = raw(&db, "people", 1).await;
    // The order of fields that an update adds is the order of the update.
    let (mut keys, mut wanted): (Vec<_>, Vec<_>) =
        (found.keys().cloned().collect(), document.keys().cloned().collect());
    keys.sort();
    wanted.sort();
    assert_eq!(keys, wanted);
    for (name, value) in document {
        assert_eq!(found.remove(&name), Some(value), "{name}");
    }
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap(), changed);
}

#[tokio::test]
async fn tokens_lead_to_the_stored_names() {
    let (db, log) = people().await;
    let paths = [
        Person::F.home.city.path(),
        Person::F.home.place.lat.path(),
        Person::F.audit.notes.path(),
        Person::F.spare.city.path(),
        Person::F.spare.place.lon.path(),
        Person::F.stays.place.lat.path(),
    ];
    assert_eq!(paths, ["town", "lat", "notes", "spare.town", "spare.lon", "stays.lat"]);

    let ids = async |filter: Filter<Person>| {
        let found = Person::find(filter).sort(Person::F.home.city.desc()).fetch_all(&db).await.unwrap();
        found.into_iter().map(|person| person.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(Person::F.home.city.is_in(["Oslo", "Rome"])).await, [2, 1]);
    assert_eq!(ids(Person::F.home.kind.eq(Kind::Villa) & Person::F.home.place.lat.gt(59.0)).await, [2, 1]);
    assert_eq!(ids(Person::F.audit.by.is_null() & Person::F.home.city.starts_with("O")).await, [1]);
    assert_eq!(ids(Person::F.stays.elem_match(|stay| stay.year.eq(2020) & stay.place.lat.eq(1.0))).await, [2, 1]);
    let stay = Stay { year: 2020, place: Place { lat: 1.0, lon: 2.0 } };
    assert_eq!(ids(Person::F.stays.contains(&stay)).await, [2, 1]);
    let cities = Person::find(Filter::all()).distinct(&db, Person::F.home.city).await.unwrap();
    assert_eq!(cities, ["Oslo", "Rome"]);
    log.clear();
    let page = Person::in_city("Oslo").fetch_all(&db).await.unwrap();
    assert_eq!(page, [person(1, "Oslo")]);
    let (_, find) = log.commands().remove(0);
    assert_eq!(find.get_document("filter").unwrap(), &doc! { "town": "Oslo" });
    assert_eq!(find.get_document("sort").unwrap(), &doc! { "lat": 1 });
}

#[tokio::test]
async fn updates_and_patches() {
    let (db, log) = people().await;
    let update = Person::update_by_id(1).set(Person::F.home.city, "Lima").inc(Person::F.home.place.lat, 1.0);
    update.push(Person::F.audit.notes, "b").unset(Person::F.home.street).execute(&db).await.unwrap();
    let mut wanted = stored(1, "Lima");
    wanted.insert("lat", 60.9);
    wanted.insert("notes", vec!["a", "b"]);
    wanted.insert("version", 1_i64);
    wanted.remove("street");
    assert_eq!(raw(&db, "people", 1).await, wanted);

    log.clear();
    let edit =
        EditPerson { city: Some("Kiel".to_owned()), street: Some(None), lat: Some(5.0), ..EditPerson::default() };
    Person::update_by_id(2).apply(&edit).execute(&db).await.unwrap();
    let read = Person::get_by_id(&db, 2).await.unwrap();
    assert_eq!((read.home.city.as_str(), read.home.street, read.home.place.lat), ("Kiel", None, 5.0));
    assert!(!raw(&db, "people", 2).await.contains_key("street"), "serde leaves this `None` out");

    let stay = Stay { year: 1, place: Place { lat: 3.0, lon: 4.0 } };
    Person::update_by_id(2)
        .each(Person::F.stays, |stay| stay.place.lat.eq(1.0), |change, stay| change.set(stay.place.lon, 9.0))
        .execute(&db)
        .await
        .unwrap();
    Person::update_by_id(2).push(Person::F.stays, &stay).execute(&db).await.unwrap();
    let stays = raw(&db, "people", 2).await.get_array("stays").unwrap().clone();
    assert_eq!(
        Bson::from(stays),
        Bson::from(vec![doc! { "year": 2020, "lat": 1.0, "lon": 9.0 }, doc! { "year": 1, "lat": 3.0, "lon": 4.0 },])
    );
}

#[tokio::test]
async fn limits_hold() {
    let (db, log) = people().await;
    let long = "x".repeat(11);
    match Person::insert(&db, &person(3, &long)).await.unwrap_err() {
        Error::BoundExceeded { field, bound: 10, size: 11, .. } => assert_eq!(field, "town"),
        other => panic!("{other:?}"),
    }
    let set = Person::update_by_id(1).set(Person::F.home.city, long.as_str()).execute(&db).await;
    assert!(matches!(set, Err(Error::BoundExceeded { ref field, .. }) if field == "town"), "{set:?}");
    assert_eq!(log.commands(), [], "no command is sent");
    let full = Person::update_by_id(1).push_each(Person::F.audit.notes, ["b", "c"]).execute(&db).await;
    assert!(matches!(full, Err(Error::BoundExceeded { ref field, .. }) if field == "notes"), "{full:?}");

    // The validator knows the fields too.
    let people = db.collection::<Document>("people");
    for broken in [doc! { "town": "x".repeat(11) }, doc! { "kind": "tent" }, doc! { "lat": "north" }] {
        let mut document = stored(9, "Oslo");
        document.extend(broken.clone());
        assert!(people.insert_one(document).await.is_err(), "{broken}");
    }
    for missing in ["town", "lat", "kind", "notes"] {
        let mut document = stored(9, "Oslo");
        document.remove(missing);
        assert!(people.insert_one(document).await.is_err(), "{missing}");
    }
    let mut document = stored(9, "Oslo");
    document.remove("street");
    document.remove("by");
    people.insert_one(document).await.unwrap();
    let read = Person::get_by_id(&db, 9).await.unwrap();
    assert_eq!((read.home.street, read.audit.by), (None, None));
}

#[tokio::test]
async fn indexes_of_the_stored_names() {
    let (db, _) = people().await;
    let mut names: Vec<_> = db.collection::<Document>("people").list_index_names().await.unwrap();
    names.sort();
    assert_eq!(names, ["_id_", "town_1_lat_-1"]);
    let plan = schema![Person].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}

#[tokio::test]
async fn projections_read_flat_fields() {
    let (db, log) = people().await;
    let cards: Vec<Card> = Person::find(Person::F.id.eq(1)).select::<Card>().fetch_all(&db).await.unwrap();
    assert_eq!(cards, [Card { id: 1, place: Place { lat: 59.9, lon: 10.7 }, town: "Oslo".to_owned() }]);
    let (_, find) = log.commands().remove(0);
    let projection = find.get_document("projection").unwrap();
    assert_eq!(projection, &doc! { "_id": 1, "town": 1, "lat": 1, "lon": 1 });
}

#[tokio::test]
async fn a_failure_names_the_stored_field() {
    let (db, _) = people().await;
    let people = db.collection::<Document>("people");
    let plain = db.run_command(doc! { "collMod": "people", "validator": {} }).await;
    plain.unwrap();
    people.update_one(doc! { "_id": 1 }, doc! { "$set": { "lat": "north" } }).await.unwrap();
    match Person::get_by_id(&db, 1).await.unwrap_err() {
        Error::Decode { path, message, .. } => assert_eq!(path, "lat", "{message}"),
        other => panic!("{other:?}"),
    }
}
