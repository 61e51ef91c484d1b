//! The client of the tutorial: sends requests to the router, and prints each request with the answer.

use axum::{
    Router,
    body::{Body, to_bytes},
    http::Request,
};
use serde_json::Value;
use tower::ServiceExt;

/// A router, asked without a socket.
pub(crate) struct Client {
    app: Router,
}

impl Client {
    pub(crate) fn new(app: Router) -> Self {
        Client { app }
    }

    /// Sends a request, prints the request and the answer, and returns the body of the answer.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Value) -> Value {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        println!("{}", format!("\n{method} {path} {text}").trim_end());
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let request = request.body(Body::from(text)).expect("a request");
        let response = self.app.clone().oneshot(request).await.expect("a router has no error");
        let status = response.status();
        let answer = to_bytes(response.into_body(), usize::MAX).await.expect("a body in memory");
        println!("{}", format!("  {} {}", status.as_u16(), String::from_utf8_lossy(&answer)).trim_end());
        serde_json::from_slice(&answer).unwrap_or(Value::Null)
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        self.send("GET", path, Value::Null).await
    }
}
