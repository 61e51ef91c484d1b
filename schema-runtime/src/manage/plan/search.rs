//! Adds the steps for search indexes and vector indexes. Reads the server.

use mongodb::{Database, bson::Bson};

use super::{Change, CollectionState, Note, Plan, Step, clash};
use crate::{
    error::{Error, Result},
    indexes::wanted_search_indexes,
    manage::search::{Compared, Listed, compare, json, list},
};

/// Adds the steps behind the other steps of the same collection. A model without a declared search index asks nothing.
pub(super) async fn add(plan: &mut Plan, states: &[CollectionState], database: &Database) -> Result<()> {
    let mut is_available = true;
    for model in plan.models.clone() {
        let wanted = wanted_search_indexes(model);
        let state = states.iter().find(|state| state.name == model.collection);
        if wanted.is_empty() || state.is_some_and(|state| clash(model, state).is_some()) {
            continue;
        }
        let collection = model.collection.to_owned();
        let listed = match is_available {
            true => list(model.collection, database).await,
            false => Ok(Listed::Unavailable),
        };
        let Compared { changes, building } = match listed {
            Err(Error::NotAuthorized { .. }) => {
                plan.notes.push(Note::SearchIndexesUnknown { collection });
                continue;
            }
            Err(error) => return Err(error),
            Ok(Listed::Unavailable) => {
                is_available = false;
                plan.notes.extend(wanted.iter().map(|index| Note::SearchUnavailable {
                    collection: collection.clone(),
                    index: index.name.clone(),
                    definition: json(&Bson::Document(index.to_document())),
                }));
                continue;
            }
            Ok(Listed::Indexes(stored)) => compare(wanted, stored),
        };
        let building = building.into_iter();
        plan.notes.extend(building.map(|index| Note::SearchIndexBuilding { collection: collection.clone(), index }));
        let steps = changes.into_iter().map(Change::Search);
        let steps = steps.map(|change| Step { collection: collection.clone(), model: model.model, change });
        let place = plan.place_behind(&collection);
        plan.steps.splice(place..place, steps.collect::<Vec<_>>());
    }
    Ok(())
}
