//! Writes of whole values: an insert needs each hidden value, and no replace loses a stored value.

use schema_runtime::{ErrorKind, transaction};

use super::*;

/// A model whose fields this crate sets in part.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "members")]
struct Member {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[hidden]
    password: Hidden<String>,
    #[hidden]
    hint: Hidden<Option<String>>,
    #[hidden]
    #[unversioned]
    logins: Hidden<i64>,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

fn member(id: i64) -> Member {
    let epoch = DateTime::from_millis(0);
    Member {
        id,
        name: "Ada".into(),
        password: SECRET.to_owned().into(),
        hint: Some(SECRET.to_owned()).into(),
        logins: 3.into(),
        version: 0,
        created: epoch,
        updated: epoch,
    }
}

async fn members() -> (Database, CommandLog) {
    let (db, log) = database_with_replies().await;
    schema![Member].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Member::insert(&db, &member(1)).await.unwrap();
    log.clear();
    (db, log)
}

async fn stored_member(db: &Database) -> Document {
    db.collection("members").find_one(doc! { "_id": 1 }).await.unwrap().unwrap()
}

fn names_password<T: std::fmt::Debug>(outcome: Result<T>) {
    let mut error = outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
    if let Error::InsertMany { source, .. } | Error::Bulk { source, .. } = error {
        error = *source;
    }
    assert!(matches!(error, Error::HiddenNotLoaded { model: "User", field: "pw" }), "{error:?}");
    assert!(error.to_string().starts_with("`User.pw` is hidden and was not loaded"), "{error}");
}

#[tokio::test]
async fn an_insert_needs_each_hidden_value() {
    let (db, log) = start().await;
    User::insert(&db, &user(4)).await.unwrap();
    let expected = doc! {
        "_id": 4_i64, "email": "4@example.com", "pw": format!("{SECRET}-4"), "token": format!("{SECRET}-token-4"),
        "pin": 7_004, "codes": [format!("{SECRET}-code")], "second": { "seed": format!("{SECRET}-seed"), "kind": "Totp" },
        "expires": DateTime::from_millis(4_000_000_000_000),
    };
    assert_eq!(stored(&db, 4).await, expected);
    log.clear();

    let lacks = User { password: Hidden::not_loaded(), ..user(5) };
    names_password(User::insert(&db, &lacks).await);
    names_password(User::create(&db, &mut lacks.clone()).await);
    names_password(User::insert_many(&db, [user(6), lacks.clone()]).await);
    names_password(User::bulk().insert(&lacks).execute(&db).await);
    names_password(User::bulk().upsert(&lacks).execute(&db).await);
    assert!(log.commands().is_empty(), "nothing is sent: {:?}", log.commands());
    names_password(User::upsert(&db, &lacks).await);
    names_password(User::save(&db, &mut lacks.clone()).await);
    names_password(User::upsert_many(&db, [lacks]).await);
    assert_eq!(User::find(Filter::all()).count(&db).await.unwrap(), 4);
}

#[tokio::test]
async fn no_replace_loses_a_hidden_value() {
    let (db, log) = start().await;
    let before = stored(&db, 1).await;
    let mut read = User::get_by_id(&db, 1).await.unwrap();
    read.email = "new@example.com".into();
    let mut after = before.clone();
    after.insert("email", "new@example.com");
    let reset = async || {
        db.collection::<Document>("users").replace_one(doc! { "_id": 1 }, &before).await.unwrap();
    };

    User::replace(&db, &read).await.unwrap();
    assert_eq!(stored(&db, 1).await, after, "replace");
    reset().await;
    User::save(&db, &mut read).await.unwrap();
    assert_eq!(stored(&db, 1).await, after, "save");
    assert!(!read.password.is_loaded());
    reset().await;
    assert!(!User::upsert(&db, &read).await.unwrap());
    assert_eq!(stored(&db, 1).await, after, "upsert");
    reset().await;
    User::upsert_many(&db, [&read]).await.unwrap();
    assert_eq!(stored(&db, 1).await, after, "upsert_many");
    reset().await;
    User::bulk().replace(&read).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(stored(&db, 1).await, after, "a replace of a bulk");
    reset().await;
    let (db_ref, read) = (&db, &read);
    transaction(db_ref, |tx| async move { User::replace(&tx, read).await }).await.unwrap();
    assert_eq!(stored(&db, 1).await, after, "in a transaction");
    log.clear();
}

#[tokio::test]
async fn a_replace_stores_what_was_loaded_and_keeps_the_rest() {
    let (db, log) = start().await;
    let mut read = User::find(User::F.id.eq(1)).reveal(User::F.password).fetch_one(&db).await.unwrap();
    log.clear();
    read.password.set("new".into());
    read.pin = None.into();
    User::replace(&db, &read).await.unwrap();
    let document = stored(&db, 1).await;
    assert_eq!((document.get_str("pw").ok(), document.get("pin")), (Some("new"), Some(&Bson::Null)));
    assert_eq!(document.get_str("token").ok(), Some(&*format!("{SECRET}-token-1")));
    assert_eq!(document.get_array("codes").unwrap().len(), 1);
    User::replace(&db, &user(1)).await.unwrap();
    assert_eq!(log.named("update").len(), 2);
    assert_eq!(stored(&db, 1).await.get_str("pw").ok(), Some(&*format!("{SECRET}-1")));
}

/// A text that begins with `$` is a value, and no path of the pipeline that keeps the hidden values.
#[tokio::test]
async fn a_replaced_value_is_no_expression() {
    let (db, _) = start().await;
    let read = User { email: "$pw".into(), ..shown(1) };
    User::replace(&db, &read).await.unwrap();
    assert_eq!(stored(&db, 1).await.get_str("email").ok(), Some("$pw"));
    assert_eq!(stored(&db, 1).await.get_str("pw").ok(), Some(&*format!("{SECRET}-1")));
}

#[tokio::test]
async fn set_fields_and_hidden_fields_stand_side_by_side() {
    let (db, log) = members().await;
    let before = stored_member(&db).await;
    log.clear();
    let mut read = Member::get_by_id(&db, 1).await.unwrap();
    assert_eq!(
        (&read.password, &read.hint, &read.logins),
        (&Hidden::not_loaded(), &Hidden::not_loaded(), &Hidden::not_loaded())
    );
    read.name = "Eve".into();
    Member::save(&db, &mut read).await.unwrap();
    assert_silent(&log);
    assert_eq!((read.version, read.password.is_loaded(), read.logins.is_loaded()), (1, false, false));
    let after = stored_member(&db).await;
    for kept in ["password", "hint", "logins", "created"] {
        assert_eq!(after.get(kept), before.get(kept), "{kept}");
    }
    assert_eq!((after.get_str("name").ok(), after.get_i64("version").ok()), (Some("Eve"), Some(1)));

    read.password.set("new".into());
    read.logins.set(9);
    Member::save(&db, &mut read).await.unwrap();
    assert_eq!((read.version, read.password.get().map(String::as_str)), (2, Some("new")));
    let after = stored_member(&db).await;
    assert_eq!((after.get_str("password").ok(), after.get("hint")), (Some("new"), before.get("hint")));
    assert_eq!(after.get("logins"), before.get("logins"), "a replace keeps an unversioned field");
    Member::update_by_id(1).inc(Member::F.logins, 1).execute(&db).await.unwrap();
    assert_eq!(stored_member(&db).await.get_i64("logins").ok(), Some(4));
    log.clear();
    let stale = Member { version: 0, ..read };
    assert!(matches!(Member::replace(&db, &stale).await, Err(Error::VersionConflict { found: Some(2), .. })));
    assert_silent(&log);
}

/// A sign-up, a login and a changed password.
#[tokio::test]
async fn a_deleted_document_is_not_inserted_without_the_hidden_values() {
    let (db, _) = members().await;
    let mut read = Member::get_by_id(&db, 1).await.unwrap();
    Member::delete_by_id(&db, 1).await.unwrap();
    assert!(matches!(Member::replace(&db, &read).await, Err(Error::NotFound { .. })));
    assert!(matches!(
        Member::save(&db, &mut read).await,
        Err(Error::HiddenNotLoaded { model: "Member", field: "password" })
    ));
    assert_eq!(Member::find(Filter::all()).count(&db).await.unwrap(), 0);
}

/// The fields of a flat struct beside hidden fields.
#[tokio::test]
async fn flat_fields_stand_beside_hidden_fields() {
    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "flats")]
    struct Owner {
        #[serde(rename = "_id")]
        id: i64,
        #[embed(flat)]
        #[serde(flatten)]
        home: Home,
        #[hidden]
        key: Hidden<String>,
        #[hidden]
        pin: Hidden<Option<i32>>,
    }
    #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Home {
        city: String,
        zip: Option<i32>,
    }
    let (db, log) = database_with_replies().await;
    schema![Owner].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let home = |city: &str| Home { city: city.into(), zip: None };
    let owner = Owner { id: 1, home: home("Oslo"), key: SECRET.to_owned().into(), pin: None.into() };
    Owner::insert(&db, &owner).await.unwrap();
    let read = Owner::get_by_id(&db, 1).await.unwrap();
    assert_eq!(read, Owner { key: Hidden::not_loaded(), pin: Hidden::not_loaded(), ..owner.clone() });
    Owner::replace(&db, &Owner { home: home("Bergen"), ..read }).await.unwrap();
    assert_silent(&log);
    let all = Owner::find(Owner::F.home.city.eq("Bergen")).reveal(Owner::F.key).reveal(Owner::F.pin);
    assert_eq!(all.fetch_one(&db).await.unwrap(), Owner { home: home("Bergen"), ..owner });
}

