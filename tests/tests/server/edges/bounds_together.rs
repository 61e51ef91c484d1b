//! A single error names every value of a document that is larger than its bound.

use mongodb::bson::{Document, doc};
use schema_runtime::{BoundUnit, prelude::*};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "users", validation(level = strict, action = error))]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 5)]
    name: String,
    #[serde(rename = "mail")]
    #[bound(max_len = 8)]
    email: String,
    #[bound(max_items = 2, max_len = 3)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 3)]
    rooms: Vec<Room>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Room {
    #[bound(max_len = 4)]
    label: String,
}

fn user() -> User {
    let room = |label: &str| Room { label: label.to_owned() };
    let tags = ["a", "b", "long"].map(str::to_owned).to_vec();
    let rooms = vec![room("hall"), room("kitchen")];
    User { id: 1, name: "secret".to_owned(), email: "secret@example.org".to_owned(), tags, rooms }
}

/// Returns path, bound and size of each value over its bound.
fn all(error: &Error) -> Vec<(&str, u64, u64)> {
    let Error::BoundExceeded { model, field, bound, size, unit: BoundUnit::CodePoints, others } = error else {
        panic!("{error:?}")
    };
    assert_eq!(model, "User");
    let others = others.iter().map(|other| (other.field.as_str(), other.bound, other.size));
    [(field.as_str(), *bound, *size)].into_iter().chain(others).collect()
}

#[tokio::test]
async fn of_a_value_that_is_inserted() {
    let (db, log) = database_with_log().await;
    log.clear();
    let expected = [("name", 5, 6), ("mail", 8, 18), ("tags", 2, 3), ("tags.2", 3, 4), ("rooms.1.label", 4, 7)];
    let error = User::insert(&db, &user()).await.unwrap_err();
    assert_eq!(all(&error), expected);
    let text = "`name` of `User` has 6 code points, the bound is 5; `mail` has 18 code points, the bound is 8; \
                `tags` has 3 elements, the bound is 2; `tags.2` has 4 code points, the bound is 3; \
                `rooms.1.label` has 7 code points, the bound is 4";
    assert_eq!(error.to_string(), text);
    let error = User::insert_many(&db, [&user()]).await.unwrap_err();
    assert_eq!(all(error.cause()), expected);
    let error = User::replace(&db, &user()).await.unwrap_err();
    assert_eq!(all(&error), expected);
    assert!(log.commands().is_empty());
}

#[tokio::test]
async fn of_an_update() {
    let (db, log) = database_with_log().await;
    log.clear();
    let update = User::update_by_id(1).set(User::F.name, "secret").set(User::F.email, "secret@example.org");
    let error = update.push(User::F.tags, "long").execute(&db).await.unwrap_err();
    assert_eq!(all(&error), [("name", 5, 6), ("mail", 8, 18), ("tags.*", 3, 4)]);
    assert!(log.commands().is_empty());
}

/// The server's validator reports the bounds that the client does not check, as in a raw `$set`.
#[tokio::test]
async fn of_what_the_validator_refuses() {
    let db = database().await;
    schema![User].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let fits = User { name: "Ann".into(), email: "a@b.c".into(), tags: vec![], rooms: vec![], ..user() };
    User::insert(&db, &fits).await.unwrap();
    let raw = doc! { "$set": { "name": "secret", "mail": "secret@example.org" } };
    let error = User::update_by_id(1).raw(raw).execute(&db).await.unwrap_err();
    assert_eq!(all(&error), [("name", 5, 6), ("mail", 8, 18)]);
    assert!(!error.to_string().contains("secret"), "{error}");
    let stored = db.collection::<Document>("users").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(stored.get_str("name").unwrap(), "Ann");
}
