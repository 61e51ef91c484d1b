//! The kind of an error, the fields of a unique index, and the field of a reference, for the answer of a service.

use schema_runtime::{ErrorKind, prelude::*};
use schema_tests::{database, fail_command};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "users")]
#[index(tenant, login, unique)]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    tenant: i64,
    #[serde(rename = "loginName")]
    #[bound(max_len = 20)]
    login: String,
    #[serde(rename = "mail")]
    #[index(unique, name = "one account")]
    email: Option<String>,
    #[relation(one_to_many, parent_ref)]
    team: Option<Ref<Team>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "teams")]
#[inverse(users = User::team, on_delete = restrict)]
struct Team {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
}

fn user(id: i64, login: &str, email: Option<&str>, team: Option<i64>) -> User {
    let (login, email) = (login.to_owned(), email.map(str::to_owned));
    User { id, tenant: 1, login, email, team: team.map(Ref::new) }
}

async fn prepared() -> Database {
    let db = database().await;
    schema![User, Team].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Team::insert(&db, &Team { id: 1, version: 0 }).await.unwrap();
    User::insert(&db, &user(1, "ann", Some("ann@example.org"), Some(1))).await.unwrap();
    db
}

/// Every write that meets a unique index reports the stored fields of the index.
#[tokio::test]
async fn a_duplicate_says_the_fields_of_its_index() {
    let db = prepared().await;
    let fields = |error: &Error| match error.cause() {
        Error::DuplicateKey { fields, .. } => fields.join(","),
        error => panic!("{error}"),
    };
    User::insert(&db, &user(2, "bob", None, None)).await.unwrap();
    let login = user(3, "ann", None, None);
    let email = user(3, "eve", Some("ann@example.org"), None);
    let errors = [
        (User::insert(&db, &login).await.unwrap_err(), "tenant,loginName"),
        (User::insert(&db, &email).await.unwrap_err(), "mail"),
        (User::insert(&db, &user(1, "eve", None, None)).await.unwrap_err(), "_id"),
        (User::insert_many(&db, [&login]).await.unwrap_err(), "tenant,loginName"),
        (User::replace(&db, &User { id: 2, ..login.clone() }).await.unwrap_err(), "tenant,loginName"),
        (User::update_by_id(2).set(User::F.login, "ann").execute(&db).await.unwrap_err(), "tenant,loginName"),
        (
            User::find_one_and_update(User::F.id.eq(2)).set(User::F.login, "ann").fetch_after(&db).await.unwrap_err(),
            "tenant,loginName",
        ),
        (User::bulk().insert(&email).execute(&db).await.unwrap().complete().unwrap_err(), "mail"),
    ];
    for (error, expected) in errors {
        assert_eq!((fields(&error).as_str(), error.kind()), (expected, ErrorKind::Duplicate), "{error}");
        assert!(!format!("{error}").contains("ann"), "{error}");
    }
}

#[tokio::test]
async fn each_everyday_failure_has_its_kind() {
    let db = prepared().await;
    let dangling = User::insert(&db, &user(3, "eve", None, Some(9))).await.unwrap_err();
    assert!(
        matches!(&dangling, Error::DanglingReference { model: "User", field, .. } if field == "team"),
        "{dangling:?}"
    );
    let team = Team::get_by_id(&db, 1).await.unwrap();
    Team::save(&db, &mut team.clone()).await.unwrap();
    let long = User::insert(&db, &user(3, &"x".repeat(21), None, None)).await.unwrap_err();
    let errors = [
        (dangling, ErrorKind::Dangling, 422),
        (User::get_by_id(&db, 9).await.unwrap_err(), ErrorKind::NotFound, 404),
        (Team::save(&db, &mut team.clone()).await.unwrap_err(), ErrorKind::Conflict, 409),
        (Team::delete_by_id(&db, 1).await.unwrap_err(), ErrorKind::Restricted, 409),
        (long, ErrorKind::TooLarge, 422),
        (User::update_by_id(1).execute(&db).await.unwrap_err(), ErrorKind::Misuse, 500),
    ];
    for (error, kind, status) in errors {
        assert_eq!((error.kind(), error.kind().http_status()), (kind, status), "{error}");
        assert!(!error.is_done() && !error.is_retryable(), "{error}");
    }
    // A shutdown, no cursor after a restart, and no majority yet.
    for code in [91, 43, 134] {
        let failure = doc! { "failCommands": ["find"], "errorCode": code };
        let point = fail_command(&db, "alwaysOn", failure).await;
        let error = User::get_by_id(&db, 1).await.unwrap_err();
        point.clear().await;
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{code}");
    }
}
