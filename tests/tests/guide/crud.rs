//! Insert, read, change and delete.

use schema_runtime::{prelude::*, preview, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Clone, Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[index(unique)]
    email: String,
    age: i32,
}
// ANCHOR_END: model

fn users() -> [User; 3] {
    [(1, "Ada", 36), (2, "Bob", 12), (3, "Eve", 41)].map(|(id, name, age)| {
        let email = format!("{}@example.com", name.to_lowercase());
        User { id, name: name.to_owned(), email, age }
    })
}

// ANCHOR: crud
async fn crud(db: &Database, [ada, bob, eve]: [User; 3]) -> Result<()> {
    User::insert(db, &ada).await?;
    User::insert_many(db, &[bob, eve]).await?;

    let user: User = User::get_by_id(db, 1).await?; // the error `NotFound` without a document
    let missing: Option<User> = User::find_by_id(db, 9).await?;
    let by_mail: Option<User> = User::find_one(db, User::F.email.eq("eve@example.com")).await?;
    let adults = User::find(User::F.age.gte(18)).sort(User::F.name.asc()).limit(10).fetch_all(db).await?;
    let count: u64 = User::find(User::F.age.gte(18)).count(db).await?;
    assert!(user == ada && missing.is_none() && by_mail.is_some() && adults.len() == 2 && count == 2);

    User::update_by_id(1).inc(User::F.age, 1).execute(db).await?; // a part of the document
    let older = User { age: 38, ..ada };
    User::replace(db, &older).await?; // the whole document
    User::upsert(db, &older).await?; // the whole document, or an insert
    assert_eq!(User::get_by_id(db, 1).await?.age, 38);

    let existed: bool = User::delete_by_id(db, 1).await?;
    let deleted: u64 = User::delete_many(db, User::F.age.lt(18)).await?;
    assert!(existed && deleted == 1);
    Ok(())
}
// ANCHOR_END: crud

#[tokio::test]
async fn a_user_comes_and_goes() -> Result<()> {
    let db = database(&schema![User]).await;
    crud(&db, users()).await?;
    assert_eq!(User::find(Filter::all()).fetch_all(&db).await?, [users()[2].clone()]);
    match User::get_by_id(&db, 1).await {
        Err(Error::NotFound { model, .. }) => assert_eq!(model, "User"),
        other => panic!("a deleted user: {other:?}"),
    }
    Ok(())
}

#[tokio::test]
async fn the_commands() -> Result<()> {
    let db = database(&schema![User]).await;
    let [ada, bob, eve] = users();
    let adults = User::find(User::F.age.gte(18)).sort(User::F.name.asc()).limit(10);
    let older = User { age: 38, ..ada.clone() };
    let page = "guides/insert_and_read.md";
    assert_shown(page, &preview(User::insert(&db, &ada)).await?);
    assert_shown(page, &preview(User::insert_many(&db, &[bob, eve])).await?);
    assert_shown(page, &preview(User::find_by_id(&db, 1)).await?);
    assert_shown(page, &adults.to_mongosh()?);
    assert_shown(page, &User::update_by_id(1).inc(User::F.age, 1).to_mongosh()?);
    assert_shown(page, &preview(User::replace(&db, &older)).await?);
    assert_shown(page, &preview(User::upsert(&db, &older)).await?);
    assert_shown(page, &preview(User::delete_by_id(&db, 1)).await?);
    assert_shown(page, &preview(User::delete_many(&db, User::F.age.lt(18))).await?);
    Ok(())
}
