//! Writes the figures of the server about indexes that a step drops. Pure.

use crate::{
    manage::plan::{Change, CollectionSize, Used},
    report::counted,
};

impl Change {
    /// Returns the figures of the step as a line; `None` for a step without figures.
    pub(super) fn figures(&self) -> Option<String> {
        match self {
            Change::DropIndex { used, .. } => used.as_ref().map(use_text),
            Change::RebuildIndex { size, .. } => Some(gap_text(size.as_ref())),
            _ => None,
        }
    }
}

fn use_text(used: &Used) -> String {
    let operations = match used.operations {
        0 => "no operation".to_owned(),
        operations => counted(operations, "operation", "operations"),
    };
    let since = match used.since.try_to_rfc3339_string() {
        Ok(since) => since,
        Err(_) => format!("{} ms", used.since.timestamp_millis()),
    };
    format!("{operations} used the index since {since}, as this member of the server counts")
}

/// Returns the duration of the time without the index, as the amount of work of the build.
fn gap_text(size: Option<&CollectionSize>) -> String {
    let work = match size {
        None => "of an unknown number of documents: the user may not read the size".to_owned(),
        Some(CollectionSize { documents: 0, .. }) => "of no document".to_owned(),
        Some(CollectionSize { documents, bytes }) => {
            let documents = counted(*documents, "document", "documents");
            format!("of about {documents}, {} together", counted(*bytes, "byte", "bytes"))
        }
    };
    format!("the collection has no such index until the index is built, from a read {work}")
}
