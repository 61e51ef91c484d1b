//! Errors and problems as answers.

use axum::{
    http::header::{CONTENT_TYPE, RETRY_AFTER},
    response::{IntoResponse, Response},
};

use super::Problem;
use crate::error::Error;

/// The media type of problems.
const PROBLEM_JSON: &str = "application/problem+json";

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status, [(CONTENT_TYPE, PROBLEM_JSON)], body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The answer is the [`Problem`] of the error. An error with a status of 500 or more is left in the log.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
    }
}
