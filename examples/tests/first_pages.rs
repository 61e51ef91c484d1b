//! Tests that the first pages agree with the code: the program of README.md is the example `quickstart`, with the
//! example's output; the refused schema is a case of the UI tests, with the case's message; the code of the manual's
//! page on HTTP is the example `http_service`; the links of README.md lead to files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the code blocks of a page in a language, in order.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).map(|rest| rest.split_once("```\n").expect("the block ends").0).collect()
}

/// A text without the numbers in the margin of a message.
fn without_margin(message: &str) -> Vec<&str> {
    message.lines().map(|line| line.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim()).collect()
}

#[test]
fn the_program_of_the_readme_is_the_example() {
    let readme = read("README.md");
    assert_eq!(blocks(&readme, "rust")[0], read("examples/examples/quickstart.rs"));
}

/// Cargo builds the examples together with the tests of this package.
#[tokio::test]
async fn the_example_prints_what_the_readme_says() {
    let program = std::env::current_exe().expect("this test").parent().unwrap().join("../examples/quickstart");
    let server = schema_tests::server().await;
    for run in ["the first run", "another run"] {
        let output = Command::new(&program).env("MONGODB_URI", server.uri()).output();
        let output = output.expect("`cargo test -p schema-examples` has built the example");
        assert!(output.status.success(), "{run}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), blocks(&read("README.md"), "text")[0], "{run}");
    }
}

#[test]
fn the_refused_schema_of_the_readme_is_refused_with_this_message() {
    let readme = read("README.md");
    let case = read("tests/ui/documents/unbounded_embedded_array/structs.rs");
    assert!(case.contains(blocks(&readme, "rust")[1]), "{case}");

    let message = read("tests/ui/documents/unbounded_embedded_array/structs.stderr");
    let message: String = message.split_inclusive('\n').filter(|line| !line.contains("-->")).collect();
    assert_eq!(without_margin(blocks(&readme, "text")[1]), without_margin(&message));
}

#[test]
fn the_code_of_the_page_on_http_is_of_the_example() {
    let page = read("schema-runtime/docs/http.md");
    let directory = root().join("examples/examples/http_service");
    let files = fs::read_dir(&directory).expect("the example").map(|file| file.expect("a file").path());
    let sources: Vec<String> = files.map(|path| fs::read_to_string(path).expect("a source file")).collect();
    let blocks = blocks(&page, "rust");
    assert!(!blocks.is_empty());
    for block in blocks {
        for part in block.split("\n// ..\n") {
            assert!(sources.iter().any(|source| source.contains(part.trim())), "the example does not have:\n{part}");
        }
    }
}

#[test]
fn the_links_of_the_readme_lead_to_files() {
    let readme = read("README.md");
    let targets = readme.split("](").skip(1).map(|rest| rest.split_once(')').expect("the link ends").0);
    for target in targets {
        assert!(root().join(target).is_file(), "{target}");
    }
}

#[test]
fn the_index_of_the_manual_lists_each_page() {
    let manual = read("schema-runtime/src/manual.rs");
    let pages = manual.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(" {}"));
    for page in pages {
        assert!(manual.contains(&format!("//! - [`{page}`]")), "{page}");
    }
}

/// The features in README.md and on the front page of the crate's documentation are the features of the crate.
#[test]
fn the_first_pages_list_the_features() {
    let (readme, front) = (read("README.md"), read("schema-runtime/src/lib.rs"));
    let manifest = read("schema-runtime/Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").expect("the features");
    let (features, _) = features.split_once("\n[").expect("another section");
    let names = features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    for name in names.filter(|name| *name != "default" && !name.starts_with('#')) {
        let is_row = |line: &&str| line.starts_with("| `") && line.contains(&format!("`{name}`"));
        let row = readme.lines().find(is_row);
        let row = row.unwrap_or_else(|| panic!("README.md does not list `{name}`"));
        assert!(front.contains(&format!("//! {row}\n")), "{row}");
    }
}

/// Each page of the manual is linked.
#[test]
fn the_readme_lists_each_page_of_the_manual() {
    let readme = read("README.md");
    for page in fs::read_dir(root().join("schema-runtime/docs")).expect("the manual") {
        let name = page.expect("a page").file_name().into_string().expect("UTF-8");
        assert!(readme.contains(&format!("](schema-runtime/docs/{name})")), "{name}");
    }
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 150, "{lines} lines");
}
