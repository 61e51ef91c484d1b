//! Runs some commands at a time, each on a separate task: one task decodes while the server answers another command.

use std::{
    mem,
    ops::ControlFlow,
    panic,
    sync::{Arc, Mutex, PoisonError},
};

use derive_where::derive_where;
use futures_util::{StreamExt, TryStreamExt, future::BoxFuture, stream};
use mongodb::bson::RawDocument;
use tracing::Instrument;

use crate::{
    definition::Texts,
    error::{Error, Result},
    executor::{Context, Executor, counted_here},
    read::{Aggregate, Query},
};

/// The number of commands in flight at a time. Two to four were fastest on a local server with two cores.
const IN_FLIGHT: usize = 4;

/// A command, and the visit of each document in the reply.
pub(super) struct Command {
    read: Read,
    texts: Texts,
    visit: Box<dyn FnMut(&RawDocument) + Send>,
}

#[expect(clippy::large_enum_variant, reason = "a value for each command of a load")]
enum Read {
    Query(Query),
    Rows(Aggregate),
}

impl Command {
    pub(super) fn query(query: Query, visit: impl FnMut(&RawDocument) + Send + 'static) -> Self {
        Command { texts: query.texts, read: Read::Query(query), visit: Box::new(visit) }
    }

    pub(super) fn rows(rows: Aggregate, texts: Texts, visit: impl FnMut(&RawDocument) + Send + 'static) -> Self {
        Command { read: Read::Rows(rows), texts, visit: Box::new(visit) }
    }

    async fn run(mut self, context: Context) -> Result<()> {
        let context = context.comparing(self.texts);
        let visit = |document: &RawDocument| {
            (self.visit)(document);
            Ok(ControlFlow::Continue(()))
        };
        match self.read {
            Read::Query(query) => query.for_each(&context, visit).await,
            Read::Rows(rows) => rows.for_each(&context, visit).await,
        }
    }
}

/// Runs all commands. A single command runs on the task of the caller.
pub(super) fn side_by_side(db: &dyn Executor, mut commands: Vec<Command>) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let context = db.context()?.along();
        if commands.len() < 2 {
            return match commands.pop() {
                Some(command) => command.run(context).await,
                None => Ok(()),
            };
        }
        let tasks = stream::iter(commands.into_iter().map(|command| on_a_task(command, context.clone())));
        tasks.buffered(IN_FLIGHT).try_collect().await
    })
}

async fn on_a_task(command: Command, context: Context) -> Result<()> {
    match tokio::spawn(counted_here(command.run(context)).in_current_span()).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(reason) => panic::resume_unwind(reason),
            Err(_) => Err(Error::Driver(mongodb::error::Error::custom("the runtime is shutting down"))),
        },
    }
}

/// The results of a command: the task of the command adds results, and the caller takes the results at the end.
#[derive_where(Clone, Default)]
pub(super) struct Sink<R>(Arc<Mutex<Vec<R>>>);

impl<R> Sink<R> {
    pub(super) fn add(&self, row: R) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(row);
    }

    pub(super) fn take(self) -> Vec<R> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
