//! Pages of HTML in one file. A policy in the page refuses each script and each style but the own ones, and each
//! request. Pure.

use std::fmt::Write as _;

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{FactTable, Facts, escape};

/// The style of all pages.
const STYLE: &str = include_str!("page/style.css");

/// A page.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    /// Elements, with escaped texts.
    pub(crate) body: &'a str,
    /// Further styles.
    pub(crate) styles: &'a [&'a str],
    /// The script at the end.
    pub(crate) script: Option<&'a str>,
}

impl Page<'_> {
    pub(crate) fn write(&self) -> String {
        let styles: Vec<&str> = [STYLE].into_iter().chain(self.styles.iter().copied()).collect();
        let hashes: Vec<String> = styles.iter().map(|style| hash(style)).collect();
        let mut policy = format!("default-src 'none'; style-src {}", hashes.join(" "));
        if let Some(script) = self.script {
            let _ = write!(policy, "; script-src {}", hash(script));
        }
        let mut text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n",
            escape(self.title)
        );
        for style in styles {
            let _ = writeln!(text, "<style>{style}</style>");
        }
        let _ = write!(text, "</head>\n<body>\n{}", self.body);
        if let Some(script) = self.script {
            let _ = writeln!(text, "<script>{script}</script>");
        }
        text.push_str("</body>\n</html>\n");
        text
    }
}

/// Returns the name of a script or a style in a policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// Writes the facts of a model as a section.
pub(crate) fn write_facts(text: &mut String, number: usize, facts: &Facts) {
    let _ = writeln!(
        text,
        "<section class=\"facts\" id=\"facts-{number}\">\n<h2>{}</h2>\n<p>{}</p>",
        escape(&facts.collection),
        escape(&facts.heads.join("; "))
    );
    facts.tables.iter().for_each(|table| write_table(text, table));
    text.push_str("</section>\n");
}

/// Writes a table with the title.
pub(crate) fn write_table(text: &mut String, table: &FactTable) {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let row: String = cells.map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        format!("<tr>{row}</tr>\n")
    };
    let _ = write!(text, "<h3>{}</h3>\n<table>\n<thead>", table.title);
    text.push_str(&cells("th", &mut table.header.iter().copied()));
    text.push_str("</thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str(&cells("td", &mut row.iter().map(String::as_str)));
    }
    text.push_str("</tbody>\n</table>\n");
}
