//! The places where a source has more holders than the declared `fan_out`, and a single transaction should write the
//! holders. From then on this process propagates the sources of the place in chunks, as without a declared `fan_out`.
//! `verify` names the sources.

use std::{
    collections::HashSet,
    sync::{LazyLock, Mutex, PoisonError},
};

use crate::{derived::copies::stored::path::CopyPath, executor::Context, limits::TRANSACTION_COPIES};

/// The exceeded places, by the names of database and path.
static EXCEEDED: LazyLock<Mutex<HashSet<(String, String)>>> = LazyLock::new(Mutex::default);

/// Notes the number of holders that a transaction has written for a source.
pub(in crate::derived::copies) fn note(context: &Context, path: &CopyPath, holders: u64) {
    if holders > TRANSACTION_COPIES {
        keep(context, path);
    }
}

/// Marks a path as exceeded, also after a transaction that was open longer than the server allows.
pub(in crate::derived::copies) fn keep(context: &Context, path: &CopyPath) {
    let name = (context.database().name().to_owned(), path.name.clone());
    if EXCEEDED.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
        let (collection, reference) = (path.holder.collection, path.reference_path());
        tracing::warn!(
            collection,
            reference,
            "a source has more holders than the declared `fan_out`: no transaction writes the holders any more"
        );
    }
}

/// Returns whether one of the paths is exceeded.
pub(in crate::derived::copies) fn is_any<'p>(context: &Context, paths: impl IntoIterator<Item = &'p CopyPath>) -> bool {
    let exceeded = EXCEEDED.lock().unwrap_or_else(PoisonError::into_inner);
    let name = |path: &CopyPath| (context.database().name().to_owned(), path.name.clone());
    !exceeded.is_empty() && paths.into_iter().any(|path| exceeded.contains(&name(path)))
}
