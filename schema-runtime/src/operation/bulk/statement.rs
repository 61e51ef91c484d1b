//! One write of a bulk, as the server takes it in a list of writes.

use mongodb::bson::{Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use crate::{
    codec,
    definition::ModelDefinition,
    derived::{effect::InBulk, effects::EFFECTS},
    error::{Error, Result},
};

pub(super) struct Write {
    pub(super) kind: Kind,
    /// The document, or the write as the server takes it in a list of writes.
    pub(super) statement: RawDocumentBuf,
    /// How many documents it must match: 1 for an update by `_id` and a replace, 0 for another update.
    pub(super) must_match: Option<u64>,
    /// Whether an update may insert a document.
    pub(super) is_upsert: bool,
    /// The paths that an update changes.
    pub(super) touched: Vec<String>,
}

impl Write {
    /// Whether it is sent by itself, with what belongs to it.
    pub(super) fn is_alone(&self, definition: &'static ModelDefinition) -> bool {
        match self.in_bulk() {
            Some(write) => EFFECTS.iter().any(|effect| (effect.is_alone)(definition, &write)),
            None => false,
        }
    }

    /// As an update.
    pub(super) fn as_update(&self) -> InBulk<'_> {
        InBulk::Update { touched: &self.touched, upsert: self.is_upsert }
    }

    /// It is no insert.
    pub(super) fn in_bulk(&self) -> Option<InBulk<'_>> {
        match self.kind {
            Kind::Insert => None,
            Kind::Update => Some(self.as_update()),
            Kind::Delete => Some(InBulk::Delete),
        }
    }
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
