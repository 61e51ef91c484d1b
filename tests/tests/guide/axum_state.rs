//! A database as the state of axum.

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{FromRef, Path, State},
    http::{Request, StatusCode},
    routing::get,
};
use schema_runtime::{prelude::*, schema, web::JsonBody};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::database;

// ANCHOR: app
#[derive(Debug, Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 80)]
    title: String,
}

/// The state of the application: the database, and values of the application's own.
#[derive(Clone)]
struct App {
    db: Database,
    name: &'static str,
}

/// A handler takes the database alone. The feature `macros` of axum has a derive of the trait.
impl FromRef<App> for Database {
    fn from_ref(app: &App) -> Database {
        app.db.clone()
    }
}

async fn show(State(db): State<Database>, Path(id): Path<i32>) -> Result<JsonBody<Note>> {
    Ok(JsonBody(Note::get_by_id(&db, id).await?))
}

async fn create(State(db): State<Database>, JsonBody(note): JsonBody<Note>) -> Result<(StatusCode, JsonBody<Note>)> {
    Note::insert(&db, &note).await?;
    Ok((StatusCode::CREATED, JsonBody(note)))
}

async fn about(State(app): State<App>) -> &'static str {
    app.name
}

fn app(db: Database) -> Router {
    let notes = Router::new().route("/", get(about).post(create)).route("/{id}", get(show));
    notes.with_state(App { db, name: "notes" })
}
// ANCHOR_END: app

async fn ask(app: &Router, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    let response = app.clone().oneshot(request.body(Body::from(body.to_string())).expect("a request")).await;
    let response = response.expect("an answer");
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

#[tokio::test]
async fn handlers_share_the_database() {
    let app = app(database(&schema![Note]).await);
    let note = json!({ "id": 1, "title": "Hello" });
    assert_eq!(ask(&app, "POST", "/", note.clone()).await, (StatusCode::CREATED, note.clone()));
    assert_eq!(ask(&app, "GET", "/1", Value::Null).await, (StatusCode::OK, note.clone()));
    assert_eq!(ask(&app, "GET", "/2", Value::Null).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ask(&app, "POST", "/", note).await.0, StatusCode::CONFLICT);
    let long = json!({ "id": 2, "title": "H".repeat(81) });
    assert_eq!(ask(&app, "POST", "/", long).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(ask(&app, "GET", "/", Value::Null).await.0, StatusCode::OK);
}
