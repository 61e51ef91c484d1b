//! The texts for users are in plain English: README.md, CHANGELOG.md, the pages of the guide and the documentation of
//! the crates. The guide's contents list each page once.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    prose::{Counts, SHORT, add_files, begins_pointing, percent, sentences},
    root,
};

/// The most pointing words of a page, in per cent of the words.
const MOST_POINTING: f64 = 2.5;
/// The most sentences of a page that begin with a pointing word, in per cent of the sentences. A single sentence of a
/// short page may begin so.
const MOST_STARTS: f64 = 3.0;
/// The most words of a sentence.
const MOST_WORDS: usize = 30;

/// Beginnings of words in British spelling. The texts are in American spelling.
const BRITISH: [&str; 24] = [
    "analyse",
    "behaviour",
    "catalogue",
    "centre",
    "colour",
    "customis",
    "defence",
    "favour",
    "fulfil ",
    "grey",
    "honour",
    "initialis",
    "judgement",
    "labelled",
    "licence",
    "modelling",
    "neighbour",
    "normalis",
    "optimise",
    "organis",
    "recognis",
    "serialis",
    "summaris",
    "whilst",
];

/// The pages of the guide, by the path below `guide/pages`.
fn pages() -> BTreeMap<String, String> {
    let folder = root().join("guide/pages");
    let (mut pages, mut folders) = (BTreeMap::new(), vec![folder.clone()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            if entry.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let name = entry.strip_prefix(&folder).expect("a page of the guide").to_string_lossy().into_owned();
            pages.insert(name, fs::read_to_string(&entry).expect("a page"));
        }
    }
    pages
}

/// Returns a text without the targets of the links.
fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push(']');
        plain.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    plain
}

/// Returns the prose of a page: without blocks of code, headings and directives. Each item of a list and each cell of a
/// table is a paragraph.
fn prose(page: &str) -> String {
    let (mut lines, mut is_code) = (Vec::new(), false);
    for line in page.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code || ["#", "<!--", "{{"].iter().any(|start| line.starts_with(start)) {
            lines.push(String::new());
        } else if line.starts_with('|') {
            lines.push(line.trim_matches('|').replace('|', "\n\n"));
            lines.push(String::new());
        } else if let Some(item) = line.strip_prefix("- ") {
            lines.extend([String::new(), item.to_owned()]);
        } else {
            lines.push(line.to_owned());
        }
    }
    without_targets(&lines.join("\n"))
}

/// Returns the documentation in a source file. Each item of the file ends a paragraph.
fn documentation(source: &str) -> String {
    let comment = |line: &str| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or("");
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    };
    source.lines().map(comment).collect::<Vec<_>>().join("\n")
}

fn find_faults(name: &str, text: &str, has_limits: bool, faults: &mut Vec<String>) {
    let counts = Counts::of(text);
    let pointing = percent(counts.pointing, counts.words);
    if has_limits && counts.words > SHORT && pointing > MOST_POINTING {
        faults.push(format!("{name}: {pointing:.1} % of the words point back"));
    }
    if has_limits && counts.starts > 1 && percent(counts.starts, counts.sentences) > MOST_STARTS {
        let starts = sentences(text).into_iter().filter(|words| begins_pointing(words));
        let starts: Vec<String> = starts.map(|words| words[..words.len().min(6)].join(" ")).collect();
        faults.push(format!("{name}: sentences begin with a pointing word: {}", starts.join("; ")));
    }
    for words in sentences(text) {
        if words.len() > MOST_WORDS {
            faults.push(format!("{name}: a sentence of {} words: {} ..", words.len(), words[..12].join(" ")));
        }
        for word in words.iter().filter(|word| BRITISH.iter().any(|british| word.starts_with(british))) {
            faults.push(format!("{name}: `{word}` is British spelling"));
        }
    }
}

#[test]
fn the_texts_for_users_are_plain() {
    let mut faults = Vec::new();
    for name in ["README.md", "CHANGELOG.md"] {
        let text = fs::read_to_string(root().join(name)).expect("a page");
        find_faults(name, &prose(&text), true, &mut faults);
    }
    for (name, text) in pages() {
        find_faults(&format!("guide/pages/{name}"), &prose(&text), true, &mut faults);
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_documentation_of_the_crates_is_plain() {
    let mut faults = Vec::new();
    for folder in ["schema-runtime/src", "schema-derive/src"] {
        let (mut files, mut all): (Vec<PathBuf>, _) = (Vec::new(), Counts::default());
        add_files(&root().join(folder), &mut files);
        for file in files {
            let text = prose(&documentation(&fs::read_to_string(&file).expect("a file")));
            let name = file.strip_prefix(root()).unwrap_or(Path::new("")).display().to_string();
            find_faults(&name, &text, false, &mut faults);
            all.add(&Counts::of(&text));
        }
        let (pointing, starts) = (percent(all.pointing, all.words), percent(all.starts, all.sentences));
        assert!(pointing <= MOST_POINTING && starts <= MOST_STARTS, "{folder}: {pointing:.1} %, {starts:.1} %");
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The contents list each page once, and each page ends with links to related pages.
#[test]
fn the_contents_list_each_page_once() {
    let mut pages = pages();
    let summary = pages.remove("SUMMARY.md").expect("the contents");
    let listed: Vec<&str> =
        summary.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target).collect();
    for (name, text) in &pages {
        let count = listed.iter().filter(|target| **target == name.as_str()).count();
        assert_eq!(count, 1, "guide/pages/SUMMARY.md lists {name} {count} times");
        let last = text.lines().rfind(|line| line.starts_with("## "));
        assert_eq!(last, Some("## Related pages"), "the last heading of {name}");
        assert!(text.starts_with("# "), "the title of {name}");
    }
    for target in listed {
        assert!(pages.contains_key(target), "guide/pages/SUMMARY.md lists {target}, which is not there");
    }
}

/// The module `guide` of the crate has a link to each page, except the chapters of the tutorial and the pages of single
/// rules and attributes.
#[test]
fn the_crate_links_to_each_page() {
    let module = fs::read_to_string(root().join("schema-runtime/src/guide.rs")).expect("the module");
    let linked = |name: &str| module.contains(&format!("](../../guide/{}.html)", name.trim_end_matches(".md")));
    let is_single = |name: &str| ["tutorial/", "attributes/", "rules/"].iter().any(|folder| name.starts_with(folder));
    let names: Vec<String> = pages().into_keys().filter(|name| name.contains('/') && !is_single(name)).collect();
    let missing: Vec<&String> = names.iter().filter(|name| !linked(name)).collect();
    assert!(missing.is_empty(), "schema-runtime/src/guide.rs has no link to {missing:?}");
}

#[test]
fn prose_has_no_code_and_no_targets() {
    let page =
        "# Title\n\nSee [the page](guides/model.md) now.\n- an item\n\n```rust\nlet a = 1;\n```\n| a cell | two |\n";
    let words: Vec<String> = sentences(&prose(page)).into_iter().map(|words| words.join(" ")).collect();
    assert_eq!(words, ["see the page now"]);
}
