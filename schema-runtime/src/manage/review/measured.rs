//! Adds the figures of a server to a review: sizes, and the use of each index. Reads the server.

use mongodb::Database;

use super::{IndexReview, ModelReview, Review, StoredIndex, StoredReview, review, serves::ID};
use crate::{
    definition::{ModelDefinition, stored_names},
    error::Result,
    executor::{Context, Executor},
    indexes::same_keys,
    manage::statistics::{self, IndexUse},
};

pub(crate) async fn review_on(models: &[&'static ModelDefinition], database: &Database) -> Result<Review> {
    let mut review = review(models);
    let collections = statistics::collections(database).await?;
    let context = database.plain_context()?;
    for model in &mut review.models {
        if collections.iter().any(|name| name == model.collection) {
            measure(model, &context).await?;
        }
    }
    let is_declared = |name: &String| models.iter().any(|model| model.collection == name);
    let is_other = |name: &String| {
        !is_declared(name) && !stored_names::COLLECTIONS.contains(&name.as_str()) && !name.starts_with("system.")
    };
    review.undeclared = collections.into_iter().filter(is_other).collect();
    Ok(review)
}

async fn measure(model: &mut ModelReview, context: &Context) -> Result<()> {
    let collection = model.collection;
    let sizes = statistics::sizes(collection, context).await?;
    let uses = statistics::index_uses(collection, context).await?;
    let largest_sampled = statistics::largest_sampled(collection, context).await?;
    let mut stored = StoredReview {
        documents: sizes.documents,
        bytes: sizes.bytes,
        largest_sampled,
        index_bytes: sizes.index_bytes,
        undeclared: Vec::new(),
    };
    for IndexUse { name, keys, used, since } in uses {
        let bytes = sizes.indexes.iter().find(|(other, _)| *other == name).map_or(0, |(_, bytes)| *bytes);
        // An index under another name serves as well.
        let (all, same) = (&mut model.indexes, |index: &IndexReview| same_keys(&index.keys, &keys));
        let named = all.iter().position(|index| index.name == name && same(index));
        let found = named.or_else(|| all.iter().position(|index| index.stored.is_none() && same(index)));
        match found.map(|at| &mut all[at]) {
            Some(index) => index.stored = Some(StoredIndex { bytes, used, since }),
            None if name != ID => stored.undeclared.push(name),
            None => {}
        }
    }
    stored.undeclared.sort_unstable();
    model.stored = Some(stored);
    Ok(())
}
