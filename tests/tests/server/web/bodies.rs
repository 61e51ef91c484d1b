//! Bodies of requests and answers.

use axum::{Router, extract::DefaultBodyLimit, http::StatusCode, routing::post};
use schema_runtime::{
    json,
    prelude::*,
    web::{JsonBody, Problem},
};
use serde_json::{Value, json};

use super::{Answer, JSON, Writer, ask};

const SECRET: &str = "hunter2";

fn app() -> Router {
    async fn echo(JsonBody(writer): JsonBody<Writer>) -> JsonBody<Writer> {
        JsonBody(writer)
    }
    async fn teapot(body: Result<JsonBody<Writer>, Problem>) -> Result<JsonBody<Writer>, (StatusCode, String)> {
        body.map_err(|problem| (StatusCode::IM_A_TEAPOT, problem.code.to_owned()))
    }
    Router::new().route("/", post(echo)).route("/teapot", post(teapot))
}

fn writer() -> Value {
    json!({ "id": "65f1a0000000000000000000", "name": "Ada", "email": "ada@example.com" })
}

async fn send(media: &str, body: impl ToString) -> Answer {
    let answer = ask(&app(), "POST", "/", (media, body.to_string())).await;
    assert!(!answer.body.to_string().contains(SECRET), "{}", answer.body);
    answer
}

#[tokio::test]
async fn a_body_comes_back_in_the_same_form() {
    for media in [JSON, "Application/JSON; charset=utf-8", "application/merge-patch+json"] {
        let answer = send(media, writer()).await;
        assert_eq!((answer.status, answer.body), (StatusCode::OK, writer()), "{media}");
        assert_eq!(answer.headers["content-type"], JSON);
    }
}

#[tokio::test]
async fn a_body_of_another_type_is_415() {
    for media in ["", "text/plain", "application/x-www-form-urlencoded", "text/json", "application/jsonx", "json"] {
        let answer = send(media, writer()).await;
        assert_eq!((answer.status, &answer.body["code"]), (StatusCode::UNSUPPORTED_MEDIA_TYPE, &json!("content_type")));
        assert_eq!(answer.headers["content-type"], "application/problem+json");
    }
}

#[tokio::test]
async fn a_text_that_is_no_json_is_400() {
    for text in ["", "{", "{} {}", "nul", "\u{1}hunter2"] {
        let answer = send(JSON, text).await;
        assert_eq!((answer.status, &answer.body["code"]), (StatusCode::BAD_REQUEST, &json!("syntax")), "{text}");
        assert_eq!(answer.body["status"], 400);
        assert_eq!(answer.body["title"], "Bad Request");
    }
    let bytes = ask(&app(), "POST", "/", (JSON, vec![0xff, 0xfe])).await;
    assert_eq!(bytes.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_json_that_is_no_value_of_the_struct_is_422_with_the_path() {
    let with = |name: &str, value: Value| {
        let mut writer = writer();
        writer[name] = value;
        writer.to_string()
    };
    for (text, field) in [
        (with("id", json!(SECRET)), "id"),
        (with("name", json!(7)), "name"),
        (with("name", json!({ "$ne": SECRET })), "name"),
        (with("age", json!(SECRET)), "age"),
        (r#"{ "id": "65f1a0000000000000000000", "name": "hunter2" }"#.to_owned(), "email"),
        (r#"{ "name": "a", "name": "hunter2" }"#.to_owned(), "name"),
        (with("name", (0..200).fold(json!(1), |inner, _| json!([inner]))), "name"),
    ] {
        let answer = send(JSON, &text).await;
        assert_eq!((answer.status, &answer.body["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid")));
        assert_eq!(answer.body["errors"][0]["field"], field, "{}", answer.body);
    }
    let list = send(JSON, "[]").await;
    assert_eq!((list.status, list.body.get("errors")), (StatusCode::UNPROCESSABLE_ENTITY, None));
}

#[tokio::test]
async fn a_long_body_is_413() {
    let long = format!(r#"{{ "name": "{}" }}"#, SECRET.repeat(1_000_000));
    let answer = send(JSON, &long).await;
    assert_eq!((answer.status, &answer.body["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("body_too_large")));
    let small = app().layer(DefaultBodyLimit::max(50));
    assert_eq!(ask(&small, "POST", "/", (JSON, writer().to_string())).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    // Without axum's limit, the limit of MongoDB holds.
    let free = app().layer(DefaultBodyLimit::disable());
    let mut large = writer();
    large["name"] = json!("a".repeat(17 * 1024 * 1024));
    let answer = ask(&free, "POST", "/", (JSON, large.to_string())).await;
    assert_eq!((answer.status, &answer.body["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("invalid")));
}

#[tokio::test]
async fn a_handler_may_answer_a_mistake_itself() {
    let answer = ask(&app(), "POST", "/teapot", (JSON, "{")).await;
    assert_eq!(answer.status, StatusCode::IM_A_TEAPOT);
}

#[tokio::test]
async fn lists_options_and_references_are_bodies() {
    async fn ids(JsonBody(writers): JsonBody<Vec<Writer>>) -> JsonBody<Vec<Ref<Writer>>> {
        JsonBody(writers.iter().map(Ref::to).collect())
    }
    async fn maybe(JsonBody(writer): JsonBody<Option<Writer>>) -> JsonBody<Option<Writer>> {
        JsonBody(writer)
    }
    let app = Router::new().route("/ids", post(ids)).route("/maybe", post(maybe));
    let answer = ask(&app, "POST", "/ids", (JSON, json!([writer()]).to_string())).await;
    assert_eq!((answer.status, answer.body), (StatusCode::OK, json!(["65f1a0000000000000000000"])));
    let answer = ask(&app, "POST", "/maybe", (JSON, "null")).await;
    assert_eq!((answer.status, answer.body), (StatusCode::OK, Value::Null));
    let wrong = ask(&app, "POST", "/ids", (JSON, json!([writer(), {}]).to_string())).await;
    assert_eq!(wrong.body["errors"][0]["field"], "1.id");
}

/// A value that BSON does not hold is a fault of the service.
#[tokio::test]
async fn an_answer_that_cannot_be_written_is_500_without_details() {
    #[derive(Embed, Serialize, Deserialize)]
    struct Count {
        views: u64,
    }
    async fn count() -> JsonBody<Count> {
        JsonBody(Count { views: u64::MAX })
    }
    assert!(json::to_json(&Count { views: u64::MAX }).is_err());
    let app = Router::new().route("/", post(count));
    let answer = ask(&app, "POST", "/", ("", "")).await;
    let body = json!({ "title": "Internal Server Error", "status": 500, "code": "internal" });
    assert_eq!((answer.status, answer.body), (StatusCode::INTERNAL_SERVER_ERROR, body));
}
