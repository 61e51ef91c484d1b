//! Values that take the place of documents by an update of their own fields, since something is derived from the model: what the documents
//! have beside these goes, and a document without the time of its insert gets one. No update can ask for either, so the documents are looked
//! at before. A field that is added between the look and the write stays.

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::statement::{Write, statement};
use crate::{
    codec,
    definition::ModelDefinition,
    document::put,
    error::{Error, Result},
    executor::{Context, Statement},
    key::Key,
    limits::LOOKED_AT_DOCUMENTS,
    operation::replace::stored_names,
    read::Aggregate,
};

/// Writes into the updates what the documents have that they should not have, and the other way round.
pub(super) async fn complete(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &mut [Write],
    now: DateTime,
) -> Result<()> {
    let whole: Vec<(usize, Bson)> = writes
        .iter()
        .enumerate()
        .filter(|(_, write)| write.is_whole)
        .filter_map(|(at, write)| Some((at, write.id()?)))
        .collect();
    for chunk in whole.chunks(LOOKED_AT_DOCUMENTS) {
        let ids: Vec<Bson> = chunk.iter().map(|(_, id)| id.clone()).collect();
        let look = Aggregate { collection: Some(definition.collection), pipeline: look(definition, ids) };
        for found in look.all(&context.newest()).await? {
            let key = found.get("_id").map(Key::of);
            for (at, _) in chunk.iter().filter(|(_, id)| Some(Key::of(id)) == key) {
                change(&mut writes[*at], definition, &found, now)?;
            }
        }
    }
    Ok(())
}

/// Finds of these documents those that are not as the value leaves them: the names of what goes, and whether the time of the insert is
/// missing.
fn look(definition: &'static ModelDefinition, ids: Vec<Bson>) -> Vec<Document> {
    let is_other = doc! { "$and": [
        { "$not": [{ "$in": ["$$field.k", { "$literal": stored_names(definition).collect::<Vec<_>>() }] }] },
        { "$regexMatch": { "input": "$$field.k", "regex": NOT_RESERVED } },
    ] };
    let fields = doc! { "$filter": { "input": { "$objectToArray": "$$ROOT" }, "as": "field", "cond": is_other } };
    let lacks = match definition.managed().created_at {
        Some(field) => doc! { "$lte": [format!("${}", field.name), Bson::Null] },
        None => doc! { "$literal": false },
    };
    vec![
        doc! { "$match": { "_id": { "$in": ids } } },
        doc! { "$project": { OTHERS: { "$map": { "input": fields, "in": "$$this.k" } }, LACKS: lacks } },
        doc! { "$match": { "$or": [{ OTHERS: { "$ne": [] } }, { LACKS: true }] } },
    ]
}

const OTHERS: &str = "others";
const LACKS: &str = "lacks";

/// What begins with `_` may be this crate's own, and no update reaches a name with a dot or a dollar sign in front.
const NOT_RESERVED: &str = "^[^_$.][^.]*$";

fn change(write: &mut Write, definition: &ModelDefinition, found: &Document, now: DateTime) -> Result<()> {
    let mut update: Statement<Document> = codec::decode(&write.statement).map_err(Error::encode)?;
    for name in found.get_array(OTHERS).into_iter().flatten().filter_map(Bson::as_str) {
        put(&mut update.u, "$unset", name, "");
    }
    if let (Some(created_at), Ok(true)) = (definition.managed().created_at, found.get_bool(LACKS)) {
        if let Ok(inserted) = update.u.get_document_mut("$setOnInsert") {
            inserted.remove(created_at.name);
        }
        put(&mut update.u, "$set", created_at.name, now);
        // The time may be copied, or rolled up.
        write.touched.push(created_at.name.to_owned());
    }
    write.statement = statement(&update)?;
    Ok(())
}
