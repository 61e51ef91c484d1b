//! Value rules: allowed values of a field.

use schema_runtime::{prelude::*, schema};

use crate::database;

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "members", check(lt(starts, ends)))]
struct Member {
    #[serde(rename = "_id")]
    id: i32,
    #[check(email)]
    email: String,
    #[check(min = 0, max = 150)]
    age: i32,
    #[check(pattern = "^[A-Z]{3}$")]
    code: String,
    starts: i64,
    ends: Option<i64>,
}
// ANCHOR_END: model

// ANCHOR: failures
/// The names of the fields whose values are refused.
async fn refused(db: &Database, member: &Member) -> Result<Vec<String>> {
    match Member::insert(db, member).await {
        Err(Error::DocumentInvalid { failures, .. }) => Ok(failures.into_iter().map(|failed| failed.field).collect()),
        other => other.map(|()| Vec::new()),
    }
}
// ANCHOR_END: failures

fn member(id: i32) -> Member {
    Member { id, email: "ada@example.com".into(), age: 36, code: "ADA".into(), starts: 1, ends: Some(2) }
}

#[tokio::test]
async fn wrong_values_are_refused() -> Result<()> {
    let db = database(&schema![Member]).await;
    assert!(refused(&db, &member(1)).await?.is_empty());
    let wrong = Member { email: "ada".into(), age: -1, code: "ada".into(), ..member(2) };
    assert_eq!(refused(&db, &wrong).await?, ["email", "age", "code"]);
    assert_eq!(refused(&db, &Member { ends: Some(0), ..member(2) }).await?, ["starts"]);
    let update = Member::update_by_id(1).set(Member::F.age, 151).execute(&db).await;
    assert!(matches!(update, Err(Error::DocumentInvalid { .. })));

    // The validator refuses the same value of another program.
    let foreign = db.collection::<schema_runtime::bson::Document>("members");
    let update = foreign.update_one(doc! { "_id": 1 }, doc! { "$set": { "age": 151 } }).await;
    assert!(update.is_err());
    Ok(())
}
