//! One write of a bulk, as the server takes it in a list of writes.

use mongodb::bson::{Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use crate::{
    codec,
    error::{Error, Result},
};

pub(super) struct Write {
    pub(super) kind: Kind,
    /// The document, or the write as the server takes it in a list of writes.
    pub(super) statement: RawDocumentBuf,
    /// How many documents it must match: 1 for an update by `_id` and a replace, 0 for another update.
    pub(super) must_match: Option<u64>,
    /// The paths that an update changes.
    pub(super) touched: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Insert,
    Update,
    Delete,
}

/// An element of `deletes`.
#[derive(Serialize, Deserialize)]
pub(super) struct DeleteStatement {
    pub(super) q: Document,
    /// 1, or 0 for all.
    pub(super) limit: i32,
}

pub(super) fn statement(statement: &impl Serialize) -> Result<RawDocumentBuf> {
    codec::encode(statement).map_err(Error::encode)
}
