//! Adds the figures of the server to the steps that drop an index: the use of an undeclared index, and the size of the
//! collection of a rebuilt index. Reads the server.

use mongodb::Database;

use super::{Change, CollectionSize, Note, Plan, Used};
use crate::{
    error::{Error, Result},
    executor::Context,
    manage::statistics::{index_uses, sizes},
};

/// Writes the figures into the steps. Asks nothing for a collection without such a step.
pub(super) async fn fill(plan: &mut Plan, database: &Database) -> Result<()> {
    let Plan { models, steps, notes } = plan;
    for model in models {
        let (mut undeclared, mut rebuilt) = (Vec::new(), Vec::new());
        for step in steps.iter_mut().filter(|step| step.collection == model.collection) {
            match &mut step.change {
                Change::DropIndex { index, used } => undeclared.push((&index.name, used)),
                Change::RebuildIndex { size, .. } => rebuilt.push(size),
                _ => {}
            }
        }
        if !undeclared.is_empty() {
            match allowed(index_uses(model.collection, &Context::new(database)).await)? {
                Some(uses) => {
                    for (name, used) in undeclared {
                        let found = uses.iter().find(|one| one.name == *name);
                        *used = found.map(|one| Used { operations: one.used, since: one.since });
                    }
                }
                None => notes.push(Note::IndexUseUnknown { collection: model.collection.to_owned() }),
            }
        }
        if !rebuilt.is_empty() {
            let sizes = allowed(sizes(model.collection, &Context::new(database)).await)?;
            for size in rebuilt {
                *size = sizes.as_ref().map(|sizes| CollectionSize { documents: sizes.documents, bytes: sizes.bytes });
            }
        }
    }
    Ok(())
}

/// Maps a missing right to `None`.
fn allowed<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(Error::NotAuthorized { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
