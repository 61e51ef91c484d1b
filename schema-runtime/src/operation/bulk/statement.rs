//! One write of a bulk, as the server takes it in a list of writes.

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

    /// The filter of an update or of a delete.
    fn filter(&self) -> Option<Document> {
        Document::try_from(self.statement.get_document("q").ok()?).ok()
    }

    /// The `_id` that the filter of an update or of a delete asks for.
    pub(super) fn id(&self) -> Option<Bson> {
        equal_to(&self.filter()?, "_id").cloned()
    }

    /// Whether an update or a delete is of one document, which the filter names by `_id`.
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

    /// An update, and whether the update is of all documents that match.
    pub(super) fn sent(&self) -> Result<(Sent, bool)> {
        let update: Statement<Document> = codec::decode(&self.statement).map_err(Error::encode)?;
        let multi = update.multi;
        Ok((Sent { touched: self.touched.clone(), is_whole: self.is_whole, ..Sent::from(update) }, multi))
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
    let all: Vec<(&Effect, [Which; 2])> =
        concerned.map(|effect| (effect, [(effect.alone)(definition), (effect.atomic)(definition)])).collect();
    move |write| {
        let one = write.one();
        let asking = || all.iter().filter(|(_, asks)| asks.iter().any(|asks| asks(&one)));
        if asking().next().is_none() {
            return Sending::Together;
        }
        let is_shared =
            write.kind == Kind::Insert || asking().all(|(effect, _)| (effect.shares)(&one)) && write.is_of_one();
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
