//! Indexes on startup: a plan, applied by every process.

use schema_runtime::{prelude::*, schema};

use crate::assert_shown;

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events")]
#[index(kind, desc(at))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    number: i64,
    #[bound(max_len = 20)]
    kind: String,
    at: DateTime,
    #[index(ttl = "30d")]
    expires: Option<DateTime>,
}
// ANCHOR_END: model

// ANCHOR: startup
/// Creates what is missing. Each process of a service may call the function at its start.
async fn set_up(db: &Database) -> Result<()> {
    let plan = schema![Event].plan(db).await?;
    if !plan.is_empty() {
        println!("{plan}");
    }
    plan.apply(db).await?.complete()?;
    Ok(())
}
// ANCHOR_END: startup

#[tokio::test]
async fn processes_start_together() -> Result<()> {
    let db = schema_tests::database().await;
    assert_shown("guides/indexes_on_startup.md", &schema![Event].plan(&db).await?.to_string());
    let (one, two, three) = tokio::join!(set_up(&db), set_up(&db), set_up(&db));
    one.and(two).and(three)?;

    let mut names = Event::collection(&db).list_index_names().await?;
    names.sort();
    assert_eq!(names, ["_id_", "expires_1", "kind_1_at_-1", "number_1"]);
    assert!(schema![Event].plan(&db).await?.is_empty(), "a second start has nothing to do");
    Ok(())
}

#[tokio::test]
async fn a_refused_step_ends_the_start() -> Result<()> {
    let db = schema_tests::database().await;
    let event = || Event { id: ObjectId::new(), number: 1, kind: "sale".into(), at: DateTime::now(), expires: None };
    Event::insert_many(&db, &[event(), event()]).await?;
    assert!(set_up(&db).await.is_err(), "two events have one number");
    Event::delete_one(&db, Event::F.number.eq(1)).await?;
    set_up(&db).await
}
