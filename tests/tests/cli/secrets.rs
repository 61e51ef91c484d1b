//! No output holds the password of a connection string, a part of the password, or the form with percent signs.

use futures_util::{StreamExt, stream};
use mongodb::bson::doc;
use schema_tests::server;

use crate::program::{Program, command, run};

const PASSWORD: &str = "p@ss:w/rd%#?é";
const ENCODED: &str = "p%40ss%3Aw%2Frd%25%23%3F%C3%A9";

/// Texts that no output may hold: both forms of the password, the halves of both, and the halves of the parts between
/// separators.
const SECRETS: [&str; 10] =
    [PASSWORD, ENCODED, "p@ss:w", "/rd%#?é", "p%40ss", "%3Aw%2Frd", "rd%25", "%C3%A9", "p@ss", "rd%#"];

#[track_caller]
fn assert_secret(context: &str, output: &str) {
    for secret in SECRETS {
        let (output, secret) = (output.to_lowercase(), secret.to_lowercase());
        assert!(!output.contains(&secret), "{context}: `{secret}` is in the output:\n{output}");
    }
}

const COMMANDS: [&[&str]; 13] = [
    &["plan"],
    &["apply"],
    &["apply", "--yes"],
    &["apply", "--dry-run"],
    &["check", "--fit", "10"],
    &["review", "--live"],
    &["explain"],
    &["verify"],
    &["recover"],
    &["repair", "--yes"],
    &["recompute", "--yes"],
    &["stats"],
    &["worker", "--once"],
];

/// Returns connection strings that fail, each in a way of its own.
async fn failing() -> Vec<String> {
    let host = server().await.uri().trim_start_matches("mongodb://").split('/').next().expect("a host").to_owned();
    let timeout = "serverSelectionTimeoutMS=300";
    vec![
        // Nobody has this password.
        format!("mongodb://ann:{ENCODED}@{host}/shop?directConnection=true"),
        // No server listens.
        format!("mongodb://ann:{ENCODED}@127.0.0.1:1/shop?{timeout}"),
        format!("mongodb://ann:{ENCODED}@no-such-host.invalid/shop?{timeout}"),
        format!("mongodb+srv://ann:{ENCODED}@no-such-host.invalid/shop?{timeout}"),
        // The server speaks no TLS.
        format!("mongodb://ann:{ENCODED}@{host}/shop?tls=true&{timeout}"),
        // The password is not percent-encoded.
        format!("mongodb://ann:{PASSWORD}@{host}/shop"),
        // Options that do not exist, with the password as a value.
        format!("mongodb://ann:{ENCODED}@{host}/shop?authMechanism={ENCODED}"),
        format!("mongodb://ann:{ENCODED}@{host}/shop?w={ENCODED}"),
        format!("mongodb://ann:{ENCODED}@{host}/shop?tls=true&tlsCAFile=/{ENCODED}"),
        format!("http://ann:{ENCODED}@{host}/shop"),
        PASSWORD.to_owned(),
        ENCODED.to_owned(),
    ]
}

#[tokio::test]
async fn no_output_of_a_failure_holds_the_password() {
    let mut runs = Vec::new();
    for uri in failing().await {
        for arguments in COMMANDS {
            for more in [&[][..], &["--json"], &["--help"]] {
                let mut command = command(&[arguments, more].concat());
                command.env("MONGODB_URI", &uri).env("RUST_LOG", "trace").env("RUST_BACKTRACE", "1");
                runs.push((format!("{arguments:?} {more:?} on {uri}"), command));
            }
        }
    }
    let runs = runs.into_iter().map(|(context, command)| async move { (context, run(command).await) });
    let mut ended = stream::iter(runs).buffer_unordered(8);
    while let Some((context, ended)) = ended.next().await {
        assert_eq!(ended.code == Some(0), context.contains("--help"), "{context}: {ended:?}");
        assert_secret(&context, &format!("{}{}", ended.stdout, ended.stderr));
    }
}

#[tokio::test]
async fn a_string_in_the_wrong_place_is_not_repeated() {
    let uri = format!("mongodb://ann:{PASSWORD}@host/shop");
    for arguments in [
        vec!["plan", uri.as_str()],
        vec![uri.as_str()],
        vec!["plan", "--uri-env", &uri],
        vec!["plan", "--uri-file", &uri],
        vec!["plan", "--database", &uri, "--uri", "mongodb://127.0.0.1:1"],
        vec!["plan", "--out", &uri, "--uri", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300", "--database", "a"],
        vec!["plan", "--color", &uri],
        vec!["plan", "--url", &uri],
        vec!["apply", &uri, "--uri", "mongodb://127.0.0.1:1/a?serverSelectionTimeoutMS=300"],
        vec!["apply", "--allow", &uri],
        vec!["verify", "--only", &uri],
        vec!["explain", &uri],
        vec!["diagram", "--only", &uri],
        vec!["repair", "--chunk", &uri],
        vec!["worker", "--grace", &uri],
    ] {
        for more in [&[][..], &["--json"]] {
            let arguments = [&arguments[..], more].concat();
            let ended = run(command(&arguments)).await;
            assert_ne!(ended.code, Some(0), "{ended:?}");
            assert_secret(&format!("{arguments:?}"), &format!("{}{}", ended.stdout, ended.stderr));
        }
    }
    let with_equals = format!("--uri-name={uri}");
    let ended = run(command(&["plan", &with_equals])).await;
    assert_secret("with an equals sign", &format!("{}{}", ended.stdout, ended.stderr));
}

#[tokio::test]
async fn no_output_of_a_success_holds_the_password() {
    let program = Program::new().await;
    let name = program.db.name();
    let user = doc! { "createUser": "ann", "pwd": PASSWORD, "roles": [{ "role": "dbOwner", "db": name }] };
    program.db.run_command(user).await.expect("a user");
    let host = program.uri().trim_start_matches("mongodb://").split('/').next().expect("a host");
    let uri = format!("mongodb://ann:{ENCODED}@{host}/{name}?directConnection=true");
    for arguments in [&["plan"][..], &["apply", "--dry-run"], &["apply", "--yes"], &["check"], &["check", "--json"]] {
        let mut command = command(arguments);
        command.env("MONGODB_URI", &uri).env("RUST_LOG", "trace");
        let ended = run(command).await;
        assert!(matches!(ended.code, Some(0 | 3)), "{ended:?}");
        assert_secret(&format!("{arguments:?}"), &format!("{}{}", ended.stdout, ended.stderr));
        if arguments == ["apply", "--yes"] {
            assert!(ended.stderr.contains("user ann"), "{ended:?}");
        }
    }
}
