//! Each public type or trait of the runtime has a unique name: a search in the documentation finds the right item.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use syn::{Item, Visibility};

pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Returns the names of the public types and traits at the top of a file.
fn public_names(file: &Path) -> Vec<String> {
    let parsed = syn::parse_file(&fs::read_to_string(file).expect("a source file")).expect("Rust");
    let name = |item: Item| match item {
        Item::Struct(item) => Some((item.vis, item.ident)),
        Item::Enum(item) => Some((item.vis, item.ident)),
        Item::Trait(item) => Some((item.vis, item.ident)),
        Item::Type(item) => Some((item.vis, item.ident)),
        _ => None,
    };
    let public = parsed.items.into_iter().filter_map(name).filter(|(vis, _)| matches!(vis, Visibility::Public(_)));
    public.map(|(_, ident)| ident.to_string()).collect()
}

#[test]
fn no_public_name_stands_twice() {
    let mut files = Vec::new();
    sources(&super::root().join("schema-runtime/src"), &mut files);
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in &files {
        for name in public_names(file) {
            places.entry(name).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 100, "only {} public names were found", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

/// Returns whether one letter that is added, removed or replaced makes one name from the other name.
fn differ_by_one_letter(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let same = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
    let rest = &short[same..];
    match long.len() - short.len() {
        0 => same < short.len() && rest[1..] == long[same + 1..],
        1 => *rest == long[same + 1..],
        _ => false,
    }
}

#[test]
fn files_of_a_folder_differ_by_more_than_one_letter() {
    let mut folders: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for root in ["schema-runtime/src", "schema-derive/src", "tests/src"] {
        let mut files = Vec::new();
        sources(&super::root().join(root), &mut files);
        for file in files {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            folders.entry(file.parent().expect("a folder").to_owned()).or_default().push(name);
        }
    }
    assert!(folders.len() > 60, "only {} folders were found", folders.len());
    let mut similar = Vec::new();
    for (folder, names) in &folders {
        for (at, one) in names.iter().enumerate() {
            for other in names[at + 1..].iter().filter(|other| differ_by_one_letter(one, other)) {
                similar.push(format!("{}: {one}, {other}", folder.display()));
            }
        }
    }
    assert!(similar.is_empty(), "write distinct names: {similar:#?}");
}

#[test]
fn one_letter_is_counted() {
    let similar = [("path", "paths"), ("send", "sent"), ("paths", "path"), ("fill", "full")];
    assert!(similar.iter().all(|(one, other)| differ_by_one_letter(one, other)));
    let distinct = [("path", "path_list"), ("read", "write"), ("name", "name"), ("check", "checked")];
    assert!(!distinct.iter().any(|(one, other)| differ_by_one_letter(one, other)));
}
