//! Every case that must not compile, with the expected message. Each rule has a folder in the folder of its group.
//!
//! Bless new wording with `TRYBUILD=overwrite cargo test -p schema-tests --test ui`, then read the difference. The
//! expected messages belong to a single rustc; on another rustc the cases must still be refused, and only the messages
//! are not compared.

use std::{env, fs, path::Path, process::Command};

/// The rustc of the `.stderr` files.
const BLESSED: &str = "1.95";

/// The variable with the folder of the cases without their messages, for the second run.
const COPY: &str = "SCHEMA_TESTS_UI_COPY";

#[test]
fn refused_schemas() {
    let cases = match env::var(COPY) {
        Ok(copy) => copy,
        Err(_) if rustc_is_blessed() => "ui".to_owned(),
        Err(_) => return run_without_wording(),
    };
    trybuild::TestCases::new().compile_fail(format!("{cases}/*/*/*.rs"));
}

fn rustc_is_blessed() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).starts_with(&format!("rustc {BLESSED}."))
}

/// Runs this test once more on a copy of the cases, with every difference in wording accepted.
fn run_without_wording() {
    println!("this rustc is not {BLESSED}: that each case is refused is tested, its words are not");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    let _ = fs::remove_dir_all(&copy);
    let groups = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")).expect("the cases are there");
    let groups = groups.map(|group| group.expect("a folder"));
    let rules = groups.flat_map(|group| fs::read_dir(group.path()).expect("the rules of a group"));
    for rule in rules.map(|rule| rule.expect("a folder")) {
        let group = rule.path();
        let group = group.parent().and_then(Path::file_name).expect("the name of a group");
        let folder = copy.join(group).join(rule.file_name());
        fs::create_dir_all(&folder).expect("a folder for the copy");
        for case in fs::read_dir(rule.path()).expect("a rule's cases") {
            let case = case.expect("a case");
            if case.path().extension().is_some_and(|extension| extension == "rs") {
                fs::copy(case.path(), folder.join(case.file_name())).expect("a copy");
            }
        }
    }
    let status = Command::new(env::current_exe().expect("this test"))
        .args(["refused_schemas", "--exact", "--nocapture"])
        .env(COPY, &copy)
        .env("TRYBUILD", "overwrite")
        .status()
        .expect("the second run starts");
    assert!(status.success(), "a schema that must be refused compiles on this rustc");
}
