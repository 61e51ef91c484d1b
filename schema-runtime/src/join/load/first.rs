//! Reads the first children of each of many parents.

use mongodb::bson::{Bson, RawDocument};

use super::side_by_side::{Command, Sink, side_by_side};
use crate::{
    definition::{ModelDefinition, Texts},
    error::Result,
    executor::Executor,
    join::{
        Fields, Item, Loaded, Name, Slot,
        query::{Groups, chunks, first_each},
        relation_of,
    },
    key::Key,
    model::Model,
    read::{self, Aggregate},
};

/// The number of parents per command.
const PARENTS: usize = 100;

/// Reads the first `limit` children of each parent.
pub(crate) async fn load_first<P: Model, C: Model, T: Item>(
    db: &dyn Executor,
    field: &'static str,
    parents: Result<Vec<Bson>>,
    limit: u32,
    fields: Fields,
) -> Result<Loaded<P, C, T>> {
    let (mut groups, ids) = Groups::new(parents?);
    // The pipeline is of no collection, and inherits no collation.
    let texts = match (C::DEFINITION.texts_of(relation_of(C::DEFINITION, field)), C::DEFINITION.options.collation) {
        (Texts::Inherited, Some(collation)) => Texts::By(collation),
        (texts, _) => texts,
    };
    let rows = rows(C::DEFINITION, ids, field, limit, fields)?;
    let sinks: Vec<Sink<(Key, Result<T>)>> = rows.iter().map(|_| Sink::default()).collect();
    let commands = rows.into_iter().zip(&sinks).map(|(rows, sink)| {
        let sink = sink.clone();
        let visit = move |row: &RawDocument| {
            if let Some((parent, child)) = parts(row) {
                sink.add((parent, read::decode(C::DEFINITION.collection, child)));
            }
        };
        Command::rows(rows, texts, visit)
    });
    side_by_side(db, commands.collect()).await?;
    let mut slots = Vec::new();
    for (parent, child) in sinks.into_iter().flat_map(Sink::take) {
        groups.add(&[parent]);
        slots.push(Slot::of_answer(child));
    }
    Ok(Loaded::new(Name::new(C::DEFINITION, field), slots, groups.into_spans()))
}

fn rows(
    child: &'static ModelDefinition,
    parents: Vec<Bson>,
    field: &str,
    limit: u32,
    fields: Fields,
) -> Result<Vec<Aggregate>> {
    if limit == 0 {
        // The server refuses a limit of 0.
        return Ok(Vec::new());
    }
    Ok(chunks(parents, PARENTS)?.into_iter().map(|ids| first_each(child, ids, field, limit, fields)).collect())
}

/// Returns the parent of a row, and the child of the row.
fn parts(row: &RawDocument) -> Option<(Key, &RawDocument)> {
    let parent = row.get("k").ok().flatten().and_then(Key::of_raw)?;
    Some((parent, row.get_document("c").ok()?))
}
