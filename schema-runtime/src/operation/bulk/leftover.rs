//! Values that replace documents by an update of the fields of the value, since the model has derived data. The update
//! also removes all other fields of the document, and sets a missing time of the insert. No update can ask for either,
//! so the documents are read before the update. A field that is added between the read and the write stays.

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::statement::Write;
use crate::{
    changes::Operator, definition::ModelDefinition, error::Result, executor::Context, key::Key,
    limits::LOOKED_AT_DOCUMENTS, operation::replace::stored_names, read::Aggregate,
};

/// Adds to the updates the removal of the documents' surplus fields and the missing times of the inserts.
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
                change(&mut writes[*at], definition, &found, now);
            }
        }
    }
    Ok(())
}

/// Returns the pipeline that finds, among the given documents, the documents that the update alone would leave
/// incomplete: the names of the surplus fields, and whether the time of the insert is missing.
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

/// A name with a leading `_` may belong to this crate. No update reaches a name with a dot, or with a dollar sign in
/// front.
const NOT_RESERVED: &str = "^[^_$.][^.]*$";

fn change(write: &mut Write, definition: &ModelDefinition, found: &Document, now: DateTime) {
    let Some(spec) = write.spec_mut() else { return };
    let others = found.get_array(OTHERS).into_iter().flatten().filter_map(Bson::as_str);
    // A value with `#[extra]` may hold a field that the struct does not have.
    let others: Vec<&str> = others.filter(|name| spec.changes.get(Operator::Set, name).is_none()).collect();
    for name in others {
        spec.changes.put(Operator::Unset, name, "");
    }
    if let (Some(created_at), Ok(true)) = (definition.managed().created_at, found.get_bool(LACKS)) {
        spec.changes.remove(Operator::SetOnInsert, created_at.name);
        spec.changes.put(Operator::Set, created_at.name, now);
        // The time may be copied, or be part of a rollup.
        spec.touched.push(created_at.name.to_owned());
    }
}
