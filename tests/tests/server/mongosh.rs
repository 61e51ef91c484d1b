//! The real `mongosh` beside the tests: the judge of the lines that this crate writes for the shell.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use mongodb::{Database, bson::Document};
use schema_tests::{node, server};

/// The package of npm, in the version that the tests are written for.
const PACKAGE: &str = "mongosh@2.12.0";

/// The module that records the commands of the shell.
const RECORDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/mongosh/recorder.js");

/// Returns the modules of the shell, installed into the folder of the tests.
fn modules() -> &'static Path {
    static MODULES: OnceLock<PathBuf> = OnceLock::new();
    MODULES.get_or_init(|| node::modules(env!("CARGO_TARGET_TMPDIR"), &[PACKAGE]))
}

/// Runs lines in the shell, on this database. Returns the commands that the shell sends, without the fields of the
/// session.
pub(crate) async fn commands_of_shell(db: &Database, lines: &[String]) -> Vec<Document> {
    let folder = tempfile::tempdir().expect("a folder");
    let (script, commands) = (folder.path().join("script.js"), folder.path().join("commands"));
    let literals = [RECORDER.into(), modules().to_owned(), db.name().into(), commands.clone()];
    let [recorder, modules_of_shell, name, to] = literals.map(|text| serde_json::to_string(&text).expect("a text"));
    // The recorder needs a connection that is open.
    let mut text = format!(
        "db.runCommand({{ ping: 1 }});\nrequire({recorder})({modules_of_shell}, {name}, {to}, db.getMongo());\n"
    );
    text += &format!("db = db.getSiblingDB({name});\n");
    text += "function shown(result) { if (result && result.toArray) result.toArray(); }\n";
    text += "function refused(error, line) { if (!error.name.startsWith('Mongo')) throw new Error(error + ': ' + line); }\n";
    // A line is a whole line of the script, as a person would paste the line. The server may refuse the command.
    for line in lines {
        let literal = serde_json::to_string(line).expect("a text");
        text += &format!("try {{ shown(\n{line}\n); }} catch (error) {{ refused(error, {literal}); }}\n");
    }
    fs::write(&script, text).expect("a script");
    let mut shell = Command::new("node");
    shell.arg(modules().join("mongosh/bin/mongosh.js")).args(["--quiet", "--norc", server().await.uri()]).arg(&script);
    let output = tokio::task::spawn_blocking(move || shell.output()).await.expect("no panic").expect("`node` runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let bytes = fs::read(&commands).unwrap_or_default();
    let mut rest = bytes.as_slice();
    let mut all = Vec::new();
    while !rest.is_empty() {
        all.push(Document::from_reader(&mut rest).expect("BSON"));
    }
    all
}
