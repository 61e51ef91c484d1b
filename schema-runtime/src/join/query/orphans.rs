//! The pipeline for documents that refer to what is not there.

use mongodb::bson::{Document, doc};

use crate::{definition::ModelDefinition, join::relation_of, read::Aggregate};

/// The field that holds what was found, while the server compares.
const FOUND: &str = "_found";

/// The documents of which one reference at least has no document.
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
    let pipeline = vec![
        doc! { "$match": { &path: { "$exists": true } } },
        doc! { "$lookup": search },
        doc! { "$match": { "$expr": lacks } },
        doc! { "$unset": FOUND },
    ];
    Aggregate { collection: Some(child.collection), pipeline }
}

/// The distinct references at a path, without nulls.
fn referred(path: &str) -> Document {
    let one = doc! { "$cond": [{ "$eq": [{ "$ifNull": ["$$held", null] }, null] }, [], ["$$held"]] };
    let all = doc! { "$setDifference": ["$$held", [null]] };
    doc! { "$let": { "vars": { "held": format!("${path}") }, "in": { "$cond": [{ "$isArray": "$$held" }, all, one] } } }
}
