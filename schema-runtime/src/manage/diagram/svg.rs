//! Writes a diagram as SVG. `layout` places the boxes and the lines, `size` knows the widths of texts. Pure.

mod cards;
mod layout;
mod placed;
mod ports;
mod size;
mod tracks;

use std::fmt::Write as _;

use layout::Layout;
use placed::PlacedLine;

use super::picture::{LineKind, Picture};
use crate::manage::describe::escape;

/// The style of the picture, light and dark.
pub(super) const STYLE: &str = include_str!("svg/style.css");

/// Writes a picture that stands alone.
pub(super) fn write(picture: &Picture) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    write_root(&mut text, picture, true);
    text
}

/// Writes the element `svg`. In a page, the page has the style.
pub(super) fn write_root(text: &mut String, picture: &Picture, has_style: bool) {
    let layout = layout::layout(picture);
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"schema\" id=\"schema\" role=\"img\" \
         aria-labelledby=\"schema-title schema-description\" viewBox=\"0 0 {} {}\" width=\"{0}\" height=\"{1}\">",
        layout.width, layout.height
    );
    let _ = writeln!(text, "<title id=\"schema-title\">{}</title>", escape(&title(picture)));
    let sentences: Vec<String> = picture.lines.iter().map(|line| line.sentence(&picture.cards)).collect();
    let _ = writeln!(text, "<desc id=\"schema-description\">{}</desc>", escape(&sentences.join(". ")));
    if has_style {
        let _ = writeln!(text, "<style>{STYLE}</style>");
    }
    let _ = writeln!(
        text,
        "<rect class=\"paper\" x=\"0\" y=\"0\" width=\"{}\" height=\"{}\"/>",
        layout.width, layout.height
    );
    write_legend(text, &layout);
    for (number, line) in layout.lines.iter().enumerate() {
        write_line(text, picture, number, line);
    }
    for (card, placed) in picture.cards.iter().zip(&layout.cards) {
        cards::write(text, picture, card, placed);
    }
    text.push_str("</svg>\n");
}

fn title(picture: &Picture) -> String {
    let of = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let relations =
        picture.lines.iter().filter(|line| matches!(line.kind, LineKind::Reference | LineKind::TwoWay)).count();
    format!(
        "Schema of {} with {}",
        of(picture.cards.len(), "collection", "collections"),
        of(relations, "relation", "relations")
    )
}

fn write_legend(text: &mut String, layout: &Layout) {
    text.push_str("<g class=\"legend\">\n");
    let mut x = layout::MARGIN;
    let y = layout.height - layout::MARGIN;
    for (class, words) in layout::LEGEND {
        let _ = writeln!(text, "<path class=\"{class}\" d=\"M{x} {y}H{}\"/>", x + layout::SAMPLE);
        write_text(text, "label", x + layout::SAMPLE + 6, y + 4, words, size::LABEL, false);
        x += layout::legend_width(words);
    }
    text.push_str("</g>\n");
}

fn write_line(text: &mut String, picture: &Picture, number: usize, placed: &PlacedLine) {
    let line = &picture.lines[number];
    let _ = writeln!(
        text,
        "<g class=\"line {}\" data-from=\"{}\" data-to=\"{}\">\n<title>{}</title>",
        line.kind.word(),
        line.from.card,
        line.to.card,
        escape(&line.sentence(&picture.cards)),
    );
    let mut path = String::new();
    for (at, (x, y)) in placed.points.iter().enumerate() {
        let _ = write!(path, "{}{x} {y}", if at == 0 { "M" } else { "L" });
    }
    let _ = writeln!(text, "<path d=\"{path}\"/>");
    if let (Some(first), LineKind::TwoWay) = (placed.points.first(), line.kind) {
        let _ = writeln!(text, "<circle cx=\"{}\" cy=\"{}\" r=\"3\"/>", first.0, first.1);
    }
    if let [.., before, last] = placed.points.as_slice() {
        let back = if before.0 < last.0 { -7 } else { 7 };
        let _ = writeln!(
            text,
            "<path class=\"head\" d=\"M{} {}L{} {}L{} {}Z\"/>",
            last.0,
            last.1,
            last.0 + back,
            last.1 - 3,
            last.0 + back,
            last.1 + 3
        );
    }
    for label in &placed.labels {
        write_text(text, "label", label.x, label.y, &label.text, size::LABEL, label.ends);
    }
    text.push_str("</g>\n");
}

/// Writes a text of known width: `textLength` makes each font as wide as the layout assumes.
fn write_text(text: &mut String, class: &str, x: i64, y: i64, content: &str, size: size::Size, ends: bool) {
    if content.is_empty() {
        return;
    }
    let anchor = if ends { " text-anchor=\"end\"" } else { "" };
    let _ = writeln!(
        text,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" textLength=\"{}\" \
         lengthAdjust=\"spacingAndGlyphs\"{anchor}>{}</text>",
        size.width(content),
        escape(content)
    );
}
