//! Copies that a holder keeps of documents that are gone: a write may repeat the references beside them. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, Timestamp};

use super::{
    held::{Held, held_by_ids},
    path::CopyPath,
    source::SourceRead,
};
use crate::{error::Result, executor::Context, key::Key};

/// What a stored document has of its sources, as if it were read from them.
pub(super) async fn of_holder(context: &Context, path: &CopyPath, holder: &Bson) -> Result<HashMap<Key, SourceRead>> {
    if *holder == Bson::Null {
        return Ok(HashMap::new());
    }
    let held = held_by_ids(context, path, std::slice::from_ref(holder)).await?;
    let of_some = held.into_iter().filter(|held| !held.is_of_nothing());
    Ok(of_some.map(|held| (held.key.clone(), as_source(path, held))).collect())
}

fn as_source(path: &CopyPath, held: Held) -> SourceRead {
    let mut document = Document::new();
    for (field, value) in path.fields.iter().zip(held.values) {
        nest(&mut document, &field.from, value);
    }
    // Any version is newer than none.
    let version = held.version.unwrap_or(Timestamp { time: 0, increment: 1 });
    SourceRead { model: path.source.name, id: held.source, version, document }
}

fn nest(document: &mut Document, path: &str, value: Bson) {
    match path.split_once('.') {
        None => drop(document.insert(path, value)),
        Some((outer, inner)) => {
            let inside = document.entry(outer.to_owned()).or_insert_with(|| Document::new().into());
            if let Some(inside) = inside.as_document_mut() {
                nest(inside, inner, value);
            }
        }
    }
}
