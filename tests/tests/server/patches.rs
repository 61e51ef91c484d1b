//! Partial updates: structs of optional changes, conditions of an update by `_id`, and the changed document.

mod condition;
mod derived;
mod empty;
mod json;
mod random;
mod returned;

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, prelude::*, schema};
use schema_tests::{CommandLog, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    title: String,
    note: Option<String>,
    #[serde(rename = "sub", default, skip_serializing_if = "Option::is_none")]
    subtitle: Option<String>,
    state: State,
    #[bound(max_items = 3, max_len = 8)]
    tags: Vec<String>,
    #[relation(one_to_one, embed)]
    place: Place,
    #[relation(one_to_one, embed)]
    spare: Option<Place>,
    likes: i64,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum State {
    Draft,
    Published,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    #[serde(rename = "town")]
    #[bound(max_len = 20)]
    city: String,
    country: String,
}

/// A patch in the JSON names of a client.
#[derive(Patch, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[patch(Post)]
#[serde(default, rename_all = "camelCase")]
struct EditPost {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", with = "schema_runtime::patch::nullable")]
    note: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none", with = "schema_runtime::patch::nullable")]
    subtitle: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[patch(field = spare.city)]
    #[serde(skip_serializing_if = "Option::is_none")]
    spare_city: Option<String>,
}

fn place(city: &str) -> Place {
    Place { city: city.to_owned(), country: "NO".to_owned() }
}

fn post(id: i64) -> Post {
    let epoch = DateTime::from_millis(0);
    Post {
        id,
        title: format!("post {id}"),
        note: Some("a note".to_owned()),
        subtitle: Some("a subtitle".to_owned()),
        state: State::Draft,
        tags: vec!["a".to_owned()],
        place: place("Oslo"),
        spare: None,
        likes: 0,
        version: 0,
        created: epoch,
        updated: epoch,
    }
}

async fn start() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Post].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Post::insert_many(&db, [post(1), post(2)]).await.unwrap();
    log.clear();
    (db, log)
}

