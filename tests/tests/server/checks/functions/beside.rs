//! Functions beside other attributes: hidden and immutable fields, versions, defaults, copies, slugs, rollups, children
//! in buckets, enums that are models, unknown fields, JSON.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, doc};
use schema_runtime::{
    JsonErrorKind,
    json::{from_json, json_schema},
    prelude::*,
    schema,
};

use super::{assert_refused, refusals};

type Judged = std::result::Result<(), &'static str>;

fn is_name(name: &str) -> Judged {
    if name.starts_with(char::is_lowercase) { Err("a name begins with a capital letter") } else { Ok(()) }
}

fn is_even(number: &i32) -> Judged {
    if number % 2 == 0 { Ok(()) } else { Err("the number is odd") }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts", new(Clone, Debug))]
struct Account {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[check(with = is_name)]
    #[hidden]
    password: Hidden<String>,
    #[check(with = Self::is_name)]
    #[immutable]
    name: String,
    #[check(with = is_even)]
    #[default(4)]
    #[unversioned]
    level: i32,
    #[version]
    version: i64,
}

impl Account {
    fn is_name(name: &str) -> Judged {
        is_name(name)
    }
}

fn account(id: ObjectId, name: &str, password: &str) -> Account {
    let (name, password) = (name.to_owned(), password.to_owned().into());
    Account { id, password, name, level: 2, version: 0 }
}

#[tokio::test]
async fn hidden_immutable_and_unversioned_fields() {
    let db = schema_tests::database().await;
    let id = ObjectId::new();
    let wrong = Account { level: 1, ..account(id, "ada", "secret") };
    let error = Account::insert(&db, &wrong).await.unwrap_err();
    let found: Vec<_> = refusals(&error).into_iter().map(|(field, ..)| field).collect();
    assert_eq!(found, ["password", "name", "level"]);
    assert!(!error.to_string().contains("secret") && !format!("{error:?}").contains("secret"), "{error:?}");

    Account::insert(&db, &account(id, "Ada", "Secret")).await.unwrap();
    // A value that was not loaded is not written, and not judged.
    let mut stored = Account::get_by_id(&db, &id).await.unwrap();
    assert!(!stored.password.is_loaded());
    stored.level = 6;
    Account::save(&db, &mut stored).await.unwrap();
    stored.level = 7;
    assert_refused(&Account::save(&db, &mut stored).await.unwrap_err(), "level", "is_even");
    let update = Account::update_by_id(id).set(Account::F.password, "small");
    assert_refused(&update.execute(&db).await.unwrap_err(), "password", "is_name");
}

#[tokio::test]
async fn new_values_and_defaults() {
    let (db, log) = schema_tests::database_with_log().await;
    let new = |level| NewAccount { password: "Secret".to_owned().into(), name: "Ada".to_owned(), level };
    assert_refused(&new(Some(3)).insert(&db).await.unwrap_err(), "level", "is_even");
    let many = NewAccount::insert_many(&db, [new(None), new(Some(3))]).await.unwrap_err();
    assert!(matches!(many, Error::InsertMany { inserted: 0, index: Some(1), .. }), "{many:?}");
    assert_refused(&many, "level", "is_even");
    assert!(log.commands().is_empty());
    assert_eq!(new(None).insert(&db).await.unwrap().level, 4);
}

#[test]
fn json_of_clients_is_judged() {
    let text = r#"{ "password": "a", "name": "Ada", "level": 1 }"#;
    let Error::Json(error) = from_json::<NewAccount>(text).unwrap_err().into() else { panic!("an error of JSON") };
    let JsonErrorKind::Failed { failures } = error.kind() else { panic!("{error}") };
    let found: Vec<_> = failures.iter().map(|failed| (failed.field.as_str(), failed.message.as_deref())).collect();
    assert_eq!(
        found,
        [("password", Some("a name begins with a capital letter")), ("level", Some("the number is odd"))]
    );
    assert!(error.to_string().contains("`level` is refused by `is_even`: the number is odd"), "{error}");
    let schema = json_schema::<Account>();
    assert_eq!(schema["properties"]["name"].as_object().unwrap().keys().collect::<Vec<_>>(), ["type"]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[check(with = is_name)]
    #[copied_to(Note::author_name)]
    #[changes(seldom)]
    name: String,
    #[slug(from = name, max_len = 40)]
    slug: String,
    #[computed(count(Note::author))]
    notes: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    author: Ref<Person>,
    #[denormalize(from = author.name)]
    author_name: String,
    #[check(with = is_name)]
    title: String,
    #[extra]
    #[serde(skip)]
    rest: BTreeMap<String, Bson>,
}

/// A source, a parent and a slug's document; a holder and child.
#[tokio::test]
async fn derived_data_beside_a_function() {
    let db = schema_tests::database().await;
    schema![Person, Note].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let person = |name: &str| Person { id: 1, name: name.to_owned(), slug: String::new(), notes: 0 };
    let rest = BTreeMap::from([("free".to_owned(), Bson::Int32(1))]);
    let note = |id, title: &str| Note {
        id,
        author: Ref::new(1),
        author_name: String::new(),
        title: title.to_owned(),
        rest: rest.clone(),
    };
    assert_refused(&Person::insert(&db, &person("ada")).await.unwrap_err(), "name", "is_name");
    Person::insert(&db, &person("Ada")).await.unwrap();
    let error = Note::insert_many(&db, &[note(1, "One"), note(2, "two")]).await.unwrap_err();
    assert_refused(&error, "title", "is_name");
    Note::insert(&db, &note(1, "One")).await.unwrap();
    let rename = |name: &str| Person::update_by_id(1).set(Person::F.name, name);
    assert_refused(&rename("eve").execute(&db).await.unwrap_err(), "name", "is_name");
    rename("Eve").execute(&db).await.unwrap();
    let retitle = Note::update_many(Filter::all()).set(Note::F.title, "two").execute(&db).await;
    assert_refused(&retitle.unwrap_err(), "title", "is_name");
    let mut whole = Note::get_by_id(&db, &1).await.unwrap();
    assert_eq!(whole.rest, rest);
    whole.title = "three".to_owned();
    assert_refused(&Note::save(&db, &mut whole).await.unwrap_err(), "title", "is_name");
    let stored = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!((stored.slug.as_str(), stored.notes), ("ada", 1));
    assert_eq!(Note::get_by_id(&db, &1).await.unwrap().author_name, "Eve");
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "talks")]
struct Talk {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "comments", bucket(size = 3))]
struct Comment {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    talk: Ref<Talk>,
    #[bound(max_len = 9)]
    #[check(with = is_name)]
    text: String,
}

