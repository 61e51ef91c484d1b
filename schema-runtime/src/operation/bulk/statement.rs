//! One write of a bulk, as the server takes it in a list of writes.

use mongodb::bson::{Bson, Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use crate::{
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{OneWrite, Which},
        effects::EFFECTS,
    },
    document::equal_to,
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

    /// The `_id` of the one document that an update or a delete is of, where the write says the `_id`.
    pub(super) fn id(&self) -> Option<Bson> {
        let filter = Document::try_from(self.statement.get_document("q").ok()?).ok()?;
        let is_of_one = match self.kind {
            Kind::Insert => false,
            Kind::Update => !self.is_upsert && self.must_match == Some(1),
            Kind::Delete => filter.len() == 1 && self.statement.get_i32("limit").is_ok_and(|limit| limit == 1),
        };
        equal_to(&filter, "_id").filter(|_| is_of_one).cloned()
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

/// How a write is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sending {
    /// In one command with others. What follows them is done at the end.
    Together,
    /// In one transaction with others, with all that belongs to them.
    Shared,
    /// By itself, with all that belongs to it.
    Alone,
}

/// How the writes of a model are sent.
pub(super) fn sending(definition: &'static ModelDefinition) -> impl Fn(&Write) -> Sending {
    let concerned = EFFECTS.iter().filter(move |effect| (effect.concerns)(definition));
    let all: Vec<(bool, [Which; 2])> =
        concerned.map(|effect| (effect.shares, [(effect.alone)(definition), (effect.atomic)(definition)])).collect();
    move |write| {
        let one = write.one();
        let asking = || all.iter().filter(|(_, asks)| asks.iter().any(|asks| asks(&one)));
        if asking().next().is_none() {
            return Sending::Together;
        }
        let is_shared = write.kind == Kind::Insert || asking().all(|(shares, _)| *shares) && write.id().is_some();
        if is_shared { Sending::Shared } else { Sending::Alone }
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
