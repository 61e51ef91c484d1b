//! Effects of the writes of some models: the definition of an effect, and the steps of an effect around a write. A write knows only the
//! list of effects.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::throttle::Propagation;
use crate::{
    definition::{DeleteRule, ModelDefinition},
    error::{Error, Result},
    executor::{Context, Outcome, Sent},
};

/// A kind of derived data that follows writes.
pub(crate) struct Effect {
    /// Returns whether the effect derives data from the documents of a model, or puts data into the documents.
    pub(crate) concerns: fn(&ModelDefinition) -> bool,
    /// Begins a write of documents of a model.
    pub(crate) begin: fn(&'static ModelDefinition, &Begin, Others) -> Box<dyn Running>,
    /// Selects the writes of a bulk that the effect must handle alone, with all their effects, since the next write may concern the same
    /// document. All remaining writes are prepared before the bulk is sent, and finished after the bulk.
    pub(crate) alone: fn(&'static ModelDefinition) -> Which,
    /// Selects the writes that must be in a transaction with all their effects. A selected write outside of a transaction gets a
    /// transaction of its own.
    pub(crate) atomic: fn(&'static ModelDefinition) -> Which,
    /// Returns the most documents that a write of one document writes beside the document, where the write may share a transaction as far
    /// as this effect is concerned.
    pub(crate) shares: fn(&'static ModelDefinition, &OneWrite<'_>) -> Option<u64>,
    /// Selects the updates of one document that the effect sends in a transaction where the server has transactions. Such updates may share
    /// a transaction; an update by itself begins the transaction in [`Running::send_one`].
    pub(crate) gathers: fn(&Context, &'static ModelDefinition, &OneWrite<'_>) -> bool,
    /// True when the effect also prepares writes that the effect does not select, as by marks outside of a transaction. The updates of a
    /// bulk are then prepared before the bulk is sent.
    pub(crate) prepares: bool,
    /// Returns the function that deletes documents with derived data; `None` where a plain delete is enough.
    pub(crate) delete: fn(&'static ModelDefinition) -> Option<Delete>,
    /// Returns whether the effect owns the field, by stored name. A written value neither sets an owned field nor removes an owned field by
    /// omission.
    pub(crate) owns: fn(&ModelDefinition, &str, Option<&Bson>) -> bool,
    /// Returns the conditions under which a replacement by the given fields does not concern the effect, as far as a filter can express the
    /// conditions.
    pub(crate) unchanged: fn(&'static ModelDefinition, &Document) -> Vec<Document>,
    /// Returns the fields in which the effect stores nested data in addition to the value of the user, as copies in the elements of an
    /// array.
    pub(crate) nested: fn(&'static ModelDefinition) -> Vec<&'static str>,
    /// Returns whether a nested field of a value says the same as the field of a stored document.
    pub(crate) is_same: fn(&'static ModelDefinition, &str, &Document, &Document) -> bool,
    /// Returns whether a changing replacement is compared with the stored document, since a rewrite of unchanged parts may be expensive.
    pub(crate) compares: fn(&'static ModelDefinition) -> bool,
    /// Returns whether an insert of the given document is worth another attempt after the error.
    pub(crate) inserts_again: fn(&'static ModelDefinition, &Document, &Error) -> bool,
    /// Returns the indexes that the effect needs in the collection of a model.
    pub(crate) indexes: fn(&'static ModelDefinition) -> Vec<NeededIndex>,
}

impl Effect {
    /// Returns whether the effect must handle a write alone, or requires a transaction for the write.
    pub(crate) fn asks(&self, definition: &'static ModelDefinition, write: &OneWrite<'_>) -> bool {
        (self.alone)(definition)(write) || (self.atomic)(definition)(write)
    }
}

/// A predicate that selects writes of a model.
pub(crate) type Which = Box<dyn Fn(&OneWrite<'_>) -> bool + Send + Sync>;

/// Deletes one document that matches the filter, or all (`many`), and returns the number of deleted documents.
pub(crate) type Delete =
    for<'a> fn(&'a Context, &'static ModelDefinition, Document, bool, Others) -> BoxFuture<'a, Result<u64>>;

/// The functions that a delete calls for the work of different effects and models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others {
    /// The number of effects of the list that still act on the delete, counted from the first.
    pub(crate) left: usize,
    /// Deletes one document that matches the filter, or all, with the given number of effects of the list.
    pub(crate) delete:
        for<'a> fn(&'a Context, &'static ModelDefinition, Document, bool, usize) -> BoxFuture<'a, Result<u64>>,
    /// Deletes all documents that match the filter, with all effects.
    pub(crate) delete_all: for<'a> fn(&'a Context, &'static ModelDefinition, Document) -> BoxFuture<'a, Result<u64>>,
    /// Updates all documents that match the filter, with all effects.
    pub(crate) update_many: for<'a> fn(&'a Context, &'static ModelDefinition, Sent) -> BoxFuture<'a, Result<u64>>,
}

impl Others {
    /// Continues a delete with the effects that are left after the calling effect.
    pub(crate) fn delete<'a>(
        &self,
        context: &'a Context,
        definition: &'static ModelDefinition,
        filter: Document,
        many: bool,
    ) -> BoxFuture<'a, Result<u64>> {
        (self.delete)(context, definition, filter, many, self.left)
    }

    /// Deletes the documents that match the filter, or removes the reference from the documents, by the delete rule. Returns the number of
    /// documents.
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

/// The action of a delete on the documents that refer to the deleted document.
pub(crate) struct Taking {
    /// The model of the referring documents.
    pub(crate) child: &'static ModelDefinition,
    /// The stored reference field of the model.
    pub(crate) name: &'static str,
    pub(crate) rule: DeleteRule,
    /// The condition of the elements that a delete pulls out of an array.
    pub(crate) pulled: Document,
}

/// An index that an effect needs.
pub(crate) struct NeededIndex {
    pub(crate) keys: Document,
    /// The filter of a partial index; `None` for a full index.
    pub(crate) partial: Option<Document>,
    pub(crate) unique: bool,
}

/// Creates an index that is not unique.
impl From<(Document, Option<Document>)> for NeededIndex {
    fn from((keys, partial): (Document, Option<Document>)) -> Self {
        NeededIndex { keys, partial, unique: false }
    }
}

/// The properties of a write that begins.
#[derive(Default)]
pub(crate) struct Begin {
    /// True when the write writes one document at most.
    pub(crate) of_one: bool,
    /// True when the write is an update of all documents that match.
    pub(crate) many: bool,
    /// True when the write covers the writes of a bulk that are prepared together. Writes that an effect must handle alone come later.
    pub(crate) together: bool,
    /// True when the write covers updates that share a transaction.
    pub(crate) shared: bool,
    /// The propagation of the copies.
    pub(crate) following: Propagation,
}

/// A document that was read already.
pub(crate) struct Known {
    pub(crate) definition: &'static ModelDefinition,
    pub(crate) document: RawDocumentBuf,
}

/// The kind of a write, as far as the kind decides which effects act.
pub(crate) enum OneWrite<'a> {
    Insert,
    Update { touched: &'a [String], upsert: bool },
    Delete,
}

impl<'a> OneWrite<'a> {
    pub(crate) fn of_update(sent: &'a Sent) -> Self {
        OneWrite::Update { touched: &sent.touched, upsert: sent.upsert }
    }
}

/// An effect beside one write. The default of each step does nothing, unless the step says something else.
pub(crate) trait Running: Debug + Send + Sync {
    /// Adds derived data to the documents that are to be inserted. `_known` is a document that was read already.
    fn inserts<'a>(
        &'a mut self,
        _: &'a Context,
        _documents: &'a mut [Document],
        _known: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Runs directly before the documents are sent. No check follows in between.
    fn before_inserts<'a>(&'a mut self, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Reads the data for the given updates of a bulk together, before each update is filled.
    fn before_updates<'a>(&'a mut self, _: &'a Context, _: &'a mut [Sent]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Adds derived data to an update. Returns `false` where the update does not concern the effect.
    fn update<'a>(&'a mut self, _: &'a Context, _: &'a mut Sent, _many: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Runs before an update that does not return a document in the state before the update. The step may narrow an update of one document
    /// to the document that was read.
    fn before_update<'a>(&'a mut self, _: &'a Context, _: &'a mut Sent, _many: bool) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Takes the document that an update has found, in the state before or after the update.
    fn hears_found(&mut self, _: Option<&RawDocumentBuf>, _after: bool) -> Result<()> {
        Ok(())
    }

    /// Sends an update of one document, as in a transaction with the propagation. Returns `None` where the caller sends the update
    /// unchanged. Runs after [`Running::before_update`] where several effects act on the update.
    fn send_one<'a>(&'a mut self, _: &'a Context, _: &mut Sent) -> Option<BoxFuture<'a, Result<Outcome>>> {
        None
    }

    /// Sends an update that returns the document in the state before or after the update. Returns `None` where the caller sends the update
    /// unchanged.
    fn send_found<'a>(
        &'a mut self,
        _: &'a Context,
        _: &mut Sent,
        _after: bool,
    ) -> Option<BoxFuture<'a, Result<Option<RawDocumentBuf>>>> {
        None
    }

    /// Takes the outcome of an update; `None` after a failure, which may have changed some documents.
    fn hears(&mut self, _: Option<&Outcome>) {}

    /// Takes the `_id`s that the updates of a bulk have inserted.
    fn hears_of_bulk(&mut self, _upserted: &[Bson]) {}

    /// Returns whether an update with this error is worth another attempt, because another client has taken the value of the update.
    fn is_overtaken(&self, _: &Error) -> bool {
        false
    }

    /// Returns the kind of documents that the update leaves out although they match the filter of the caller.
    fn leaves_out(&self) -> LeavesOut {
        LeavesOut::Nothing
    }

    /// Returns whether another attempt of an update that found nothing may find a document.
    fn try_again<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Notes that perhaps not all inserts were done.
    fn some_only(&mut self) {}

    /// Does the work after the write; in a transaction, the work after the commit.
    fn finish<'a>(self: Box<Self>, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

/// The documents that an update leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeavesOut {
    Nothing,
    /// Documents with newer values than the values of the update.
    Newer,
}
