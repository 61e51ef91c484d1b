//! Tests of the blocks of the guide's pages that come from another place: the output of an example, a part of a source
//! file, the message of a case of the UI tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the pages of the guide, and README.md.
fn pages() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (vec![root().join("README.md")], vec![root().join("guide/pages")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                pages.push(entry);
            }
        }
    }
    pages.sort();
    pages
}

/// A block of a page whose mark names the origin, as `<!-- run: cargo run --example quickstart -->`.
struct Marked {
    place: String,
    origin: String,
    block: String,
}

/// Returns the blocks after marks with a word: `run` or `case`.
fn marked(word: &str) -> Vec<Marked> {
    let mut found = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for (at, rest) in text.split(&format!("<!-- {word}: ")).skip(1).enumerate() {
            let (origin, rest) = rest.split_once(" -->\n").expect("the mark ends the line");
            let (language, rest) = rest.trim_start().split_once('\n').expect("a block follows the mark");
            let place = format!("{}, mark {} of `{word}`", page.display(), at + 1);
            assert!(["```console", "```text"].contains(&language), "{place}: {language}");
            let (block, _) = rest.split_once("```").expect("the block ends");
            found.push(Marked { place, origin: origin.to_owned(), block: block.to_owned() });
        }
    }
    found
}

/// Cargo builds the examples together with the tests of this package.
#[tokio::test]
async fn each_output_on_a_page_comes_from_a_run() {
    let folder = std::env::current_exe().expect("this test").parent().expect("a folder").join("../examples");
    let server = schema_tests::server().await;
    for Marked { place, origin, block } in marked("run") {
        let name = origin.strip_prefix("cargo run --example ").unwrap_or_else(|| panic!("{place}: {origin}"));
        let output = Command::new(folder.join(name)).env("MONGODB_URI", server.uri()).output();
        let output = output.unwrap_or_else(|error| panic!("{place}: {name}: {error}"));
        assert!(output.status.success(), "{place}: {}", String::from_utf8_lossy(&output.stderr));
        let block = block.strip_prefix(&format!("$ {origin}\n")).unwrap_or(&block);
        assert_eq!(block.trim_end(), String::from_utf8_lossy(&output.stdout).trim_end(), "{place}");
    }
}

/// The lines of a message without the place in the file and without the numbers in the margin.
fn without_margin(message: &str) -> Vec<&str> {
    let lines = message.lines().filter(|line| !line.contains("-->"));
    lines.map(|line| line.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim()).collect()
}

#[test]
fn each_message_on_a_page_is_the_message_of_a_case() {
    for Marked { place, origin, block } in marked("case") {
        let message = fs::read_to_string(root().join(&origin)).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(without_margin(&block), without_margin(&message), "{place}");
    }
}

/// mdBook takes a missing anchor for an empty part.
#[test]
fn each_included_part_of_a_file_has_its_anchor() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for rest in text.split("{{#include ").skip(1) {
            let (target, _) = rest.split_once("}}").expect("the end of the directive");
            let (file, anchor) = target.trim().split_once(':').unwrap_or((target.trim(), ""));
            let path = page.parent().expect("a folder").join(file);
            let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let has = |mark: &str| {
                let marks = [format!("// {mark}: {anchor}"), format!("<!-- {mark}: {anchor} -->")];
                source.lines().any(|line| marks.iter().any(|mark| line.trim() == mark))
            };
            let is_there = anchor.is_empty() || (has("ANCHOR") && has("ANCHOR_END"));
            assert!(is_there, "{}: no anchor `{anchor}` in {}", page.display(), path.display());
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
