//! Deletes of children: each is marked, its parent is refreshed to be without it, and then it goes. Reaches the server.

use mongodb::bson::Document;

use super::{removal::statements, writing::RollupWriting};
use crate::{
    definition::ModelDefinition,
    error::{Result, server},
    executor::{Context, Sent},
};

/// Deletes one document that matches, or all: how many there were.
pub(crate) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    many: bool,
) -> Result<u64> {
    let mut writing = RollupWriting::new(definition);
    writing.deletes = true;
    let majority = context.majority();
    let mut found = 0;
    let [new, begun] = statements(definition, &filter, writing.mark);
    // Of many, those that somebody has begun to delete come first: then none is counted twice.
    for sent in if many { [begun, new] } else { [new, begun] } {
        let sent = match many {
            true => majority.update_many(definition.collection, sent).await,
            false => majority.update_one(definition.collection, sent).await,
        };
        found += sent.map_err(|error| server::write(definition, error))?.matched_count;
        if found > 0 && !many {
            break;
        }
    }
    if found > 0 {
        writing.finish(context).await?;
    }
    Ok(found)
}

impl RollupWriting {
    /// A delete as one of many writes: it marks.
    pub(crate) fn of_delete(&mut self, filter: &Document) -> Sent {
        self.deletes = true;
        let [first, _] = statements(self.definition, filter, self.mark);
        first
    }
}
