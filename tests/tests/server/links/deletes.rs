//! Deletes of either end of a `two_way` relation.

use schema_runtime::{Error, prelude::*};
use schema_tests::{
    database, database_with_log,
    links::{Author, Book, Person, Task, assert_agree, author, book, person, task},
};

#[tokio::test]
async fn what_referred_to_it_does_so_no_longer() {
    let (db, log) = database_with_log().await;
    Person::insert_many(&db, (1..=2).map(person)).await.unwrap();
    let of = |id, owner: i64| Task { owner: Some(Ref::new(owner)), ..task(id) };
    Task::insert_many(&db, [of(1, 1), of(2, 1), of(3, 2)]).await.unwrap();
    log.clear();
    assert!(Person::delete_by_id(&db, 1).await.unwrap());
    assert_eq!(log.named("commitTransaction").len(), 1);
    assert_eq!(Task::get_by_id(&db, 1).await.unwrap().owner, None);
    assert!(Task::delete_by_id(&db, 3).await.unwrap());
    assert_eq!(Person::get_by_id(&db, 2).await.unwrap().tasks, []);
    assert!(!Task::delete_by_id(&db, 3).await.unwrap());
    assert_agree(&db).await;
    Author::insert_many(&db, (1..=3).map(author)).await.unwrap();
    Book::insert_many(&db, [book(1, &[1, 2]), book(2, &[2, 3])]).await.unwrap();
    assert_eq!(Author::delete_many(&db, Author::F.id.gte(2)).await.unwrap(), 2);
    assert_eq!(Book::get_by_id(&db, 1).await.unwrap().authors, [Ref::new(1_i64)]);
    assert_agree(&db).await;
}

/// A task that holds the truth of two links, and always has an owner.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
struct Owned {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = owned)]
    owner: Ref<Owner>,
    #[relation(one_to_many, two_way, inverse = kept)]
    keeper: Ref<Owner>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Owner {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, of = Owned::owner, max = 10, on_delete = cascade)]
    owned: Vec<Ref<Owned>>,
    #[relation(one_to_many, two_way, of = Owned::keeper, max = 10, on_delete = restrict)]
    kept: Vec<Ref<Owned>>,
}

#[tokio::test]
async fn what_always_refers_to_one_goes_with_it_or_keeps_it() {
    let db = database().await;
    let owner = |id| Owner { id, owned: Vec::new(), kept: Vec::new() };
    Owner::insert_many(&db, (1..=3).map(owner)).await.unwrap();
    let owned = |id, owner: i64, keeper: i64| Owned { id, owner: Ref::new(owner), keeper: Ref::new(keeper) };
    Owned::insert_many(&db, [owned(1, 1, 2), owned(2, 1, 2), owned(3, 3, 3)]).await.unwrap();
    let kept = Owner::delete_by_id(&db, 2).await.unwrap_err();
    assert!(matches!(&kept, Error::DeleteRestricted { relation, .. } if relation == "Owned.keeper"), "{kept:?}");
    assert!(Owner::delete_by_id(&db, 1).await.unwrap());
    assert_eq!(Owned::find(Filter::all()).count(&db).await.unwrap(), 1);
    let two = Owner::get_by_id(&db, 2).await.unwrap();
    assert_eq!(two.kept, []);
    assert!(Owner::delete_by_id(&db, 2).await.unwrap());
    // The owner alone, with the rule that keeps the owner.
    let kept = Owner::delete_many(&db, Filter::all()).await.unwrap_err();
    assert!(matches!(kept, Error::DeleteRestricted { .. }), "{kept:?}");
    assert_eq!(Owner::find(Filter::all()).count(&db).await.unwrap(), 1);
}
