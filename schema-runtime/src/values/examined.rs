//! The keys and documents that the server examined for a read. No reply of a read has the counts, so the read runs a
//! second time, by `explain`. The profiler would have the counts of the read itself, and is a state of the whole
//! database, which not every user may change and no router has.

use std::sync::OnceLock;

use mongodb::{
    Client,
    bson::{Bson, Document, doc},
    options::ClientOptions,
};

use crate::explain;

/// The longest time of an `explain`, in milliseconds.
const LONGEST: i32 = 10_000;

/// The fields of a command that an explained command does not have.
const LEFT_OUT: [&str; 11] = [
    "$db",
    "$clusterTime",
    "$readPreference",
    "apiVersion",
    "autocommit",
    "comment",
    "lsid",
    "maxTimeMS",
    "readConcern",
    "startTransaction",
    "txnNumber",
];

/// Explains reads by a client of its own, which holds one connection: the commands of the explained client neither wait
/// for an `explain` nor take part in the log.
pub(super) struct Explainer {
    options: ClientOptions,
    /// `None` where the driver refuses the options.
    client: OnceLock<Option<Client>>,
}

impl Explainer {
    pub(super) fn new(options: &ClientOptions) -> Self {
        let mut options = options.clone();
        options.command_event_handler = None;
        options.sdam_event_handler = None;
        options.cmap_event_handler = None;
        options.min_pool_size = None;
        options.max_pool_size = Some(1);
        Explainer { options, client: OnceLock::new() }
    }

    /// Returns the numbers of examined keys and documents; `None` where the server does not explain the read in time.
    pub(super) async fn examined(&self, database: &str, command: Document) -> Option<(u64, u64)> {
        let client = self.client.get_or_init(|| Client::with_options(self.options.clone()).ok()).as_ref()?;
        let explained = client.database(database).run_command(command).await.ok()?;
        Some(explain::examined(&explained))
    }
}

/// Returns the `explain` command of a read; `None` for a command that is no read.
pub(super) fn explain_of(command: &Document) -> Option<Document> {
    let is_read = match command.keys().next()?.as_str() {
        "find" | "count" | "distinct" => true,
        "aggregate" => command.get_array("pipeline").is_ok_and(|stages| stages.iter().all(is_read_stage)),
        _ => false,
    };
    let fields = command.iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()));
    let read: Document = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
    is_read.then(|| doc! { "explain": read, "verbosity": "executionStats", "maxTimeMS": LONGEST })
}

/// Returns whether a stage writes nothing, and ends.
fn is_read_stage(stage: &Bson) -> bool {
    let name = stage.as_document().and_then(|stage| stage.keys().next());
    name.is_some_and(|name| !matches!(name.as_str(), "$out" | "$merge" | "$changeStream"))
}
