//! Extractors and answers for axum, asked through a router.

mod bodies;
mod ids;
mod page_queries;
mod patches;
mod problems;

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Request, StatusCode},
};
use schema_runtime::prelude::*;
use serde_json::Value;
use tower::ServiceExt;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "writers")]
struct Writer {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 10)]
    #[copied_to(Article::writer_name)]
    name: String,
    #[bound(max_len = 30)]
    #[index(unique)]
    email: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    writer: Ref<Writer>,
    #[bound(max_len = 10)]
    #[denormalize(from = writer.name)]
    writer_name: String,
    #[bound(max_len = 20)]
    title: String,
    #[bound(max_items = 2)]
    tags: Vec<String>,
    published: Option<DateTime>,
    #[version]
    version: i64,
    #[json(skip)]
    #[serde(default)]
    secret: String,
}

/// An answer: the status, the headers and the body as JSON, or null where the body is no JSON.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Value,
}

/// Asks a router with a body of this type; no type without a body.
async fn ask(app: &Router, method: &str, path: &str, (media, body): (&str, impl Into<Body>)) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    if !media.is_empty() {
        request = request.header("content-type", media);
    }
    let response = app.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    Answer { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
}

async fn get(app: &Router, path: &str) -> Answer {
    ask(app, "GET", path, ("", Body::empty())).await
}

const JSON: &str = "application/json";
