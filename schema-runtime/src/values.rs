//! Events with the values of commands, for development (feature `log-values`): each command as a line for `mongosh`,
//! with the time and the counts.

mod counts;
mod examined;
mod printer;

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;
use mongodb::{bson::Document, event::command::CommandEvent, options::ClientOptions};
use tracing::Level;

use self::{
    counts::Counts,
    printer::{Ended, Printer},
};
use crate::{error::code, executor::observed};

/// The target of the events.
const TARGET: &str = "schema_runtime::values";

/// The most commands under way whose text is kept. A caller that is dropped leaves a command without an end.
const UNDER_WAY: NonZeroUsize = NonZeroUsize::new(1_024).expect("more than none");

/// Commands of the driver itself.
const OF_DRIVER: [&str; 5] = ["hello", "isMaster", "ping", "buildInfo", "endSessions"];

/// Prints each command of a client that is made of these options: an event of the target `schema_runtime::values`, at
/// the level `DEBUG`, with the values of documents. [`connect`](crate::connect()) and
/// [`connect_with`](crate::connect_with()) call this function themselves; the function is for a client that is made by
/// the driver. Needs the feature `log-values`: see [the page `visibility`](crate::guide).
///
/// ```no_run
/// # use schema_runtime::mongodb::{Client, options::ClientOptions};
/// # async fn example() -> schema_runtime::mongodb::error::Result<()> {
/// let mut options = ClientOptions::parse("mongodb://127.0.0.1:27017").await?;
/// schema_runtime::log_values(&mut options);
/// let db = Client::with_options(options)?.database("shop");
/// # Ok(())
/// # }
/// ```
pub fn log_values(options: &mut ClientOptions) {
    let log = Log { under_way: Mutex::new(LruCache::new(UNDER_WAY)), printer: Arc::new(Printer::new(options)) };
    let earlier = options.command_event_handler.take();
    let handle = move |event: &CommandEvent| {
        if tracing::enabled!(target: TARGET, Level::DEBUG) {
            log.note(event);
        }
    };
    options.command_event_handler = Some(observed(earlier, handle));
}

/// The log of one client.
struct Log {
    /// The commands under way, by the number of the request.
    under_way: Mutex<LruCache<i32, Document>>,
    printer: Arc<Printer>,
}

impl Log {
    fn note(&self, event: &CommandEvent) {
        match event {
            // The driver empties the commands that hold a password.
            CommandEvent::Started(started) if !started.command.is_empty() && !is_of_driver(&started.command_name) => {
                self.under_way().put(started.request_id, started.command.clone());
            }
            CommandEvent::Succeeded(done) => {
                if let Some(command) = self.take(done.request_id) {
                    let counts = Counts::of(&done.reply);
                    self.printer.print(Ended { command, time: done.duration, counts, error: None });
                }
            }
            CommandEvent::Failed(failed) => {
                if let Some(command) = self.take(failed.request_id) {
                    let code = code::server_code(&failed.failure).map(|code| code.to_string());
                    let error = Some(code.unwrap_or_else(|| code::kind(&failed.failure).to_owned()));
                    let counts = Counts::default();
                    self.printer.print(Ended { command, time: failed.duration, counts, error });
                }
            }
            _ => {}
        }
    }

    fn take(&self, request: i32) -> Option<Document> {
        self.under_way().pop(&request)
    }

    fn under_way(&self) -> std::sync::MutexGuard<'_, LruCache<i32, Document>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_of_driver(name: &str) -> bool {
    OF_DRIVER.iter().any(|of_driver| name.eq_ignore_ascii_case(of_driver))
}
