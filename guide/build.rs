//! Writes a module for each page, with the page as the documentation of the module: `cargo test --doc` compiles each
//! Rust block. A block that includes a file of an example is text here, because the example compiles the file.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo::rerun-if-changed=pages");
    println!("cargo::rerun-if-changed=../README.md");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets the folder"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets the folder"));
    let mut pages = vec![root.join("../README.md")];
    find_pages(&root.join("pages"), &mut pages);
    let mut modules = String::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        let name = module_name(page.strip_prefix(root.join("pages")).unwrap_or(Path::new("README.md")));
        let copy = out.join(format!("{name}.md"));
        fs::write(&copy, without_includes(&text)).expect("the folder of the build is writable");
        modules.push_str(&format!("#[doc = include_str!({copy:?})]\nmod {name} {{}}\n"));
    }
    fs::write(out.join("pages.rs"), modules).expect("the folder of the build is writable");
}

/// Adds the pages of a folder and of its folders, in the order of their names.
fn find_pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder of the pages").map(|entry| entry.expect("an entry").path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            find_pages(&entry, pages);
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            pages.push(entry);
        }
    }
}

/// Returns `guides_filters` for `guides/filters.md`.
fn module_name(page: &Path) -> String {
    let name = page.with_extension("").to_string_lossy().to_lowercase();
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

/// Returns a page whose Rust blocks with an included file are blocks of text.
fn without_includes(page: &str) -> String {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let mut begin = None;
    for index in 0..lines.len() {
        if lines[index].trim_start().starts_with("```") {
            begin = begin.is_none().then_some(index);
        } else if let Some(begin) = begin
            && lines[index].contains("{{#include")
        {
            lines[begin] = "```text".to_owned();
        }
    }
    lines.join("\n") + "\n"
}