async fn raw(db: &Database, id: i64) -> Document {
    db.collection("posts").find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

/// Returns the filter and the update of the only command of the log.
fn update_sent(log: &CommandLog) -> (Document, Document) {
    let commands = log.commands();
    let [(name, command)] = &commands[..] else { panic!("one command: {commands:?}") };
    let part = |of: &Document, name: &str| of.get_document(name).unwrap().clone();
    match name.as_str() {
        "update" => {
            let update = command.get_array("updates").unwrap()[0].as_document().unwrap();
            (part(update, "q"), part(update, "u"))
        }
        "findAndModify" => (part(command, "query"), part(command, "update")),
        other => panic!("{other}"),
    }
}

/// Returns a `$set` without the time of the update.
fn set_of(update: &Document) -> Document {
    let mut set = update.get_document("$set").unwrap().clone();
    set.remove("updated").expect("the time of the update");
    set
}

#[tokio::test]
async fn a_patch_sets_the_given_fields_in_one_command() {
    let (db, log) = start().await;
    let edit = EditPost {
        title: Some("new".to_owned()),
        note: Some(None),
        subtitle: Some(None),
        state: Some(State::Published),
        place: Some(place("Bergen")),
        ..EditPost::default()
    };
    let updated = Post::update_by_id(1).apply(&edit).execute(&db).await.unwrap();
    assert_eq!((updated.matched, updated.modified), (1, 1));

    let (filter, update) = update_sent(&log);
    assert_eq!(filter, doc! { "_id": 1_i64 });
    let set =
        doc! { "title": "new", "note": null, "state": "published", "place": { "town": "Bergen", "country": "NO" } };
    assert_eq!(set_of(&update), set);
    assert_eq!(update.get_document("$unset").unwrap(), &doc! { "sub": "" }, "serde leaves this `None` out");
    assert_eq!(update.get_document("$inc").unwrap(), &doc! { "version": 1 });

    let stored = raw(&db, 1).await;
    assert!(!stored.contains_key("sub"));
    assert_eq!(stored.get("note"), Some(&mongodb::bson::Bson::Null));
    let read = Post::get_by_id(&db, 1).await.unwrap();
    assert_eq!((read.tags, read.likes, read.version), (vec!["a".to_owned()], 0, 1));
    assert!(read.updated > read.created);
}

#[tokio::test]
async fn every_update_takes_a_patch() {
    let (db, log) = start().await;
    let title = |title: &str| EditPost { title: Some(title.to_owned()), ..EditPost::default() };
    let titles = async || {
        let posts = Post::find(Filter::all()).sort(Post::F.id.asc()).fetch_all(&db).await.unwrap();
        posts.into_iter().map(|post| post.title).collect::<Vec<_>>()
    };
    Post::update_one(Post::F.title.eq("post 1")).apply(&title("one")).execute(&db).await.unwrap();
    assert_eq!(titles().await, ["one", "post 2"]);
    let many = Post::update_many(Filter::all()).apply(&title("all")).execute(&db).await.unwrap();
    assert_eq!((many.matched, many.modified, titles().await), (2, 2, vec!["all".to_owned(); 2]));
    let found = Post::find_one_and_update(Post::F.id.eq(2)).apply(&title("found")).fetch_after(&db).await.unwrap();
    assert_eq!(found.unwrap().title, "found");
    let bulk = Post::bulk().update(Post::update_by_id(1).apply(&title("bulk"))).execute(&db).await.unwrap();
    assert_eq!((bulk.complete().unwrap().modified, titles().await), (1, vec!["bulk".to_owned(), "found".to_owned()]));
    schema_runtime::transaction(&db, |tx| async move {
        let edit = EditPost { title: Some("inside".to_owned()), ..EditPost::default() };
        Post::update_by_id(1).apply(&edit).execute(&tx).await.map(drop)
    })
    .await
    .unwrap();
    assert_eq!(titles().await, ["inside", "found"]);

    log.clear();
    let both = Post::update_by_id(1).apply(&title("a")).set(Post::F.title, "later").inc(Post::F.likes, 1);
    both.push(Post::F.tags, "b").execute(&db).await.unwrap();
    let (_, update) = update_sent(&log);
    assert_eq!(set_of(&update), doc! { "title": "later" });
    assert_eq!(update.get_document("$inc").unwrap(), &doc! { "likes": 1_i64, "version": 1 });
}

#[tokio::test]
async fn a_patch_holds_the_bounds() {
    let (db, log) = start().await;
    let edit = EditPost {
        title: Some("t".repeat(21)),
        tags: Some(vec!["tag".to_owned(); 4]),
        place: Some(place(&"c".repeat(21))),
        ..EditPost::default()
    };
    match Post::update_by_id(1).apply(&edit).execute(&db).await {
        Err(Error::BoundExceeded { field, bound: 20, size: 21, others, .. }) => {
            assert_eq!(field, "title");
            assert_eq!(others.iter().map(|other| &*other.field).collect::<Vec<_>>(), ["tags", "place.town"]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(log.commands(), []);
}

/// A change inside of an absent struct is a change of no document.
#[tokio::test]
async fn a_field_of_an_embedded_struct() {
    let (db, log) = start().await;
    let edit = EditPost { spare_city: Some("Rome".to_owned()), ..EditPost::default() };
    let absent = Post::update_by_id(1).apply(&edit).execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { .. }), "{absent}");
    Post::update_by_id(1).set(Post::F.spare, &place("Paris")).execute(&db).await.unwrap();
    log.clear();
    Post::update_by_id(1).apply(&edit).execute(&db).await.unwrap();
    assert_eq!(set_of(&update_sent(&log).1), doc! { "spare.town": "Rome" });
    assert_eq!(raw(&db, 1).await.get_document("spare").unwrap(), &doc! { "town": "Rome", "country": "NO" });
}

#[tokio::test]
async fn set_opt_sets_what_is_there() {
    let (db, log) = start().await;
    let (title, likes): (Option<&str>, Option<i64>) = (Some("new"), None);
    let update = || Post::update_by_id(1).set_opt(Post::F.title, title).set_opt(Post::F.likes, likes);
    update().set_opt(Post::F.note, Some(None)).execute(&db).await.unwrap();
    assert_eq!(set_of(&update_sent(&log).1), doc! { "title": "new", "note": null });
    log.clear();
    update().set(Post::F.likes, 3).execute(&db).await.unwrap();
    assert_eq!(set_of(&update_sent(&log).1), doc! { "title": "new", "likes": 3_i64 });
    log.clear();
    let long = Post::update_by_id(1).set_opt(Post::F.title, Some("t".repeat(21))).execute(&db).await;
    assert!(matches!(long, Err(Error::BoundExceeded { .. })), "{long:?}");
    assert_eq!(log.commands(), []);
}
