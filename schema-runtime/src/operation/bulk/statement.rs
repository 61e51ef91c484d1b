//! One write of a bulk, as the server takes it in a list of writes.

use mongodb::bson::{Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use crate::{
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{OneWrite, Which},
        effects::EFFECTS,
    },
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
    /// What goes before it, as the server takes it in a list of updates.
    pub(super) before: Vec<RawDocumentBuf>,
    /// Whether it may store a null, which what goes before a later write has to find.
    pub(super) stores_null: bool,
    /// Whether an update puts a whole value in the place of another one.
    pub(super) is_whole: bool,
}

impl Write {
    /// A write of which nothing more is said.
    pub(super) fn new(kind: Kind, statement: RawDocumentBuf) -> Self {
        Write {
            kind,
            statement,
            must_match: None,
            is_upsert: false,
            touched: Vec::new(),
            before: Vec::new(),
            stores_null: true,
            is_whole: false,
        }
    }

    /// As the effects are asked of it.
    pub(super) fn one(&self) -> OneWrite<'_> {
        match self.kind {
            Kind::Insert => OneWrite::Insert,
            Kind::Update => OneWrite::Update { touched: &self.touched, upsert: self.is_upsert },
            Kind::Delete => OneWrite::Delete,
        }
    }
}

/// Whether a write is sent by itself, with what belongs to it.
pub(super) fn alone(definition: &'static ModelDefinition) -> impl Fn(&Write) -> bool {
    let concerned = EFFECTS.iter().filter(move |effect| (effect.concerns)(definition));
    let alone: Vec<Which> =
        concerned.flat_map(|effect| [(effect.alone)(definition), (effect.atomic)(definition)]).collect();
    move |write| alone.iter().any(|is_alone| is_alone(&write.one()))
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
