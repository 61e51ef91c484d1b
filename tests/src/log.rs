//! The commands that the client of a test sent to the server.

use std::sync::{Arc, Mutex, PoisonError};

use mongodb::{
    Database,
    bson::Document,
    event::{EventHandler, command::CommandEvent},
};

use crate::server::database_with;

/// The commands that a client sent, in order, as documents.
#[derive(Clone, Debug, Default)]
pub struct CommandLog(Arc<Mutex<Vec<(String, Document)>>>);

impl CommandLog {
    /// Returns all commands up to now, each with its name.
    pub fn commands(&self) -> Vec<(String, Document)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the commands with this name up to now.
    pub fn named(&self, name: &str) -> Vec<Document> {
        self.commands().into_iter().filter(|(command, _)| command == name).map(|(_, document)| document).collect()
    }

    /// Forgets the commands up to now.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Returns a new database, and a log of the commands of its client.
pub async fn database_with_log() -> (Database, CommandLog) {
    let log = CommandLog::default();
    let entries = Arc::clone(&log.0);
    let handler = EventHandler::callback(move |event| {
        if let CommandEvent::Started(event) = event {
            let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
            entries.push((event.command_name, event.command));
        }
    });
    let database = database_with(|options| options.command_event_handler = Some(handler)).await;
    (database, log)
}
