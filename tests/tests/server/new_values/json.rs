//! New values from the text of a request.

use mongodb::bson::doc;
use schema_runtime::{
    JsonErrorKind,
    json::{self, from_json},
    prelude::*,
};
use schema_tests::database;

use super::{NewPost, new_post, stored};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts", new(Debug, PartialEq))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Account {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    full_name: String,
    #[json(rename = "label")]
    tag: String,
    /// Never from a client.
    #[json(skip)]
    #[default("user")]
    role: String,
    #[json(skip)]
    secret: Option<String>,
    #[default(Some(3))]
    level: Option<i32>,
    #[serde(default)]
    size: i32,
    #[serde(default = "five")]
    width: i64,
    #[default]
    parent: Option<ObjectId>,
    r#type: i32,
    #[default(Vec::new())]
    #[bound(max_items = 4)]
    ids: Vec<ObjectId>,
}

fn five() -> i64 {
    5
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "boxes", new(Debug))]
#[serde(default)]
struct Case {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    name: String,
    size: i32,
    #[default(9)]
    weight: i32,
}

impl Default for Case {
    fn default() -> Self {
        Case { id: ObjectId::new(), name: "unnamed".to_owned(), size: 7, weight: 0 }
    }
}

#[test]
fn absent_null_and_value_of_a_default_are_three() {
    let least = r#"{ "fullName": "Ada", "label": "x", "type": 1 }"#;
    let read = from_json::<NewAccount>(least).unwrap();
    assert_eq!((read.level, read.ids.as_deref(), read.role.as_deref()), (None, None, None));
    assert_eq!((read.size, read.width, read.secret.clone(), read.r#type), (0, 5, None, 1));
    let model = read.into_model().unwrap();
    assert_eq!((model.level, model.ids.len(), model.role.as_str(), model.parent), (Some(3), 0, "user", None));
    let null = r#"{ "fullName": "Ada", "label": "x", "type": 1, "level": null, "size": 4 }"#;
    let read = from_json::<NewAccount>(null).unwrap();
    assert_eq!((read.level, read.size), (Some(None), 4));
    assert_eq!(read.into_model().unwrap().level, None);
    let id = ObjectId::new();
    let given =
        format!(r#"{{ "fullName": "Ada", "label": "x", "type": 1, "level": 8, "parent": "{id}", "ids": ["{id}"] }}"#);
    let model = from_json::<NewAccount>(given).unwrap().into_model().unwrap();
    assert_eq!((model.level, model.parent, model.ids), (Some(8), Some(id), vec![id]));
}

#[test]
fn mistakes_have_a_path() {
    let kind = |text: &str| from_json::<NewAccount>(text).unwrap_err();
    let cases = [
        (r#"{ "label": "x", "type": 1 }"#, "fullName"),
        (r#"{ "fullName": "Ada", "label": "x", "type": 1, "role": "admin" }"#, "role"),
        (r#"{ "fullName": "Ada", "label": "x", "type": 1, "id": "64b7f0c2a1b2c3d4e5f60718" }"#, "id"),
        (r#"{ "fullName": "Ada", "label": "x", "type": 1, "created": 1 }"#, "created"),
        (r#"{ "fullName": "Ada", "label": "x", "type": "one" }"#, "type"),
        (r#"{ "fullName": "Ada", "label": "x", "type": 1, "level": "high" }"#, "level"),
        (r#"{ "fullName": "Ada", "label": "x", "type": 1, "size": null }"#, "size"),
        (r#"{ "fullName": "Ada", "label": "x", "type": 1, "ids": ["no"] }"#, "ids.0"),
    ];
    for (text, path) in cases {
        assert_eq!(kind(text).path(), path, "{text}");
    }
    assert!(matches!(kind(cases[1].0).kind(), JsonErrorKind::UnknownField));
    assert!(matches!(kind(cases[0].0).kind(), JsonErrorKind::MissingField));
}

#[test]
fn serde_alone_reads_a_new_value_too() {
    let read: NewAccount =
        serde_json::from_str(r#"{ "fullName": "Ada", "tag": "x", "type": 1, "level": null }"#).unwrap();
    assert_eq!((read.level, read.width), (Some(None), 5));
    assert!(serde_json::from_str::<NewAccount>(r#"{ "fullName": "A", "tag": "x", "type": 1, "x": 1 }"#).is_err());
    assert!(serde_json::from_str::<NewAccount>(r#"{ "fullName": "A" }"#).is_err());
}

#[tokio::test]
async fn a_default_of_the_whole_struct() {
    let case = from_json::<NewCase>("{}").unwrap();
    assert_eq!((case.name.as_str(), case.size, case.weight), ("unnamed", 7, None));
    let db = database().await;
    let stored_case = case.insert(&db).await.unwrap();
    assert_eq!((stored_case.name.as_str(), stored_case.size, stored_case.weight), ("unnamed", 7, 9));
}

#[tokio::test]
async fn a_request_becomes_the_stored_document() {
    let db = database().await;
    let text = r#"{ "title": "a", "seen": "2026-01-02T03:04:05.678Z", "views": 4, "tags": ["x"], "note": null }"#;
    let post = from_json::<NewPost>(text).unwrap().insert(&db).await.unwrap();
    assert_eq!((post.title.as_str(), post.views, &post.note), ("a", 4, &None));
    let back = json::to_json(&post).unwrap();
    assert_eq!(back["id"], post.id.to_string());
    assert_eq!(stored(&db, "posts").await[0].get("note"), doc! { "note": null }.get("note"));
    assert_eq!(new_post("b").insert(&db).await.unwrap().views, 10);
}
