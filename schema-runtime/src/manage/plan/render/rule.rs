//! Writes the differences between two rules of validators as lines. Pure.

use mongodb::bson::{Bson, Document};

use super::compact;

/// Returns `- path: value` for each removed value and `+ path: value` for each added value, sorted by path.
pub(super) fn changes(old: &Document, new: &Document) -> Vec<String> {
    let (before, after) = (flatten(old), flatten(new));
    let gone = before.iter().filter(|line| !after.contains(line)).map(|line| (line, '-'));
    let come = after.iter().filter(|line| !before.contains(line)).map(|line| (line, '+'));
    let mut lines: Vec<_> = gone.chain(come).collect();
    lines.sort_by(|((left, _), _), ((right, _), _)| left.cmp(right));
    lines.into_iter().map(|((path, value), sign)| format!("{sign} {path}: {value}")).collect()
}

/// Returns each value of a rule with the path to the value, without the words that only lead to a field.
fn flatten(rule: &Document) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    walk(rule, "", &mut lines);
    lines.retain(|(path, _)| path != "title" && path != "description");
    lines
}

fn walk(rule: &Document, path: &str, lines: &mut Vec<(String, String)>) {
    for (word, value) in rule {
        let path = match (path, word.as_str()) {
            (path, "$jsonSchema" | "properties") => path.to_owned(),
            ("", word) => word.to_owned(),
            (path, word) => format!("{path}.{word}"),
        };
        match value {
            Bson::Document(inner) => walk(inner, &path, lines),
            Bson::Array(list) if list.iter().all(|name| matches!(name, Bson::String(_) | Bson::Null)) => {
                let mut names: Vec<&str> = list.iter().map(|name| name.as_str().unwrap_or("null")).collect();
                names.sort_unstable();
                lines.push((path, names.join(", ")));
            }
            Bson::Array(conditions) if path == "$nor" => {
                lines.extend(conditions.iter().map(|condition| (path.clone(), compact(condition))));
            }
            Bson::String(text) => lines.push((path, text.clone())),
            other => lines.push((path, other.to_string())),
        }
    }
}
