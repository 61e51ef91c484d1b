//! Searches for the beginning of a text, by indexes that leave out nulls.

use mongodb::bson::{Document, doc};
use schema_runtime::{Pattern, check_indexed, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "people")]
#[index(nick, partial(exists(nick)))]
#[index(inner.alias, partial(exists(inner.alias)))]
struct Person {
    #[serde(rename = "_id")]
    id: i32,
    #[index(unique)]
    #[bound(max_len = 50)]
    email: Option<String>,
    #[bound(max_len = 50)]
    nick: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[index(unique)]
    #[bound(max_len = 50)]
    left_out: Option<String>,
    inner: Inner,
    #[index]
    #[bound(max_items = 5, max_len = 50)]
    tags: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize, Debug)]
struct Inner {
    #[bound(max_len = 50)]
    alias: Option<String>,
}

#[tokio::test]
async fn an_index_without_nulls_serves_the_beginning_of_a_text() {
    let (db, f) = (database().await, Person::F);
    schema![Person].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    for id in 0..100 {
        let text = (id % 10 != 0).then(|| format!("ada{id}@x"));
        let (email, nick, left_out) = (text.clone(), text.clone(), text.clone());
        let tags = text.iter().cloned().collect();
        let person = Person { id, email, nick, left_out, inner: Inner { alias: text }, tags };
        Person::insert(&db, &person).await.unwrap();
    }
    for filter in [
        f.email.starts_with("ada1"),
        f.nick.starts_with("ada1"),
        f.left_out.starts_with("ada1"),
        f.inner.alias.starts_with("ada1"),
        f.email.regex(Pattern::new("^ada1").unwrap()),
        f.email.starts_with("ada1") & f.email.gt("ada"),
        f.tags.elem_match(|tag| tag.starts_with("ada1")),
    ] {
        let find = || Person::find(filter.clone());
        assert_eq!(check_indexed(&find(), &db).await.unwrap(), [], "{filter:?}");
        assert_eq!(find().count(&db).await.unwrap(), 10, "{filter:?}");
    }
    assert_eq!(Person::find(!f.email.starts_with("ada1")).count(&db).await.unwrap(), 90);
    let plan = Person::find(f.email.starts_with("ada11")).explain(&db).await.unwrap();
    let examined = plan.get_document("executionStats").map(|stats| stats.get("totalKeysExamined").cloned());
    assert!(examined.is_err() || examined.is_ok_and(|keys| keys.is_some_and(|keys| keys.as_i32().unwrap_or(9) < 5)));
    let raw =
        db.collection::<Document>("people").count_documents(doc! { "email": { "$regex": "^ada1" } }).await.unwrap();
    assert_eq!(raw, 10);
}
