//! Runs a step: checks whether the step is done already, checks that the server is as the plan found the server, and
//! does the step. Reaches the server.

mod options;

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, doc},
};

use super::{ApplyOptions, Outcome};
use crate::{
    definition::ModelDefinition,
    error::{
        Error, Limit, Result, code,
        server::{fields_of, is_hidden, key_in},
    },
    executor::Attempts,
    indexes::same_index,
    manage::{
        plan::{
            Change, CollectionState, Index, Step, Validator, clash, count_duplicates, inspect_collection,
            matches_options, refused_documents, same_validator,
        },
        search, sharding,
    },
};

/// The time for which a step is tried again while another client's change of the same collection is in the way.
const PATIENCE: Duration = Duration::from_secs(30);

/// Does a step. When another client changes the same collection at the same time, the function checks the step again
/// after a pause: the other client may have done the step.
pub(super) async fn run(
    step: &Step,
    model: Option<&'static ModelDefinition>,
    database: &Database,
    options: ApplyOptions,
) -> Outcome {
    let run = Run { collection: &step.collection, model, database, search_wait: options.search_wait };
    if let Some(outcome) = run.refused(&step.change, options).await {
        return outcome;
    }
    let (begun, mut attempts) = (Instant::now(), Attempts::default());
    let done = loop {
        match run.step(&step.change).await {
            Err(error) if is_in_the_way(&error) && begun.elapsed() < PATIENCE => {
                if let Err(error) = attempts.again().await {
                    break Err(error);
                }
            }
            done => break done,
        }
    };
    match done {
        Ok(true) => Outcome::Done,
        Ok(false) => Outcome::AlreadyDone,
        Err(Error::NotAuthorized { action, .. }) => Outcome::Denied { action },
        Err(error) => Outcome::Failed(error),
    }
}

/// Returns the outcome that a step would have now, as far as reads tell. Changes nothing.
pub(super) async fn foresee(
    step: &Step,
    model: Option<&'static ModelDefinition>,
    database: &Database,
    options: ApplyOptions,
) -> Outcome {
    let run = Run { collection: &step.collection, model, database, search_wait: options.search_wait };
    if let Some(outcome) = run.refused(&step.change, options).await {
        return outcome;
    }
    match &step.change {
        Change::CreateIndex { index: new, duplicates: Some(found) }
        | Change::ChangeIndex { new, duplicates: Some(found), .. }
        | Change::RebuildIndex { new, duplicates: Some(found), .. }
        | Change::IndexNameTaken { new, duplicates: Some(found), .. }
            if new.unique && found.groups > 0 =>
        {
            Outcome::Failed(duplicate_key(&step.collection, new))
        }
        _ => Outcome::Done,
    }
}

/// Returns the error of a unique index over stored duplicates.
fn duplicate_key(collection: &str, index: &Index) -> Error {
    Error::DuplicateKey {
        collection: collection.to_owned(),
        index: index.name.clone(),
        fields: index.keys.keys().cloned().collect(),
        key: String::new(),
    }
}

/// Makes the indexes of the first step's collection by a single command, which reads the documents once. Returns the
/// names of the new indexes; empty when any index cannot be made, since the server then makes none.
pub(super) async fn create_together<'p>(
    steps: &'p [Step],
    model: Option<&'static ModelDefinition>,
    database: &Database,
) -> Vec<&'p str> {
    let Some(collection) = steps.first().map(|step| step.collection.as_str()) else { return Vec::new() };
    let wanted = steps.iter().map_while(|step| match &step.change {
        Change::CreateIndex { index, .. } if step.collection == collection => Some(index),
        _ => None,
    });
    let wanted: Vec<&Index> = wanted.collect();
    if wanted.len() < 2 {
        return Vec::new();
    }
    let Ok(Some(state)) = inspect_collection(collection, database).await else { return Vec::new() };
    let missing: Vec<&Index> =
        wanted.into_iter().filter(|index| !state.indexes.iter().any(|has| same_index(has, index))).collect();
    if missing.len() < 2 || model.is_none_or(|model| clash(model, &state).is_some()) {
        return Vec::new();
    }
    let indexes: Vec<Document> = missing.iter().map(|index| index.to_document()).collect();
    let command = on_a_majority(doc! { "createIndexes": collection, "indexes": indexes });
    match database.run_command(command).await {
        Ok(_) => missing.into_iter().map(|index| index.name.as_str()).collect(),
        // Each index is then made separately, so that each failure has a name and a reason.
        Err(_) => Vec::new(),
    }
}

