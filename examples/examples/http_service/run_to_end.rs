//! Requests that run to the end, also after the client has hung up.

use axum::{
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio_util::task::TaskTracker;

// ANCHOR: run_to_end
/// Runs a request as a task of its own. The server drops the future of a handler when the client hangs up; a task goes
/// on.
pub(crate) async fn run_to_end(State(requests): State<TaskTracker>, request: Request, next: Next) -> Response {
    match requests.spawn(next.run(request)).await {
        Ok(response) => response,
        Err(_panicked) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
// ANCHOR_END: run_to_end
