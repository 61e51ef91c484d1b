//! Updates of a single document, in a lane where the filter names the `_id`.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{
    command::Command,
    write::{self, UpdateWrite},
};
use crate::{
    changes::{IfAbsent, Reach, UpdateSpec},
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Reply, Returns},
        throttle::Propagation,
    },
    document::equal_to,
    error::{Error, Limit, Result},
    executor::{Context, Executor, Outcome, PerClient, Statement},
    field::ChangeList,
    key::Key,
    operation::{
        engine,
        lane::{self, LaneWrite, Lanes},
        together::{Members, SharedUpdates},
        write_effects::Acting,
    },
};

/// Updates the document with an `_id`.
///
/// # Errors
/// [`Error::NotFound`] without a document.
pub(super) fn update<'a>(
    db: &'a dyn Executor,
    command: Result<Command>,
    returns: Returns,
) -> BoxFuture<'a, Result<Reply>> {
    Box::pin(async move {
        if returns == Returns::Outcome {
            return update_one(db, command).await.map(Reply::Outcome);
        }
        let command = command?;
        let definition = command.definition();
        match write::find_one_and_update(db, Ok(command), returns).await? {
            Some(document) => Ok(Reply::Document(Some(document))),
            None => Err(Error::not_found(definition)),
        }
    })
}

/// Updates one document. The update runs in a lane where the update is a transaction of its own and the filter names
/// the `_id`.
pub(super) fn update_one<'a>(db: &'a dyn Executor, command: Result<Command>) -> BoxFuture<'a, Result<Outcome>> {
    Box::pin(async move {
        let command = command?;
        let context = command.context(db)?;
        match UpdateById::new(&context, &command) {
            Some(update) => lane::run(&context, command.definition(), update).await,
            None => write::update_one(context, command).await,
        }
    })
}

/// Updates the document of a filter by an update in MongoDB's own syntax, with all effects.
pub(in crate::operation) fn set_as_it_is<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    filter: Document,
    update: Document,
) -> BoxFuture<'a, Result<()>> {
    let mut changes = ChangeList::none();
    changes.add_raw(update);
    let command = Command::new(definition, Ok(filter), changes, IfAbsent::Ignore, Reach::ById, Propagation::default());
    Box::pin(async move { update_one(db, command).await.map(drop) })
}

/// An update of the document with an `_id`, in a transaction.
#[derive(Clone)]
pub(super) struct UpdateById {
    command: Arc<Command>,
    document: Key,
    size: usize,
    /// The most documents that the update writes.
    documents: usize,
}

impl UpdateById {
    /// Returns `None` where the update shares no transaction.
    fn new(context: &Context, command: &Command) -> Option<Self> {
        let is_in_transaction = command.needs_transaction(context) || command.is_gathered(context);
        if !is_in_transaction {
            return None;
        }
        let documents = command.shared_documents()?;
        let spec = command.spec();
        let document = Key::of(equal_to(&spec.filter, "_id")?);
        let bytes =
            |statement: &Statement<Bson>| codec::encode(statement).map_or(0, |encoded| encoded.as_bytes().len());
        let size = bytes(&spec.clone().into_statement());
        Some(UpdateById { command: Arc::new(command.clone()), document, size, documents })
    }
}

impl LaneWrite for UpdateById {
    fn size(&self) -> usize {
        self.size
    }

    fn documents(&self) -> usize {
        self.documents
    }

    fn document(&self) -> Option<Key> {
        Some(self.document.clone())
    }

    fn lanes() -> &'static PerClient<Lanes<Self>> {
        static LANES: PerClient<Lanes<UpdateById>> = PerClient::new();
        &LANES
    }

    fn run_alone(self, context: Context, _: &'static ModelDefinition) -> BoxFuture<'static, Result<Outcome>> {
        Box::pin(async move {
            let update = UpdateWrite { command: self.command, returns: Returns::Outcome };
            Ok(engine::run(&context, update).await?.into_outcome())
        })
    }

    fn run_together(
        writes: Vec<Self>,
        context: Context,
        definition: &'static ModelDefinition,
    ) -> BoxFuture<'static, Result<Vec<Outcome>>> {
        Box::pin(async move {
            let updates: Vec<UpdateSpec> = writes.iter().map(|write| write.command.spec().clone()).collect();
            let count = updates.len() as u64;
            let update =
                SharedUpdates { definition, updates: updates.into(), acting: Acting::All, members: Members::Callers };
            let written = engine::run(&context, update).await.map_err(|error| match error {
                // Each member is sent by itself.
                Error::NotReplicaSet | Error::TimedOut { limit: Limit::Transaction } => Error::not_found(definition),
                error => error,
            })?;
            let outcome = Outcome { matched: 1, modified: written.modified / count.max(1), upserted_id: None };
            Ok(vec![outcome; writes.len()])
        })
    }
}
