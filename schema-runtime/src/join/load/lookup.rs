//! Parents with their children, by one command.

use std::ops::ControlFlow;

use hashbrown::{HashMap, hash_map::Entry};
use mongodb::bson::RawDocument;

use crate::{
    error::{Error, Result},
    executor::Context,
    join::{Item, Joined, Name, Rows, Visit, query::Wanted},
    key::Key,
    model::Model,
    read::{self, Aggregate},
};

/// A parent and its children, as their rows arrive.
struct Gathered<P, T> {
    parent: Option<Result<P>>,
    children: Vec<(Key, Result<T>)>,
}

/// The rows that [`lookup`](crate::join::query::lookup) asks for, put together.
pub(crate) async fn load_rows<P: Model, C: Model, T: Item>(
    context: &Context,
    name: Name,
    pipeline: Aggregate,
    visit: Visit<P, C>,
) -> Result<Rows<P, C, T>> {
    let mut gathered: Vec<Gathered<P, T>> = Vec::new();
    let mut positions: HashMap<Key, usize> = HashMap::new();
    let gather = |row: &RawDocument| {
        let Some(key) = row.get("k").ok().flatten().and_then(Key::of_raw) else {
            return Ok(ControlFlow::Continue(()));
        };
        let next = gathered.len();
        let at = match positions.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                gathered.push(Gathered { parent: None, children: Vec::new() });
                *new.insert(next)
            }
        };
        if let Ok(parent) = row.get_document("p") {
            gathered[at].parent = Some(read::decode(P::DEFINITION.collection, parent));
        }
        if let Ok(child) = row.get_document("c") {
            let key = read::key(child);
            gathered[at].children.extend(key.map(|key| (key, read::decode(C::DEFINITION.collection, child))));
        }
        Ok(ControlFlow::Continue(()))
    };
    pipeline.for_each(context, gather).await?;
    put_together(name, gathered, visit)
}

fn put_together<P: Model, C: Model, T: Item>(
    name: Name,
    gathered: Vec<Gathered<P, T>>,
    visit: Visit<P, C>,
) -> Result<Rows<P, C, T>> {
    let (mut rows, mut failed): (Vec<_>, Vec<Error>) = (Vec::new(), Vec::new());
    for Gathered { parent, children } in gathered {
        match parent {
            Some(Ok(parent)) => {
                let mut places = Wanted::of(&parent, visit)?.into_places();
                for (key, child) in children {
                    places.put(&key, child);
                }
                let (slots, order) = places.into_parts();
                rows.push((parent, Joined::new(name, slots, order)));
            }
            Some(Err(error)) => failed.push(error),
            None => {}
        }
    }
    Ok(Rows::new(rows, failed))
}
