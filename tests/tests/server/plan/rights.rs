//! A step without the needed rights is reported by name, and stops the remaining steps only on request.

use mongodb::{Client, bson::doc};
use schema_runtime::{
    Error,
    apply::{ApplyOptions, Outcome},
    local::{Server, Topology},
    plan::Change,
    prelude::*,
};

use super::*;

mod before {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    pub(super) struct Thing {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
        qty: i32,
    }
}

mod after {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    #[index(name, unique)]
    pub(super) struct Thing {
        #[serde(rename = "_id")]
        id: i64,
        #[bound(max_len = 9)]
        name: String,
        #[index]
        qty: i32,
    }
}

/// Returns a server with access control, and the administrator.
async fn guarded() -> (Server, Client) {
    let builder = Server::builder().own(true).topology(Topology::Standalone).arguments(["--auth"]);
    let server = builder.start().await.expect("a server");
    let everything = doc! { "createUser": "admin", "pwd": "admin", "roles": ["root"] };
    let nobody = Client::with_uri_str(server.uri()).await.expect("a client");
    nobody.database("admin").run_command(everything).await.expect("the first user");
    let admin = login(&server, "admin").await;
    (server, admin)
}

/// Returns a client of a user. The password is the name of the user.
async fn login(server: &Server, user: &str) -> Client {
    let uri = server.uri().replace("mongodb://", &format!("mongodb://{user}:{user}@"));
    Client::with_uri_str(uri).await.expect("a client")
}

/// Returns the database `shop` for a user with the rights to list and to run these actions on the collections.
async fn user(server: &Server, admin: &Client, name: &str, actions: &[&str]) -> Database {
    let admin = admin.database("admin");
    let all = |actions: &[&str]| doc! { "resource": { "db": "shop", "collection": "" }, "actions": actions };
    let privileges = [all(&["listCollections", "listIndexes"]), all(actions)];
    let privileges: Vec<Document> =
        privileges.into_iter().filter(|one| one.get_array("actions").is_ok_and(|list| !list.is_empty())).collect();
    admin.run_command(doc! { "createRole": name, "privileges": privileges, "roles": [] }).await.expect("a role");
    admin.run_command(doc! { "createUser": name, "pwd": name, "roles": [name] }).await.expect("a user");
    login(server, name).await.database("shop")
}

#[tokio::test]
async fn a_missing_right_is_reported_by_name_and_the_rest_goes_on() {
    let (server, admin) = guarded().await;
    let shop = admin.database("shop");
    applied(schema![before::Thing], &shop).await;
    raw(&shop, "things").insert_one(doc! { "_id": 1, "name": "longer than nine", "qty": 1 }).await.expect("valid");
    let schema = schema![after::Thing];

    // A user without the rights to collMod and to read: the counts are missing, and the indexes are made.
    let indexer = user(&server, &admin, "indexer", &["createIndex"]).await;
    let plan = planned(schema, &indexer).await;
    let [
        Change::SetValidator { refused: None, .. },
        Change::CreateIndex { duplicates: None, .. },
        Change::CreateIndex { .. },
    ] = changes(&plan)[..]
    else {
        panic!("{plan}")
    };
    assert!(plan.to_string().contains("the user may not read"), "{plan}");
    let report = plan.apply(&indexer).await.expect("a report");
    let outcomes: Vec<_> = report.entries().iter().map(|entry| &entry.outcome).collect();
    assert!(matches!(outcomes[..], [Outcome::Denied { action: "collMod" }, Outcome::Done, Outcome::Done]), "{report}");
    assert!(report.to_string().starts_with("no right to `collMod`: things: validator"), "{report}");
    assert_eq!(names(&shop, "things").await, ["name_1", "qty_1"]);
    assert!(matches!(report.complete(), Err(Error::ApplyIncomplete { steps: 1, .. })));

    // A user with the right finishes the step.
    let modder = user(&server, &admin, "modder", &["collMod", "find"]).await;
    let plan = planned(schema, &modder).await;
    assert!(matches!(changes(&plan)[..], [Change::SetValidator { refused: Some(1), .. }]), "{plan}");
    let allow = ApplyOptions::new().allow_refused(true);
    plan.apply_with(&modder, allow).await.and_then(|report| report.complete()).expect("every step is done");
    is_settled(schema, &shop).await;
}

#[tokio::test]
async fn asked_to_it_stops_at_the_first_missing_right() {
    let (server, admin) = guarded().await;
    let shop = admin.database("shop");
    applied(schema![before::Thing], &shop).await;
    let indexer = user(&server, &admin, "indexer", &["createIndex", "find"]).await;
    let stop = ApplyOptions::new().stop_on_error(true);
    let report = planned(schema![after::Thing], &indexer).await.apply_with(&indexer, stop).await.expect("a report");
    let outcomes: Vec<_> = report.entries().iter().map(|entry| &entry.outcome).collect();
    assert!(
        matches!(outcomes[..], [Outcome::Denied { action: "collMod" }, Outcome::NotReached, Outcome::NotReached]),
        "{report}"
    );
    assert_eq!(names(&shop, "things").await, Vec::<String>::new());
}

#[tokio::test]
async fn who_may_create_nothing_creates_nothing() {
    let (server, admin) = guarded().await;
    let reader = user(&server, &admin, "reader", &["find"]).await;
    let report = planned(schema![after::Thing], &reader).await.apply(&reader).await.expect("a report");
    let outcomes: Vec<_> = report.entries().iter().map(|entry| &entry.outcome).collect();
    assert!(
        matches!(
            outcomes[..],
            [Outcome::Denied { action: "createCollection" }, Outcome::NotReached, Outcome::NotReached]
        ),
        "{report}"
    );

    let admin_db = admin.database("admin");
    let nothing = doc! { "createUser": "stranger", "pwd": "stranger", "roles": [] };
    admin_db.run_command(nothing).await.expect("a user");
    let refused = schema![after::Thing].plan(&login(&server, "stranger").await.database("shop")).await;
    assert!(matches!(&refused, Err(Error::NotAuthorized { action: "listCollections", .. })), "{refused:?}");
}
