//! An option that another client changes between the plan and the apply.

use mongodb::bson::doc;
use schema_runtime::{Error, apply::Outcome, prelude::*};
use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sessions", clustered(ttl = "30d"))]
struct Session {
    #[serde(rename = "_id")]
    id: DateTime,
}

async fn expire(db: &Database, seconds: i64) {
    db.run_command(doc! { "collMod": "sessions", "expireAfterSeconds": seconds }).await.expect("changed");
}

#[tokio::test]
async fn a_changed_option_is_already_done_or_outdated() {
    let db = database().await;
    schema![Session].create(&db).await.expect("made");
    expire(&db, 60).await;
    let plan = planned(schema![Session], &db).await;
    assert_eq!(plan.steps().len(), 1);

    expire(&db, 2_592_000).await;
    let report = plan.apply(&db).await.expect("a report");
    assert!(matches!(report.entries()[0].outcome, Outcome::AlreadyDone), "{report}");

    expire(&db, 77).await;
    let report = plan.apply(&db).await.expect("a report");
    assert!(matches!(report.entries()[0].outcome, Outcome::Failed(Error::PlanOutdated { .. })), "{report}");
    assert_eq!(options(&db, "sessions").await.get("expireAfterSeconds").expect("one").to_string(), "77");
}
