//! The first children of each of many parents.

use std::ops::ControlFlow;

use mongodb::bson::RawDocument;

use super::side_by_side::side_by_side;
use crate::{
    error::Result,
    executor::Context,
    join::{
        Fields, Item, Loaded, Name,
        query::{Groups, chunks, latest_each},
    },
    key::Key,
    model::Model,
    read::{self, Aggregate},
};

/// Of how many parents one command reads the first children.
const PARENTS: usize = 100;

/// The first `limit` children of each parent.
pub(crate) async fn load_latest<'p, P: Model, C: Model, T: Item>(
    context: &Context,
    field: &'static str,
    parents: impl IntoIterator<Item = &'p P>,
    limit: u32,
    fields: Fields,
) -> Result<Loaded<P, C, T>> {
    let (mut groups, ids) = Groups::new(parents)?;
    let commands = chunks(ids, PARENTS)?
        .into_iter()
        .map(|ids| read_rows(context.clone(), latest_each::<C>(ids, field, limit, fields), C::DEFINITION.collection));
    // The server refuses a limit of none.
    let commands = if limit == 0 { Vec::new() } else { commands.collect() };
    for (parent, child) in side_by_side(commands).await?.into_iter().flatten() {
        groups.add(vec![parent], child);
    }
    Ok(groups.into_loaded(Name::new(C::DEFINITION, field)))
}

async fn read_rows<T: Item>(
    context: Context,
    rows: Aggregate,
    collection: &'static str,
) -> Result<Vec<(Key, Result<T>)>> {
    let mut children = Vec::new();
    let visit = |row: &RawDocument| {
        let parent = row.get("k").ok().flatten().and_then(Key::of_raw);
        let child = row.get_document("c").ok();
        children.extend(parent.zip(child).map(|(parent, child)| (parent, read::decode(collection, child))));
        Ok(ControlFlow::Continue(()))
    };
    rows.for_each(&context, visit).await?;
    Ok(children)
}
