//! Validated newtypes as an `_id` and in references, and stored values that a type refuses.

use mongodb::bson::{Document, doc};
use schema_runtime::{json, prelude::*};
use schema_tests::database;

use super::{Email, Level, email};
use crate::positions::raw;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "users")]
#[inverse(posts = Post::author)]
struct User {
    #[serde(rename = "_id")]
    id: Email,
    level: Level,
    #[bound(max_items = 3)]
    further: Vec<Email>,
    contact: Contact,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Contact {
    email: Option<Email>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    author: Ref<User>,
}

fn user(text: &str) -> User {
    let further = vec![email("x@example.org")];
    User { id: email(text), level: Level::Middle, further, contact: Contact { email: None } }
}

#[tokio::test]
async fn references_to_a_validated_id() {
    let db = database().await;
    let (ann, bob) = (user("ann@example.org"), user("bob@example.org"));
    User::insert_many(&db, [ann.clone(), bob.clone()]).await.unwrap();
    for (id, author) in [(1, &ann), (2, &ann), (3, &bob)] {
        Post::insert(&db, &Post { id, author: Ref::to(author) }).await.unwrap();
    }
    assert_eq!(raw(&db, "posts", 1_i64).await, doc! { "_id": 1_i64, "author": "ann@example.org" });
    assert_eq!(Post::find(Post::F.author.eq(&ann)).count(&db).await.unwrap(), 2);
    assert_eq!(ann.posts().fetch_all(&db).await.unwrap().complete().unwrap().into_vec().len(), 2);
    let post = Post::get_by_id(&db, 3).await.unwrap();
    assert_eq!(post.author().fetch_one(&db).await.unwrap(), bob);

    let author: Ref<User> = "ann@example.org".parse().unwrap();
    assert_eq!((author.to_string(), author.id()), ("ann@example.org".to_owned(), &ann.id));
    let refused = "ANN".parse::<Ref<User>>().unwrap_err();
    assert_eq!((refused.model, refused.to_string().contains("ANN")), ("User", false));
}

#[tokio::test]
async fn stored_values_that_the_type_refuses() {
    let db = database().await;
    let users = db.collection::<Document>("users");
    let good = doc! { "_id": "a@example.org", "level": 1, "further": [], "contact": { "email": null } };
    for (id, field, value, path) in [
        ("b@example.org", "level", doc! { "v": 9 }, "level"),
        ("c@example.org", "further", doc! { "v": ["d@example.org", "SECRET"] }, "further.1"),
        ("e@example.org", "contact", doc! { "v": { "email": "SECRET" } }, "contact.email"),
        ("SECRET", "level", doc! { "v": 1 }, "_id"),
    ] {
        let mut document = good.clone();
        document.insert("_id", id);
        document.insert(field, value.get("v").unwrap().clone());
        users.insert_one(document).await.unwrap();
        let read = User::find(Filter::all()).fetch_all(&db).await.unwrap_err();
        let Error::Decode { path: found, model, .. } = &read else { panic!("{read:?}") };
        assert_eq!((found.as_str(), *model), (path, "User"));
        assert!(!read.to_string().contains("SECRET"), "{read}");
        users.delete_one(doc! { "_id": id }).await.unwrap();
    }
}

#[test]
fn json_has_the_declared_type() {
    let value = json::to_json(&user("ann@example.org")).unwrap();
    let (id, further) = ("ann@example.org", ["x@example.org"]);
    let expected = serde_json::json!({ "id": id, "level": 2, "further": further, "contact": { "email": null } });
    assert_eq!(value, expected);
    assert_eq!(json::from_value::<User>(&value).unwrap(), user("ann@example.org"));
    let text = value.to_string();
    let refused = json::from_json::<User>(text.replace("x@example.org", "SECRET")).unwrap_err();
    assert_eq!(refused.path(), "further.0");
    assert!(!refused.to_string().contains("SECRET"), "{refused}");
    let refused = json::from_json::<User>(text.replace("\"level\":2", "\"level\":\"two\"")).unwrap_err();
    assert_eq!(refused.path(), "level");
}
