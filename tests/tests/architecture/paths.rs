//! Each public item of the runtime has one public path, and the items for derived code have none. The prelude repeats
//! names of items, and derived code reaches items through `__private`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{Item, UseTree, Visibility};

/// A path from the root of the crate: `["field", "Filter"]`.
type Names = Vec<String>;

/// The module that repeats names, and the module of derived code.
const REPEATS: &str = "prelude";
const OF_DERIVED_CODE: &str = "__private";

/// Functions of derived code whose bounds are in messages of rustc. A message shows a public path of the function,
/// which is not `__private`.
const IN_MESSAGES: [&str; 7] =
    ["add_patch_field", "all_fitting", "declared_as", "declared_groups", "fitting", "fitting_item", "fitting_range"];

enum Target {
    Module(Names),
    /// An item that is defined here.
    Item {
        is_function: bool,
        is_hidden: bool,
    },
    /// The path of an import, and the module of the import.
    Import(Names),
}

struct Entry {
    name: String,
    is_public: bool,
    target: Target,
}

/// The entries of each module.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Names, Vec<Entry>>,
}

/// An item, by the path of the definition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Definition {
    path: Names,
    is_function: bool,
    is_hidden: bool,
}

enum Found {
    Module(Names),
    Item(Definition),
}

fn is_hidden(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "hidden")
    })
}

/// Lists the names that a tree of imports brings, each with the whole path.
fn imported(tree: &UseTree, mut path: Names, all: &mut Vec<(String, Names)>) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            imported(&inner.tree, path, all);
        }
        UseTree::Name(name) if name.ident == "self" => all.extend(path.last().cloned().map(|name| (name, path))),
        UseTree::Name(name) => {
            path.push(name.ident.to_string());
            all.push((name.ident.to_string(), path));
        }
        UseTree::Rename(rename) => {
            path.push(rename.ident.to_string());
            all.push((rename.rename.to_string(), path));
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, path.clone(), all)),
        UseTree::Glob(_) => {
            path.push("*".to_owned());
            all.push(("*".to_owned(), path));
        }
    }
}

impl Crate {
    fn read(sources: &Path) -> Crate {
        let mut read = Crate::default();
        read.read_file(&sources.join("lib.rs"), sources, Vec::new());
        read
    }

