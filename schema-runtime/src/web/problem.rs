//! Problems by RFC 9457: the body of an answer to a request that failed.

use axum::{
    extract::rejection::{BytesRejection, PathRejection, QueryRejection},
    http::StatusCode,
};
use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::error::{Error, ErrorKind, ExceededBound, FailedRule, JsonError, JsonErrorKind};

/// The time after which a client may try again, in seconds. A server that lost its primary has a new primary after a
/// few seconds.
const RETRY_SECONDS: u32 = 2;

/// The answer to a request that failed, by RFC 9457 (`application/problem+json`): `{"title": "Conflict", "status": 409,
/// "code": "duplicate", "detail": "..", "errors": [{"field": "email", "detail": ".."}]}`.
///
/// Made of an [`Error`], or of the rejection of an extractor. The texts hold names and numbers, and no value of a
/// document or of the request. A problem with a status of 500 or more does not tell the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The status of the answer.
    pub status: StatusCode,
    /// The word for programs, as `not_found`, `duplicate` or `invalid`. [The page `web`](crate::guide) lists the words.
    pub code: &'static str,
    /// The reason, for people; `None` where the client cannot do anything about the reason.
    pub detail: Option<String>,
    /// The mistakes of single fields.
    pub fields: Vec<ProblemField>,
    /// The number of seconds after which the client may try again: the header `Retry-After`.
    pub retry_after: Option<u32>,
}

/// The mistake of one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProblemField {
    /// The path of the field: `addresses.1.city`; `*` stands for a key of a map. A mistake of the JSON text has the
    /// names of JSON, a mistake that a write finds has the stored names.
    pub field: String,
    /// The mistake, for people.
    pub detail: String,
}

impl Problem {
    /// Makes a problem of an application: a status, a word for programs, and a text for people.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Problem { status, code, detail: Some(detail.into()), fields: Vec::new(), retry_after: None }
    }

    /// Adds the mistake of a field.
    pub fn field(mut self, field: impl Into<String>, detail: impl Into<String>) -> Self {
        self.fields.push(ProblemField { field: field.into(), detail: detail.into() });
        self
    }

    /// Makes the problem of a failure that the client cannot do anything about.
    pub(super) fn internal() -> Self {
        Problem { detail: None, ..Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "") }
    }

    fn fields(self, fields: Vec<ProblemField>) -> Self {
        Problem { fields, ..self }
    }
}

/// Writes the members of RFC 9457. The `type` is left out, which means `about:blank`.
impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Problem", 5)?;
        object.serialize_field("title", self.status.canonical_reason().unwrap_or("Error"))?;
        object.serialize_field("status", &self.status.as_u16())?;
        object.serialize_field("code", self.code)?;
        if let Some(detail) = &self.detail {
            object.serialize_field("detail", detail)?;
        }
        if !self.fields.is_empty() {
            object.serialize_field("errors", &self.fields)?;
        }
        object.end()
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        let kind = error.kind();
        let error = error.cause();
        let status = status_of(error, kind);
        let problem = Problem::new(status, code_of(error, kind), error.to_string()).fields(fields_of(error));
        match kind {
            ErrorKind::Unavailable => Problem {
                detail: Some("the service cannot answer now, and may answer later".to_owned()),
                retry_after: Some(RETRY_SECONDS),
                ..problem
            },
            _ if status.is_server_error() => Problem { detail: None, fields: Vec::new(), ..problem },
            _ => problem,
        }
    }
}

/// Makes the problem, and leaves the error of a server's side in the log.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let problem = Problem::from(&error);
        if problem.status.is_server_error() {
            tracing::error!(%error, "a request cannot be answered");
        }
        problem
    }
}

impl From<JsonError> for Problem {
    fn from(error: JsonError) -> Self {
        Problem::from(&Error::Json(error))
    }
}

/// A body that is too long, or that broke off.
impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "the body of the request is too long")
            }
            status => Problem::new(status, "body", "the body of the request cannot be read"),
        }
    }
}

/// A path that names no id.
impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        match rejection.status() {
            status if status.is_server_error() => Problem::internal(),
            status => Problem::new(status, "path", "a part of the path has another form, for example an id"),
        }
    }
}

/// A query of a URL in another form.
impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Problem::new(rejection.status(), "query", "a parameter of the query has another form, or is given twice")
    }
}

fn status_of(error: &Error, kind: ErrorKind) -> StatusCode {
    match error {
        Error::PageToken { .. } => StatusCode::BAD_REQUEST,
        Error::Json(error) => match error.kind() {
            JsonErrorKind::Syntax { .. } => StatusCode::BAD_REQUEST,
            JsonErrorKind::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        },
        _ => StatusCode::from_u16(kind.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

fn code_of(error: &Error, kind: ErrorKind) -> &'static str {
    match (error, kind) {
        (Error::PageToken { .. }, _) => "page_token",
        (Error::Json(error), _) if matches!(error.kind(), JsonErrorKind::Syntax { .. }) => "syntax",
        (_, ErrorKind::NotFound) => "not_found",
        (_, ErrorKind::Duplicate) => "duplicate",
        (_, ErrorKind::Conflict) => "conflict",
        (_, ErrorKind::Restricted) => "restricted",
        (_, ErrorKind::TooLarge) => "too_large",
        (_, ErrorKind::Invalid) => "invalid",
        (_, ErrorKind::Dangling) => "dangling",
        (_, ErrorKind::Pending) => "pending",
        (_, ErrorKind::Unavailable) => "unavailable",
        _ => "internal",
    }
}

/// Returns the mistakes of the fields that an error names.
fn fields_of(error: &Error) -> Vec<ProblemField> {
    let one = |field: &str, detail: String| vec![ProblemField { field: field.to_owned(), detail }];
    match error {
        Error::Json(error) if let JsonErrorKind::Failed { failures } = error.kind() => {
            failures.iter().map(of_rule).collect()
        }
        Error::Json(error) if !error.path().is_empty() => one(error.path(), error.kind().to_string()),
        Error::BoundExceeded { field, bound, size, unit, others, .. } => {
            let first = ExceededBound { field: field.clone(), bound: *bound, size: *size, unit: *unit };
            std::iter::once(&first).chain(others).map(of_bound).collect()
        }
        Error::DocumentInvalid { failures, .. } => failures.iter().map(of_rule).collect(),
        Error::DuplicateKey { fields, .. } => {
            let taken = |field: &String| ProblemField { field: field.clone(), detail: "is taken".to_owned() };
            fields.iter().map(taken).collect()
        }
        Error::DanglingReference { field, .. } => one(field, "refers to a missing document".to_owned()),
        Error::HiddenNotLoaded { field, .. } => one(field, "is missing".to_owned()),
        Error::Encode { field, .. } if !field.is_empty() => one(field, "cannot be stored".to_owned()),
        Error::IntervalOverlap { field, .. } => {
            one(field, "overlaps an entry, or does not end after the begin".to_owned())
        }
        _ => Vec::new(),
    }
}

fn of_bound(exceeded: &ExceededBound) -> ProblemField {
    let ExceededBound { field, bound, size, unit } = exceeded;
    ProblemField { field: field.clone(), detail: format!("has {size} {unit}, the bound is {bound}") }
}

fn of_rule(failed: &FailedRule) -> ProblemField {
    ProblemField { field: failed.field.clone(), detail: failed.to_string() }
}
