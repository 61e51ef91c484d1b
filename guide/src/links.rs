//! The links of the book: from page to page, from the book to rustdoc, and from rustdoc to the book.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
};

use regex::Regex;

/// A page of HTML: the anchors, and the targets of the links.
#[derive(Debug, Default)]
struct Page {
    anchors: BTreeSet<String>,
    targets: BTreeSet<String>,
}

/// Returns the files of a folder and of its folders whose names end in `.html`.
pub fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten();
    for path in entries.map(|entry| entry.expect("an entry of a folder").path()) {
        if path.is_dir() {
            files.extend(html_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "html") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> Page {
    let attribute = Regex::new(r#"<[a-z0-9-]+\s[^<>]*>"#).expect("a pattern");
    let value = Regex::new(r#"\s(id|name|href|src)="([^"]*)""#).expect("a pattern");
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut page = Page::default();
    for tag in attribute.find_iter(&text) {
        for found in value.captures_iter(tag.as_str()) {
            let value = found[2].replace("&amp;", "&").replace("&#x27;", "'");
            match &found[1] {
                "href" | "src" => page.targets.insert(value),
                _ => page.anchors.insert(value),
            };
        }
    }
    page
}

/// Joins a relative link to the folder of its page.
fn resolve(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

fn is_elsewhere(target: &str) -> bool {
    ["http://", "https://", "mailto:", "javascript:", "data:"].iter().any(|start| target.starts_with(start))
}

/// Checks every link of the book in `folder/guide`, and every link to the book in the documentation of the crates in
/// `folder`. Returns the number of checked links, and a text for each dead link.
pub fn check(folder: &Path, crates: &[&str]) -> (usize, Vec<String>) {
    let book = folder.join("guide");
    let mut pages: BTreeMap<PathBuf, Page> = BTreeMap::new();
    for path in html_files(&book).into_iter().chain(crates.iter().flat_map(|name| html_files(&folder.join(name)))) {
        pages.insert(path.clone(), read(&path));
    }
    let (mut checked, mut dead) = (0, Vec::new());
    for (path, page) in &pages {
        for target in page.targets.iter().filter(|target| !is_elsewhere(target)) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { resolve(path, file.split('?').next().unwrap_or("")) };
            let is_of_book = path.starts_with(&book) || file.starts_with(&book);
            if !is_of_book {
                continue;
            }
            checked += 1;
            let file = if file.is_dir() { file.join("index.html") } else { file };
            let has_anchor = anchor.is_empty() || pages.get(&file).is_none_or(|page| page.anchors.contains(anchor));
            if !file.is_file() {
                dead.push(format!("{}: the link to {target} leads to no file", path.display()));
            } else if !has_anchor {
                dead.push(format!("{}: the link to {target} leads to no heading", path.display()));
            }
        }
    }
    (checked, dead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_relative_to_its_page() {
        let page = Path::new("doc/guide/design/copies.html");
        assert_eq!(resolve(page, "../guides/model.html"), Path::new("doc/guide/guides/model.html"));
        assert_eq!(resolve(page, "./links.html"), Path::new("doc/guide/design/links.html"));
    }
}
