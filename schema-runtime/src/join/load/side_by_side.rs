//! Some commands at a time, each on its own task, so that one decodes while the server answers another.

use std::{future::Future, panic};

use futures_util::{StreamExt, TryStreamExt, stream};
use tracing::Instrument;

use crate::error::{Error, Result};

/// How many commands are under way at a time. Two to four were fastest on a local server with two cores.
const IN_FLIGHT: usize = 4;

/// The results of all, in the order of the commands. One command runs on the caller's task.
pub(super) async fn side_by_side<T, F>(commands: Vec<F>) -> Result<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
{
    if commands.len() < 2 {
        let mut results = Vec::new();
        for command in commands {
            results.push(command.await?);
        }
        return Ok(results);
    }
    let tasks = stream::iter(commands.into_iter().map(|command| async {
        match tokio::spawn(command.in_current_span()).await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(reason) => panic::resume_unwind(reason),
                Err(_) => Err(Error::Driver(mongodb::error::Error::custom("the runtime is shutting down"))),
            },
        }
    }));
    tasks.buffered(IN_FLIGHT).try_collect().await
}
