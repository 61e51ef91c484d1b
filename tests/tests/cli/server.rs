//! The source of the connection string, and servers that do not answer.

use std::{fs, os::unix::fs::PermissionsExt};

use mongodb::bson::doc;

use crate::program::{Program, command, run};

#[tokio::test]
async fn the_connection_string_comes_from_one_source() {
    let program = Program::new().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("uri");
    fs::write(&file, format!("{}\n", program.uri())).expect("a file");
    let path = file.to_str().expect("UTF-8");
    let on = ["plan", "--database", program.db.name()];
    let with = |arguments: &[&str]| command(&[&on[..], arguments].concat());

    let mut of_variable = with(&["--uri-env", "SHOP_URI"]);
    of_variable.env("SHOP_URI", program.uri());
    run(of_variable).await.with(3);

    let ended = run(with(&["--uri", program.uri()])).await;
    ended.with(3);
    assert!(ended.stderr.starts_with("warning: ") && !ended.stderr.contains(program.uri()), "{ended:?}");

    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("permissions");
    run(with(&["--uri-file", path])).await.with(3);
    for mode in [0o640, 0o604] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("permissions");
        let ended = run(with(&["--uri-file", path])).await;
        ended.with(2);
        assert!(ended.stderr.contains(&format!("run `chmod 600 {path}` first")), "{ended:?}");
    }

    for (arguments, message) in [
        (&[][..], "the environment variable MONGODB_URI is not set"),
        (&["--uri-env", "NOWHERE"], "the environment variable NOWHERE is not set"),
        (&["--uri-env", "mongodb://host"], "`--uri-env` takes the name of an environment variable"),
        (&["--uri", "mongodb://host", "--uri-env", "A"], "give one of"),
    ] {
        let ended = run(with(arguments)).await;
        ended.with(2);
        assert!(ended.stderr.contains(message), "{message}: {ended:?}");
    }
    let ended = run(command(&["plan", "--uri", program.uri(), "--database", "a.b"])).await;
    ended.with(2);
    assert!(ended.stderr.contains("the name of the database is not valid"), "{ended:?}");
    let mut none = command(&["plan"]);
    none.env("MONGODB_URI", program.uri());
    let ended = run(none).await;
    ended.with(2);
    assert!(ended.stderr.contains("names no database: add `--database NAME`"), "{ended:?}");
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_one_line() {
    for uri in ["mongodb://127.0.0.1:1/shop", "mongodb://no-such-host.invalid/shop?serverSelectionTimeoutMS=1000"] {
        for arguments in [&["plan"][..], &["apply", "--yes"], &["check"]] {
            let mut command = command(arguments);
            command.env("MONGODB_URI", uri);
            let ended = run(command).await;
            assert_eq!(ended.with(1), "");
            assert!(ended.stderr.starts_with("error: no MongoDB server answers at "), "{ended:?}");
            assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
        }
    }
}

#[tokio::test]
async fn a_user_is_named_and_a_missing_right_names_the_action() {
    let program = Program::new().await;
    let name = program.db.name();
    let user = doc! { "createUser": "ann", "pwd": "secret", "roles": [{ "role": "readWrite", "db": name }] };
    program.db.run_command(user).await.expect("a user");
    let uri = format!("{}&authSource={name}", program.uri().replacen("mongodb://", "mongodb://ann:secret@", 1));
    let mut command = command(&["apply", "--yes", "--database", name]);
    command.env("MONGODB_URI", uri);
    let ended = run(command).await;
    ended.with(0);
    assert!(ended.stderr.lines().next().is_some_and(|line| line.ends_with("user ann")), "{ended:?}");
}
