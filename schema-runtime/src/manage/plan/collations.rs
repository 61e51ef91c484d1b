//! The collations of declared indexes with all options, as the server completes the options: each language has other
//! defaults. Reads the server.

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    Index,
    inspect::CollectionState,
    options::{StoredKind, StoredOptions, agrees, without_version},
};
use crate::{
    definition::{CollationDefinition, Direction, ModelDefinition},
    error::{
        Result,
        code::{self, is_unauthorized},
    },
    indexes::same_document,
};

/// The whole collations, by the declared collations.
#[derive(Default)]
pub(crate) struct Collations {
    asked: Vec<(Document, Document)>,
}

impl Collations {
    /// Asks the server for each declared collation once. A user who may not read the collection gets no answer, and a
    /// view with another collation gives no answer.
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
            // A text index and an index of places compare by bytes, and inherit no collation.
            let needs_bytes = inherited.is_some() && has_no_collation(index, &options.kind);
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

/// Returns the collation of a new collection: the declared options, and each option of the language that differs from
/// the usual value. The command `create` leaves out most options of the language. `createIndexes` and reads take all
/// options.
pub(super) fn of_new_collection(declared: Document, whole: &Document) -> Document {
    let usual = usual_options();
    let mut stated = declared;
    for (name, value) in whole.iter().filter(|(name, value)| usual.get(*name).is_some_and(|usual| usual != *value)) {
        if !stated.contains_key(name) {
            stated.insert(name, value.clone());
        }
    }
    stated
}

/// Returns the options that most languages have.
pub(super) fn usual_options() -> Document {
    doc! {
        "caseLevel": false, "caseFirst": "off", "strength": 3, "numericOrdering": false, "alternate": "non-ignorable",
        "maxVariable": "punct", "normalization": false, "backwards": false,
    }
}

/// Returns whether the kind of the index takes no collation. On a time series, an index of a measured place takes none.
fn has_no_collation(index: &Index, kind: &StoredKind) -> bool {
    let is_measured = |path: &str| match kind {
        StoredKind::TimeSeries { meta, .. } => path.split('.').next() != meta.as_deref(),
        _ => false,
    };
    let takes_none = |(path, kind): (&String, &Bson)| match kind.as_str() {
        Some(kind) if kind == Direction::Sphere.in_name() => is_measured(path),
        Some(kind) => [Direction::Text.in_name(), Direction::Plane.in_name()].contains(&kind),
        None => false,
    };
    index.keys.iter().any(takes_none)
}

/// Returns the collation of the server's plan for a read with the collation; `None` for a user who may not read, and
/// for a view with another collation.
async fn explained(collection: &str, collation: &Document, database: &Database) -> Result<Option<Document>> {
    let find = doc! { "find": collection, "filter": {}, "collation": collation.clone() };
    match database.run_command(doc! { "explain": find, "verbosity": "queryPlanner" }).await {
        Ok(explained) => Ok(collation_in(&explained).map(without_version)),
        Err(error) if is_unauthorized(&error) => Ok(None),
        Err(error) if code::command_code(&error) == Some(code::OPTION_NOT_SUPPORTED_ON_VIEW) => Ok(None),
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
