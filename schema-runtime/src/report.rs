//! Words that reports for people share. Pure.

use std::fmt;

/// `1 document`, `2 documents`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `, but for 2 documents that the server refused`; nothing where it refused none.
pub(crate) fn but_for_refused(documents: u64) -> String {
    match documents {
        0 => String::new(),
        _ => format!(", but for {} that the server refused", counted(documents, "document", "documents")),
    }
}

/// Each on a line of its own.
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
