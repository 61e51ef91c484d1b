//! JSON of structs with flat fields: the fields stand beside each other, under the names in JSON.

use schema_runtime::{JsonErrorKind, json};
use serde_json::json;

use super::*;

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Login {
    #[json(rename = "mail")]
    email: String,
    #[json(skip)]
    #[serde(default)]
    password: String,
    since: DateTime,
    #[embed(flat)]
    #[serde(flatten)]
    key: Key,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Key {
    #[serde(rename = "k")]
    #[json(rename = "key")]
    value: ObjectId,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i32,
    #[embed(flat)]
    #[serde(flatten)]
    login: Login,
    #[relation(one_to_few, embed, max = 2)]
    others: Vec<Login>,
}

fn login() -> Login {
    let value = ObjectId::from_bytes([0xab; 12]);
    Login { email: "a@b".to_owned(), password: String::new(), since: DateTime::from_millis(0), key: Key { value } }
}

#[test]
fn flat_fields_are_beside_each_other() {
    let account = Account { id: 1, login: login(), others: vec![login()] };
    let key = "abababababababababababab";
    let of_login = json!({ "mail": "a@b", "since": "1970-01-01T00:00:00.000Z", "key": key });
    let mut wanted = of_login.clone();
    wanted["id"] = json!(1);
    wanted["others"] = json!([of_login]);
    let written = json::to_json(&account).unwrap();
    assert_eq!(written, wanted);
    assert_eq!(json::from_json::<Account>(&written.to_string()).unwrap(), account);
}

#[test]
fn mistakes_have_the_path_in_json() {
    let account = Account { id: 1, login: login(), others: vec![login()] };
    let good = json::to_json(&account).unwrap();
    let mistake = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = good.clone();
        change(&mut value);
        let error = json::from_json::<Account>(&value.to_string()).unwrap_err();
        (error.path().to_owned(), error.kind().clone())
    };
    let missing = mistake(&|value| drop(value.as_object_mut().unwrap().remove("mail")));
    assert!(matches!(&missing, (path, JsonErrorKind::MissingField) if path == "mail"), "{missing:?}");
    let unknown = mistake(&|value| value["email"] = json!("a@b"));
    assert!(matches!(&unknown, (path, JsonErrorKind::UnknownField) if path == "email"), "{unknown:?}");
    let inside = mistake(&|value| value["others"][0]["key"] = json!(7));
    assert_eq!(inside.0, "others.0.key");
    let skipped = mistake(&|value| value["password"] = json!("x"));
    assert!(matches!(&skipped, (path, JsonErrorKind::UnknownField) if path == "password"), "{skipped:?}");
}
