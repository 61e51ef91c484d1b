//! Counts the documents that index builds read.

use std::collections::BTreeMap;

use mongodb::Database;

use super::{Effect, SchemaChange};
use crate::{Result, definition::ModelDefinition, executor::Executor};

/// Counts the documents of each collection with an index build, by the counts that the server keeps.
pub(super) async fn count_documents(
    changes: &mut [SchemaChange],
    models: &[&'static ModelDefinition],
    db: &Database,
) -> Result<()> {
    let context = db.plain_context()?;
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    for change in changes {
        let Some(model) = models.iter().find(|model| model.collection == change.collection) else { continue };
        for effect in &mut change.effects {
            let Effect::IndexBuild { documents } = effect else { continue };
            let count = match counts.get(model.collection) {
                Some(count) => *count,
                None => context.estimated_count(model.collection).await?,
            };
            counts.insert(model.collection, count);
            *documents = Some(count);
        }
    }
    Ok(())
}
