//! Effects of the writes of some models: the hooks of an effect, and the steps of an effect around one write. A write
//! knows only the list of effects.

use std::fmt::{self, Debug};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::throttle::Propagation;
use crate::{
    changes::{ChangeSet, Operator, Reach, UpdateSpec},
    definition::{DeleteRule, ModelDefinition},
    error::{Error, Result},
    executor::{Context, Outcome},
};

/// A kind of derived data that follows writes. An effect implements the hooks that the effect needs.
pub(crate) trait Effect: Sync {
    /// Returns the name of the effect. The order of the effects is a list of the names.
    fn name(&self) -> &'static str;

    /// Returns whether the effect derives data from the documents of a model, or puts data into the documents.
    fn concerns(&self, definition: &ModelDefinition) -> bool;

    /// Begins a write of documents of a model.
    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, writer: Writer) -> Box<dyn EffectRun>;

    /// Returns the function that says how a write must run as far as this effect is concerned.
    fn demands(&self, _: &'static ModelDefinition) -> Demands {
        Box::new(|_| Demand::None)
    }

    /// Returns the most documents that a write of one document writes beside the document, where the write may share a
    /// transaction as far as this effect is concerned.
    fn shares(&self, _: &'static ModelDefinition, _: &WriteView<'_>) -> Option<u64> {
        None
    }

    /// Returns whether the effect sends an update of one document in a transaction where the server has transactions.
    /// Such updates may share a transaction; an update by itself begins the transaction in [`EffectRun::send`].
    fn gathers(&self, _: &Context, _: &'static ModelDefinition, _: &WriteView<'_>) -> bool {
        false
    }

    /// Returns whether the effect also prepares writes without a demand, as by marks outside of a transaction. The
    /// updates of a bulk are then prepared before the bulk is sent.
    fn prepares(&self) -> bool {
        false
    }

    /// Returns the function that deletes documents with derived data; `None` where a plain delete is enough.
    fn delete(&self, _: &'static ModelDefinition) -> Option<Delete> {
        None
    }

    /// Returns the condition of the documents that no delete has begun to delete; `None` where a delete marks no
    /// document.
    fn undeleted(&self, _: &'static ModelDefinition) -> Option<Document> {
        None
    }

    /// Returns whether the effect owns the field, by stored name. A written value neither sets an owned field nor
    /// removes an owned field by omission.
    fn owns(&self, _: &ModelDefinition, _name: &str, _value: Option<&Bson>) -> bool {
        false
    }

    /// Returns the conditions under which a replacement by the given fields does not concern the effect, as far as a
    /// filter can express the conditions.
    fn unchanged(&self, _: &'static ModelDefinition, _own: &Document) -> Vec<Document> {
        Vec::new()
    }

    /// Returns the fields in which the effect stores nested data in addition to the value of the user, as copies in the
    /// elements of an array.
    fn nested(&self, _: &'static ModelDefinition) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns whether a nested field of a value says the same as the field of a stored document.
    fn is_same(&self, _: &'static ModelDefinition, _name: &str, _own: &Document, _stored: &Document) -> bool {
        true
    }

    /// Returns whether a changing replacement is compared with the stored document, since a rewrite of unchanged parts
    /// may be expensive.
    fn compares(&self, _: &'static ModelDefinition) -> bool {
        false
    }

    /// Returns whether an insert of the given document is worth another attempt after the error.
    fn inserts_again(&self, _: &'static ModelDefinition, _document: &Document, _: &Error) -> bool {
        false
    }

    /// Returns the indexes that the effect needs in the collection of a model.
    fn indexes(&self, _: &'static ModelDefinition) -> Vec<NeededIndex> {
        Vec::new()
    }
}

impl fmt::Debug for dyn Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Effects, in order.
pub(crate) type EffectList = &'static [&'static dyn Effect];

/// The way in which a write must run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Demand {
    /// In any way. A bulk prepares the write before the bulk is sent, and finishes the write after the bulk.
    None,
    /// In a bulk, by itself with all effects: the next write may concern the same document.
    Alone,
    /// In a transaction with all effects. A write outside of a transaction gets a transaction of its own.
    Transaction,
}

/// A function that says how each write of a model must run.
pub(crate) type Demands = Box<dyn Fn(&WriteView<'_>) -> Demand + Send + Sync>;

/// Deletes the documents that the filter and the reach select, and returns the number of deleted documents.
pub(crate) type Delete =
    for<'a> fn(&'a Context, &'static ModelDefinition, Document, Reach, Writer) -> BoxFuture<'a, Result<u64>>;

/// The functions that a delete calls for the work of different effects and models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writer {
    /// The effects that still act on the delete, in the order of the list. The last effect acts first.
    pub(crate) left: EffectList,
    /// Deletes the documents that the filter and the reach select, with the given effects.
    pub(crate) delete:
        for<'a> fn(&'a Context, &'static ModelDefinition, Document, Reach, EffectList) -> BoxFuture<'a, Result<u64>>,
    /// Deletes all documents that match the filter, with all effects.
    pub(crate) delete_all: for<'a> fn(&'a Context, &'static ModelDefinition, Document) -> BoxFuture<'a, Result<u64>>,
    /// Updates all documents that match the filter, with all effects.
    pub(crate) update_many: for<'a> fn(&'a Context, &'static ModelDefinition, UpdateSpec) -> BoxFuture<'a, Result<u64>>,
}

