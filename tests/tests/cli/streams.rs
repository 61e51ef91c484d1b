//! The standard streams: closed pipes, full disks, colors, and the subcommand of another program.

use std::{
    fs::File,
    process::{Command, Stdio},
};

use crate::program::{Program, command, run};

#[tokio::test]
async fn a_closed_pipe_ends_a_command_quietly() {
    let program = Program::new().await;
    for arguments in [&["plan"][..], &["plan", "--json"], &["apply", "--dry-run"], &["check"]] {
        let mut command = program.command(arguments);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = command.stdout(writer).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a child");
        drop(command);
        let output = child.wait_with_output().expect("the end");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{arguments:?}: {stderr}");
        assert!(output.status.code().is_some_and(|code| code == 3 || code == 0), "{arguments:?}: {:?}", output.status);
    }
}

#[tokio::test]
async fn a_full_disk_is_an_error() {
    let program = Program::new().await;
    let mut command = program.command(&["plan"]);
    let full = File::options().write(true).open("/dev/full").expect("the device");
    let output = command.stdout(full).stderr(Stdio::piped()).spawn().expect("a child").wait_with_output();
    let output = output.expect("the end");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.starts_with("error: the standard output cannot be written: "), "{stderr}");
}

#[tokio::test]
async fn colors_are_for_terminals_and_for_who_asks() {
    let program = Program::new().await;
    let escape = '\u{1b}';
    assert!(!program.run(&["plan"]).await.with(3).contains(escape));
    assert!(program.run(&["plan", "--color", "always"]).await.with(3).contains("\u{1b}[32m  + index number_1"));
    assert!(!program.run(&["plan", "--color", "never"]).await.with(3).contains(escape));
    let ended = program.run(&["apply", "--yes", "--progress", "lines"]).await;
    assert!(!ended.stderr.contains(escape), "{ended:?}");
}

#[tokio::test]
async fn wrong_usage_is_code_2_and_help_is_code_0() {
    for (arguments, message) in [
        (&["aply"][..], "a similar subcommand exists: 'apply'"),
        (&["apply", "--force"], "unexpected argument '--force'"),
        (&["apply", "--allow", "everything"], "possible values: drop-undeclared, hide-undeclared"),
    ] {
        let ended = run(command(arguments)).await;
        assert_eq!(ended.with(2), "");
        assert!(ended.stderr.contains(message), "{ended:?}");
    }
    let ended = run(command(&["plan", "--force", "--json"])).await;
    let json: serde_json::Value = serde_json::from_str(ended.with(2)).expect("JSON");
    assert_eq!((&json["format"], &json["error"]["cause"]), (&1.into(), &"usage".into()));
    let ended = run(command(&["--help"])).await;
    assert!(ended.with(0).contains("Usage: schema-program [OPTIONS] <COMMAND>"), "{ended:?}");
    for name in ["plan", "apply", "check"] {
        assert!(ended.stdout.contains(&format!("\n  {name} ")), "{name}: {ended:?}");
        assert!(run(command(&[name, "--help"])).await.with(0).contains("--uri-file <FILE>"));
    }
}

#[tokio::test]
async fn the_commands_are_a_subcommand_of_another_program() {
    let program = Program::new().await;
    let nested = |arguments: &[&str]| -> Command {
        let mut command = program.command(&[&["db"], arguments].concat());
        command.env("SCHEMA_TESTS_NESTED", "1");
        command
    };
    run(nested(&["plan"])).await.with(3);
    run(nested(&["apply", "--yes"])).await.with(0);
    run(nested(&["check"])).await.with(0);
    let mut serve = command(&["serve"]);
    serve.env("SCHEMA_TESTS_NESTED", "1");
    run(serve).await.with(0);
}