#[tokio::test]
async fn a_child_in_a_bucket() {
    let (db, log) = schema_tests::database_with_log().await;
    let comment = |id, text: &str| Comment { id, talk: Ref::new(1), text: text.to_owned() };
    let many = Comment::insert_many(&db, &[comment(1, "One"), comment(2, "two")]).await.unwrap_err();
    for error in [Comment::insert(&db, &comment(1, "one")).await.unwrap_err(), many] {
        assert_refused(&error, "text", "is_name");
    }
    assert!(log.commands().is_empty());
    Comment::insert(&db, &comment(1, "One")).await.unwrap();
    log.clear();
    let update = |text: &str| Comment::update_by_id(1).set(Comment::F.text, text);
    let error = update("two").execute(&db).await.unwrap_err();
    let found: Vec<_> = refusals(&error).into_iter().map(|(field, function, _)| (field.to_owned(), function)).collect();
    assert!(matches!(&found[..], [(field, function)] if field.ends_with("text") && function == "is_name"), "{found:?}");
    assert!(log.commands().is_empty());
    update("Two").execute(&db).await.unwrap();
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events")]
#[serde(tag = "kind")]
enum Event {
    Opened {
        #[serde(rename = "_id")]
        id: i64,
    },
    Named {
        #[serde(rename = "_id")]
        id: i64,
        #[bound(max_len = 9)]
        #[check(with = is_name)]
        name: String,
    },
}

#[tokio::test]
async fn an_enum_that_is_a_model() {
    let db = schema_tests::database().await;
    let named = |name: &str| Event::Named { id: 1, name: name.to_owned() };
    assert_refused(&Event::insert(&db, &named("ada")).await.unwrap_err(), "name", "is_name");
    Event::insert(&db, &named("Ada")).await.unwrap();
    Event::insert(&db, &Event::Opened { id: 2 }).await.unwrap();
    let raw = db.collection::<mongodb::bson::Document>("events").find_one(doc! { "_id": 1 }).await.unwrap().unwrap();
    assert_eq!(raw.get_str("name").ok(), Some("Ada"));
}
