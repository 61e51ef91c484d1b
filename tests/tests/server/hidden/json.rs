//! Hidden fields in the JSON of clients.

use schema_runtime::{
    JsonErrorKind,
    json::{self, Json, JsonOptions},
};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[hidden]
    #[json(rename = "passphrase")]
    password: Hidden<String>,
    #[hidden]
    #[json(skip)]
    token: Hidden<Option<String>>,
    #[hidden]
    hint: Hidden<Option<String>>,
}

fn account() -> Account {
    let text = || SECRET.to_owned();
    Account {
        id: 1,
        name: "Ada".into(),
        password: text().into(),
        token: Some(text()).into(),
        hint: Some(text()).into(),
    }
}

#[test]
fn json_leaves_hidden_fields_out() {
    let expected = serde_json::json!({ "id": 1, "name": "Ada" });
    assert_eq!(json::to_json(&account()).unwrap(), expected);
    assert_eq!(serde_json::to_value(Json(&account())).unwrap(), expected);
    let hidden = Account { password: Hidden::not_loaded(), token: Hidden::default(), hint: None.into(), ..account() };
    assert_eq!(json::to_json(&hidden).unwrap(), expected);
    assert_eq!(json::to_json(&vec![account()]).unwrap(), serde_json::json!([expected]));
    let login = Login { email: "a".into(), password: SECRET.to_owned().into() };
    assert_eq!(json::to_json(&login).unwrap(), serde_json::json!({ "email": "a" }));
}

#[test]
fn json_has_hidden_fields_for_a_caller_who_asks() {
    let options = JsonOptions::new().write_hidden_fields();
    let expected = serde_json::json!({ "id": 1, "name": "Ada", "passphrase": SECRET, "hint": SECRET });
    assert_eq!(options.to_json(&account()).unwrap(), expected);
    let hidden = Account { password: Hidden::not_loaded(), hint: None.into(), ..account() };
    assert_eq!(options.to_json(&hidden).unwrap(), serde_json::json!({ "id": 1, "name": "Ada" }));
}

#[test]
fn json_of_a_client_sets_hidden_fields() {
    let read = json::from_json::<Account>(r#"{ "id": 1, "name": "Ada", "passphrase": "hunter2", "hint": null }"#);
    let expected = Account { token: Hidden::not_loaded(), hint: None.into(), ..account() };
    assert_eq!(read.unwrap(), expected);
    let absent = json::from_json::<Account>(r#"{ "id": 1, "name": "Ada" }"#).unwrap();
    assert!(!absent.password.is_loaded() && !absent.token.is_loaded() && !absent.hint.is_loaded());

    for (text, path) in [
        (r#"{ "id": 1, "name": "Ada", "passphrase": null }"#, "passphrase"),
        (r#"{ "id": 1, "name": "Ada", "passphrase": 7 }"#, "passphrase"),
        (r#"{ "id": 1, "name": "Ada", "hint": ["hunter2"] }"#, "hint"),
        (r#"{ "id": 1, "name": "Ada", "token": "hunter2" }"#, "token"),
        (r#"{ "id": 1, "name": "Ada", "password": "hunter2" }"#, "password"),
    ] {
        let error = json::from_json::<Account>(text).unwrap_err();
        assert_eq!(error.path(), path, "{text}");
        assert!(!format!("{error} {error:?}").contains(SECRET), "{error:?}");
        let unknown = matches!(path, "token" | "password");
        assert_eq!(matches!(error.kind(), JsonErrorKind::UnknownField), unknown, "{error:?}");
    }
}

#[test]
fn the_schema_lets_clients_write_hidden_fields() {
    let schema = json::json_schema::<Account>();
    assert_eq!(schema["required"], serde_json::json!(["id", "name"]));
    assert_eq!(schema["properties"]["passphrase"], serde_json::json!({ "type": "string", "writeOnly": true }));
    assert_eq!(schema["properties"]["hint"]["writeOnly"], true);
    assert_eq!(schema["properties"]["token"], serde_json::Value::Null);
}

/// serde alone, as `axum::Json` writes a value, shows no hidden value either.
#[test]
fn serde_shows_no_hidden_value() {
    let text = serde_json::to_string(&account()).unwrap();
    assert_eq!(text, r#"{"_id":1,"name":"Ada","password":null,"token":null,"hint":null}"#);
    let read: Account = serde_json::from_str(&text).unwrap();
    assert!(!read.password.is_loaded() && !read.token.is_loaded() && !read.hint.is_loaded());
    let read: Account = serde_json::from_str(r#"{"_id":1,"name":"Ada","password":"hunter2"}"#).unwrap();
    assert_eq!(read.password, account().password);
}

/// A client reads a user, changes a name and sends the user back.
#[tokio::test]
async fn a_value_of_a_client_keeps_the_stored_values() {
    let (db, log) = database_with_replies().await;
    schema![Account].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Account::insert(&db, &account()).await.unwrap();
    let mut sent = json::to_json(&Account::get_by_id(&db, 1).await.unwrap()).unwrap();
    sent["name"] = "Eve".into();
    Account::replace(&db, &json::from_value::<Account>(&sent).unwrap()).await.unwrap();
    assert_silent(&log);
    let stored: Document = db.collection("accounts").find_one(doc! {}).await.unwrap().unwrap();
    let expected = doc! { "_id": 1_i64, "name": "Eve", "password": SECRET, "token": SECRET, "hint": SECRET };
    assert_eq!(stored, expected);
    let error = Account::insert(&db, &json::from_json(r#"{ "id": 2, "name": "Ida" }"#).unwrap()).await.unwrap_err();
    assert!(matches!(error, Error::HiddenNotLoaded { model: "Account", field: "password" }), "{error:?}");
}
