//! The command line of the examples: the commands of README.md print the shown output.

use std::{fs, path::Path, process::Command};

/// The line of each shown command.
const COMMAND: &str = "$ cargo run --example people -- db ";

/// Cargo builds the examples together with the tests of this package.
fn example(name: &str) -> Command {
    let folder = std::env::current_exe().expect("this test").parent().expect("a folder").join("../examples");
    let mut command = Command::new(folder.join(name));
    command.env_remove("MONGODB_URI").arg("db");
    command
}

#[tokio::test]
async fn the_commands_print_what_the_readme_shows() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).expect("README.md");
    let (_, block) = readme.split_once("```console\n").expect("the commands");
    let (block, _) = block.split_once("```").expect("the end of the commands");
    let (server, db) = (schema_tests::server().await, schema_tests::database().await);
    let shown: Vec<&str> = block.split(COMMAND).skip(1).collect();
    assert_eq!(shown.len(), 3, "{block}");
    for command in shown {
        let (arguments, output) = command.split_once('\n').expect("a line");
        let mut run = example("people");
        run.args(arguments.split(' ')).args(["--database", db.name()]).env("MONGODB_URI", server.uri());
        let ended = run.output().expect("`cargo test -p schema-examples` has built the example");
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(matches!(ended.status.code(), Some(0 | 3)), "{arguments}: {}: {errors}", ended.status);
        assert_eq!(String::from_utf8_lossy(&ended.stdout).trim_end(), output.trim_end(), "{arguments}: {errors}");
    }
}

#[test]
fn an_example_without_a_server_names_the_variable() {
    for name in ["store", "people"] {
        let ended = example(name).arg("plan").output().expect("the example");
        assert_eq!(ended.status.code(), Some(2), "{name}");
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(errors.contains("the environment variable MONGODB_URI is not set"), "{name}: {errors}");
        let diagram = example(name).arg("diagram").output().expect("the example");
        assert!(diagram.status.success() && diagram.stdout.starts_with(b"erDiagram"), "{name}: {diagram:?}");
    }
}