fn on_a_majority(mut command: Document) -> Document {
    command.insert("writeConcern", doc! { "w": "majority" });
    command
}

/// Returns whether a passing change of another client caused the error.
fn is_in_the_way(error: &Error) -> bool {
    match error {
        Error::WriteConflict => true,
        Error::Driver(error) => code::command_code(error)
            .is_some_and(|number| code::IN_THE_WAY.contains(&number) || code::ENDED_BY_OTHERS.contains(&number)),
        _ => false,
    }
}

/// Returns whether the connection is lost, so that further steps are pointless.
pub(super) fn is_connection_lost(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(Error::Connection { .. } | Error::TimedOut { limit: Limit::Network }))
}

struct Run<'a> {
    collection: &'a str,
    model: Option<&'static ModelDefinition>,
    database: &'a Database,
    search_wait: Duration,
}

impl Run<'_> {
    /// Does the change. Returns whether anything had to be done.
    async fn step(&self, change: &Change) -> Result<bool> {
        let state = inspect_collection(self.collection, self.database).await?;
        if let Change::CreateCollection { validator, options } = change {
            return self.create_collection(state, validator.as_ref(), options).await;
        }
        let Some(state) = state else { return self.outdated("the collection does not exist any more") };
        if self.model.is_some_and(|model| clash(model, &state).is_some()) {
            return self.outdated("the collection is of another kind than the model");
        }
        match change {
            Change::SetValidator { old, new, .. } => self.set_validator(&state, old.as_ref(), new).await,
            Change::SetOption { old, new, .. } => self.set_option(&state, old, new).await,
            Change::ConvertToCapped { bytes, documents, indexes, .. } => {
                self.convert(&state, *bytes, *documents, indexes).await
            }
            Change::CreateIndex { index, .. } => self.create_index(&state, index).await,
            Change::ChangeIndex { old, new, .. } => self.change_index(&state, old, new).await,
            Change::RebuildIndex { old, new, .. } | Change::IndexNameTaken { old, new, declared: false, .. } => {
                self.rebuild_index(&state, old, new).await
            }
            Change::DropIndex { index, .. } => self.drop_index(&state, index).await,
            Change::Shard(sharding) => {
                sharding::run(sharding, self.collection, state.options.collation.is_some(), self.database).await
            }
            Change::Search(change) => search::run(change, self.collection, self.search_wait, self.database).await,
            Change::CreateCollection { .. } | Change::IndexNameTaken { .. } | Change::CollectionClash { .. } => {
                Ok(false)
            }
        }
    }

    async fn create_collection(
        &self,
        state: Option<CollectionState>,
        validator: Option<&Validator>,
        options: &Document,
    ) -> Result<bool> {
        let state = match state {
            Some(state) => Some(state),
            None => {
                let mut command = doc! { "create": self.collection };
                command.extend(options.clone());
                command.extend(validator.map(validator_options).unwrap_or_default());
                match self.database.run_command(on_a_majority(command)).await {
                    Ok(_) => return Ok(true),
                    Err(error) if code::command_code(&error) == Some(code::NAMESPACE_EXISTS) => {
                        inspect_collection(self.collection, self.database).await?
                    }
                    Err(error) => return Err(self.failure(error, "createCollection", "")),
                }
            }
        };
        // The collection was created after the plan was made.
        let is_same = |state: &CollectionState| {
            let same = match (&state.validator, validator) {
                (Some(has), Some(wanted)) => same_validator(has, wanted),
                (None, None) => true,
                _ => false,
            };
            same && self.model.is_none_or(|model| matches_options(model, state))
        };
        match &state {
            Some(state) if is_same(state) => Ok(false),
            _ => self.outdated("another client has created the collection"),
        }
    }

    /// Returns the outcome of a change that would refuse stored documents; `None` for a change that may be done.
    async fn refused(&self, change: &Change, options: ApplyOptions) -> Option<Outcome> {
        if options.allow_refused {
            return None;
        }
        match self.newly_refused(change).await {
            Ok(0) => None,
            Ok(documents) => Some(Outcome::Refused { documents }),
            Err(error) => Some(Outcome::Failed(error)),
        }
    }

    /// Counts the stored documents that can be updated now, and that the new validator of the step would refuse. When
    /// the plan found refused documents, the documents are counted again, since other clients may have changed the
    /// documents since.
    async fn newly_refused(&self, change: &Change) -> Result<u64> {
        let Change::SetValidator { old, new, refused: Some(1..), .. } = change else { return Ok(0) };
        let judges = |validator: &Validator| validator.level == "strict" && validator.action == "error";
        if !judges(new) {
            return Ok(0);
        }
        let passed = old.as_ref().filter(|old| judges(old)).map(|old| &old.rule);
        refused_documents(self.collection, &new.rule, passed, self.database).await
    }

    async fn set_validator(&self, state: &CollectionState, old: Option<&Validator>, new: &Validator) -> Result<bool> {
        match (&state.validator, old) {
            (Some(has), _) if same_validator(has, new) => return Ok(false),
            (Some(has), Some(old)) if same_validator(has, old) => {}
            (None, None) => {}
            _ => return self.outdated("the validator has changed"),
        }
        let mut command = doc! { "collMod": self.collection };
        command.extend(validator_options(new));
        self.command(command, "collMod", "").await?;
        Ok(true)
    }

    async fn create_index(&self, state: &CollectionState, index: &Index) -> Result<bool> {
        if state.indexes.iter().any(|has| same_index(has, index)) {
            return Ok(false);
        }
        let command = doc! { "createIndexes": self.collection, "indexes": [index.to_document()] };
        self.command(command, "createIndex", &index.name).await?;
        Ok(true)
    }

    async fn change_index(&self, state: &CollectionState, old: &Index, new: &Index) -> Result<bool> {
        let has = match state.indexes.iter().find(|has| has.name == old.name) {
            Some(has) if same_index(has, new) => return Ok(false),
            // Another client may have done a part.
            Some(has) if is_between(has, old, new) => has,
            _ => return self.outdated(&format!("the index `{}` has changed", old.name)),
        };
        if let Some(seconds) = new.expire_after_seconds
            && has.expire_after_seconds != Some(seconds)
        {
            self.modify_index(doc! { "name": &new.name, "expireAfterSeconds": seconds }).await?;
        }
        if new.hidden != has.hidden {
            self.modify_index(doc! { "name": &new.name, "hidden": new.hidden }).await?;
        }
        if new.unique && !has.unique {
            self.make_unique(&new.name).await?;
        }
        Ok(true)
    }

    /// Makes an index unique. The server first refuses new duplicates (`prepareUnique`), then looks for old duplicates.
    /// When old duplicates exist, `prepareUnique` is reverted.
    async fn make_unique(&self, name: &str) -> Result<()> {
        self.modify_index(doc! { "name": name, "prepareUnique": true }).await?;
        let mut made = self.modify_index(doc! { "name": name, "unique": true }).await;
        if matches!(&made, Err(Error::Driver(error)) if code::command_code(error) == Some(code::INVALID_OPTIONS)) {
            // Another client has found duplicates and reverted `prepareUnique`.
            self.modify_index(doc! { "name": name, "prepareUnique": true }).await?;
            made = self.modify_index(doc! { "name": name, "unique": true }).await;
        }
        if matches!(made, Err(Error::DuplicateKey { .. })) {
            self.modify_index(doc! { "name": name, "prepareUnique": false }).await?;
        }
        made
    }

    async fn modify_index(&self, index: Document) -> Result<()> {
        let name = index.get_str("name").unwrap_or_default().to_owned();
        self.command(doc! { "collMod": self.collection, "index": index }, "collMod", &name).await
    }

    /// Drops an index and makes the index again. Drops nothing when a unique index could not be built again.
    async fn rebuild_index(&self, state: &CollectionState, old: &Index, new: &Index) -> Result<bool> {
        if state.indexes.iter().any(|has| same_index(has, new)) {
            return Ok(false);
        }
        if new.unique
            && let Some(model) = self.model
            && count_duplicates(model, new, self.database).await?.groups > 0
        {
            return Err(duplicate_key(self.collection, new));
        }
        // The count of duplicates may take minutes: another apply may have made the index meanwhile.
        let now = inspect_collection(self.collection, self.database).await?;
        let state = now.as_ref().unwrap_or(state);
        if state.indexes.iter().any(|has| same_index(has, new)) {
            return Ok(false);
        }
        self.drop_index(state, old).await?;
        self.create_index(state, new).await
    }

    async fn drop_index(&self, state: &CollectionState, index: &Index) -> Result<bool> {
        // An apply that hides undeclared indexes may have hidden the index.
        let is_same = |has: &Index| same_index(&Index { hidden: index.hidden, ..has.clone() }, index);
        match state.indexes.iter().find(|has| has.name == index.name) {
            None => return Ok(false),
            Some(has) if is_same(has) => {}
            Some(_) => return self.outdated(&format!("the index `{}` has changed", index.name)),
        }
        let command = doc! { "dropIndexes": self.collection, "index": &index.name };
        match self.database.run_command(on_a_majority(command)).await {
            Ok(_) => Ok(true),
            Err(error) if code::command_code(&error) == Some(code::INDEX_NOT_FOUND) => Ok(false),
            Err(error) => Err(self.failure(error, "dropIndex", &index.name)),
        }
    }

    async fn command(&self, command: Document, action: &'static str, index: &str) -> Result<()> {
        match self.database.run_command(on_a_majority(command)).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.failure(error, action, index)),
        }
    }

    fn failure(&self, error: mongodb::error::Error, action: &'static str, index: &str) -> Error {
        let (collection, index) = (self.collection.to_owned(), index.to_owned());
        match code::command_code(&error) {
            Some(code::UNAUTHORIZED) => Error::NotAuthorized { action, collection },
            Some(code::DUPLICATE_KEY | code::CANNOT_CONVERT_INDEX_TO_UNIQUE) => {
                let key = key_in(&code::command_message(&error)).to_owned();
                let fields = self.model.map_or_else(Vec::new, |model| fields_of(model, &index, &key));
                let hides = self.model.is_some_and(|model| is_hidden(model, &fields));
                let key = if hides { String::new() } else { key };
                Error::DuplicateKey { collection, index, fields, key }
            }
            Some(code::INDEX_OPTIONS_CONFLICT | code::INDEX_KEY_SPECS_CONFLICT) => {
                Error::IndexConflict { collection, index, message: code::command_message(&error) }
            }
            _ => error.into(),
        }
    }

    fn outdated(&self, what: &str) -> Result<bool> {
        Err(Error::PlanOutdated { collection: self.collection.to_owned(), what: what.to_owned() })
    }
}

/// Returns whether each option of an index has either the old or the new value.
fn is_between(has: &Index, old: &Index, new: &Index) -> bool {
    let is_either = |option: fn(&Index) -> Option<i64>| [option(old), option(new)].contains(&option(has));
    let of_old =
        Index { expire_after_seconds: old.expire_after_seconds, hidden: old.hidden, unique: old.unique, ..has.clone() };
    same_index(&of_old, old)
        && is_either(|index| index.expire_after_seconds)
        && is_either(|index| Some(i64::from(index.hidden)))
        && is_either(|index| Some(i64::from(index.unique)))
}

fn validator_options(validator: &Validator) -> Document {
    doc! {
        "validator": validator.rule.clone(),
        "validationLevel": &validator.level,
        "validationAction": &validator.action,
    }
}
