//! A rule has a single name in every module: the name of the file, of the folder of UI tests, and of the page in
//! `guide/pages/rules`.
//!
//! Write the table of the pages again with `SCHEMA_TESTS_BLESS=1 cargo test -p schema-tests --test rules`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

/// The modules with rules. Each module decides its rules by another means.
const MODULES: [&str; 10] = [
    "schema-derive/src/rules",
    "schema-runtime/src/bounds",
    "schema-runtime/src/checks",
    "schema-runtime/src/manage/verify",
    "schema-runtime/src/bucket/stored",
    "schema-runtime/src/derived/copies/maintenance",
    "schema-runtime/src/derived/links",
    "schema-runtime/src/derived/rollup/maintenance",
    "schema-runtime/src/derived/slug",
    "schema-runtime/src/derived/tree",
];

/// Folders of UI tests that are about attributes and filters rather than about a rule.
const NOT_RULES: [&str; 11] = [
    "attributes",
    "enums",
    "filters",
    "misplaced_attribute",
    "numbers",
    "queries",
    "relations",
    "serde",
    "sort",
    "transactions",
    "updates",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The groups of the rules of `checks` and of `rules`, and of the cases in `tests/ui`.
const GROUPS: [&str; 9] =
    ["aggregates", "buckets", "copies", "documents", "fields", "indexes", "relations", "rollups", "shard_key"];

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Returns the files of a module: the files of its groups, or its own files where the module has no groups.
fn files(module: &str) -> Vec<PathBuf> {
    let folders = entries(&root().join(module)).into_iter().filter(|path| path.is_dir());
    let groups = folders.filter(|path| GROUPS.contains(&name_of(path).as_str()));
    let files: Vec<PathBuf> = groups.flat_map(|group| entries(&group)).collect();
    if files.is_empty() { entries(&root().join(module)) } else { files }
}

/// Returns the rules of a module.
fn rules(module: &str) -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    for path in files(module) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let Some(header) = text.strip_prefix("//! Rule: `") else { continue };
        let id = header.split('`').next().expect("an id").to_owned();
        assert_eq!(
            path.file_stem().and_then(|stem| stem.to_str()),
            Some(id.as_str()),
            "the file is not named by its rule"
        );
        let page = format!("//! Rule: `{id}`. The page is `guide/pages/rules/{id}.md`.");
        assert_eq!(text.lines().next(), Some(page.as_str()), "{} does not name its page", path.display());
        rules.insert(id);
    }
    rules
}

/// Returns the folder of the cases of each rule and each topic, by its name.
fn ui_folders() -> BTreeMap<String, PathBuf> {
    let groups = entries(&root().join("tests/ui"));
    groups.iter().flat_map(|group| entries(group)).map(|folder| (name_of(&folder), folder)).collect()
}

/// A rule is in the same group in each place.
#[test]
fn each_place_has_the_same_groups() {
    let mut group_of: BTreeMap<String, String> = BTreeMap::new();
    for place in ["schema-derive/src/rules", "schema-runtime/src/checks", "tests/ui"] {
        let folders: Vec<PathBuf> = entries(&root().join(place)).into_iter().filter(|path| path.is_dir()).collect();
        for group in folders {
            assert!(GROUPS.contains(&name_of(&group).as_str()), "{} is no group", group.display());
            for rule in entries(&group) {
                let rule = rule.file_stem().expect("a name").to_string_lossy().into_owned();
                let first = group_of.entry(rule.clone()).or_insert_with(|| name_of(&group));
                assert_eq!(*first, name_of(&group), "{rule} is in two groups");
            }
        }
    }
    assert_eq!(group_of.values().collect::<BTreeSet<_>>().len(), GROUPS.len());
}

#[test]
fn every_compile_time_rule_has_its_ui_tests() {
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for module in &MODULES[..3] {
        ids.extend(rules(module));
    }
    let folders: BTreeSet<String> =
        ui_folders().into_keys().filter(|folder| !NOT_RULES.contains(&folder.as_str())).collect();
    assert_eq!(ids, folders);
}

/// The headings of a rule's page, in order.
const HEADINGS: [&str; 6] = ["Refused", "Accepted", "Reason", "Allow", "Source", "Related pages"];

