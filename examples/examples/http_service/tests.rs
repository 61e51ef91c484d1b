//! Requests to the service, on a separate database for each test.

use std::time::Duration;

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
};
use tower::ServiceExt;

use super::*;

/// Returns the service, the service's database, and the running requests.
async fn service() -> (Router, Database, TaskTracker) {
    let (db, requests) = (schema_tests::database().await, TaskTracker::new());
    let schema = schema![Author, Post];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    (routes::app(db.clone(), requests.clone()), db, requests)
}

// ANCHOR: request
fn request(method: &str, path: &str, body: &Value) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    request.body(Body::from(body.to_string())).unwrap()
}

async fn ask(app: &Router, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
    let response = app.clone().oneshot(request(method, path, &body)).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}
// ANCHOR_END: request

async fn create_author(app: &Router) -> String {
    let ada = json!({ "name": "Ada", "email": "ada@example.com" });
    let (status, author) = ask(app, "POST", "/authors", ada).await;
    assert_eq!(status, StatusCode::CREATED);
    author["id"].as_str().unwrap().to_owned()
}

async fn create_post(app: &Router, author: &str) -> Value {
    let (status, post) = ask(app, "POST", "/posts", json!({ "author": author, "title": "Notes", "text": ".." })).await;
    assert_eq!(status, StatusCode::CREATED, "{post}");
    post
}

#[tokio::test]
async fn ids_are_hexadecimal_and_dates_are_rfc_3339() {
    let (app, db, _requests) = service().await;
    let author = create_author(&app).await;
    let post = create_post(&app, &author).await;

    let stored = Post::get(&db, Filter::all()).await.unwrap();
    assert_eq!(post["id"], stored.id.to_hex());
    assert_eq!(post["author"], author.as_str());
    assert_eq!(post["author_name"], "Ada");
    assert_eq!(post["created"], stored.created.try_to_rfc3339_string().unwrap());
    let path = format!("/posts/{}", stored.id.to_hex());
    assert_eq!(ask(&app, "GET", &path, Value::Null).await, (StatusCode::OK, post));
}

#[tokio::test]
async fn each_error_has_its_status() {
    let (app, _db, _requests) = service().await;
    let author = create_author(&app).await;
    let post = create_post(&app, &author).await;
    let unknown = ObjectId::new().to_hex();
    let email = |name: &str| json!({ "name": name, "email": "ada@example.com" });
    let by = |author: &str| json!({ "author": author, "title": "a", "text": "b" });
    let stale = json!({ "title": "a", "text": "b", "version": 7 });

    for (method, path, body, status) in [
        ("GET", "/authors/not-an-id".to_owned(), Value::Null, StatusCode::BAD_REQUEST),
        ("GET", "/posts/not-an-id".to_owned(), Value::Null, StatusCode::BAD_REQUEST),
        ("GET", format!("/posts/{unknown}"), Value::Null, StatusCode::NOT_FOUND),
        ("GET", format!("/authors/{unknown}"), Value::Null, StatusCode::NOT_FOUND),
        ("PATCH", format!("/authors/{unknown}"), json!({ "name": "Eve" }), StatusCode::NOT_FOUND),
        ("DELETE", format!("/authors/{unknown}"), Value::Null, StatusCode::NOT_FOUND),
        ("POST", "/authors".to_owned(), email("Eve"), StatusCode::CONFLICT),
        ("POST", "/authors".to_owned(), email(&"e".repeat(61)), StatusCode::UNPROCESSABLE_ENTITY),
        ("POST", "/posts".to_owned(), by(&unknown), StatusCode::UNPROCESSABLE_ENTITY),
        ("PUT", format!("/posts/{}", post["id"].as_str().unwrap()), stale, StatusCode::CONFLICT),
        ("DELETE", format!("/authors/{author}"), Value::Null, StatusCode::CONFLICT),
        ("GET", "/posts?after=damaged".to_owned(), Value::Null, StatusCode::BAD_REQUEST),
    ] {
        let (found, body) = ask(&app, method, &path, body).await;
        assert_eq!(found, status, "{method} {path}: {body}");
        assert!(!body.to_string().contains("ada@example.com"), "{body}");
    }
}

#[tokio::test]
async fn a_change_of_the_version_that_is_stored_is_saved() {
    let (app, _db, _requests) = service().await;
    let author = create_author(&app).await;
    let post = create_post(&app, &author).await;
    let path = format!("/posts/{}", post["id"].as_str().unwrap());
    let changed = json!({ "title": "Notes, again", "text": "..", "version": post["version"] });
    let (status, post) = ask(&app, "PUT", &path, changed).await;
    assert_eq!((status, &post["title"], &post["version"]), (StatusCode::OK, &json!("Notes, again"), &json!(1)));
}

#[tokio::test]
async fn a_patch_changes_the_fields_that_it_has() {
    let (app, _db, _requests) = service().await;
    let path = format!("/authors/{}", create_author(&app).await);
    for (change, name, email) in [
        (json!({}), "Ada", "ada@example.com"),
        (json!({ "name": "Ada King" }), "Ada King", "ada@example.com"),
        (json!({ "email": "king@example.com" }), "Ada King", "king@example.com"),
    ] {
        let (status, author) = ask(&app, "PATCH", &path, change).await;
        assert_eq!((status, &author["name"], &author["email"]), (StatusCode::OK, &json!(name), &json!(email)));
    }
}

#[tokio::test]
async fn pages_follow_each_other_by_their_tokens() {
    let (app, _db, _requests) = service().await;
    let author = create_author(&app).await;
    for _ in 0..25 {
        create_post(&app, &author).await;
    }
    let (_, first) = ask(&app, "GET", "/posts", Value::Null).await;
    let (_, second) = ask(&app, "GET", &format!("/posts?after={}", first["next"].as_str().unwrap()), Value::Null).await;
    assert_eq!(first["posts"].as_array().unwrap().len(), 20);
    assert_eq!(second["posts"].as_array().unwrap().len(), 5);
    assert_eq!(second["next"], Value::Null);
}

/// A client that hangs up makes the server drop the future of the handler.
#[tokio::test]
async fn a_write_whose_client_has_hung_up_runs_to_its_end() {
    let (app, db, requests) = service().await;
    let author = create_author(&app).await;
    create_post(&app, &author).await;
    let path = format!("/authors/{author}");
    for turn in 0..40 {
        let name = format!("Ada {turn}");
        // ANCHOR: dropped_request
        let renamed = app.clone().oneshot(request("PATCH", &path, &json!({ "name": name })));
        let _ = tokio::time::timeout(Duration::from_micros(100 * turn), renamed).await;
        requests.close();
        requests.wait().await;
        // ANCHOR_END: dropped_request
        requests.reopen();

        let (author, post) =
            (Author::get(&db, Filter::all()).await.unwrap(), Post::get(&db, Filter::all()).await.unwrap());
        assert_eq!((author.name, post.author_name), (name.clone(), name), "turn {turn}");
    }
}

#[tokio::test]
async fn a_stopped_service_answers_the_requests_that_it_has() {
    let db = schema_tests::database().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();

    let client = tokio::spawn(async move {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /posts HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        stop.send(()).unwrap();
        answer
    });
    serve(listener, &db, async move { stopped.await.unwrap() }).await.unwrap();
    let answer = client.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.ends_with(r#"{"posts":[],"next":null}"#), "{answer}");
}
