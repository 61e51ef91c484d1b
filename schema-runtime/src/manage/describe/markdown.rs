//! Writes facts as Markdown. Pure.

use std::fmt::Write as _;

use super::{FactTable, Facts, printable};

pub(super) fn write(all: &[Facts]) -> String {
    let mut text = "# Schema\n".to_owned();
    for facts in all {
        let heads: Vec<String> = facts.heads.iter().map(|head| plain(head)).collect();
        let _ = writeln!(text, "\n## {}\n\n{}", plain(&facts.collection), heads.join("; "));
        facts.tables.iter().for_each(|table| write_table(&mut text, table));
    }
    text
}

fn write_table(text: &mut String, table: &FactTable) {
    let _ = writeln!(text, "\n### {}\n\n| {} |", table.title, table.header.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(table.header.len()));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// Returns a text without the meanings of Markdown and HTML.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in printable(text).chars() {
        if matches!(letter, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' | '!') {
            plain.push('\\');
        }
        // An underline at the beginning or the end of a word makes text slanted.
        if letter == '_' && !plain.ends_with(|before: char| before.is_alphanumeric()) {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_are_texts() {
        assert_eq!(plain("a|b<i>*_id field_name"), "a\\|b\\<i\\>\\*\\_id field_name");
    }
}
