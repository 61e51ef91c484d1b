//! The commands that a piece of work sends.

use schema_tests::CommandLog;

/// Returns the result of `work`, and the names of the commands that `work` sent.
pub(crate) async fn sent<T>(log: &CommandLog, work: impl Future<Output = T>) -> (T, Vec<String>) {
    log.clear();
    let result = work.await;
    // A dropped cursor is killed at some later time.
    let names = log.commands().into_iter().map(|(name, _)| name).filter(|name| name != "killCursors");
    (result, names.collect())
}
