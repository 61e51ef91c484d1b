//! Patches as bodies: the values have the JSON of this crate.

use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    routing::patch,
};
use schema_runtime::{json, patch::nullable, prelude::*, web::JsonBody};
use schema_tests::database;
use serde_json::json;

use super::{Article, JSON, Writer, ask};

#[derive(Patch, Default, Serialize, Deserialize, Debug, PartialEq)]
#[patch(Article)]
#[serde(default, rename_all = "camelCase")]
struct EditArticle {
    #[serde(skip_serializing_if = "Option::is_none")]
    writer: Option<Ref<Writer>>,
    #[serde(rename = "headline", skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(with = "nullable", skip_serializing_if = "Option::is_none")]
    published: Option<Option<DateTime>>,
    #[patch(field = tags)]
    #[serde(skip_serializing_if = "Option::is_none")]
    all_tags: Option<Vec<String>>,
}

async fn edit(
    State(db): State<Database>,
    Path(id): Path<Ref<Article>>,
    JsonBody(edit): JsonBody<EditArticle>,
) -> Result<JsonBody<Article>> {
    Ok(JsonBody(Article::update_by_id(id).apply(&edit).fetch_after(&db).await?))
}

#[tokio::test]
async fn a_patch_is_a_body() {
    let db = database().await;
    let writer = Writer { id: ObjectId::new(), name: "Ada".to_owned(), email: "ada".to_owned() };
    let other = Writer { id: ObjectId::new(), name: "Tim".to_owned(), email: "tim".to_owned() };
    Writer::insert_many(&db, [&writer, &other]).await.unwrap();
    let mut article = Article {
        id: ObjectId::new(),
        writer: Ref::to(&writer),
        writer_name: String::new(),
        title: "Notes".to_owned(),
        tags: vec![],
        published: None,
        version: 0,
        secret: "hunter2".to_owned(),
    };
    Article::create(&db, &mut article).await.unwrap();
    let path = format!("/{}", article.id);
    let app = Router::new().route("/{id}", patch(edit)).with_state(db.clone());
    for (change, field, value) in [
        (json!({}), "title", json!("Notes")),
        (json!({ "headline": "More" }), "title", json!("More")),
        (json!({ "headline": null }), "title", json!("More")),
        (json!({ "published": "2024-02-29T14:30:00+02:00" }), "published", json!("2024-02-29T12:30:00.000Z")),
        (json!({}), "published", json!("2024-02-29T12:30:00.000Z")),
        (json!({ "published": null }), "published", json!(null)),
        (json!({ "allTags": ["a"] }), "tags", json!(["a"])),
        (json!({ "writer": other.id.to_hex() }), "writer_name", json!("Tim")),
    ] {
        let answer = ask(&app, "PATCH", &path, (JSON, change.to_string())).await;
        assert_eq!((answer.status, &answer.body[field]), (StatusCode::OK, &value), "{change}: {}", answer.body);
        assert_eq!(answer.body.get("secret"), None);
    }
    for (change, field, code) in [
        (json!({ "title": "More" }), "title", "invalid"),
        (json!({ "headline": 7 }), "headline", "invalid"),
        (json!({ "published": "29.2.2024" }), "published", "invalid"),
        (json!({ "allTags": ["a", 7] }), "allTags.1", "invalid"),
        (json!({ "allTags": ["a", "b", "c"] }), "tags", "too_large"),
        (json!({ "headline": "n".repeat(21) }), "title", "too_large"),
        (json!({ "writer": ObjectId::new().to_hex() }), "writer", "dangling"),
    ] {
        let answer = ask(&app, "PATCH", &path, (JSON, change.to_string())).await;
        let found = (answer.status, answer.body["code"].as_str(), answer.body["errors"][0]["field"].as_str());
        assert_eq!(found, (StatusCode::UNPROCESSABLE_ENTITY, Some(code), Some(field)), "{change}: {}", answer.body);
    }
    let stored = Article::get_by_id(&db, article.id).await.unwrap();
    assert_eq!(stored.secret, "hunter2");
}

#[test]
fn a_patch_has_the_same_json_in_both_directions() {
    for (edit, text) in [
        (EditArticle::default(), json!({})),
        (EditArticle { published: Some(None), ..EditArticle::default() }, json!({ "published": null })),
        (
            EditArticle { published: Some(Some(DateTime::from_millis(0))), ..EditArticle::default() },
            json!({ "published": "1970-01-01T00:00:00.000Z" }),
        ),
        (EditArticle { all_tags: Some(vec![]), ..EditArticle::default() }, json!({ "allTags": [] })),
    ] {
        assert_eq!(json::to_json(&edit).unwrap(), text);
        assert_eq!(json::from_value::<EditArticle>(&text).unwrap(), edit);
    }
}

/// The value of an `#[opaque]` field is read as extended JSON, and the value of a function is left to the function.
#[test]
fn a_value_of_unknown_form_is_read_as_extended_json() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "packets")]
    struct Packet {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[opaque(max_bytes = 100)]
        load: Load,
        sent: DateTime,
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Load {
        at: DateTime,
    }
    fn seconds<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Option<DateTime>, D::Error> {
        let seconds = Option::<i64>::deserialize(reader)?;
        Ok(seconds.map(|seconds| DateTime::from_millis(1000 * seconds)))
    }
    #[derive(Patch, Deserialize, Debug)]
    #[patch(Packet)]
    struct EditPacket {
        load: Option<Load>,
        #[serde(default, deserialize_with = "seconds")]
        sent: Option<DateTime>,
    }
    let text = r#"{ "load": { "at": { "$date": "1970-01-01T00:00:00Z" } }, "sent": 7 }"#;
    let edit: EditPacket = json::from_json(text).unwrap();
    assert_eq!(edit.load, Some(Load { at: DateTime::from_millis(0) }));
    assert_eq!(edit.sent, Some(DateTime::from_millis(7_000)));
}
