//! The code asks a kind of relation for its facts and never compares kinds. A new kind does not compile until each fact
//! and each exhaustive `match` has an answer; these tests find the code that the compiler would not find.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::{Arm, BinOp, Expr, File, Macro, Pat, visit::Visit};

/// The files with the facts, a file in each crate.
const FACTS: [&str; 2] = ["schema-derive/src/model/relation.rs", "schema-runtime/src/definition/relation.rs"];

/// The names of the kinds in the derive's output.
const NAMES: &str = "schema-runtime/src/__private.rs";

const ENUMS: [&str; 2] = ["Cardinality", "Storage"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a source")
}

fn parsed(path: &str) -> File {
    syn::parse_file(&text(path)).expect("a source is Rust")
}

/// Returns the Rust files in these folders, as paths from the workspace's root.
fn files(folders: &[&str]) -> Vec<String> {
    let (mut found, mut folders): (_, Vec<PathBuf>) =
        (Vec::new(), folders.iter().map(|path| root().join(path)).collect());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let path = path.strip_prefix(root()).expect("it is inside").to_owned();
                found.push(path.to_str().expect("a name in UTF-8").to_owned());
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<String> {
    files(&["schema-derive/src", "schema-runtime/src"])
}

/// Returns the enum and the variant of a path such as `Storage::Embed`. A constant and a function are not variants.
fn kind(path: &syn::Path) -> Option<(String, String)> {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (variant, owner) = (names.next()?, names.next()?);
    (is_variant(&variant) && ENUMS.contains(&owner.as_str())).then_some((owner, variant))
}

fn is_variant(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase)
}

/// The uses of kinds in a file.
#[derive(Default)]
struct Uses {
    /// True when the file holds facts. A file of facts may name kinds as values.
    of_facts: bool,
    /// The code that the compiler would not find after the addition of a kind.
    hidden: Vec<String>,
    /// The number of exhaustive matches.
    matches: usize,
}

impl Uses {
    fn of(path: &str) -> Uses {
        let mut uses = Uses { of_facts: FACTS.contains(&path), ..Uses::default() };
        uses.visit_file(&parsed(path));
        uses
    }

    fn refuse(&mut self, what: &str, path: &syn::Path) {
        if let Some((owner, variant)) = kind(path) {
            self.hidden.push(format!("{what} {owner}::{variant}"));
        }
    }
}

