//! Marks of single inserts, which are cleared together: a mark that stays longer is never wrong, and a clear of its own would
//! be a second write of each document. What is left at the end of a program is cleared by the next recover. Used by writes
//! whose look is done.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document, doc};

use super::marker::PendingMarker;
use crate::{
    executor::{Context, Sent},
    limits::WAITING_CLEARS,
};

/// The marks that wait, by database, collection and field. A mark is unique, so that a clear on another server of the same
/// names finds none of these.
static WAITING: LazyLock<Mutex<HashMap<MarkedField, Vec<Bson>>>> = LazyLock::new(Mutex::default);

type MarkedField = (String, &'static str, String);

/// Clears this mark soon: now and with those that wait, if they are many.
pub(crate) async fn clear_soon(context: &Context, collection: &'static str, field: String, mark: PendingMarker) {
    let marked = (context.database().name().to_owned(), collection, field);
    if let Some(marks) = waiting(&marked, mark) {
        let (_, _, field) = marked;
        let filter = doc! { &field: { "$in": marks } };
        let update = doc! { "$unset": Document::from_iter([(field, Bson::from(""))]) };
        let cleared = context.update_many(collection, Sent { filter, update, ..Sent::default() }).await;
        if let Err(error) = cleared {
            let error = crate::Error::from(error);
            tracing::debug!(%error, "marks were not cleared, and are left to recover");
        }
    }
}

/// All that wait, with this one, once they are many.
fn waiting(field: &MarkedField, mark: PendingMarker) -> Option<Vec<Bson>> {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let marks = waiting.entry(field.clone()).or_default();
    marks.push(mark.into());
    if marks.len() < WAITING_CLEARS {
        return None;
    }
    waiting.remove(field)
}
