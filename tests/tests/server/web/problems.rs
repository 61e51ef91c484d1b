//! Errors as answers.

use axum::{
    Router,
    extract::State,
    http::{HeaderValue, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use schema_runtime::{
    Error, Limit,
    prelude::*,
    web::{JsonBody, Problem},
};
use schema_tests::database;
use serde_json::{Value, json};

use super::{Answer, Article, JSON, Writer, ask, get as fetch};

async fn create(State(db): State<Database>, JsonBody(writer): JsonBody<Writer>) -> Result<JsonBody<Writer>> {
    Writer::insert(&db, &writer).await?;
    Ok(JsonBody(writer))
}

async fn publish(State(db): State<Database>, JsonBody(mut article): JsonBody<Article>) -> Result<JsonBody<Article>> {
    match Article::find_by_id(&db, article.id).await? {
        Some(_) => Article::save(&db, &mut article).await?,
        None => Article::create(&db, &mut article).await?,
    };
    Ok(JsonBody(article))
}

fn writer(name: &str, email: &str) -> Value {
    json!({ "id": ObjectId::new().to_hex(), "name": name, "email": email })
}

#[tokio::test]
async fn a_refused_write_names_the_fields() {
    let db = database().await;
    schema![Writer, Article].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let app = Router::new().route("/writers", post(create)).route("/articles", post(publish)).with_state(db);
    let send = async |path: &str, body: Value| -> Answer { ask(&app, "POST", path, (JSON, body.to_string())).await };

    let ada = writer("Ada", "ada@example.com");
    assert_eq!(send("/writers", ada.clone()).await.status, StatusCode::OK);
    let article = |writer: &Value, title: &str, version: i64| {
        json!({
            "id": "65f1a0000000000000000000", "writer": writer, "writer_name": "", "title": title, "tags": [],
            "published": null, "version": version,
        })
    };
    let stored = send("/articles", article(&ada["id"], "Notes", 0)).await;
    assert_eq!((stored.status, &stored.body["writer_name"]), (StatusCode::OK, &json!("Ada")), "{}", stored.body);
    assert_eq!(stored.body.get("secret"), None);

    for (path, body, status, code, fields) in [
        ("/writers", writer("Eve", "ada@example.com"), 409, "duplicate", json!([["email", "is taken"]])),
        (
            "/writers",
            writer("Ada of Lovelace", &"e".repeat(31)),
            422,
            "too_large",
            json!([["name", "has 15 code points, the bound is 10"], ["email", "has 31 code points, the bound is 30"],]),
        ),
        (
            "/articles",
            article(&json!(ObjectId::new().to_hex()), "Notes", 0),
            422,
            "dangling",
            json!([["writer", "refers to a missing document"]]),
        ),
        ("/articles", article(&ada["id"], "More", 7), 409, "conflict", json!([])),
    ] {
        let answer = send(path, body).await;
        let mistakes = answer.body["errors"].as_array().cloned().unwrap_or_default();
        let mistakes: Vec<_> = mistakes.iter().map(|one| json!([one["field"], one["detail"]])).collect();
        let found = (answer.status.as_u16(), answer.body["code"].as_str(), json!(mistakes));
        assert_eq!(found, (status, Some(code), fields), "{}", answer.body);
        assert_eq!(answer.body["status"], status);
        assert!(answer.body["detail"].is_string());
        assert!(!answer.body.to_string().contains("ada@example.com"), "{}", answer.body);
    }
}

/// Returns the answer for an error.
async fn answer_of(error: Error) -> Answer {
    let handler = async move || -> Result<()> { Err(error) };
    fetch(&Router::new().route("/", get(handler)), "/").await
}

fn not_found() -> Error {
    Error::NotFound { model: "Writer", collection: "writers" }
}

#[tokio::test]
async fn each_class_of_errors_has_a_status_and_a_word() {
    let lost = || Error::Connection { address: "hunter2".to_owned(), message: "hunter2".to_owned(), sent: true };
    let stopped = |source: Error| Error::InsertMany {
        collection: "writers",
        inserted: 1,
        index: Some(1),
        source: Box::new(source),
    };
    for (error, status, code) in [
        (not_found(), 404, "not_found"),
        (stopped(not_found()), 404, "not_found"),
        (Error::WriteConflict, 409, "conflict"),
        ("token".parse::<schema_runtime::PageToken>().unwrap_err(), 400, "page_token"),
        (Error::TimedOut { limit: Limit::Operation }, 503, "unavailable"),
        (lost(), 503, "unavailable"),
        (stopped(lost()), 503, "unavailable"),
        (Error::NotReplicaSet, 500, "internal"),
        (Error::Query { message: "hunter2" }, 500, "internal"),
        (Error::PlanOutdated { collection: "hunter2".to_owned(), what: "hunter2".to_owned() }, 500, "internal"),
    ] {
        let text = error.to_string();
        let answer = answer_of(error).await;
        assert_eq!((answer.status.as_u16(), answer.body["code"].as_str()), (status, Some(code)), "{text}");
        assert_eq!(answer.headers["content-type"], "application/problem+json");
        assert_eq!(answer.body.get("detail").is_some(), status != 500, "{}", answer.body);
        assert_eq!(answer.headers.get("retry-after"), (status == 503).then(|| HeaderValue::from(2)).as_ref());
        assert!(!answer.body.to_string().contains("hunter2"), "{}", answer.body);
    }
}

/// The error of an application, with an answer of its own for one error.
enum Failure {
    Stored(Error),
    Full,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Stored(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Failure::Stored(Error::NotFound { .. }) => (StatusCode::GONE, "gone").into_response(),
            Failure::Stored(error) => Problem::from(error).into_response(),
            Failure::Full => {
                let full = Problem::new(StatusCode::INSUFFICIENT_STORAGE, "full", "the shelf is full");
                full.field("shelf", "has 10 books").into_response()
            }
        }
    }
}

#[tokio::test]
async fn an_application_replaces_the_answers() {
    async fn find(State(db): State<Database>) -> std::result::Result<JsonBody<Writer>, Failure> {
        Ok(JsonBody(Writer::get_by_id(&db, ObjectId::new()).await?))
    }
    async fn conflict() -> Failure {
        Error::WriteConflict.into()
    }
    let app = Router::new().route("/find", get(find)).route("/conflict", get(conflict));
    let app = app.route("/full", get(async || Failure::Full)).with_state(database().await);
    assert_eq!(fetch(&app, "/find").await.status, StatusCode::GONE);
    assert_eq!(fetch(&app, "/conflict").await.body["code"], "conflict");
    let full = fetch(&app, "/full").await;
    let body = json!({
        "title": "Insufficient Storage", "status": 507, "code": "full", "detail": "the shelf is full",
        "errors": [{ "field": "shelf", "detail": "has 10 books" }],
    });
    assert_eq!((full.status, full.body), (StatusCode::INSUFFICIENT_STORAGE, body));
}
