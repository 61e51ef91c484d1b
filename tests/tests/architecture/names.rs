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
