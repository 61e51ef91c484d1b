//! Patches and conditions beside data that is derived from writes: copies, rollups in lanes, links, slugs.

use futures_util::future::join_all;
use schema_runtime::finish_writes;
use schema_tests::{
    database,
    links::{Person, Task},
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, message},
};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Part::maker_name, fan_out = 400)]
    name: String,
    #[slug(from = name, max_len = 24, follow)]
    slug: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    maker_name: String,
    title: String,
}

#[derive(Patch, Default)]
#[patch(Maker)]
struct EditMaker {
    name: Option<String>,
}

#[derive(Patch, Default)]
#[patch(Part)]
struct EditPart {
    maker: Option<Ref<Maker>>,
    title: Option<String>,
}

#[derive(Patch, Default)]
#[patch(LogMsg)]
struct EditMessage {
    host: Option<Ref<Host>>,
    bytes: Option<i32>,
}

#[derive(Patch, Default)]
#[patch(Task)]
struct EditTask {
    owner: Option<Option<Ref<Person>>>,
}

#[tokio::test]
async fn copies_and_slugs_follow_a_patch() {
    let db = database().await;
    schema![Maker, Part].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let maker = |id: i64, name: &str| Maker { id, name: name.to_owned(), slug: String::new() };
    Maker::insert_many(&db, [maker(1, "Bolt"), maker(2, "Nut")]).await.unwrap();
    let part = Part { id: 1, maker: Ref::new(1), maker_name: "Bolt".to_owned(), title: "part".to_owned() };
    Part::insert(&db, &part).await.unwrap();
    let name_of = async || Part::get_by_id(&db, 1).await.unwrap().maker_name;

    let edit = EditMaker { name: Some("Bolts and more".to_owned()) };
    let updated = Maker::update_by_id(1).apply(&edit).fetch_after(&db).await.unwrap();
    assert_eq!((&*updated.slug, &*name_of().await), ("bolts-and-more", "Bolts and more"));
    let edit = EditPart { maker: Some(Ref::new(2)), ..EditPart::default() };
    Part::update_by_id(1).apply(&edit).execute(&db).await.unwrap();
    assert_eq!(name_of().await, "Nut");

    let rename = |slug: &'static str| {
        let edit = EditMaker { name: Some("Nuts".to_owned()) };
        Maker::update_by_id(2).only_if(Maker::F.slug.eq(slug)).apply(&edit)
    };
    let failed = rename("bolt").execute(&db).await;
    assert!(matches!(failed, Err(Error::ConditionFailed { .. })), "{failed:?}");
    assert_eq!(name_of().await, "Nut");
    rename("nut").execute(&db).await.unwrap();
    assert_eq!(name_of().await, "Nuts");
    let move_part = |title: &'static str| {
        let edit = EditPart { maker: Some(Ref::new(1)), title: Some("moved".to_owned()) };
        Part::update_by_id(1).only_if(Part::F.title.eq(title)).apply(&edit)
    };
    assert!(matches!(move_part("other").execute(&db).await, Err(Error::ConditionFailed { .. })));
    assert!(matches!(move_part("other").fetch_before(&db).await, Err(Error::ConditionFailed { .. })));
    assert_eq!(move_part("part").fetch_before(&db).await.unwrap().maker_name, "Nuts");
    assert_eq!(name_of().await, "Bolts and more");
    let nothing = Maker::update_by_id(1).apply(&EditMaker::default()).fetch_after(&db).await.unwrap();
    assert_eq!(nothing.slug, "bolts-and-more");
    let report = schema![Maker, Part].verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

/// Updates that share a transaction have their own outcomes.
#[tokio::test]
async fn conditions_in_a_lane() {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert_many(&db, (0..60).map(|id| message(id, 1 + id % 2))).await.unwrap();
    finish_writes(&db).await;
    log.clear();
    let update = async |id: i64| {
        let edit = EditMessage { bytes: Some(1_000 + id as i32), host: (id % 5 == 0).then(|| Ref::new(2)) };
        // Every third document does not meet its condition, and the last twenty do not exist.
        let text = if id % 3 == 0 { "other".to_owned() } else { format!("message {id}") };
        LogMsg::update_by_id(id).only_if(LogMsg::F.text.eq(text)).apply(&edit).execute(&db).await
    };
    for (id, updated) in join_all((0..80).map(update)).await.into_iter().enumerate() {
        match updated {
            Ok(updated) => assert!(id % 3 != 0 && id < 60 && updated.modified == 1, "{id}"),
            Err(Error::ConditionFailed { .. }) => assert!(id % 3 == 0 && id < 60, "{id}"),
            Err(Error::NotFound { .. }) => assert!(id >= 60, "{id}"),
            Err(error) => panic!("{id}: {error}"),
        }
    }
    finish_writes(&db).await;
    assert_right(&db).await;
    assert_nothing_left(&db).await;

    let edit = EditMessage { bytes: Some(7), ..EditMessage::default() };
    let after = LogMsg::update_by_id(1).only_if(LogMsg::F.read.eq(false)).apply(&edit).fetch_after(&db).await.unwrap();
    assert_eq!(after.bytes, 7);
    let failed = LogMsg::update_by_id(1).only_if(LogMsg::F.read.eq(true)).apply(&edit).fetch_after(&db).await;
    assert!(matches!(failed, Err(Error::ConditionFailed { .. })), "{failed:?}");
    LogMsg::update_by_id(1).apply(&EditMessage::default()).execute(&db).await.unwrap();
    finish_writes(&db).await;
    assert_right(&db).await;
}

#[tokio::test]
async fn the_far_side_of_a_link_follows() {
    let db = database().await;
    schema![Task, Person].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Person::insert(&db, &Person { id: 1, name: "Ann".to_owned(), tasks: Vec::new() }).await.unwrap();
    Task::insert(&db, &Task { id: 5, text: "t".to_owned(), owner: None }).await.unwrap();
    let tasks = async || Person::get_by_id(&db, 1).await.unwrap().tasks.len();
    let edit = EditTask { owner: Some(Some(Ref::new(1))) };
    let failed = Task::update_by_id(5).only_if(Task::F.text.eq("other")).apply(&edit).execute(&db).await;
    assert!(matches!(failed, Err(Error::ConditionFailed { .. })), "{failed:?}");
    assert_eq!(tasks().await, 0);
    Task::update_by_id(5).only_if(Task::F.text.eq("t")).apply(&edit).execute(&db).await.unwrap();
    assert_eq!(tasks().await, 1);
    Task::update_by_id(5).apply(&EditTask { owner: Some(None) }).execute(&db).await.unwrap();
    assert_eq!(tasks().await, 0);
}
