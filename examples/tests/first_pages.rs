//! Tests that README.md agrees with the code: the program is the example `quickstart`, with the example's output; the
//! refused schema is a case of the UI tests, with the case's message; the links lead to files.

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
    assert_eq!(blocks(&readme, "rust,no_run")[0], read("examples/examples/quickstart.rs"));
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
        let printed = format!("prints `{}`", String::from_utf8_lossy(&output.stdout).trim_end());
        assert!(read("README.md").contains(&printed), "{run}: {printed}");
    }
}

#[test]
fn the_refused_schema_of_the_readme_is_refused_with_this_message() {
    let readme = read("README.md");
    let case = read("tests/ui/documents/unbounded_embedded_array/structs.rs");
    assert!(case.contains(blocks(&readme, "rust,compile_fail")[0]), "{case}");

    let message = read("tests/ui/documents/unbounded_embedded_array/structs.stderr");
    let message: String = message.split_inclusive('\n').filter(|line| !line.contains("-->")).collect();
    let words = without_margin(blocks(&readme, "text")[0]);
    assert!(words.len() >= 3 && without_margin(&message).starts_with(&words), "{message}");
}

#[test]
fn the_links_of_the_readme_lead_to_files() {
    let readme = read("README.md");
    let targets = readme.split("](").skip(1).map(|rest| rest.split_once(')').expect("the link ends").0);
    for target in targets {
        let file = target.split('#').next().unwrap_or_default();
        assert!(file.is_empty() || root().join(file).is_file(), "{target}");
    }
}

/// The features on the guide's page and on the front page of the crate's documentation are the features of the crate.
#[test]
fn the_first_pages_list_the_features() {
    let (page, front) = (read("guide/pages/start/install.md"), read("schema-runtime/src/lib.rs"));
    let manifest = read("schema-runtime/Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").expect("the features");
    let (features, _) = features.split_once("\n[").expect("another section");
    let names = features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    for name in names.filter(|name| *name != "default" && !name.starts_with('#')) {
        for (text, begin) in [(&page, "| `"), (&front, "//! | `")] {
            let is_row = |line: &str| line.starts_with(begin) && line.contains(&format!("`{name}`"));
            assert!(text.lines().any(is_row), "`{name}` has no row");
        }
    }
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 150, "{lines} lines");
}
