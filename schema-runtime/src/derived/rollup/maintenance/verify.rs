//! Finds parents that differ from the children. Reads only.

use mongodb::bson::{Bson, Document};

use crate::{
    derived::rollup::stored::path::RollupPath, error::Result, executor::Context, limits::ROLLUP_PARENTS, read::Query,
};

/// Returns the number of wrong parents of a path, and the `_id`s of some wrong parents. The left differences of a parent count with the
/// parent.
pub(crate) async fn wrong_rollups(path: &RollupPath, context: &Context, examples: usize) -> Result<(u64, Vec<Bson>)> {
    let query = Query { batch_size: ROLLUP_PARENTS as u32, ..Query::new(path.parent.collection, Document::new()) };
    let (mut wrong, mut ids) = (0, Vec::new());
    let mut batches = query.ids(context).await?;
    while let Some(batch) = batches.next().await? {
        for some in batch.chunks(path.at_a_time()) {
            for compared in path.compare(context, some).await? {
                if path.differs(&compared).any() {
                    wrong += 1;
                    if ids.len() < examples {
                        ids.extend(compared.parent.get("_id").cloned());
                    }
                }
            }
        }
    }
    Ok((wrong, ids))
}
