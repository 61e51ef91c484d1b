//! Words that reports for people share. Pure.

use std::fmt;

use mongodb::bson::Bson;

/// Returns a count with a noun: `1 document`, `2 documents`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Escapes control characters and changes of the direction of writing: names and messages of a server control no
/// terminal.
pub(crate) fn printable(text: &str) -> String {
    let controls = |character: char| {
        character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let shown = |character: char| match character {
        character if controls(character) => character.escape_default().to_string(),
        character => character.to_string(),
    };
    text.chars().map(shown).collect()
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

/// Returns a size by thousands: `12.3 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let (mut size, mut unit) = (bytes as f64, 0);
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1_000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{size:.1} {}", UNITS[unit]) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_for_people() {
        assert_eq!([0, 999, 1_000, 12_345_678].map(bytes), ["0 B", "999 B", "1.0 kB", "12.3 MB"]);
        assert_eq!(bytes(999_990), "1.0 MB");
        assert_eq!(bytes(u64::MAX), "18446744.1 TB");
    }
}
