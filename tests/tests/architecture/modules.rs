//! The modules of a crate and the names between the modules, read from the sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::Span;
use syn::{
    Item, ItemMod, ItemUse, UseTree,
    spanned::Spanned,
    visit::{self, Visit},
};

/// The path of a module in its crate, as a list of names.
type ModulePath = Vec<String>;

/// A module that names an item of another module.
pub(crate) struct Arrow {
    pub(crate) from: ModulePath,
    pub(crate) to: ModulePath,
    /// The file and the line.
    pub(crate) place: String,
}

/// A path in a module, made absolute.
struct Named {
    path: Vec<String>,
    line: usize,
}

#[derive(Default)]
struct Module {
    file: String,
    named: Vec<Named>,
    /// The imports of `use`, by local name.
    imports: BTreeMap<String, Vec<String>>,
}

/// The modules of a crate.
pub(crate) struct Modules {
    modules: BTreeMap<ModulePath, Module>,
}

impl Modules {
    /// Reads the modules of the crate with sources in this folder; modules for tests alone are left out.
    pub(crate) fn of(folder: &Path) -> Modules {
        let mut modules = Modules { modules: BTreeMap::new() };
        modules.read(folder, Vec::new());
        modules
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &ModulePath> {
        self.modules.keys()
    }

    /// Returns every dependency between modules, also between a parent and its inner modules.
    pub(crate) fn arrows(&self) -> Vec<Arrow> {
        let mut arrows = Vec::new();
        for (from, module) in &self.modules {
            for named in &module.named {
                let to = self.home_of(&named.path, &mut BTreeSet::new());
                if to != *from {
                    arrows.push(Arrow { from: from.clone(), to, place: format!("{}:{}", module.file, named.line) });
                }
            }
        }
        arrows
    }

    fn read(&mut self, folder: &Path, path: ModulePath) {
        let mut file = folder.join(path.iter().map(String::as_str).collect::<Vec<_>>().join("/"));
        if path.is_empty() {
            file.push("lib");
        }
        file.set_extension("rs");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).expect("Rust");
        let mut reader = Reader { at: path.clone(), module: Module::default(), inside: Vec::new() };
        reader.module.file = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        reader.visit_file(&parsed);
        self.modules.insert(path.clone(), reader.module);
        for child in reader.inside {
            self.read(folder, [path.as_slice(), &[child]].concat());
        }
    }

    /// Returns the module that defines the item of the path: first through modules, then through the import of the next
    /// name in the last module.
    fn home_of(&self, path: &[String], seen: &mut BTreeSet<Vec<String>>) -> ModulePath {
        let modules = (0..=path.len()).rev().find(|names| self.modules.contains_key(&path[..*names])).unwrap_or(0);
        let (home, rest) = path.split_at(modules);
        let imported = rest.first().and_then(|name| self.modules[home].imports.get(name));
        match imported {
            Some(imported) if seen.insert(path.to_vec()) => {
                let whole = [imported.as_slice(), &rest[1..]].concat();
                self.home_of(&whole, seen)
            }
            _ => home.to_vec(),
        }
    }
}

/// A reader of a file.
struct Reader {
    at: ModulePath,
    module: Module,
    inside: Vec<String>,
}

impl Reader {
    /// Returns the path from the crate's root, for a path that begins with `crate`, `self` or `super`.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.at.clone(),
            "super" => self.at[..self.at.len().checked_sub(1)?].to_vec(),
            child if self.inside.iter().any(|name| name == child) => return Some([&self.at, path].concat()),
            name => {
                let imported = self.module.imports.get(name).filter(|_| path.len() > 1)?;
                return Some([imported.as_slice(), &path[1..]].concat());
            }
        };
        let mut rest = &path[1..];
        while rest.first().is_some_and(|name| name == "super") {
            base.pop()?;
            rest = &rest[1..];
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    fn name(&mut self, path: &[String], span: Span) -> Option<Vec<String>> {
        let path = self.absolute(path)?;
        self.module.named.push(Named { path: path.clone(), line: span.start().line });
        Some(path)
    }

    fn import(&mut self, tree: &UseTree, before: Vec<String>, span: Span) {
        match tree {
            UseTree::Path(path) => {
                self.import(&path.tree, [before.as_slice(), &[path.ident.to_string()]].concat(), span);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before.clone(), span)),
            UseTree::Glob(_) => drop(self.name(&before, span)),
            UseTree::Name(name) if name.ident == "self" => self.import_as(before.clone(), before.last().cloned(), span),
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.import_as([before.as_slice(), std::slice::from_ref(&name)].concat(), Some(name), span);
            }
            UseTree::Rename(renamed) => {
                let path = [before.as_slice(), &[renamed.ident.to_string()]].concat();
                self.import_as(path, Some(renamed.rename.to_string()), span);
            }
        }
    }

    fn import_as(&mut self, path: Vec<String>, name: Option<String>, span: Span) {
        if let (Some(path), Some(name)) = (self.name(&path, span), name) {
            self.module.imports.insert(name, path);
        }
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_file(&mut self, file: &'ast syn::File) {
        // First the modules: a path may begin with a module that is declared further down.
        for item in &file.items {
            if let Item::Mod(ItemMod { ident, content: None, attrs, .. }) = item
                && !is_for_tests(attrs)
            {
                self.inside.push(ident.to_string());
            }
        }
        visit::visit_file(self, file);
    }

    /// A module inside the file (`prelude`, `names`) is for users or derived code, and is no dependency.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.import(&item.tree, Vec::new(), item.span());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.name(&names, path.span());
        }
        visit::visit_path(self, path);
    }
}
