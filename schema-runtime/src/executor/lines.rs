//! The commands of a preview, as lines for `mongosh`.

use std::sync::{Mutex, PoisonError};

use mongodb::{bson::Document, error::Error as DriverError};

use crate::mongosh;

/// The commands that reach the server in a preview: a command that writes nothing, or that ends a transaction without
/// writes.
const HARMLESS: [&str; 10] = [
    "abortTransaction",
    "aggregate",
    "commitTransaction",
    "count",
    "distinct",
    "explain",
    "find",
    "getMore",
    "killCursors",
    "killSessions",
];

/// The lines of a preview.
#[derive(Default)]
pub(super) struct Lines(Mutex<(Vec<String>, bool)>);

/// The error of a write in a preview.
#[derive(Debug)]
struct Unsent;

/// Returns whether the command reaches the server in a preview.
pub(super) fn is_harmless(operation: &str) -> bool {
    HARMLESS.contains(&operation)
}

impl Lines {
    /// Returns the lines, and whether a line is a write.
    pub(super) fn taken(&self) -> (Vec<String>, bool) {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a command that is about to be sent. `is_harmless`: the command writes nothing.
    ///
    /// # Errors
    /// An error that the command may not be sent.
    pub(super) fn add(&self, operation: &str, command: Option<Document>, is_harmless: bool) -> Result<(), DriverError> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match command {
            Some(command) => lines.0.push(mongosh::line(&command)),
            None if is_harmless => {}
            None => lines.0.push(format!("// {operation}")),
        }
        lines.1 |= !is_harmless;
        if is_harmless { Ok(()) } else { Err(DriverError::custom(Unsent)) }
    }
}
