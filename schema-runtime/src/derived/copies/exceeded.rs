//! Places where a source has more holders than its `fan_out` says and one transaction should write: from then on this process propagates
//! them in chunks, as where no `fan_out` is declared. `verify` tells which sources they are.

use std::{
    collections::HashSet,
    sync::{LazyLock, Mutex, PoisonError},
};

use super::path::CopyPath;
use crate::{executor::Context, limits::TRANSACTION_COPIES};

/// By the names of database and path.
static EXCEEDED: LazyLock<Mutex<HashSet<(String, String)>>> = LazyLock::new(Mutex::default);

/// A transaction has written so many holders of one source.
pub(super) fn note(context: &Context, path: &CopyPath, holders: u64) {
    if holders > TRANSACTION_COPIES {
        keep(context, path);
    }
}

/// A transaction took longer than the server lets one be open.
pub(super) fn keep(context: &Context, path: &CopyPath) {
    let name = (context.database().name().to_owned(), path.name.clone());
    if EXCEEDED.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
        let (collection, reference) = (path.holder.collection, path.reference_path());
        tracing::warn!(
            collection,
            reference,
            "a source has more holders than its `fan_out` says: no transaction writes them any more"
        );
    }
}

/// Whether one of them is so.
pub(super) fn is_any<'p>(context: &Context, paths: impl IntoIterator<Item = &'p CopyPath>) -> bool {
    let exceeded = EXCEEDED.lock().unwrap_or_else(PoisonError::into_inner);
    let name = |path: &CopyPath| (context.database().name().to_owned(), path.name.clone());
    !exceeded.is_empty() && paths.into_iter().any(|path| exceeded.contains(&name(path)))
}
