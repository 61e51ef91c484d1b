//! Adds the steps that give the collections of a cluster shard keys. Reads the server.

use mongodb::Database;

use super::{Change, CollectionState, Index, Note, Plan, Step, clash};
use crate::{
    error::{Error, Result},
    indexes::begins_with,
    manage::sharding::{self, Compared},
};

/// Adds the sharding steps, each behind the other steps of the same collection, since the index of the shard key must
/// exist first.
pub(super) async fn add(plan: &mut Plan, states: &[CollectionState], database: &Database) -> Result<()> {
    let collections: Vec<&str> = plan.models.iter().map(|model| model.collection).collect();
    let cluster = match sharding::inspect(&collections, database).await {
        Err(Error::NotAuthorized { .. }) => {
            plan.notes.push(Note::ShardKeysUnknown);
            return Ok(());
        }
        inspected => inspected?,
    };
    for model in plan.models.clone() {
        let collection = model.collection;
        let state = states.iter().find(|state| state.name == collection);
        if model.options.kind.is_view() || state.is_some_and(|state| clash(model, state).is_some()) {
            continue;
        }
        let indexes = state.map_or(&[][..], |state| state.indexes.as_slice());
        let stored = cluster.as_ref().and_then(|cluster| cluster.key(collection));
        // The index of the current shard key stays. After the collection has another shard key, the next plan finds the
        // old index.
        plan.steps.retain(|step| {
            let is_of_key = |index: &Index| stored.is_some_and(|key| begins_with(&index.keys, key));
            step.collection != collection
                || !matches!(&step.change, Change::DropIndex { index, .. } if is_of_key(index))
        });
        match sharding::compare(model, indexes, cluster.as_ref()) {
            Compared::Equal => {}
            Compared::NoCluster => plan.notes.push(Note::NoCluster { collection: collection.to_owned() }),
            Compared::Undeclared(key) => {
                let key = sharding::words(&key);
                plan.notes.push(Note::ShardKeyUndeclared { collection: collection.to_owned(), key });
            }
            Compared::Differs(mut sharding) => {
                sharding::fill(&mut sharding, collection, state.is_some(), database).await?;
                let place = plan.place_behind(collection);
                let step =
                    Step { collection: collection.to_owned(), model: model.model, change: Change::Shard(sharding) };
                plan.steps.insert(place, step);
            }
        }
    }
    Ok(())
}