/// Returns the rules that `allow(..)` silences: the lists of `Form::Allow` in the table of attributes.
fn silenced() -> BTreeSet<String> {
    let words = fs::read_to_string(root().join("schema-derive/src/attributes/words.rs")).expect("the words");
    let lists = words.split("Form::Allow(&[").skip(1).map(|rest| rest.split_once(']').expect("the list ends").0);
    lists.flat_map(|list| list.split('"').skip(1).step_by(2).map(str::to_owned)).collect()
}

/// Returns the words of a page about the mistake: the first sentence without the words that all pages have.
fn mistake(page: &str) -> &str {
    let lead = page.lines().nth(2).unwrap_or_default();
    let words = ["The rule refuses ", "`Schema::verify` reports "].into_iter().find_map(|head| lead.strip_prefix(head));
    let words = words.unwrap_or_else(|| panic!("the first sentence names no mistake: {lead}"));
    words.split_once(". ").map_or(words, |(first, _)| &words[..=first.len()])
}

/// Each rule has a page with all headings, and each page is of a rule. The page of a rule that `allow(..)` silences
/// says how.
#[test]
fn each_rule_has_a_page() {
    let ids: BTreeSet<String> = MODULES.iter().flat_map(|module| rules(module)).collect();
    let silenced = silenced();
    let folder = root().join("guide/pages/rules");
    let pages: BTreeSet<String> =
        entries(&folder).iter().map(|page| name_of(page).trim_end_matches(".md").to_owned()).collect();
    assert_eq!(ids, pages.into_iter().filter(|page| page != "index").collect(), "a rule without a page");

    let groups = ui_groups();
    let mut rows: BTreeMap<&str, String> = BTreeMap::new();
    let mut mistakes = BTreeSet::new();
    for id in &ids {
        let page = fs::read_to_string(folder.join(format!("{id}.md"))).expect("a page");
        let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let required = HEADINGS.iter().filter(|heading| **heading != "Allow" || silenced.contains(id));
        assert_eq!(headings, required.copied().collect::<Vec<_>>(), "the headings of {id}");
        assert!(page.starts_with(&format!("# {id}\n")), "the title of {id}");
        let sentence = mistake(&page);
        assert!(sentence.ends_with('.') && mistakes.insert(sentence.to_owned()), "the first sentence of {id}");
        let accepted = page.split_once("## Accepted\n").and_then(|(_, rest)| rest.split_once("## Reason"));
        assert!(accepted.is_some_and(|(part, _)| part.contains("```rust\n")), "{id} shows no accepted code");
        let group = groups.get(id).map_or("verify", String::as_str);
        rows.entry(group)
            .or_default()
            .push_str(&format!("| [`{id}`]({id}.md) | {} |\n", sentence.trim_end_matches('.')));
    }
    let mut index = String::new();
    for (group, rows) in rows {
        let heading = group.replace('_', " ");
        index.push_str(&format!("## Rules: {heading}\n\n| rule | mistake |\n|---|---|\n{rows}\n"));
    }
    let path = root().join("guide/generated/rules.md");
    if env::var_os("SCHEMA_TESTS_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the table");
        fs::write(&path, &index).expect("the table can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == index, "guide/generated/rules.md is not of the pages: bless the file as this file's head says");
}

/// Returns the group of each rule that has UI tests.
fn ui_groups() -> BTreeMap<String, String> {
    let of = |(id, folder): (String, PathBuf)| (id, name_of(folder.parent().expect("the group")));
    ui_folders().into_iter().map(of).collect()
}

#[test]
fn one_mistake_gives_one_message_without_a_generated_name() {
    for (folder, cases) in ui_folders() {
        for path in entries(&cases) {
            if path.extension().is_some_and(|extension| extension == "rs") {
                assert!(path.with_extension("stderr").exists(), "{} has no words", path.display());
                continue;
            }
            let text = fs::read_to_string(&path).expect("a text");
            let errors = text.lines().filter(|line| line.starts_with("error")).count();
            let expected = messages(&path.with_extension("rs"));
            assert_eq!(errors, expected, "{} has {errors} messages", path.display());
            // The messages of a case with several messages also come from further derives. rustc names the derive of a
            // listed model.
            let lists_a_model = text.contains("the trait `schema_runtime::Model` is implemented for `");
            let is_single = expected == 1 && !lists_a_model;
            let origins = ["originates in the derive", "originates in the macro"].into_iter().filter(|_| is_single);
            for generated in ["__schema", "__private"].into_iter().chain(origins) {
                assert!(!text.contains(generated), "{} shows `{generated}`", path.display());
            }
            if !NOT_RULES.contains(&folder.as_str()) && text.starts_with("error[E0080]") {
                assert!(
                    text.contains(&format!("rule: {folder} (guide/pages/rules/{folder}.md)\n")),
                    "{} does not name its rule",
                    path.display()
                );
            }
        }
    }
}

/// Returns the number of messages of a case: 1, unless the first line of the case gives a number and a reason.
fn messages(case: &Path) -> usize {
    let text = fs::read_to_string(case).expect("a case");
    let said =
        text.lines().next().and_then(|line| line.strip_prefix("// ")).and_then(|line| line.split_once(" messages: "));
    said.map_or(1, |(number, _)| number.parse().expect("a number of messages"))
}

/// Each row of the table of combinations names existing tests or cases.
#[test]
fn every_combination_is_shown() {
    let text = fs::read_to_string(root().join("guide/pages/reference/combinations.md")).expect("the page");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| pair |"));
    let folders = entries(&root().join("tests/ui"));
    let mut count = 0;
    for row in rows {
        let (_, decided) = row.trim_end_matches(" |").rsplit_once("| ").expect("two columns");
        let (word, names) = decided.split_once(": ").expect("what is decided");
        for name in names.split(", ").map(|name| name.trim_matches('`')) {
            let is_there = match (word, name.split_once("::")) {
                ("refused", None) => folders.iter().any(|group| group.join(format!("{name}.stderr")).exists()),
                (word, Some((file, test))) if word.starts_with("works") || word.starts_with("refused with ") => {
                    let tests = fs::read_to_string(root().join(format!("tests/tests/{file}.rs")));
                    tests.is_ok_and(|tests| tests.contains(&format!("fn {test}(")))
                }
                _ => false,
            };
            assert!(is_there, "nothing shows this: {row}");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// Every test that a page of the guide or of the protocols names, such as `server/rollup/refused` or a name with a
/// function, exists.
#[test]
fn each_test_that_a_page_names_is_there() {
    let tests = root().join("tests/tests");
    let mut count = 0;
    let folders = entries(&root().join("guide/pages")).into_iter().filter(|path| path.is_dir());
    for folder in folders.chain([root().join("docs")]) {
        for page in entries(&folder) {
            let text = fs::read_to_string(&page).expect("a page");
            let words = text.split('`').skip(1).step_by(2).filter(|word| !word.contains(char::is_whitespace));
            for name in words.filter(|word| ["server/", "convergence/"].iter().any(|kind| word.starts_with(kind))) {
                let (file, test) = name.split_once("::").map_or((name, None), |(file, test)| (file, Some(test)));
                let source = fs::read_to_string(tests.join(file).with_extension("rs"));
                let is_there =
                    source.is_ok_and(|source| test.is_none_or(|test| source.contains(&format!("fn {test}("))));
                assert!(is_there, "{} names `{name}`, which is not there", page.display());
                count += 1;
            }
        }
    }
    assert!(count > 80, "{count}");
}

/// A relation may not have the name of an operation: the derive knows all operations.
#[test]
fn the_derive_knows_the_operations_of_a_model() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a source");
    let methods_of = |path: &str, name: &str| -> Vec<String> {
        let source = read(path);
        let (_, body) = source.split_once(name).expect("the trait of all models");
        let (body, _) = body.split_once("\n}\n").expect("its end");
        let methods = body.lines().filter_map(|line| line.strip_prefix("    fn "));
        methods.filter_map(|line| line.split(['(', '<']).next().map(str::to_owned)).collect()
    };
    let mut expected = methods_of("schema-runtime/src/operation.rs", "pub trait Operations");
    for (file, name) in
        [("change_shard_key", "ChangeShardKey"), ("check_value", "CheckValue"), ("recompute", "Recompute")]
    {
        expected.extend(methods_of(&format!("schema-runtime/src/operation/{file}.rs"), &format!("pub trait {name}:")));
    }
    expected.extend(methods_of("schema-runtime/src/aggregate.rs", "pub trait Aggregates:"));
    expected.push("id".to_owned());
    let rule = read("schema-derive/src/rules/fields/field_name.rs");
    let (_, list) = rule.split_once("const OPERATIONS").expect("the list");
    let (list, _) = list.split_once("];").expect("its end");
    let mut known: Vec<&str> =
        list.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\",")).collect();
    expected.sort_unstable();
    known.sort_unstable();
    assert_eq!(expected, known);
}
