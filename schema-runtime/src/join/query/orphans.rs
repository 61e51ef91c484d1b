//! The pipeline for documents with a reference to a missing document.

use mongodb::bson::{Document, doc};

use crate::{definition::ModelDefinition, join::relation_of, model::without_hidden, read::Aggregate};

/// The field for the found documents during the comparison on the server.
const FOUND: &str = "_found";

/// Finds the documents with at least one reference to a missing document.
pub(crate) fn orphans(child: &ModelDefinition, parent: &ModelDefinition, field: &str) -> Aggregate {
    let path = relation_of(child, field).path(child);
    let search = doc! {
        "from": parent.collection,
        "localField": &path, "foreignField": "_id",
        "pipeline": [{ "$project": { "_id": 1 } }],
        "as": FOUND,
    };
    let found = doc! { "$size": format!("${FOUND}") };
    let lacks = doc! { "$lt": [found, { "$size": referred(&path) }] };
    let mut pipeline = vec![
        doc! { "$match": { &path: { "$exists": true } } },
        doc! { "$lookup": search },
        doc! { "$match": { "$expr": lacks } },
        doc! { "$unset": FOUND },
    ];
    let shown = without_hidden(child.fields);
    pipeline.extend((!shown.is_empty()).then(|| doc! { "$project": shown }));
    Aggregate { collection: Some(child.collection), pipeline }
}

/// Returns the expression for the distinct references at a path, without nulls.
fn referred(path: &str) -> Document {
    let one = doc! { "$cond": [{ "$eq": [{ "$ifNull": ["$$held", null] }, null] }, [], ["$$held"]] };
    let all = doc! { "$setDifference": ["$$held", [null]] };
    doc! { "$let": { "vars": { "held": format!("${path}") }, "in": { "$cond": [{ "$isArray": "$$held" }, all, one] } } }
}
