//! Errors of each command: missing rights, wrong usage, and the JSON of both.

use mongodb::{
    Client,
    bson::{Document, doc},
};
use schema_runtime::local::{Server, Topology};
use schema_tests::copies;
use serde_json::Value;

use crate::program::{Ended, Program, command, run};

/// The commands that need a server.
const COMMANDS: [&[&str]; 12] = [
    &["plan"],
    &["apply", "--yes"],
    &["apply", "--dry-run"],
    &["check"],
    &["verify"],
    &["recover"],
    &["repair", "--yes"],
    &["repair", "--dry-run"],
    &["recompute", "--yes"],
    &["stats"],
    &["worker"],
    &["worker", "--once"],
];

/// Returns the document of a run with `--json`.
fn json(ended: &Ended) -> Value {
    let json: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
    assert_eq!(json["format"], 1, "{ended:?}");
    json
}

/// Returns a server with access control. The user `ann` may list collections and indexes of `shop`, and nothing else.
async fn guarded() -> Server {
    let builder = Server::builder().own(true).topology(Topology::Standalone).arguments(["--auth"]);
    let server = builder.start().await.expect("a server");
    let first = Client::with_uri_str(server.uri()).await.expect("a client");
    let root = doc! { "createUser": "root", "pwd": "root", "roles": ["root"] };
    first.database("admin").run_command(root).await.expect("the first user");
    let root = Client::with_uri_str(as_user(&server, "root")).await.expect("a client");
    copies::prepare(&root.database("shop")).await;
    let all = doc! { "db": "shop", "collection": "" };
    let privilege = doc! { "resource": all, "actions": ["listCollections", "listIndexes"] };
    let role = doc! { "createRole": "lister", "privileges": [privilege], "roles": [] };
    root.database("admin").run_command(role).await.expect("a role");
    let ann = doc! { "createUser": "ann", "pwd": "ann", "roles": ["lister"] };
    root.database("admin").run_command(ann).await.expect("a user");
    server
}

/// Returns the connection string of a user. The password is the name of the user.
fn as_user(server: &Server, user: &str) -> String {
    server.uri().replacen("mongodb://", &format!("mongodb://{user}:{user}@"), 1)
}

#[tokio::test]
async fn a_missing_right_names_the_action() {
    let server = guarded().await;
    for (arguments, right) in [
        (&["verify"][..], "find"),
        (&["recover"], "find"),
        (&["repair", "--yes"], "find"),
        (&["repair", "--dry-run"], "find"),
        (&["stats"], "collStats"),
        (&["worker"], "find"),
        (&["worker", "--once"], "find"),
    ] {
        let run = async |more: &[&str]| {
            let mut command = command(&[arguments, &["--database", "shop"], more].concat());
            command.env("MONGODB_URI", as_user(&server, "ann")).env("SCHEMA_TESTS_SCHEMA", "copies");
            run(command).await
        };
        let ended = run(&[]).await;
        assert_eq!(ended.with(1), "", "{ended:?}");
        let last = ended.stderr.lines().last().expect("a line");
        let message = format!("error: the user has no right to `{right}` on `");
        assert!(last.starts_with(&message), "{arguments:?}: {ended:?}");
        let ended = run(&["--json"]).await;
        assert_eq!((ended.code, &json(&ended)["error"]["cause"]), (Some(1), &"setup".into()), "{ended:?}");
    }
}

#[tokio::test]
async fn each_command_has_json_for_a_result_and_for_an_error() {
    for schema in ["copies", "rollups"] {
        let program = Program::with(schema).await;
        program.run(&["apply", "--yes"]).await.with(0);
        for arguments in COMMANDS.into_iter().filter(|arguments| *arguments != ["worker"]) {
            let ended = program.run(&[arguments, &["--json"]].concat()).await;
            assert_eq!(ended.code, Some(0), "{ended:?}");
            let json = json(&ended);
            assert!(json["database"] == program.db.name() && json.get("error").is_none(), "{json}");
        }
    }
    for arguments in COMMANDS {
        let mut command = command(&[arguments, &["--json"]].concat());
        command.env("MONGODB_URI", "mongodb://127.0.0.1:1/shop?serverSelectionTimeoutMS=300");
        let ended = run(command).await;
        let error = json(&ended)["error"].take();
        assert_eq!((ended.code, &error["cause"], &*ended.stderr), (Some(1), &"unavailable".into(), ""), "{ended:?}");
        assert!(error["message"].as_str().is_some_and(|message| !message.contains('\n')), "{ended:?}");
    }
}

#[tokio::test]
async fn each_wrong_argument_has_the_code_2() {
    for (arguments, message) in [
        (&["recover", "--chunk", "0"][..], "invalid value '0' for '--chunk <DOCUMENTS>'"),
        (&["recover", "--chunk", "many"], "invalid value 'many' for '--chunk <DOCUMENTS>'"),
        (&["repair", "--pause", "5"], "a time is a whole number with a unit: 50ms, 2s, 5m, 1h"),
        (&["repair", "--throttle", "5000"], "a speed is a whole number of documents in a second: 5000/s"),
        (
            &["recover", "--throttle", "5/s", "--pause", "1s"],
            "'--throttle <DOCUMENTS/s>' cannot be used with '--pause <TIME>'",
        ),
        (&["worker", "--recover-every", "soon"], "a time is a whole number with a unit"),
        (&["worker", "--grace", "1.5s"], "a time is a whole number with a unit"),
        (&["verify", "--repair"], "unexpected argument '--repair'"),
        (&["recompute", "--force"], "unexpected argument '--force'"),
        (&["stats", "now"], "unexpected argument 'now'"),
    ] {
        let ended = run(command(arguments)).await;
        assert_eq!(ended.with(2), "");
        let first = ended.stderr.lines().next().expect("a line");
        assert!(first.starts_with("error: ") && first.contains(message), "{ended:?}");
        let ended = run(command(&[arguments, &["--json"]].concat())).await;
        assert_eq!((ended.code, &json(&ended)["error"]["cause"]), (Some(2), &"usage".into()), "{ended:?}");
    }
}

#[tokio::test]
async fn the_wrong_configuration_is_one_line() {
    for arguments in COMMANDS {
        let ended = run(command(arguments)).await;
        assert_eq!(ended.with(2), "");
        assert!(ended.stderr.starts_with("error: the environment variable MONGODB_URI is not set"), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    }
}

#[tokio::test]
async fn a_collection_of_another_program_stays() {
    let program = Program::with("copies").await;
    let other = program.db.collection::<Document>("others");
    other.insert_one(doc! { "_id": "text" }).await.expect("a document");
    for arguments in [&["verify"][..], &["recover"], &["repair", "--yes"], &["stats"], &["worker", "--once"]] {
        program.run(arguments).await.with(0);
    }
    assert_eq!(other.count_documents(doc! {}).await.expect("a count"), 1);
}
