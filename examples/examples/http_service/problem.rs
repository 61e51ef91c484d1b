//! Errors as answers.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use schema_runtime::prelude::*;

/// The result of a handler.
pub(crate) type Answer<T> = std::result::Result<T, Problem>;

/// An error, as an answer with a status and a text.
pub(crate) struct Problem(Error);

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Problem(error)
    }
}

#[derive(Serialize)]
struct Body {
    error: String,
}

// ANCHOR: problem
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = match &self.0 {
            Error::PageToken { .. } => StatusCode::BAD_REQUEST,
            error => StatusCode::from_u16(error.kind().http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        };
        // The text of an error holds names and numbers, and no value of a document.
        let error = match status.is_server_error() {
            true => {
                eprintln!("{status}: {}", self.0);
                "the service cannot answer this request now".to_owned()
            }
            false => self.0.to_string(),
        };
        (status, Json(Body { error })).into_response()
    }
}
// ANCHOR_END: problem

// ANCHOR: done
/// Takes a write for done when only the work after the write is pending: `recover` completes that work.
pub(crate) fn done<T>(written: Result<T>) -> Result<()> {
    match written {
        Err(error) if !error.is_done() => Err(error),
        _ => Ok(()),
    }
}
// ANCHOR_END: done