/// Returns the kinds that the pattern of an arm names: `Storage::A | Storage::B if ..`.
fn kinds_of(pattern: &Pat) -> Vec<&syn::Path> {
    match pattern {
        Pat::Path(path) => Vec::from([&path.path]),
        Pat::Or(any) => any.cases.iter().flat_map(kinds_of).collect(),
        Pat::Paren(inner) => kinds_of(&inner.pat),
        Pat::Guard(guarded) => kinds_of(&guarded.pat),
        _ => Vec::new(),
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_match(&mut self, found: &'ast syn::ExprMatch) {
        let paths: Vec<&syn::Path> = found.arms.iter().flat_map(|arm| kinds_of(&arm.pat)).collect();
        if let Some(path) = paths.iter().find(|path| kind(path).is_some()) {
            self.matches += 1;
            if found.arms.iter().any(|arm| matches!(&arm.pat, Pat::Wild(_) | Pat::Ident(_))) {
                self.refuse("an arm for all others beside", path);
            }
        }
        self.visit_expr(&found.expr);
        for Arm { pat, body, .. } in &found.arms {
            if let Pat::Guard(guarded) = pat {
                self.visit_expr(&guarded.guard);
            }
            // A pattern with kinds was checked above; a kind inside of another pattern was not.
            if kinds_of(pat).is_empty() {
                self.visit_pat(pat);
            }
            self.visit_expr(body);
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            for side in [&binary.left, &binary.right] {
                if let Expr::Path(path) = &**side {
                    self.refuse("a comparison with", &path.path);
                }
            }
        }
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if !self.of_facts {
            self.refuse("a value", &path.path);
        }
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Path(path) = pattern {
            self.refuse("a pattern outside of an exhaustive match,", &path.path);
        }
        syn::visit::visit_pat(self, pattern);
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        if found.path.is_ident("words") {
            return;
        }
        let tokens = found.tokens.to_string();
        for name in ENUMS {
            let owner = format!("{name} :: ");
            let mut after = tokens.split(&owner).skip(1);
            if after.any(|rest| is_variant(rest.split(' ').next().unwrap_or(rest))) {
                self.hidden.push(format!(
                    "{name} in `{}!`",
                    found.path.segments.last().map(|name| name.ident.to_string()).unwrap_or_default()
                ));
            }
        }
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        if ENUMS.contains(&path.ident.to_string().as_str()) {
            self.hidden.push(format!("variants of {} by other names", path.ident));
        }
        syn::visit::visit_use_path(self, path);
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        if ENUMS.contains(&rename.ident.to_string().as_str()) {
            self.hidden.push(format!("{} by another name", rename.ident));
        }
    }
}

#[test]
fn kinds_are_compared_nowhere() {
    for path in sources().iter().filter(|path| *path != NAMES) {
        let uses = Uses::of(path);
        assert!(uses.hidden.is_empty(), "{path} has {}: ask a fact of {FACTS:?}", uses.hidden.join(", "));
    }
}

#[test]
fn what_hides_a_kind_is_seen() {
    let hidden = [
        "fn f(s: Storage) -> bool { s == Storage::Embed }",
        "fn f(s: Storage) -> bool { crate::model::Storage::Embed != s }",
        "fn f(s: Storage) -> bool { matches!(s, Storage::Embed) }",
        "fn f(s: Storage) -> bool { match s { Storage::Embed => true, _ => false } }",
        "fn f(s: Storage) -> bool { match s { Storage::Embed => true, other => g(other) } }",
        "fn f(s: Option<Storage>) -> bool { match s { Some(Storage::Embed) => true, None | Some(_) => false } }",
        "fn f(s: Storage) -> bool { if let Storage::Embed = s { true } else { false } }",
        "fn f(c: Cardinality) { let Cardinality::OneToOne = c else { return }; }",
        "fn f(s: Storage) -> bool { [Storage::Embed].contains(&s) }",
        "fn f(s: Storage) -> bool { match g() { Ok(_) if s == Storage::Embed => true, _ => false } }",
        "use crate::model::Storage::Embed;",
        "use crate::model::Storage as Stored;",
    ];
    for code in hidden {
        let mut uses = Uses::default();
        uses.visit_file(&syn::parse_file(code).expect("it is Rust"));
        assert!(!uses.hidden.is_empty(), "`{code}` is let through");
    }
    let mut uses = Uses::default();
    let exhaustive = "fn f(s: Storage) -> bool { match s { Storage::Embed if g() => true, Storage::Embed | Storage::ChildRefs => false, Storage::ParentRef => h(Storage::WORDS, Storage::word) } }";
    uses.visit_file(&syn::parse_file(exhaustive).expect("it is Rust"));
    assert_eq!((uses.hidden, uses.matches), (Vec::new(), 1));
}

/// Returns the words of the variants of a kind, as in `Embed = "embed"` in the derive.
fn words_of(name: &str) -> Vec<(String, String)> {
    struct Words<'a>(&'a str, Vec<(String, String)>);
    impl<'ast> Visit<'ast> for Words<'_> {
        fn visit_macro(&mut self, found: &'ast Macro) {
            let tokens = found.tokens.to_string();
            let Some((_, body)) = tokens.split_once(&format!("enum {} ", self.0)) else { return };
            let body = body.trim_start_matches('{').trim_end_matches('}');
            self.1 = body
                .split(',')
                .filter_map(|pair| pair.split_once('='))
                .map(|(variant, word)| (variant.trim().to_owned(), word.trim().trim_matches('"').to_owned()))
                .collect();
        }
    }
    let mut words = Words(name, Vec::new());
    words.visit_file(&parsed(FACTS[0]));
    words.1
}

#[test]
fn both_crates_have_the_same_kinds() {
    for name in ENUMS {
        let derive = words_of(name);
        assert!(derive.len() > 2, "the words of {name} are not found");
        let runtime = parsed(FACTS[1]);
        let found = runtime.items.iter().find_map(|item| match item {
            syn::Item::Enum(item) if item.ident == name => Some(item),
            _ => None,
        });
        let variants = found.expect("the runtime has it").variants.iter();
        let variants: BTreeSet<String> = variants.map(|variant| variant.ident.to_string()).collect();
        assert_eq!(variants, derive.iter().map(|(variant, _)| variant.clone()).collect::<BTreeSet<_>>());
        let (facts, names) = (text(FACTS[1]), text(NAMES));
        for (variant, word) in derive {
            assert!(
                facts.contains(&format!("{name}::{variant} => \"{word}\"")),
                "{}: {variant} is not {word}",
                FACTS[1]
            );
            assert!(names.contains(&format!("{variant} as __")), "{NAMES} has no name of {variant} for derived code");
        }
    }
}

#[test]
fn a_test_on_a_server_uses_every_kind() {
    let relations: String = files(&["tests/tests/server"]).iter().map(|path| text(path)).collect();
    for (_, word) in ENUMS.iter().flat_map(|name| words_of(name)) {
        let used = relations.lines().any(|line| {
            line.split_once("#[relation(")
                .is_some_and(|(_, words)| words.split([',', ')']).any(|one| one.trim() == word))
        });
        assert!(used, "no relation in tests/tests/server is `{word}`");
    }
}

#[test]
fn the_list_for_a_new_relation_is_whole() {
    let contributing = text("CONTRIBUTING.md");
    let (_, list) = contributing.split_once("## Adding a relation").expect("the list is there");
    let list = list.split("\n## ").next().expect("it ends");
    let matching = sources().into_iter().filter(|path| Uses::of(path).matches > 0);
    for path in matching.chain(FACTS.map(str::to_owned)).chain([NAMES.to_owned()]) {
        assert!(list.contains(&format!("`{path}`")), "CONTRIBUTING.md, \"Adding a relation\", does not name {path}");
    }
}
