//! Parents with their children, by one command.

use std::ops::ControlFlow;

use hashbrown::HashMap;
use mongodb::bson::RawDocument;

use crate::{
    error::{Error, Result},
    executor::Executor,
    join::{Item, Joined, Name, Rows, Visit, query::Places},
    key::Key,
    model::Model,
    read::{self, Aggregate, run},
};

/// A parent and its children, as their rows arrive.
struct Gathered<P, T> {
    parent: Option<Result<P>>,
    children: Vec<(Key, Result<T>)>,
}

/// The rows that [`lookup`](crate::join::query::lookup) asks for, put together.
pub(crate) async fn load_rows<P: Model, C: Model, T: Item>(
    db: &dyn Executor,
    name: Name,
    pipeline: Result<Aggregate>,
    visit: Visit<P, C>,
) -> Result<Rows<P, C, T>> {
    let mut gathered: Vec<Gathered<P, T>> = Vec::new();
    let mut positions = Positions::default();
    let mut gather = |row: &RawDocument| {
        if let Some(Parts { at, parent, child }) = positions.parts(row) {
            if at == gathered.len() {
                gathered.push(Gathered { parent: None, children: Vec::new() });
            }
            if let Some(parent) = parent {
                gathered[at].parent = Some(read::decode(P::DEFINITION.collection, parent));
            }
            if let Some((key, child)) = child {
                gathered[at].children.push((key, read::decode(C::DEFINITION.collection, child)));
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    run::each_row(db, pipeline, &mut gather).await?;
    put_together(name, gathered, visit)
}

/// The positions of the parents, by their first rows.
#[derive(Default)]
struct Positions(HashMap<Key, usize>);

/// What is in a row: the position of its parent, the parent itself in the first row, a child with its key.
struct Parts<'a> {
    at: usize,
    parent: Option<&'a RawDocument>,
    child: Option<(Key, &'a RawDocument)>,
}

impl Positions {
    /// `None` where the row names no parent.
    fn parts<'a>(&mut self, row: &'a RawDocument) -> Option<Parts<'a>> {
        let key = row.get("k").ok().flatten().and_then(Key::of_raw)?;
        let next = self.0.len();
        let at = *self.0.entry(key).or_insert(next);
        let child = row.get_document("c").ok();
        let child = child.and_then(|child| Some((read::key(child)?, child)));
        Some(Parts { at, parent: row.get_document("p").ok(), child })
    }
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
                let mut places = Places::of(&parent, visit)?;
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