/// A new value has the hidden values, and no text shows them.
#[tokio::test]
async fn a_new_value_brings_its_hidden_values() {
    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "signups", new(Debug, Clone))]
    struct Signup {
        #[serde(rename = "_id")]
        #[auto]
        id: ObjectId,
        name: String,
        #[hidden]
        key: Hidden<String>,
        #[hidden]
        hint: Hidden<Option<String>>,
        #[version]
        version: i64,
    }
    let (db, log) = database_with_replies().await;
    schema![Signup].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let new = NewSignup { name: "Ada".into(), key: SECRET.to_owned().into(), hint: None.into() };
    assert!(!format!("{new:?}").contains(SECRET));
    let stored = new.clone().insert(&db).await.unwrap();
    assert_eq!(stored.key.get().map(String::as_str), Some(SECRET), "the value of the caller");
    assert_silent(&log);
    let lacks = || NewSignup { key: Hidden::not_loaded(), ..new.clone() };
    let error = lacks().insert(&db).await.unwrap_err();
    assert!(matches!(error, Error::HiddenNotLoaded { model: "Signup", field: "key" }), "{error:?}");
    let error = NewSignup::insert_many(&db, [new.clone(), lacks()]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { index: Some(1), .. }), "{error:?}");
    assert_eq!(Signup::find(Filter::all()).count(&db).await.unwrap(), 1);
}
