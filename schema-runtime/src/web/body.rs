//! Bodies in the JSON of this crate.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};

use super::Problem;
use crate::json::{FromJson, Json, ToJson, from_json};

/// The body of a request or of an answer, in the JSON of [`json`](crate::json): `JsonBody(post): JsonBody<Post>`.
///
/// As an extractor, the body is read by [`from_json`]. A handler takes a `Result<JsonBody<Post>, Problem>` to answer a
/// mistake in another way.
///
/// | request | status | code |
/// |---|---|---|
/// | no `Content-Type: application/json` or `application/..+json` | 415 | `content_type` |
/// | longer than axum's [`DefaultBodyLimit`](axum::extract::DefaultBodyLimit), 2 MB without a layer | 413 | `body_too_large` |
/// | no JSON | 400 | `syntax` |
/// | JSON that is no value of the struct | 422 | `invalid`, with the path |
///
/// As an answer, the value is written as by [`to_json`](crate::json::to_json), with the status 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonBody<T>(pub T);

impl<T: FromJson, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "content_type",
                "the body of the request has no `Content-Type: application/json`",
            ));
        }
        let bytes = Bytes::from_request(request, state).await?;
        Ok(JsonBody(from_json(&bytes)?))
    }
}

/// Returns whether the content type is JSON, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(given)) = headers.get(CONTENT_TYPE).map(|value| value.to_str()) else { return false };
    let media = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    media == "application/json" || media.starts_with("application/") && media.ends_with("+json")
}

impl<T: ToJson> IntoResponse for JsonBody<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&Json(&self.0)) {
            Ok(body) => ([(CONTENT_TYPE, "application/json")], body).into_response(),
            Err(error) => {
                tracing::error!(%error, "an answer cannot be written as JSON");
                Problem::internal().into_response()
            }
        }
    }
}
