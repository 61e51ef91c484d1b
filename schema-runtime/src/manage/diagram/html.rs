//! Writes a diagram as a page: the picture, a search, and the facts of each collection. The script hides the facts
//! until a box is chosen; without a script, and on paper, all facts are shown. Pure.

use std::fmt::Write as _;

use super::{picture::Picture, svg};
use crate::manage::{
    describe::{Page, escape, facts, write_facts},
    schema_file::SchemaFile,
};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

pub(super) fn write(picture: &Picture, file: &SchemaFile) -> String {
    page("Schema", picture, file, "")
}

/// Writes a page with further elements under the picture.
pub(super) fn page(title: &str, picture: &Picture, file: &SchemaFile, rest: &str) -> String {
    let mut body = format!(
        "<header>\n<h1>{}</h1>\n<input id=\"search\" type=\"search\" placeholder=\"search (/)\" \
         aria-label=\"Search collections and fields\">\n<output id=\"found\"></output>\n\
         <button id=\"larger\" type=\"button\" title=\"Larger (+)\">+</button>\n\
         <button id=\"smaller\" type=\"button\" title=\"Smaller (-)\">&#8722;</button>\n\
         <button id=\"whole\" type=\"button\" title=\"Whole picture (0)\">whole</button>\n</header>\n\
         <div id=\"workspace\">\n<div id=\"view\">\n",
        escape(title)
    );
    svg::write_root(&mut body, picture, false);
    body.push_str(
        "</div>\n<aside id=\"facts\">\n<p id=\"hint\">A click on a box shows the neighbors and the facts.</p>\n",
    );
    let all = facts(file);
    for (number, card) in picture.cards.iter().enumerate() {
        if let Some(facts) = all.iter().find(|facts| facts.collection == card.collection) {
            write_facts(&mut body, number, facts);
        }
    }
    let _ = writeln!(body, "</aside>\n</div>\n{rest}");
    Page { title, body: &body, styles: &[svg::STYLE, STYLE], script: Some(SCRIPT) }.write()
}
