//! The steps that give collections of a cluster their shard keys. Reads the server.

use mongodb::Database;

use super::{Change, CollectionState, Index, Note, Plan, Step};
use crate::{
    error::{Error, Result},
    manage::{
        indexes::begins_with,
        sharding::{self, Compared},
    },
};

/// Adds them, each behind the other steps of its collection: the index of the key is there first.
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
        if state.is_some_and(|state| state.clash.is_some()) {
            continue;
        }
        let indexes = state.map_or(&[][..], |state| state.indexes.as_slice());
        let stored = cluster.as_ref().and_then(|cluster| cluster.key(collection));
        // The index of the key that it has stays: once it has another, the next plan finds it.
        plan.steps.retain(|step| {
            let is_of_key = |index: &Index| stored.is_some_and(|key| begins_with(&index.keys, key));
            step.collection != collection || !matches!(&step.change, Change::DropIndex { index } if is_of_key(index))
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
                let at = plan.steps.iter().rposition(|step| step.collection == collection);
                // The steps of a collection that has none yet stand where its model does: behind those of the models before it.
                let before = || {
                    let earlier: Vec<&str> =
                        collections.iter().copied().take_while(|name| *name != collection).collect();
                    plan.steps.iter().rposition(|step| earlier.contains(&step.collection.as_str()))
                };
                let place = at.or_else(before).map_or(0, |at| at + 1);
                let step =
                    Step { collection: collection.to_owned(), model: model.model, change: Change::Shard(sharding) };
                plan.steps.insert(place, step);
            }
        }
    }
    Ok(())
}
