//! Walks along the references to parents, for trees whose documents store no ancestors. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::layout::Layout;
use crate::{document::value_at, error::Result, executor::Context, read::Aggregate};

/// Returns the `_id`s of the ancestors of a document, the nearest first; an empty list for a missing document. In a
/// cycle each `_id` comes once.
pub(crate) async fn ancestors_of(context: &Context, layout: &Layout, id: &Bson) -> Result<Vec<Bson>> {
    let found = look_up(context, layout, id, [layout.parent, "_id"], doc! { "_id": 1 }).await?;
    Ok(found.into_iter().filter_map(|document| document.get("_id").cloned()).collect())
}

/// Returns the parents that the ancestors of a document refer to, `null` for a root. The walk includes a missing
/// parent: a cascade has deleted the parent, and has still to delete the ancestors.
pub(super) async fn referred_to_above(context: &Context, layout: &Layout, id: &Bson) -> Result<Vec<Bson>> {
    let parents = doc! { "_id": 0, layout.parent: 1 };
    let found = look_up(context, layout, id, [layout.parent, "_id"], parents).await?;
    Ok(found.iter().map(|document| value_at(document, layout.parent)).collect())
}

/// Returns the number of levels below a document.
pub(super) async fn height(context: &Context, layout: &Layout, id: &Bson) -> Result<usize> {
    let found = look_up(context, layout, id, ["_id", layout.parent], doc! { "_id": 0, LEVEL: 1 }).await?;
    let deepest = found.last().and_then(|document| document.get_i64(LEVEL).ok());
    Ok(deepest.map_or(0, |level| usize::try_from(level).unwrap_or(0) + 1))
}

/// The name of the level in `$graphLookup`, from 0 on.
const LEVEL: &str = "_level";
const FOUND: &str = "found";

/// Returns the pipeline that finds the descendants of a document, down to the given number of levels.
pub(crate) fn subtree(layout: &Layout, id: &Bson, levels: Option<u32>) -> Vec<Document> {
    let mut pipeline = looking_up(layout, id, ["_id", layout.parent], levels);
    pipeline.push(doc! { "$unset": LEVEL });
    pipeline
}

/// Reads the documents that `$graphLookup` finds, the nearest first.
async fn look_up(
    context: &Context,
    layout: &Layout,
    id: &Bson,
    along: [&str; 2],
    projection: Document,
) -> Result<Vec<Document>> {
    let mut pipeline = looking_up(layout, id, along, None);
    let mut projected = projection;
    projected.insert(LEVEL, 1);
    pipeline.push(doc! { "$project": projected });
    pipeline.push(doc! { "$sort": { LEVEL: 1 } });
    Aggregate { collection: Some(layout.definition.collection), pipeline }.all(context).await
}

fn looking_up(layout: &Layout, id: &Bson, [from, to]: [&str; 2], levels: Option<u32>) -> Vec<Document> {
    let mut lookup = doc! {
        "from": layout.definition.collection,
        "startWith": format!("${from}"),
        "connectFromField": from,
        "connectToField": to,
        "as": FOUND,
        "depthField": LEVEL,
    };
    if let Some(levels) = levels {
        lookup.insert("maxDepth", i64::from(levels) - 1);
    }
    vec![
        doc! { "$match": { "_id": { "$eq": id } } },
        doc! { "$graphLookup": lookup },
        doc! { "$unwind": format!("${FOUND}") },
        doc! { "$replaceWith": format!("${FOUND}") },
    ]
}
