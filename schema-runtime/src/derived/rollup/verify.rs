//! Which parents do not have what their children say. Reads only.

use mongodb::bson::{Bson, Document};

use super::path::RollupPath;
use crate::{
    error::Result,
    executor::Context,
    read::{self, Query},
};

/// The parents of a path that are wrong: how many, and some of their `_id`s.
pub(crate) async fn wrong_rollups(path: &RollupPath, context: &Context, examples: usize) -> Result<(u64, Vec<Bson>)> {
    let mut query = Query::new(path.parent.collection, Document::new());
    query.projection = path.fields.iter().map(|field| (field.name.to_owned(), Bson::Int32(1))).collect();
    query.batch_size = 100;
    let (mut wrong, mut ids) = (0, Vec::new());
    let mut batches = query.batches(context).await?;
    while let Some(batch) = batches.next().await {
        for parent in read::parsed_in(&batch?)? {
            let Some(id) = parent.get("_id") else { continue };
            let values = path.values(context, id, None).await?;
            let is_right = path.fields.iter().all(|field| {
                let stored = parent.get(field.name).unwrap_or(&Bson::Null);
                same(stored, values.set.get(field.name).unwrap_or(&Bson::Null))
            });
            if !is_right {
                wrong += 1;
                if ids.len() < examples {
                    ids.push(id.clone());
                }
            }
        }
    }
    Ok((wrong, ids))
}

/// Whether two values are the same, whatever integer type they have, and but for the order in which fractions were added.
fn same(stored: &Bson, computed: &Bson) -> bool {
    match (stored, computed) {
        (Bson::Int32(one), Bson::Int64(other)) | (Bson::Int64(other), Bson::Int32(one)) => i64::from(*one) == *other,
        (Bson::Double(one), Bson::Double(other)) => {
            one == other || one.is_nan() && other.is_nan() || (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
        }
        (Bson::Array(one), Bson::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (one, other) => one == other,
    }
}
