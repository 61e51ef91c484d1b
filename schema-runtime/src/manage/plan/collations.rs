//! The collations of declared indexes with all options, as the server completes the options: each language has other
//! defaults. Reads the server.

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    Index,
    inspect::CollectionState,
    options::{StoredOptions, agrees, without_version},
};
use crate::{
    definition::{CollationDefinition, Direction, ModelDefinition},
    error::{Result, code::is_unauthorized},
    indexes::same_document,
};

/// The whole collations, by the declared collations.
#[derive(Default)]
pub(crate) struct Collations {
    asked: Vec<(Document, Document)>,
}

impl Collations {
    /// Asks the server for each declared collation once. A user who may not read the collection gets no answer.
    pub(super) async fn ask(models: &[&'static ModelDefinition], database: &Database) -> Result<Self> {
        let mut collations = Collations::default();
        for model in models {
            let of_indexes = model.all_indexes.iter().filter_map(|index| index.collation);
            let declared = of_indexes.chain(model.options.collation);
            for collation in declared.filter(|collation| !collation.is_simple()) {
                let collation = collation.to_document();
                if collations.asked.iter().any(|(asked, _)| *asked == collation) {
                    continue;
                }
                if let Some(whole) = explained(model.collection, &collation, database).await? {
                    collations.asked.push((collation, whole));
                }
            }
        }
        Ok(collations)
    }

    /// Writes all options into the collation of the wanted options and into the collations of the wanted indexes. The
    /// collation of an index that is the collation of the collection is left out.
    pub(super) fn complete(&self, options: &mut StoredOptions, wanted: &mut [Index], state: Option<&CollectionState>) {
        options.collation = options.collation.take().map(|declared| self.whole(declared, state));
        let inherited = match state {
            Some(state) => state.options.collation.as_ref(),
            None => options.collation.as_ref(),
        };
        for index in wanted {
            // A text index and an index on a plane compare by bytes, and inherit no collation.
            let needs_bytes = inherited.is_some() && has_no_collation(index);
            let own = index.collation.take();
            let Some(declared) = own.or_else(|| needs_bytes.then(|| CollationDefinition::SIMPLE.to_document())) else {
                continue;
            };
            let is_simple = declared.get_str("locale").ok() == Some("simple");
            let whole = if is_simple { declared } else { self.whole(declared, state) };
            let is_inherited = match inherited {
                Some(inherited) => same_document(&whole, inherited),
                None => is_simple,
            };
            index.collation = (!is_inherited).then_some(whole);
        }
    }

    /// Returns the collation with all options. Without an answer of the server, a stored collation that agrees with the
    /// declared options is the whole collation.
    fn whole(&self, declared: Document, state: Option<&CollectionState>) -> Document {
        if let Some((_, whole)) = self.asked.iter().find(|(asked, _)| *asked == declared) {
            return whole.clone();
        }
        let stored = state.into_iter().flat_map(|state| {
            state.indexes.iter().filter_map(|index| index.collation.as_ref()).chain(state.options.collation.as_ref())
        });
        let found = stored.into_iter().find(|stored| agrees(&declared, stored)).cloned();
        found.unwrap_or(declared)
    }
}

/// Returns whether the kind of the index takes no collation.
fn has_no_collation(index: &Index) -> bool {
    let kinds = [Direction::Text.in_name(), Direction::Plane.in_name()];
    index.keys.values().filter_map(Bson::as_str).any(|kind| kinds.contains(&kind))
}

/// Returns the collation of the server's plan for a read with the collation; `None` for a user who may not read.
async fn explained(collection: &str, collation: &Document, database: &Database) -> Result<Option<Document>> {
    let find = doc! { "find": collection, "filter": {}, "collation": collation.clone() };
    match database.run_command(doc! { "explain": find, "verbosity": "queryPlanner" }).await {
        Ok(explained) => Ok(collation_in(&explained).map(without_version)),
        Err(error) if is_unauthorized(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the first collation with all options in the answer; a cluster has the answer of each shard deeper inside.
fn collation_in(answer: &Document) -> Option<Document> {
    if let Ok(collation) = answer.get_document("collation")
        && collation.contains_key("version")
    {
        return Some(collation.clone());
    }
    answer.iter().find_map(|(_, value)| match value {
        Bson::Document(inner) => collation_in(inner),
        Bson::Array(list) => list.iter().filter_map(Bson::as_document).find_map(collation_in),
        _ => None,
    })
}
