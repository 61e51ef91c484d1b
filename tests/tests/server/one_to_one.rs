//! The far side of a `one_to_one` is a single document.

use mongodb::bson::Document;
use schema_runtime::{Error, assert_indexed, prelude::*};
use schema_tests::{database, database_with_log};

use crate::sent::sent;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "users")]
#[inverse(address = Address::user, one_to_one, on_delete = cascade)]
struct User {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "addresses")]
struct Address {
    #[serde(rename = "_id")]
    id: i64,
    city: String,
    #[relation(one_to_one, parent_ref, inverse = address, standalone)]
    user: Ref<User>,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Address)]
struct City {
    city: String,
}

fn address(id: i64, user: i64) -> Address {
    Address { id, city: format!("city {id}"), user: Ref::new(user) }
}

#[tokio::test]
async fn the_far_side_is_one_value() {
    let (db, log) = database_with_log().await;
    schema![User, Address].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let users: Vec<User> = (0..150).map(|id| User { id }).collect();
    User::insert_many(&db, &users).await.unwrap();
    let addresses: Vec<Address> = (0..120).map(|id| address(id + 1_000, id)).collect();
    Address::insert_many(&db, &addresses).await.unwrap();
    log.clear();
    assert_eq!(users[7].address().fetch_one(&db).await.unwrap(), addresses[7]);
    assert_eq!(users[7].address().fetch_optional(&db).await.unwrap(), Some(addresses[7].clone()));
    assert_eq!(users[130].address().fetch_optional(&db).await.unwrap(), None);
    assert!(matches!(users[130].address().fetch_one(&db).await, Err(Error::NotFound { .. })));
    assert!(users[7].address().exists(&db).await.unwrap() && !users[130].address().exists(&db).await.unwrap());
    assert_eq!(Address::of_user(&users[7]).fetch_one(&db).await.unwrap(), addresses[7]);
    let city = users[7].address().select::<City>().fetch_one(&db).await.unwrap();
    assert_eq!(city, City { city: "city 1007".to_owned() });
    let one_each: Vec<Document> = log.named("find");
    assert_eq!(one_each.len(), 8);
    assert!(one_each.iter().all(|find| find.get_i64("limit").is_ok_and(|limit| limit == 1)), "{one_each:?}");
    assert_indexed(&users[7].address(), &db).await;

    let (loaded, commands) = sent(&log, User::ADDRESS.load(&db, &users)).await;
    let loaded = loaded.unwrap();
    assert_eq!(commands, ["find", "find"]);
    for (user, address) in users.iter().zip(addresses.iter().map(Some).chain([None; 30])) {
        assert_eq!(loaded.of(user).first(), address);
    }
    assert_eq!(User::ADDRESS.select::<City>().load(&db, &users[..1]).await.unwrap().distinct().count(), 1);
}

/// The index refuses a second document, and the delete rule deletes the first document with the parent.
#[tokio::test]
async fn there_is_never_a_second() {
    let db = database().await;
    schema![User, Address].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    User::insert(&db, &User { id: 1 }).await.unwrap();
    Address::insert(&db, &address(1, 1)).await.unwrap();
    assert!(matches!(Address::insert(&db, &address(2, 1)).await, Err(Error::DuplicateKey { .. })));
    User::delete_by_id(&db, 1).await.unwrap();
    assert_eq!(Address::find(Filter::all()).count(&db).await.unwrap(), 0);
}
