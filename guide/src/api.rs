//! Links from names in code spans, such as `Error::NotFound` and `check_indexed`, to the documentation of the crate.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;

use crate::links::html_files;

/// The parts of a type that a page names, by the beginnings of their anchors in rustdoc.
const MEMBERS: [&str; 5] = ["variant", "method", "tymethod", "structfield", "associatedconstant"];
const KINDS: [&str; 4] = ["enum", "fn", "struct", "trait"];

/// The items of a crate: a link for each name that is linked.
#[derive(Debug)]
pub struct Api {
    links: BTreeMap<String, String>,
}

impl Api {
    /// Reads the names of a crate's documentation in `folder/name`. A name with several meanings has no link.
    pub fn read(folder: &Path, name: &str) -> Self {
        let anchor = Regex::new(r#"\sid="([a-z]+)\.([A-Za-z_0-9]+)""#).expect("a pattern");
        let mut links: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in html_files(&folder.join(name)) {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let Some((kind, item)) = stem.split_once('.').filter(|(kind, _)| KINDS.contains(kind)) else { continue };
            let path = file.strip_prefix(folder).expect("a file of the folder").to_string_lossy().into_owned();
            if kind == "fn" {
                // A name such as `check_indexed` is a function; a short name such as `connect` is often a word.
                if item.contains('_') {
                    links.entry(item.to_owned()).or_default().insert(path);
                }
                continue;
            }
            let text = fs::read_to_string(&file).unwrap_or_default();
            for found in anchor.captures_iter(&text).filter(|found| MEMBERS.contains(&&found[1])) {
                let member = format!("{item}::{}", &found[2]);
                links.entry(member).or_default().insert(format!("{path}#{}.{}", &found[1], &found[2]));
            }
        }
        let single = links.into_iter().filter(|(_, links)| links.len() == 1);
        Api { links: single.filter_map(|(name, links)| Some((name, links.into_iter().next()?))).collect() }
    }

    /// Puts links into a page of the book at `page`, a path below the folder of the documentation. Code spans that are
    /// links already stay. Returns the page and the number of links.
    pub fn link(&self, html: &str, page: &Path) -> (String, usize) {
        let up: PathBuf = page.parent().unwrap_or(Path::new("")).components().map(|_| "..").collect();
        let mut linked = String::with_capacity(html.len());
        let (mut rest, mut count) = (html, 0);
        while let Some(at) = rest.find("<code>") {
            let (before, code) = rest.split_at(at);
            let Some((name, after)) = code["<code>".len()..].split_once("</code>") else { break };
            linked.push_str(before);
            match self.links.get(name).filter(|_| !is_in_link(&linked)) {
                Some(link) => {
                    linked.push_str(&format!(r#"<a href="{}/{link}"><code>{name}</code></a>"#, up.display()));
                    count += 1;
                }
                None => linked.push_str(&format!("<code>{name}</code>")),
            }
            rest = after;
        }
        linked.push_str(rest);
        (linked, count)
    }
}

/// Tells whether a link has begun and has not ended.
fn is_in_link(html: &str) -> bool {
    html.rfind("<a ").is_some_and(|begin| !html[begin..].contains("</a>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_the_crate_is_a_link_unless_the_name_is_one_already() {
        let links = BTreeMap::from([("Error::Query".to_owned(), "runtime/enum.Error.html#variant.Query".to_owned())]);
        let page = "<p><code>Error::Query</code>, <a href=\"a\"><code>Error::Query</code></a>, <code>find</code></p>";
        let (linked, count) = Api { links }.link(page, Path::new("guide/design/copies.html"));
        assert_eq!(count, 1);
        assert!(linked.starts_with(
            "<p><a href=\"../../runtime/enum.Error.html#variant.Query\"><code>Error::Query</code></a>, <a href=\"a\">"
        ));
    }
}
