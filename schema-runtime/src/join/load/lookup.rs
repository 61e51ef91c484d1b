//! Reads parents with their children, by one command.

use std::ops::ControlFlow;

use hashbrown::HashMap;
use mongodb::bson::RawDocument;

use crate::{
    error::{Error, Result},
    executor::Executor,
    join::{Item, Joined, JoinedName, Name, Rows, Visit, query::Places},
    key::Key,
    model::Model,
    read::{self, Aggregate, run},
};

/// A parent and its children, gathered as the rows arrive.
struct Gathered<P, T> {
    parent: Option<Result<P>>,
    children: Vec<(Key, Result<T>)>,
}

/// The arrangement of the joined documents of a row.
pub(crate) struct Arrangement<P, C: Model> {
    /// The visit of the references of the document; `None` when the joined documents hold the references and keep the
    /// order of the server.
    pub(crate) visit: Option<Visit<P, C>>,
    /// True for the order of the server, each joined document once; false for the order of the references, with
    /// repeats.
    pub(crate) is_ordered: bool,
    /// True when a document that did not arrive may exist, because the lookup did not ask for the document.
    pub(crate) is_partial: bool,
}

/// Reads the rows of a lookup, and puts the rows of each parent together.
pub(crate) async fn load_rows<P: Model, C: Model, T: Item>(
    db: &dyn Executor,
    name: Name,
    pipeline: Result<Aggregate>,
    arrangement: Arrangement<P, C>,
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
    put_together(name, gathered, arrangement)
}

/// The positions of the parents, by the first row of each parent.
#[derive(Default)]
struct Positions(HashMap<Key, usize>);

/// The content of a row: the position of the parent, the parent itself in the first row, and a child with the key of
/// the child.
struct Parts<'a> {
    at: usize,
    parent: Option<&'a RawDocument>,
    child: Option<(Key, &'a RawDocument)>,
}

impl Positions {
    /// Returns the content of a row; `None` when the row names no parent.
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
    arrangement: Arrangement<P, C>,
) -> Result<Rows<P, C, T>> {
    let (mut rows, mut failed): (Vec<_>, Vec<Error>) = (Vec::new(), Vec::new());
    for Gathered { parent, children } in gathered {
        match parent {
            Some(Ok(parent)) => {
                let joined = arrange(name, &parent, children, &arrangement)?;
                rows.push((parent, joined));
            }
            Some(Err(error)) => failed.push(error),
            None => {}
        }
    }
    let name = match arrangement.visit {
        Some(_) => JoinedName::of_referred(P::DEFINITION, name.field),
        None => JoinedName::of_referring(P::DEFINITION, C::DEFINITION, name.field),
    };
    Ok(Rows::new(name, rows, failed))
}

fn arrange<P: Model, C: Model, T: Item>(
    name: Name,
    parent: &P,
    children: Vec<(Key, Result<T>)>,
    arrangement: &Arrangement<P, C>,
) -> Result<Joined<T, C>> {
    let Some(visit) = arrangement.visit else {
        return Ok(Joined::of_query(name, children.into_iter().map(|(_, child)| child).collect()));
    };
    let (mut places, mut arrived) = (Places::of(parent, visit)?, Vec::new());
    for (key, child) in children {
        arrived.extend(places.put(&key, child));
    }
    let (slots, order) = places.into_arranged(arrangement.is_ordered.then_some(arrived), arrangement.is_partial);
    Ok(Joined::new(name, slots, order))
}
