//! The commands that the client of a test sent to the server, and the replies.

use std::sync::{Arc, Mutex, PoisonError};

use mongodb::{
    Database,
    bson::Document,
    event::{EventHandler, command::CommandEvent},
};

use crate::server::database_with;

/// The commands that a client sent, in order, as documents, and the replies.
#[derive(Clone, Debug, Default)]
pub struct CommandLog {
    commands: Entries,
    replies: Entries,
}

/// Documents in order, each with the name of the command.
type Entries = Arc<Mutex<Vec<(String, Document)>>>;

impl CommandLog {
    /// Returns all commands up to now, each with its name.
    pub fn commands(&self) -> Vec<(String, Document)> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the replies to all commands up to now, each with the name of the command, if the log keeps replies.
    pub fn replies(&self) -> Vec<(String, Document)> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the commands with this name up to now.
    pub fn named(&self, name: &str) -> Vec<Document> {
        self.commands().into_iter().filter(|(command, _)| command == name).map(|(_, document)| document).collect()
    }

    /// Forgets the commands and the replies up to now.
    pub fn clear(&self) {
        for entries in [&self.commands, &self.replies] {
            entries.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

/// Returns a new database, and a log of the commands of its client.
pub async fn database_with_log() -> (Database, CommandLog) {
    logged(false).await
}

/// Returns a new database, and a log of the commands of its client with the replies.
pub async fn database_with_replies() -> (Database, CommandLog) {
    logged(true).await
}

async fn logged(keeps_replies: bool) -> (Database, CommandLog) {
    let log = CommandLog::default();
    let kept = log.clone();
    let handler = EventHandler::callback(move |event| {
        let (entries, entry) = match event {
            CommandEvent::Started(event) => (&kept.commands, (event.command_name, event.command)),
            CommandEvent::Succeeded(event) if keeps_replies => (&kept.replies, (event.command_name, event.reply)),
            _ => return,
        };
        entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    });
    let database = database_with(|options| options.command_event_handler = Some(handler)).await;
    (database, log)
}
