//! A write of a bulk, in the form that the server takes in a list of writes.

use mongodb::bson::{Bson, Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use crate::{
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Effect, OneWrite, Which},
        effects::EFFECTS,
    },
    document::equal_to,
    error::{Error, Result},
    executor::{Sent, Statement},
};

pub(super) struct Write {
    pub(super) kind: Kind,
    /// The document of an insert, or the write in the form that the server takes in a list of writes.
    pub(super) statement: RawDocumentBuf,
    /// The number of documents that the write must match: 1 for an update by `_id` and a replace, 0 for another update.
    pub(super) must_match: Option<u64>,
    /// True when an update may insert a document.
    pub(super) is_upsert: bool,
    /// The paths that an update changes.
    pub(super) touched: Vec<String>,
    /// The updates that go before the write, in the form that the server takes in a list of updates.
    pub(super) before: Vec<RawDocumentBuf>,
    /// True when the write may store a null. The updates before a later write must find the null.
    pub(super) stores_null: bool,
    /// True when an update puts a whole value in the place of another value.
    pub(super) is_whole: bool,
}

impl Write {
    /// Creates a write without further properties.
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

    /// Returns the filter of an update or a delete.
    fn filter(&self) -> Option<Document> {
        Document::try_from(self.statement.get_document("q").ok()?).ok()
    }

    /// Returns the `_id` that the filter of an update or a delete asks for.
    pub(super) fn id(&self) -> Option<Bson> {
        equal_to(&self.filter()?, "_id").cloned()
    }

    /// Returns whether an update or a delete concerns a single document that the filter names by `_id`.
    fn is_of_one(&self) -> bool {
        let is_of_one = match self.kind {
            Kind::Insert => false,
            Kind::Update => !self.is_upsert && self.must_match == Some(1),
            Kind::Delete => {
                self.statement.get_i32("limit").is_ok_and(|limit| limit == 1)
                    && self.filter().is_some_and(|filter| filter.len() == 1)
            }
        };
        is_of_one && self.id().is_some()
    }

    /// Returns the update, and whether the update concerns all documents that match.
    pub(super) fn sent(&self) -> Result<(Sent, bool)> {
        let update: Statement<Document> = codec::decode(&self.statement).map_err(Error::encode)?;
        let multi = update.multi;
        Ok((Sent { touched: self.touched.clone(), is_whole: self.is_whole, ..Sent::from(update) }, multi))
    }

    /// Returns the kind of the write, as the effects ask for the kind.
    pub(super) fn one(&self) -> OneWrite<'_> {
        match self.kind {
            Kind::Insert => OneWrite::Insert,
            Kind::Update => OneWrite::Update { touched: &self.touched, upsert: self.is_upsert },
            Kind::Delete => OneWrite::Delete,
        }
    }
}

/// The way in which a write is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sending {
    /// In one command with other writes. The work after the writes is done at the end.
    Together,
    /// In a transaction with more writes, with all effects of the writes.
    Shared,
    /// By itself, with all effects of the write.
    Alone,
}

/// Returns the function that decides how a write of the model is sent.
pub(super) fn sending(definition: &'static ModelDefinition) -> impl Fn(&Write) -> Sending {
    let concerned = EFFECTS.iter().filter(move |effect| (effect.concerns)(definition));
    let all: Vec<(&Effect, [Which; 2])> =
        concerned.map(|effect| (effect, [(effect.alone)(definition), (effect.atomic)(definition)])).collect();
    move |write| {
        let one = write.one();
        let asking = || all.iter().filter(|(_, asks)| asks.iter().any(|asks| asks(&one)));
        if asking().next().is_none() {
            return Sending::Together;
        }
        let is_shared = write.kind == Kind::Insert
            || asking().all(|(effect, _)| (effect.shares)(definition, &one).is_some()) && write.is_of_one();
        if is_shared { Sending::Shared } else { Sending::Alone }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Insert,
    Update,
    Delete,
}

/// An element of `deletes`, the list of a delete command.
#[derive(Serialize, Deserialize)]
pub(super) struct DeleteStatement {
    pub(super) q: Document,
    /// The limit: 1, or 0 for all documents.
    pub(super) limit: i32,
}

pub(super) fn statement(statement: &impl Serialize) -> Result<RawDocumentBuf> {
    codec::encode(statement).map_err(Error::encode)
}