impl Writer {
    /// Continues a delete with the effects that are left after the calling effect.
    pub(crate) fn delete<'a>(
        &self,
        context: &'a Context,
        definition: &'static ModelDefinition,
        filter: Document,
        reach: Reach,
    ) -> BoxFuture<'a, Result<u64>> {
        (self.delete)(context, definition, filter, reach, self.left)
    }

    /// Deletes the documents that match the filter, or removes the reference from the documents, by the delete rule.
    /// Returns the number of documents.
    pub(crate) async fn remove_references(
        &self,
        context: &Context,
        removal: ReferenceRemoval,
        filter: Document,
    ) -> Result<u64> {
        let ReferenceRemoval { child, name, rule, pulled } = removal;
        let changes = match rule {
            DeleteRule::NoAction | DeleteRule::Restrict => return Ok(0),
            DeleteRule::Cascade => return (self.delete_all)(context, child, filter).await,
            DeleteRule::Nullify => ChangeSet::one(Operator::Set, name, Bson::Null),
            DeleteRule::Pull => ChangeSet::one(Operator::Pull, name, pulled),
        };
        let touched = vec![name.to_owned()];
        let spec = UpdateSpec { filter, changes, touched, reach: Reach::All, ..UpdateSpec::default() };
        (self.update_many)(context, child, spec).await
    }
}

/// The action of a delete on the documents that refer to the deleted document.
pub(crate) struct ReferenceRemoval {
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
pub(crate) struct WriteStart {
    pub(crate) kind: WriteKind,
    /// The propagation of the copies.
    pub(crate) propagation: Propagation,
}

/// The kind of a write that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteKind {
    /// The insert of one document.
    InsertOne,
    /// The insert of several documents.
    InsertMany,
    /// One update.
    Update(Reach),
    /// The writes of a bulk that are prepared together. Writes with a demand come later.
    Bulk,
    /// Updates that share a transaction, each of a different document.
    SharedUpdates,
}

/// A document that was read already.
pub(crate) struct SourceDocument {
    pub(crate) definition: &'static ModelDefinition,
    pub(crate) document: RawDocumentBuf,
}

/// The kind of a write, as far as the kind decides which effects act.
pub(crate) enum WriteView<'a> {
    Insert,
    Update { touched: &'a [String], upsert: bool },
    Delete,
}

impl<'a> WriteView<'a> {
    pub(crate) fn of_update(spec: &'a UpdateSpec) -> Self {
        WriteView::Update { touched: &spec.touched, upsert: spec.upsert }
    }
}

/// An effect beside one write. The default of each step does nothing, unless the step says something else.
pub(crate) trait EffectRun: Debug + Send + Sync {
    /// Adds derived data to the documents that are to be inserted. `_known` is a document that was read already.
    fn fill_inserts<'a>(
        &'a mut self,
        _: &'a Context,
        _documents: &'a mut [Document],
        _known: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Runs directly before the documents are sent. No check follows in between.
    fn before_inserts<'a>(&'a mut self, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Reads the data for the given updates of a bulk together, before each update is filled.
    fn before_updates<'a>(&'a mut self, _: &'a Context, _: &'a mut [UpdateSpec]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Adds derived data to an update. Returns `false` where the update does not concern the effect.
    fn fill_update<'a>(&'a mut self, _: &'a Context, _: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Runs before an update that does not return a document in the state before the update. The step may narrow an
    /// update of one document to the document that was read.
    fn before_update<'a>(&'a mut self, _: &'a Context, _: &'a mut UpdateSpec) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Sends an update of one document, as in a transaction with the propagation. Returns `None` where the caller sends
    /// the update unchanged. Runs after [`EffectRun::before_update`] where several effects act on the update.
    fn send<'a>(&'a mut self, _: &'a Context, _: &mut UpdateSpec, _: Returns) -> Option<BoxFuture<'a, Result<Reply>>> {
        None
    }

    /// Takes note of an event of the write.
    fn note(&mut self, _: Event<'_>) -> Result<()> {
        Ok(())
    }

    /// Returns whether an update with this error is worth another attempt, because another client has taken the value
    /// of the update.
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

    /// Does the work after the write; in a transaction, the work after the commit.
    fn finish<'a>(self: Box<Self>, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

/// The value that an update of one document returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// The numbers of matched and changed documents.
    Outcome,
    /// The document before the update.
    Before,
    /// The document after the update.
    After,
}

/// The reply to an update of one document.
pub(crate) enum Reply {
    Outcome(Outcome),
    /// The returned document; `None` where no document matched, or where an upsert has no document before the update.
    Document(Option<RawDocumentBuf>),
}

impl Reply {
    /// Returns the outcome; the outcome of an update that returns a document counts the document.
    pub(crate) fn into_outcome(self) -> Outcome {
        match self {
            Reply::Outcome(outcome) => outcome,
            Reply::Document(document) => {
                let found = u64::from(document.is_some());
                Outcome { matched: found, modified: found, upserted_id: None }
            }
        }
    }

    /// Returns the document.
    pub(crate) fn into_document(self) -> Option<RawDocumentBuf> {
        match self {
            Reply::Outcome(_) => None,
            Reply::Document(document) => document,
        }
    }
}

/// An event of a write.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    /// An update, or several updates that share a transaction, have this outcome.
    Updated(&'a Outcome),
    /// An update has returned this document.
    Found(Option<&'a RawDocumentBuf>, Returns),
    /// The updates of a bulk are done, and have inserted documents with these `_id`s.
    BulkDone(&'a [Bson]),
    /// An update has failed, and may have changed some documents.
    Failed,
    /// Perhaps not all inserts are done.
    InsertedSome,
}

/// The documents that an update leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeavesOut {
    Nothing,
    /// Documents with newer values than the values of the update.
    Newer,
}
