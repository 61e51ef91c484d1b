//! The commands that a piece of work sends.

use schema_tests::CommandLog;

/// What `work` gives, and the names of the commands that it sent.
pub(crate) async fn sent<T>(log: &CommandLog, work: impl Future<Output = T>) -> (T, Vec<String>) {
    log.clear();
    let result = work.await;
    // A cursor that is dropped is killed at some later time.
    let names = log.commands().into_iter().map(|(name, _)| name).filter(|name| name != "killCursors");
    (result, names.collect())
}
