//! Clears the marks of single inserts together. A mark that stays longer is never wrong, and a clear of each mark alone
//! would write each document a second time. The next recover clears the marks that are left at the end of a program.
//! Used by writes whose re-check is done.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document, doc};

use crate::{
    derived::{copies::stored::path::CopyPath, marks::PendingMarker},
    error::{Error, Result},
    executor::{Context, UpdateRequest},
    limits::WAITING_CLEARS,
};

/// The waiting marks, by database, collection and field. A mark is unique, so a clear on a different server with the
/// same names finds none of the marks.
static WAITING: LazyLock<Mutex<HashMap<MarkedField, Vec<Bson>>>> = LazyLock::new(Mutex::default);

type MarkedField = (String, &'static str, String);

/// Clears the mark soon: once many marks wait, one command clears all.
pub(crate) async fn clear_soon(context: &Context, collection: &'static str, field: String, mark: PendingMarker) {
    let marked = (context.database().name().to_owned(), collection, field);
    if let Some(marks) = waiting(&marked, mark) {
        let (_, _, field) = marked;
        let filter = doc! { &field: { "$in": marks } };
        let update = doc! { "$unset": Document::from_iter([(field, Bson::from(""))]) };
        let cleared =
            context.update_many(collection, UpdateRequest { filter, update, ..UpdateRequest::default() }).await;
        leave_to_recover(cleared.map(drop).map_err(Error::from));
    }
}

/// Leaves marks that were not cleared to `recover`: a mark that stays longer is never wrong.
pub(in crate::derived::copies) fn leave_to_recover(cleared: Result<()>) {
    if let Err(error) = cleared {
        tracing::debug!(%error, "marks were not cleared, and are left to recover");
    }
}

/// Adds the mark to the waiting marks. Returns all waiting marks once many wait.
fn waiting(field: &MarkedField, mark: PendingMarker) -> Option<Vec<Bson>> {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let marks = waiting.entry(field.clone()).or_default();
    marks.push(mark.into());
    if marks.len() < WAITING_CLEARS {
        return None;
    }
    waiting.remove(field)
}

/// Returns the update that clears the marks of the sources that match the filter.
pub(crate) fn clearing(path: &CopyPath, filter: Document) -> UpdateRequest {
    UpdateRequest { filter, update: doc! { "$unset": { path.source_mark(): "" } }, ..UpdateRequest::default() }
}
