//! Words that reports for people share. Pure.

/// `1 document`, `2 documents`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