    fn read_file(&mut self, file: &Path, folder: &Path, module: Names) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read_items(syn::parse_file(&text).expect("Rust").items, folder, module);
    }

    fn read_items(&mut self, items: Vec<Item>, folder: &Path, module: Names) {
        let mut entries = Vec::new();
        for item in items {
            let (is_function, attributes, vis, ident) = match item {
                Item::Mod(item) => {
                    let inner = [module.clone(), vec![item.ident.to_string()]].concat();
                    let below: PathBuf = folder.join(item.ident.to_string());
                    let is_public = matches!(item.vis, Visibility::Public(_));
                    let (name, target) = (item.ident.to_string(), Target::Module(inner.clone()));
                    match item.content {
                        Some((_, items)) => self.read_items(items, &below, inner),
                        None => self.read_file(&below.with_extension("rs"), &below, inner),
                    }
                    entries.push(Entry { name, is_public, target });
                    continue;
                }
                Item::Use(item) => {
                    let mut names = Vec::new();
                    imported(&item.tree, Vec::new(), &mut names);
                    let is_public = matches!(item.vis, Visibility::Public(_));
                    let entry = |(name, path)| Entry { name, is_public, target: Target::Import(path) };
                    entries.extend(names.into_iter().map(entry));
                    continue;
                }
                Item::Fn(item) => (true, item.attrs, item.vis, item.sig.ident),
                Item::Struct(item) => (false, item.attrs, item.vis, item.ident),
                Item::Enum(item) => (false, item.attrs, item.vis, item.ident),
                Item::Trait(item) => (false, item.attrs, item.vis, item.ident),
                Item::Type(item) => (false, item.attrs, item.vis, item.ident),
                Item::Const(item) => (false, item.attrs, item.vis, item.ident),
                _ => continue,
            };
            let target = Target::Item { is_function, is_hidden: is_hidden(&attributes) };
            entries.push(Entry { name: ident.to_string(), is_public: matches!(vis, Visibility::Public(_)), target });
        }
        self.modules.insert(module, entries);
    }

    /// Returns the modules and items that a path names in a module; none for a path into another crate.
    fn find(&self, module: &Names, path: &[String]) -> Vec<Found> {
        let Some((first, rest)) = path.split_first() else { return vec![Found::Module(module.clone())] };
        match first.as_str() {
            "crate" => return self.find(&Vec::new(), rest),
            "self" => return self.find(module, rest),
            "super" => return self.find(&module[..module.len() - 1].to_vec(), rest),
            _ => {}
        }
        let entries = self.modules.get(module).into_iter().flatten();
        // The module of `pub use transaction::transaction` is not the import itself.
        let is_itself = |entry: &&Entry| matches!(&entry.target, Target::Import(path) if path.first() == Some(first));
        let named = entries.filter(|entry| entry.name == *first);
        let mut found = Vec::new();
        for entry in named.filter(|entry| rest.is_empty() || !is_itself(entry)) {
            let targets = self.target(module, entry);
            for target in targets {
                match (target, rest.is_empty()) {
                    (target, true) => found.push(target),
                    (Found::Module(inner), false) => found.extend(self.find(&inner, rest)),
                    (Found::Item(_), false) => {}
                }
            }
        }
        found
    }

    fn target(&self, module: &Names, entry: &Entry) -> Vec<Found> {
        match &entry.target {
            Target::Module(inner) => vec![Found::Module(inner.clone())],
            Target::Item { is_function, is_hidden } => {
                let path = [module.clone(), vec![entry.name.clone()]].concat();
                vec![Found::Item(Definition { path, is_function: *is_function, is_hidden: *is_hidden })]
            }
            // A name of its own, as `pub use mongodb`, is another crate.
            Target::Import(path) if path[..] == [entry.name.clone()] => Vec::new(),
            Target::Import(path) => self.find(module, path),
        }
    }

    /// Collects the public paths of the items in a module and in the public modules inside.
    fn public_paths(&self, module: &Names, public: &Names, paths: &mut BTreeMap<Definition, BTreeSet<String>>) {
        let entries = self.modules.get(module).into_iter().flatten();
        for entry in entries.filter(|entry| entry.is_public) {
            if [REPEATS, OF_DERIVED_CODE].contains(&entry.name.as_str()) {
                continue;
            }
            let public = [public.clone(), vec![entry.name.clone()]].concat();
            for target in self.target(module, entry) {
                match target {
                    Found::Module(inner) => self.public_paths(&inner, &public, paths),
                    Found::Item(definition) => {
                        paths.entry(definition).or_default().insert(public.join("::"));
                    }
                }
            }
        }
    }

    /// Returns the functions that derived code may name.
    fn functions_of_derived_code(&self) -> BTreeSet<Names> {
        let module = vec![OF_DERIVED_CODE.to_owned()];
        let entries = self.modules.get(&module).into_iter().flatten();
        let found = entries.flat_map(|entry| self.target(&module, entry));
        let functions = found.filter_map(|found| match found {
            Found::Item(item) if item.is_function => Some(item.path),
            Found::Item(_) | Found::Module(_) => None,
        });
        functions.collect()
    }
}

#[test]
fn each_public_item_has_one_path() {
    let read = Crate::read(&super::root().join("schema-runtime/src"));
    let mut paths = BTreeMap::new();
    read.public_paths(&Vec::new(), &Vec::new(), &mut paths);
    assert!(paths.len() > 200, "only {} public items were found", paths.len());
    let of_derived_code = read.functions_of_derived_code();
    assert!(of_derived_code.len() > 10, "only {} functions of derived code were found", of_derived_code.len());
    let mut wrong = Vec::new();
    for (item, paths) in paths {
        let name = item.path.join("::");
        if paths.len() > 1 {
            wrong.push(format!("`{name}` has the public paths {paths:?}"));
        }
        let is_in_messages = item.path.last().is_some_and(|name| IN_MESSAGES.contains(&name.as_str()));
        if item.is_hidden || of_derived_code.contains(&item.path) && !is_in_messages {
            wrong.push(format!("`{name}` is for derived code, and has the public path {paths:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
