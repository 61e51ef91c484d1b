//! Words that reports for people share. Pure.

use std::fmt;

use mongodb::bson::Bson;

/// Returns a count with a noun: `1 document`, `2 documents`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns `, but for 2 documents that the server refused: 3, 7`; empty where the server refused no document.
pub(crate) fn but_for_refused(documents: u64, examples: &[impl fmt::Display]) -> String {
    let names: Vec<String> = examples.iter().map(ToString::to_string).collect();
    match (documents, names.is_empty()) {
        (0, _) => String::new(),
        (_, true) => format!(", but for {} that the server refused", counted(documents, "document", "documents")),
        (_, false) => format!(
            ", but for {} that the server refused: {}",
            counted(documents, "document", "documents"),
            names.join(", ")
        ),
    }
}

/// The most refused documents that a report names.
const NAMED: usize = 5;

/// Names some more documents, up to the limit of a report.
pub(crate) fn named(examples: &mut Vec<Bson>, more: impl IntoIterator<Item = Bson>) {
    let left = NAMED.saturating_sub(examples.len());
    examples.extend(more.into_iter().take(left));
}

/// Writes each item on a separate line.
pub(crate) fn lines<T: fmt::Display>(
    formatter: &mut fmt::Formatter<'_>,
    lines: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for (position, line) in lines.into_iter().enumerate() {
        let end = if position > 0 { "\n" } else { "" };
        write!(formatter, "{end}{line}")?;
    }
    Ok(())
}
