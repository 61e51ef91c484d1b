//! The options of a context: the options of an operation, and the part of the options that a command takes.

use std::{sync::Arc, time::Instant};

use mongodb::options::{DatabaseOptions, SelectionCriteria};

use super::{
    Context,
    options::{Asked, OperationOptions, Part, Scope},
};
use crate::{
    definition::Texts,
    error::{Error, Result},
};

impl Context {
    /// Returns the context with the options of an operation, which win over the options of the executor.
    ///
    /// # Errors
    /// [`Error::Query`] for options that the operation may not have.
    pub(crate) fn with(mut self, options: Option<&OperationOptions>) -> Result<Self> {
        let Some(options) = options else { return Ok(self) };
        options.check(self.in_transaction())?;
        let scope = &mut self.scope;
        let merged = match &scope.options {
            Some(outer) => outer.under(options),
            None => options.clone(),
        };
        if options.timeout.is_some() || options.deadline.is_some() {
            let end = merged.timeout.map(|timeout| Instant::now() + timeout);
            scope.deadline = end.into_iter().chain(merged.deadline).min();
        }
        scope.options = Some(Arc::new(merged));
        Ok(self)
    }

    /// Returns the context of the caller's own command on the documents of a model.
    ///
    /// # Errors
    /// [`Error::UnknownIndex`] when the model has no index of the hint's name, and [`Error::Query`] when the index has
    /// another collation than the command.
    pub(crate) fn own(&self, asked: &Asked) -> Result<Self> {
        self.scope.check_hint(asked)?;
        Ok(self.of_part(Part::Own))
    }

    /// Returns the context of a join of the documents of a model that the caller asks for.
    ///
    /// # Errors
    /// [`Error::UnknownIndex`] when the model has no index of the hint's name, and [`Error::Query`] when the index has
    /// another collation than the command.
    pub(crate) fn outer(&self, asked: &Asked) -> Result<Self> {
        self.scope.check_hint(asked)?;
        Ok(self.of_part(Part::Outer))
    }

    /// Returns the context of a command among several of the caller's operation.
    pub(crate) fn along(&self) -> Self {
        self.of_part(Part::Along)
    }

    fn of_part(&self, part: Part) -> Self {
        let Some(options) = &self.scope.options else { return self.clone() };
        let mut context = self.clone();
        context.scope.part = part.max(context.scope.part);
        if options.has_concerns() && !self.in_transaction() {
            let database = &self.database;
            let mut concerns = DatabaseOptions::default();
            concerns.read_concern = options.read_concern.clone().or_else(|| database.read_concern().cloned());
            concerns.write_concern = options.write_concern.clone().or_else(|| database.write_concern().cloned());
            let preference = options.read_preference.clone().map(SelectionCriteria::ReadPreference);
            concerns.selection_criteria = preference.or_else(|| database.selection_criteria().cloned());
            context.database = database.client().database_with_options(database.name(), concerns);
        }
        context
    }

    /// Returns the context of work that goes on after the operation.
    pub(crate) fn in_background(&self) -> Self {
        let mut context = self.clone();
        context.scope = Scope::default();
        context
    }

    /// Returns the context of the work of effects, which takes the comment and the deadline of the operation.
    pub(crate) fn of_effects(&self) -> Self {
        let mut context = self.clone();
        (context.scope.part, context.scope.texts) = (Part::Internal, Texts::Bytes);
        context.scope.options = self.scope.options.as_ref().and_then(|options| options.only_comment()).map(Arc::new);
        context
    }

    /// Returns the context with the options of another context, for a transaction of one operation.
    pub(crate) fn for_operation_of(mut self, other: &Context) -> Self {
        self.scope = other.scope.clone();
        self
    }

    /// Returns whether the operation has options beside a time limit.
    pub(crate) fn has_options(&self) -> bool {
        self.scope.options.is_some()
    }

    /// Returns the options, merged.
    pub(crate) fn options(&self) -> Option<Arc<OperationOptions>> {
        self.scope.options.clone()
    }

    /// Refuses the options that choose the documents, where a write sends more commands than the caller's own:
    /// the further commands have the simple collation, and no hint.
    pub(crate) fn refuse_selection(&self, write: &str) -> Result<()> {
        self.refuse_hint(write)?;
        self.refuse_collation(write)
    }

    fn refuse_hint(&self, write: &str) -> Result<()> {
        let is_given = self.scope.options.as_ref().is_some_and(|options| options.hint.is_some());
        if is_given { Err(not_taken(write, "hint", "")) } else { Ok(()) }
    }

    /// Refuses a collation where a write also reads by the filter.
    pub(crate) fn refuse_collation(&self, write: &str) -> Result<()> {
        let is_given = self.scope.options.as_ref().is_some_and(|options| options.collation.is_some());
        let instead = ", find the documents by a read with the option, and write each document by the `_id`";
        if is_given { Err(not_taken(write, "collation", instead)) } else { Ok(()) }
    }
}

fn not_taken(write: &str, option: &str, instead: &str) -> Error {
    Error::Update { message: format!("{write} takes no `{option}`: remove the option{instead}") }
}
