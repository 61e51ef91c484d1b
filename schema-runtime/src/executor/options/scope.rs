//! The options that a context has, and the commands that take the options.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::{
    bson::{Bson, Document},
    error::Error as DriverError,
    options::Collation,
};

use super::OperationOptions;
use crate::{
    codec,
    definition::{CollationDefinition, HintIndex, ModelDefinition, Texts},
    error::{Error, Result, cause::Overtime},
};

/// The time that the client waits for an answer beyond the time limit on the server: the server's own answer is better
/// than none.
const GRACE: Duration = Duration::from_millis(100);

/// The options of the commands of one operation.
#[derive(Clone)]
pub(in crate::executor) struct Scope {
    pub(in crate::executor) options: Option<Arc<OperationOptions>>,
    /// The moment at which the operation has to be over.
    pub(in crate::executor) deadline: Option<Instant>,
    /// The begin of the operation, where the default limit of the client is not looked up yet.
    pub(in crate::executor) default: Option<Instant>,
    pub(in crate::executor) part: Part,
    pub(in crate::executor) texts: Texts,
}

/// The commands of this crate's own compare by bytes.
impl Default for Scope {
    fn default() -> Self {
        let (options, deadline, default) = (None, None, None);
        Scope { options, deadline, default, part: Part::default(), texts: Texts::Bytes }
    }
}

/// The part of an operation that a command is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::executor) enum Part {
    /// A command of this crate's own beside the caller's: the command takes the comment and the deadline.
    #[default]
    Internal,
    /// A command among several of the caller's operation: the command takes all options but the hint and the collation.
    Along,
    /// A join of documents that the caller's filter finds: the command takes all options but the collation, by which
    /// the references would be compared as well.
    Outer,
    /// The caller's own command, which takes all options.
    Own,
}

/// The model of the caller's own command, with the indexes of the model that a hint may name.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) model: &'static ModelDefinition,
    pub(crate) indexes: fn(&'static ModelDefinition) -> Result<Vec<HintIndex>>,
}

impl fmt::Debug for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.model.model)
    }
}

impl Asked {
    /// Checks the hint of a command that compares texts in this way.
    fn check_hint(&self, hint: &str, read: Option<&Document>) -> Result<()> {
        let indexes = (self.indexes)(self.model)?;
        let Some(index) = indexes.iter().find(|index| index.name == hint) else {
            let indexes = indexes.into_iter().map(|index| index.name).collect();
            return Err(Error::UnknownIndex { model: self.model.model, index: hint.to_owned(), indexes });
        };
        if index.begins_with_text && collations_differ(index.collation.as_ref(), read) {
            return Err(Error::Query {
                message: "the index of the hint has another collation than the operation, and finds no text of the operation: give the operation the collation of the index, or remove the hint",
            });
        }
        Ok(())
    }
}

impl Scope {
    /// Checks the hint of the caller's own command.
    pub(in crate::executor) fn check_hint(&self, asked: &Asked) -> Result<()> {
        let Some(options) = &self.options else { return Ok(()) };
        let Some(hint) = &options.hint else { return Ok(()) };
        let document = |definition: &CollationDefinition| (!definition.is_simple()).then(|| definition.to_document());
        let read = match (options.collation_set(), self.texts) {
            (Some(given), _) if given.locale == CollationDefinition::SIMPLE.locale => None,
            (Some(given), _) => codec::encode_value(given).ok().and_then(|given| given.as_document().cloned()),
            (None, Texts::Inherited) => asked.model.options.collation.as_ref().and_then(document),
            (None, Texts::Bytes) => None,
            (None, Texts::By(collation)) => document(&collation),
        };
        asked.check_hint(hint, read.as_ref())
    }
}

/// Returns whether two collations compare texts differently in any language. The server completes a collation by the
/// language, so that most missing options may be equal.
fn collations_differ(index: Option<&Document>, read: Option<&Document>) -> bool {
    let (Some(index), Some(read)) = (index, read) else { return index.is_some() != read.is_some() };
    let differs = |(option, value): (&String, &Bson)| match (option.as_str(), read.get(option)) {
        (_, Some(other)) => widened(value) != widened(other),
        ("strength", None) => widened(value) != Bson::Int64(3),
        ("numericOrdering", None) => *value == Bson::Boolean(true),
        (_, None) => false,
    };
    let only_read = |option: &str, usual: Bson| {
        !index.contains_key(option) && read.get(option).is_some_and(|value| widened(value) != usual)
    };
    index.iter().any(differs)
        || only_read("strength", Bson::Int64(3))
        || only_read("numericOrdering", Bson::Boolean(false))
}

/// Returns an integer as 64 bits, and any other value as given.
fn widened(value: &Bson) -> Bson {
    match value {
        Bson::Int32(number) => Bson::Int64((*number).into()),
        other => other.clone(),
    }
}

impl OperationOptions {
    pub(crate) fn collation_set(&self) -> Option<&Collation> {
        self.collation.as_ref().map(|rules| &rules.0)
    }

    /// Returns whether the options choose the documents or the index of one command.
    pub(crate) fn select(&self) -> bool {
        self.hint.is_some() || self.collation.is_some()
    }

    /// Returns the options that choose the plan of the caller's own command, as parts of the command.
    pub(crate) fn plan(&self) -> Document {
        let hint = self.hint.as_deref().map(|hint| ("hint".to_owned(), Bson::from(hint)));
        let collation = self.collation_set().and_then(|collation| codec::encode_value(collation).ok());
        hint.into_iter().chain(collation.map(|collation| ("collation".to_owned(), collation))).collect()
    }
}

/// The deadline of an operation, for the waits of the client.
#[derive(Clone, Copy, Default)]
pub(in crate::executor) struct Overdue(pub(in crate::executor) Option<Instant>);

impl Scope {
    /// Returns the options that a command of this part of the operation takes.
    pub(in crate::executor) fn of_part(&self, part: Part) -> Option<&OperationOptions> {
        self.options.as_deref().filter(|_| self.part >= part)
    }
}

impl Overdue {
    /// Returns the time that is left; `None` without a limit.
    ///
    /// # Errors
    /// The error of an operation whose time is over.
    pub(in crate::executor) fn left(self) -> Result<Option<Duration>, DriverError> {
        let Some(deadline) = self.0 else { return Ok(None) };
        match deadline.checked_duration_since(Instant::now()) {
            Some(left) if left >= Duration::from_millis(1) => Ok(Some(left)),
            _ => Err(overtime()),
        }
    }

    /// Waits for a read, at most until the deadline and a short time for the answer of the server.
    pub(in crate::executor) async fn wait<T>(
        self,
        read: impl Future<Output = Result<T, DriverError>>,
    ) -> Result<T, DriverError> {
        let Some(deadline) = self.0 else { return read.await };
        let latest = tokio::time::Instant::from_std(deadline + GRACE);
        tokio::time::timeout_at(latest, read).await.unwrap_or_else(|_| Err(overtime()))
    }
}

/// Returns the error of an operation whose time is over. No command is sent after the error.
fn overtime() -> DriverError {
    DriverError::custom(Overtime)
}
