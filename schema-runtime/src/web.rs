//! Extractors and answers for axum, in the JSON of [`json`](crate::json). [`JsonBody`] reads and writes bodies,
//! [`PageQuery`] reads the place of a page, and an [`Error`](crate::Error) is an answer with a status and a
//! [`Problem`]. [The page `web`](crate::guide) shows handlers.
//!
//! Feature `axum`.

mod answer;
mod body;
#[cfg(feature = "utoipa")]
mod of_utoipa;
mod page_query;
mod problem;

pub use body::JsonBody;
pub use page_query::PageQuery;
pub use problem::{Problem, ProblemField};
