//! The tutorial: each program runs on one server, and prints the output of its page. `SCHEMA_TESTS_BLESS=1` writes the
//! outputs of the pages anew.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use regex::Regex;

/// The program of chapter 4, with the test of the chapter.
#[allow(dead_code)]
#[path = "../examples/tutorial_4_query.rs"]
mod query;

const CHAPTERS: [&str; 6] = ["1_model", "2_http", "3_relation", "4_query", "5_copies", "6_deploy"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../guide/pages/tutorial")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns an output without the parts that each run makes anew: ids and the tokens of pages.
fn masked(output: &str) -> String {
    let mut masked = output.to_owned();
    for (pattern, word) in [
        (r#""(next|previous)":"[^"]+""#, r#""$1":"TOKEN""#),
        (r"after=[^ ]+", "after=TOKEN"),
        (r"(?-u:\b)[0-9a-f]{24}(?-u:\b)", "ID"),
    ] {
        masked = Regex::new(pattern).expect("a pattern").replace_all(&masked, word).into_owned();
    }
    masked
}

/// Cargo builds the examples together with the tests of this package.
#[tokio::test]
async fn each_program_prints_what_its_page_says() {
    let programs = env::current_exe().expect("this test").parent().unwrap().join("../examples");
    let server = schema_tests::server().await;
    for chapter in CHAPTERS {
        let output =
            Command::new(programs.join(format!("tutorial_{chapter}"))).env("MONGODB_URI", server.uri()).output();
        let output = output.expect("`cargo test -p schema-examples` has built the example");
        assert!(output.status.success(), "{chapter}: {}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).expect("UTF-8");

        let path = folder().join(format!("../../output/{chapter}.txt"));
        let is_new = || fs::read_to_string(&path).is_ok_and(|old| masked(&old) != masked(&printed)) || !path.exists();
        if env::var_os("SCHEMA_TESTS_BLESS").is_some() && is_new() {
            fs::write(&path, &printed).expect("the folder of the pages is writable");
        }
        assert_eq!(masked(&printed), masked(&read(&path)), "{chapter}: SCHEMA_TESTS_BLESS=1 writes the output anew");
    }
}

/// Each page shows the output, and each marked part of the program.
#[test]
fn each_page_shows_its_program() {
    for chapter in CHAPTERS {
        let page = read(&folder().join(format!("{chapter}.md")));
        let program = format!("tutorial_{chapter}");
        let source = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{program}.rs")));
        assert!(page.contains(&format!("cargo run --example {program}")), "{chapter}");
        assert!(page.contains(&format!("{{{{#include ../../output/{chapter}.txt}}}}")), "{chapter}");
        let anchors = source.lines().filter_map(|line| line.trim().strip_prefix("// ANCHOR: "));
        for anchor in anchors {
            let include = format!("{{{{#include ../../../examples/examples/{program}.rs:{anchor}}}}}");
            assert!(page.contains(&include), "{chapter}: {anchor}");
        }
    }
}
