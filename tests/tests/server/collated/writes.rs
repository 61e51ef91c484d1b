//! Writes of a model without derived data inherit the collation of the collection.

use schema_runtime::Error;
use schema_tests::database;

use super::*;

#[tokio::test]
async fn a_filter_of_a_write_compares_by_the_collation() {
    let db = database().await;
    applied(SCHEMA, &db).await;
    for (id, name) in [(1, "Kare"), (2, "KARE"), (3, "Ola")] {
        Person::insert(&db, &person(id, name, "no")).await.expect("inserted");
    }
    let again = Person::insert(&db, &Person { email: "KARE1@X.NO".to_owned(), ..person(9, "x", "no") }).await;
    assert!(matches!(again, Err(Error::DuplicateKey { .. })), "{again:?}");
    let updated = Person::update_many(Person::F.name.eq("kare")).set(Person::F.town, "Bergen").execute(&db).await;
    assert_eq!(updated.expect("updated").matched, 2);
    let bulk = Person::bulk().update(Person::update_many(Person::F.name.eq("kare")).set(Person::F.bio, "b"));
    let report = bulk.delete_many(Person::F.name.eq("OLA")).execute(&db).await.expect("a report");
    assert_eq!((report.counts.matched, report.counts.deleted), (2, 1));
    let one = Person::find_one_and_delete(Person::F.name.eq("kare")).sort([Person::F.id.desc()]).fetch(&db).await;
    assert_eq!(one.expect("deleted").map(|person| person.id), Some(2));
    let guarded = Person::update_by_id(1).set(Person::F.town, "x").only_if(Person::F.town.eq("OSLO"));
    assert_eq!(guarded.execute(&db).await.map(|outcome| outcome.matched).ok(), None, "the town is Bergen");
    let guarded = Person::update_by_id(1).set(Person::F.town, "x").only_if(Person::F.town.eq("BERGEN"));
    guarded.execute(&db).await.expect("the condition holds");
    assert_eq!(Person::delete_many(&db, Person::F.name.eq("kare")).await.expect("deleted"), 1);
}
