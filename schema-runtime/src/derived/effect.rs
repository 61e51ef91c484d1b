//! What follows from the writes of some models: what an effect is, and what it does around a write. A write knows the list of them alone.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::throttle::Propagation;
use crate::{
    definition::{DeleteRule, ModelDefinition},
    error::{Error, Result},
    executor::{Context, Outcome, Sent},
};

/// Something that is derived from what is written.
pub(crate) struct Effect {
    /// Whether it concerns the documents of a model: it derives something from them, or puts something into them.
    pub(crate) concerns: fn(&ModelDefinition) -> bool,
    /// A write of documents of a model begins.
    pub(crate) begin: fn(&'static ModelDefinition, &Begin, Others) -> Box<dyn Running>,
    /// Which writes of a bulk it must have for themselves, with all that belongs to them, since the next may be of the same document. The
    /// others are prepared before the bulk is sent, and finished behind.
    pub(crate) alone: fn(&'static ModelDefinition) -> Which,
    /// Which writes must be in a transaction, with all that belongs to them: those that are in none get one of their own.
    pub(crate) atomic: fn(&'static ModelDefinition) -> Which,
    /// Which of the writes of one document that must be in a transaction may share one, as far as this effect is concerned.
    pub(crate) shares: fn(&OneWrite<'_>) -> bool,
    /// Whether the effect prepares writes for which the effect does not ask, as by marks outside of a transaction.
    pub(crate) prepares: bool,
    /// How documents are deleted of which it derives something; `None` where a plain delete will do.
    pub(crate) delete: fn(&'static ModelDefinition) -> Option<Delete>,
    /// Whether it puts this field into the documents, in stored names: a value that is written does not set it to this, or by being without it.
    pub(crate) owns: fn(&ModelDefinition, &str, Option<&Bson>) -> bool,
    /// What a document must have for a replacement by these fields to be of no concern, as far as a filter can ask for it.
    pub(crate) unchanged: fn(&'static ModelDefinition, &Document) -> Vec<Document>,
    /// The fields with something inside that it has put there beside what a value says, as copies in the elements of an array.
    pub(crate) nested: fn(&'static ModelDefinition) -> Vec<&'static str>,
    /// Whether such a field of a value says what that of a stored document says.
    pub(crate) is_same: fn(&'static ModelDefinition, &str, &Document, &Document) -> bool,
    /// Whether a replacement that changes something is to be compared with what is stored: what is the same of it may be dear.
    pub(crate) compares: fn(&'static ModelDefinition) -> bool,
    /// Whether an insert of this document, as it was given, is worth another attempt after this error.
    pub(crate) inserts_again: fn(&'static ModelDefinition, &Document, &Error) -> bool,
    /// The indexes that it needs in the collection of a model.
    pub(crate) indexes: fn(&'static ModelDefinition) -> Vec<NeededIndex>,
}

/// Which writes of a model.
pub(crate) type Which = Box<dyn Fn(&OneWrite<'_>) -> bool + Send + Sync>;

/// Deletes one document that matches, or all (`many`): how many.
pub(crate) type Delete =
    for<'a> fn(&'a Context, &'static ModelDefinition, Document, bool, Others) -> BoxFuture<'a, Result<u64>>;

/// What a delete has others do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others {
    /// How many effects of the list still have to do with the delete: the first ones.
    pub(crate) left: usize,
    /// Deletes one document that matches, or all, as so many effects have it.
    pub(crate) delete:
        for<'a> fn(&'a Context, &'static ModelDefinition, Document, bool, usize) -> BoxFuture<'a, Result<u64>>,
    /// Deletes all documents that match, with all that follows.
    pub(crate) delete_all: for<'a> fn(&'a Context, &'static ModelDefinition, Document) -> BoxFuture<'a, Result<u64>>,
    /// Updates all documents that match, with all that follows.
    pub(crate) update_many: for<'a> fn(&'a Context, &'static ModelDefinition, Sent) -> BoxFuture<'a, Result<u64>>,
}

impl Others {
    /// Deletes what is deleted already as far as the effect that asks is concerned.
    pub(crate) fn delete<'a>(
        &self,
        context: &'a Context,
        definition: &'static ModelDefinition,
        filter: Document,
        many: bool,
    ) -> BoxFuture<'a, Result<u64>> {
        (self.delete)(context, definition, filter, many, self.left)
    }

    /// Deletes those that match, or takes their reference away, as the rule says: how many.
    pub(crate) async fn take(&self, context: &Context, taking: Taking, filter: Document) -> Result<u64> {
        let Taking { child, name, rule, pulled } = taking;
        let update = match rule {
            DeleteRule::NoAction | DeleteRule::Restrict => return Ok(0),
            DeleteRule::Cascade => return (self.delete_all)(context, child, filter).await,
            DeleteRule::Nullify => doc! { "$set": { name: Bson::Null } },
            DeleteRule::Pull => doc! { "$pull": { name: pulled } },
        };
        let sent = Sent { filter, update, touched: vec![name.to_owned()], ..Sent::default() };
        (self.update_many)(context, child, sent).await
    }
}

/// What a delete does to those that refer to the deleted document.
pub(crate) struct Taking {
    /// The model of those that refer.
    pub(crate) child: &'static ModelDefinition,
    /// Their stored field that refers.
    pub(crate) name: &'static str,
    pub(crate) rule: DeleteRule,
    /// What is taken out of an array.
    pub(crate) pulled: Document,
}

/// An index that an effect needs.
pub(crate) struct NeededIndex {
    pub(crate) keys: Document,
    /// The condition, where it is partial.
    pub(crate) partial: Option<Document>,
    pub(crate) unique: bool,
}

/// One that is not unique.
impl From<(Document, Option<Document>)> for NeededIndex {
    fn from((keys, partial): (Document, Option<Document>)) -> Self {
        NeededIndex { keys, partial, unique: false }
    }
}

/// How a write begins.
#[derive(Default)]
pub(crate) struct Begin {
    /// It writes one document at most.
    pub(crate) of_one: bool,
    /// It is an update of all documents that match.
    pub(crate) many: bool,
    /// It is of the writes of a bulk that are prepared together; those that an effect must have for itself come later.
    pub(crate) together: bool,
    /// How what follows is propagated.
    pub(crate) following: Propagation,
}

/// A document that was read already.
pub(crate) struct Known {
    pub(crate) definition: &'static ModelDefinition,
    pub(crate) document: RawDocumentBuf,
}

/// A write, as far as it says which effects it concerns.
pub(crate) enum OneWrite<'a> {
    Insert,
    Update { touched: &'a [String], upsert: bool },
    Delete,
}

/// An effect beside one write. Each step does nothing but where it is said.
pub(crate) trait Running: Debug + Send + Sync {
    /// Documents that are to be inserted get what belongs to them. `_known` is a document that was read already.
    fn inserts<'a>(
        &'a mut self,
        _: &'a Context,
        _documents: &'a mut [Document],
        _known: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// The documents are about to be sent: nothing else is checked between.
    fn before_inserts<'a>(&'a mut self, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// These updates of a bulk are about to get what belongs to each: what they need may be read together.
    fn before_updates<'a>(&'a mut self, _: &'a Context, _: &'a mut [Sent]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// An update gets what belongs to it. `false` where it is of no concern.
    fn update<'a>(&'a mut self, _: &'a Context, _: &'a mut Sent, _many: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Whether it prepares the updates of a bulk before that is sent.
    fn prepares_updates(&self) -> bool {
        true
    }

    /// An update of documents is about to be sent, of which no document comes back as it was before. That of one document may be made one of
    /// the very document that was read.
    fn before_update<'a>(&'a mut self, _: &'a Context, _: &'a mut Sent, _many: bool) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Hears what an update has found, as it was before or is after.
    fn hears_found(&mut self, _: Option<&RawDocumentBuf>, _after: bool) -> Result<()> {
        Ok(())
    }

    /// Sends an update of one document itself, as in a transaction with what follows. `None` where it is sent as it is.
    fn send_one<'a>(&'a mut self, _: &'a Context, _: &mut Sent) -> Option<BoxFuture<'a, Result<Outcome>>> {
        None
    }

    /// The same of an update whose document comes back, as it was before or is after.
    fn send_found<'a>(
        &'a mut self,
        _: &'a Context,
        _: &mut Sent,
        _after: bool,
    ) -> Option<BoxFuture<'a, Result<Option<RawDocumentBuf>>>> {
        None
    }

    /// Hears what became of an update; `None` where it failed, and some may be done.
    fn hears(&mut self, _: Option<&Outcome>) {}

    /// Hears what the updates of a bulk have inserted.
    fn hears_of_bulk(&mut self, _upserted: &[Bson]) {}

    /// Whether an update that ended so is worth another attempt: another client has taken what this one was to get.
    fn is_overtaken(&self, _: &Error) -> bool {
        false
    }

    /// Whether the update leaves out a document that was asked for.
    fn leaves_out(&self) -> LeavesOut {
        LeavesOut::Nothing
    }

    /// The update found nothing: whether another attempt may find something.
    fn try_again<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Perhaps not all inserts were done.
    fn some_only(&mut self) {}

    /// What follows the write. In a transaction, what follows its commit.
    fn finish<'a>(self: Box<Self>, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

/// What an update leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeavesOut {
    Nothing,
    /// What has newer values than this update would put in.
    Newer,
}
