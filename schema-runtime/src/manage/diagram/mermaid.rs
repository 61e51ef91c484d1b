//! Writes a diagram as an `erDiagram` of Mermaid. Pure.

use std::fmt::Write as _;

use super::{
    DiagramError,
    picture::{Card, Line, LineKind, Picture},
    select,
};
use crate::manage::describe::printable;

/// Mermaid refuses longer texts (`maxTextSize`).
const MOST_CHARACTERS: usize = 50_000;

/// Writes the diagram, or names a part that is short enough.
///
/// # Errors
/// [`DiagramError::TooLong`] for a text of more than 50,000 characters.
pub(super) fn checked(picture: &Picture) -> Result<String, DiagramError> {
    let text = write(picture);
    let characters = length(&text);
    if characters <= MOST_CHARACTERS {
        return Ok(text);
    }
    let lines_of = |card: usize| {
        let is_of_card = |line: &&Line| line.from.card == card || line.to.card == card;
        picture.lines.iter().filter(is_of_card).count()
    };
    let mut cards: Vec<usize> = (0..picture.cards.len()).collect();
    cards.sort_by_key(|card| std::cmp::Reverse(lines_of(*card)));
    let fits = |card: &usize| length(&write(&select::around(picture, *card))) <= MOST_CHARACTERS;
    let only = cards.iter().copied().find(fits).or(cards.last().copied());
    let only = only.map(|card| picture.cards[card].collection.clone()).unwrap_or_default();
    Err(DiagramError::TooLong { characters, only })
}

/// Returns the length of a text as JavaScript counts.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

fn write(picture: &Picture) -> String {
    let mut text = "erDiagram\n".to_owned();
    for card in &picture.cards {
        write_card(&mut text, card);
    }
    for line in &picture.lines {
        let name = |card: usize| quoted(&picture.cards[card].collection);
        let (near, far) = (marker(&line.from.words), marker(&line.to.words));
        let near: String = near.chars().rev().map(turned).collect();
        let stroke = match line.kind {
            LineKind::Reference | LineKind::TwoWay => "--",
            LineKind::Copy | LineKind::Rollup | LineKind::View => "..",
        };
        let (from, to) = (name(line.from.card), name(line.to.card));
        let _ = writeln!(text, "    {from} {near}{stroke}{far} {to} : {}", quoted(&label(line)));
    }
    text
}

fn write_card(text: &mut String, card: &Card) {
    let _ = write!(text, "    {}", quoted(&card.collection));
    if card.rows.is_empty() {
        text.push('\n');
        return;
    }
    text.push_str(" {\n");
    for row in &card.rows {
        let keys: Vec<&str> =
            row.marks.iter().map(String::as_str).filter(|mark| ["PK", "FK", "UK"].contains(mark)).collect();
        let _ = write!(text, "        {} {}", word(&row.type_text), word(&row.path));
        if !keys.is_empty() {
            let _ = write!(text, " {}", keys.join(", "));
        }
        let rest = row.marks.iter().filter(|mark| !keys.contains(&mark.as_str())).map(String::as_str);
        let mut comment = vec![row.path.as_str()];
        comment.extend((word(&row.type_text) != row.type_text).then_some(row.type_text.as_str()));
        comment.extend(rest);
        let comment = if comment.len() == 1 && word(&row.path) == row.path { Vec::new() } else { comment };
        match comment.is_empty() {
            true => text.push('\n'),
            false => {
                let _ = writeln!(text, " {}", quoted(&comment.join(", ")));
            }
        }
    }
    text.push_str("    }\n");
}

/// Returns the words of a line.
fn label(line: &Line) -> String {
    match line.kind {
        LineKind::Reference => format!("{}: {} to {}, {}", line.name, line.from.words, line.to.words, line.stored),
        LineKind::TwoWay => {
            format!("{} (truth): {} to {}, {}", line.name, line.from.words, line.to.words, line.stored)
        }
        LineKind::Copy => format!("copy of {} to {}", line.stored, line.name),
        LineKind::Rollup => format!("{}: {}", line.name, line.stored),
        LineKind::View => "view".to_owned(),
    }
}

/// Returns the mark at the right end of a line.
fn marker(words: &str) -> &'static str {
    match words.split(" <=").next().unwrap_or_default() {
        "one" | "" => "||",
        "zero or one" => "o|",
        _ => "o{",
    }
}

fn turned(letter: char) -> char {
    if letter == '{' { '}' } else { letter }
}

/// Returns a name of a field or a type in the letters that Mermaid takes: Mermaid takes no leading `_`, and no `<`, `[`
/// and spaces.
fn word(name: &str) -> String {
    let spelled = name.replace("[]", "_list").replace("{}", "_map").replace("<=", "max").replace('?', "_optional");
    let kept = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut word: String = spelled.chars().map(kept).collect();
    while word.contains("__") {
        word = word.replace("__", "_");
    }
    let word = word.trim_matches('_');
    match word.chars().next() {
        None => "field".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{word}"),
        Some(_) => word.to_owned(),
    }
}

/// Returns a text in quotes. The letters that end a text or begin a code of Mermaid or HTML become similar letters.
fn quoted(text: &str) -> String {
    let plain = |letter: char| match letter {
        '"' => '\'',
        '<' => '‹',
        '>' => '›',
        '%' => '٪',
        '\\' => '∖',
        '#' => '♯',
        ';' => ',',
        '&' => '+',
        '`' => '\'',
        _ => letter,
    };
    let text: String = printable(&text.replace("<=", "≤")).chars().map(plain).collect();
    if text.trim().is_empty() { "\"_\"".to_owned() } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        let words = ["_id", "string <= 50", "objectId[] <= 2,000?", "parts[].name", "ü", "2fa", "map of int"].map(word);
        let expected = [
            "id",
            "string_max_50",
            "objectId_list_max_2_000_optional",
            "parts_list_name",
            "field",
            "n2fa",
            "map_of_int",
        ];
        assert_eq!(words, expected);
    }
}
