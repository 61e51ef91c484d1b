//! Changes of the elements of an array.

use mongodb::bson::{Bson, doc};
use schema_runtime::prelude::*;
use schema_tests::database_with_log;

use super::{Person, person};

#[tokio::test]
async fn those_for_which_a_condition_holds() {
    let (db, log) = database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    log.clear();
    let update = Person::update_by_id(1)
        .each(
            Person::F.addresses,
            |address| {
                address.cc.eq("NO").and(address.city_name.is_in(["Bergen", "Voss"]).or(address.city_name.eq("Moss")))
            },
            |change, address| {
                change.set(address.cc, "no").each(
                    address.floors,
                    |floor| floor.between(1..5),
                    |change, floor| change.inc(floor, 10),
                )
            },
        )
        .each(Person::F.tags, |tag| tag.eq("a"), |change, tag| change.set(tag, "z"))
        .each(Person::F.home.floors, |_| Filter::all(), |change, floor| change.inc(floor, 1));
    update.execute(&db).await.unwrap();
    let command = log.named("update").remove(0);
    let update = command.get_array("updates").unwrap()[0].as_document().unwrap();
    assert_eq!(
        update.get_document("u").unwrap(),
        &doc! {
            "$set": { "addresses.$[e0].cc": "no", "tags.$[e2]": "z" },
            "$inc": { "addresses.$[e0].floors.$[e0e0]": 10, "home.floors.$[]": 1 },
        }
    );
    let filters = [
        doc! { "e0.cc": "NO", "$or": [{ "e0.cityName": { "$in": ["Bergen", "Voss"] } }, { "e0.cityName": "Moss" }] },
        doc! { "e0e0": { "$gte": 1, "$lt": 5 } },
        doc! { "e2": "a" },
    ];
    assert_eq!(update.get_array("arrayFilters").unwrap(), &filters.map(Bson::from));

    let mut expected = person(1);
    expected.addresses[1].cc = "no".to_owned();
    expected.addresses[1].floors = vec![11];
    expected.tags[0] = "z".to_owned();
    expected.home.floors = vec![2];
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap(), expected);
}

#[tokio::test]
async fn what_a_condition_holds_for_is_pulled() {
    let (db, log) = database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    log.clear();
    let update = Person::update_by_id(1)
        .pull_if(Person::F.addresses, |address| address.city_name.starts_with("Ber").and(address.floors.contains(1)))
        .pull_if(Person::F.tags, |tag| tag.gte("b").and(tag.lt("c")))
        .pull_if(Person::F.home.floors, |floor| floor.eq(1));
    update.execute(&db).await.unwrap();
    let command = log.named("update").remove(0);
    let update = command.get_array("updates").unwrap()[0].as_document().unwrap();
    assert_eq!(
        update.get_document("u").unwrap(),
        &doc! { "$pull": {
            "addresses": { "cityName": { "$regex": "^Ber" }, "floors": 1 },
            "tags": { "$gte": "b", "$lt": "c" },
            "home.floors": { "$eq": 1 },
        } }
    );
    let mut expected = person(1);
    expected.addresses.pop();
    expected.tags.pop();
    expected.home.floors.clear();
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap(), expected);
}
