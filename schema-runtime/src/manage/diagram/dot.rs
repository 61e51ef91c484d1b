//! Writes a diagram as a graph of Graphviz, with a table and a port for each field. Pure.

use std::fmt::Write as _;

use super::picture::{Card, End, Line, LineKind, Picture};
use crate::manage::describe::{escape, printable};

pub(super) fn write(picture: &Picture, by_module: bool) -> String {
    let mut text = concat!(
        "digraph schema {\n",
        "    graph [rankdir=LR, nodesep=0.6, ranksep=1.6, fontname=\"monospace\"];\n",
        "    node [shape=plain, fontname=\"monospace\", fontsize=10];\n",
        "    edge [fontname=\"monospace\", fontsize=9];\n",
    )
    .to_owned();
    let mut modules: Vec<&str> = picture.cards.iter().map(|card| card.module.as_str()).collect();
    modules.sort_unstable();
    modules.dedup();
    match by_module {
        true => modules.iter().enumerate().for_each(|(number, module)| {
            let _ = writeln!(text, "    subgraph cluster_{number} {{\n    label={};", quoted(module));
            write_cards(&mut text, picture, |card| card.module == *module);
            text.push_str("    }\n");
        }),
        false => write_cards(&mut text, picture, |_| true),
    }
    picture.lines.iter().for_each(|line| write_line(&mut text, line));
    text.push_str("}\n");
    text
}

fn write_cards(text: &mut String, picture: &Picture, is_written: impl Fn(&Card) -> bool) {
    for (number, card) in picture.cards.iter().enumerate().filter(|(_, card)| is_written(card)) {
        let _ = writeln!(text, "    c{number} [tooltip={}, label=<", quoted(&card.collection));
        text.push_str("      <TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"4\">\n");
        let _ = writeln!(
            text,
            "        <TR><TD PORT=\"head\" COLSPAN=\"3\" BGCOLOR=\"#dde6f0\"><B>{}</B>{}</TD></TR>",
            filled(&card.collection),
            card.heads.iter().map(|head| format!("<BR/>{}", filled(head))).collect::<String>(),
        );
        for (row, field) in card.rows.iter().enumerate() {
            let indent = "&nbsp;".repeat(2 * field.depth);
            let _ = writeln!(
                text,
                "        <TR><TD PORT=\"f{row}\" ALIGN=\"LEFT\">{indent}{}</TD><TD ALIGN=\"LEFT\">{}</TD>\
                 <TD PORT=\"t{row}\" ALIGN=\"LEFT\">{}</TD></TR>",
                filled(&field.name),
                filled(&field.type_text),
                filled(&field.marks.join(" ")),
            );
        }
        for index in &card.indexes {
            let _ = writeln!(text, "        <TR><TD COLSPAN=\"3\" ALIGN=\"LEFT\"><I>{}</I></TD></TR>", filled(index));
        }
        text.push_str("      </TABLE>>];\n");
    }
}

fn write_line(text: &mut String, line: &Line) {
    let (style, ends) = match line.kind {
        LineKind::Reference => ("solid", "dir=both, arrowtail=none, arrowhead=vee"),
        LineKind::TwoWay => ("solid", "dir=both, arrowtail=dot, arrowhead=vee"),
        LineKind::Copy => ("dashed", "dir=forward, arrowhead=normal"),
        LineKind::Rollup => ("dotted", "dir=forward, arrowhead=normal"),
        LineKind::View => ("dashed", "dir=forward, arrowhead=empty"),
    };
    let port = |end: &End| match end.row {
        Some(row) => format!("c{}:f{row}", end.card),
        None => format!("c{}:head", end.card),
    };
    let name = match line.kind {
        LineKind::View => line.name.clone(),
        _ => format!("{}: {}", line.name, line.stored),
    };
    // The box that stands before is the tail, so that parents are on the left.
    let (tail, head, ends) = match line.is_upward {
        true => (&line.to, &line.from, swapped(ends)),
        false => (&line.from, &line.to, ends.to_owned()),
    };
    let _ = writeln!(
        text,
        "    {} -> {} [style={style}, {ends}, label={}, taillabel={}, headlabel={}];",
        port(tail),
        port(head),
        quoted(&name),
        quoted(&tail.words),
        quoted(&head.words),
    );
}

/// Returns the ends of a line that is written from its end to its start.
fn swapped(ends: &str) -> String {
    let ends = ends.replace("dir=forward", "dir=back");
    ends.replace("arrowhead", "\u{0}").replace("arrowtail", "arrowhead").replace('\u{0}', "arrowtail")
}

/// Returns a text of a cell; Graphviz takes no empty cell with a font.
fn filled(text: &str) -> String {
    if text.is_empty() { "&nbsp;".to_owned() } else { escape(text) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}
