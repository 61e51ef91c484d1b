//! Writes the elements of a box. Pure.

use std::fmt::Write as _;

use super::{
    super::picture::{Card, LineKind, Picture, Row},
    placed::PlacedCard,
    size::{PADDING, SLOT, TEXT, indent, short},
    write_text,
};
use crate::manage::describe::escape;

pub(super) fn write(text: &mut String, picture: &Picture, card: &Card, placed: &PlacedCard) {
    let PlacedCard { number, x, y, height, columns } = *placed;
    let width = columns.width;
    let is_view = picture.lines.iter().any(|line| line.kind == LineKind::View && line.to.card == number);
    let class = if is_view { "card view" } else { "card" };
    let _ = writeln!(
        text,
        "<g class=\"{class}\" id=\"card-{number}\" data-card=\"{number}\" data-name=\"{} {}\" tabindex=\"0\">\n\
         <title>{}</title>\n<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>",
        escape(&card.collection),
        escape(&card.model),
        escape(&card.collection),
    );
    let header = SLOT * i64::try_from(1 + card.heads.len()).unwrap_or_default();
    let _ = writeln!(text, "<rect class=\"head\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{header}\" rx=\"3\"/>");
    let mut at = y + 12;
    write_text(text, "name", x + PADDING, at, &short(&card.collection), TEXT, false);
    for head in &card.heads {
        at += SLOT;
        write_text(text, "quiet", x + PADDING, at, &short(head), TEXT, false);
    }
    for row in &card.rows {
        at += SLOT;
        let _ = writeln!(text, "<g class=\"row\"><title>{}</title>", escape(&title(row)));
        write_text(text, "field", x + PADDING + indent(row), at, &short(&row.name), TEXT, false);
        write_text(text, "type", x + columns.types, at, &short(&row.type_text), TEXT, false);
        write_text(text, "mark", x + columns.marks, at, &short(&row.marks.join(" ")), TEXT, false);
        text.push_str("</g>\n");
    }
    for index in &card.indexes {
        at += SLOT;
        write_text(text, "quiet", x + PADDING, at, &short(index), TEXT, false);
    }
    text.push_str("</g>\n");
}

fn title(row: &Row) -> String {
    let marks = if row.marks.is_empty() { String::new() } else { format!(" ({})", row.marks.join(", ")) };
    format!("{}: {}{marks}", row.path, row.type_text)
}
