//! `schema.verify` finds the errors in stored documents, and holds few documents in memory.

use std::{collections::HashMap, env, fs, process::Command};

use mongodb::{
    Client, Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::{
    BoundUnit, BoundedVec,
    prelude::*,
    verify::{ArrayNearBound, DanglingReference, Finding, VerifyReport},
};

use crate::sent::sent;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "partIds")]
    #[relation(one_to_many, child_refs, max = 2_000)]
    parts: Vec<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    container: Option<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[relation(one_to_many, parent_ref)]
    relay: Option<Ref<Host>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_items = 20)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 10)]
    addresses: Vec<Address>,
    #[bound(max_items = 10)]
    grid: Vec<BoundedVec<i64, 10>>,
    position: [f64; 2],
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Address {
    #[bound(max_items = 10)]
    #[serde(rename = "phoneNumbers")]
    phones: Vec<String>,
    #[bound(max_items = 3)]
    notes: HashMap<String, i64>,
}

fn schema() -> schema_runtime::Schema {
    schema![Product, Part, LogMsg, Host, Person]
}

fn dangling(report: &VerifyReport) -> Vec<&DanglingReference> {
    let found = report.findings().iter();
    found
        .filter_map(|finding| if let Finding::DanglingReference(found) = finding { Some(found) } else { None })
        .collect()
}

fn large(report: &VerifyReport) -> Vec<&ArrayNearBound> {
    let found = report.findings().iter();
    found.filter_map(|finding| if let Finding::ArrayNearBound(found) = finding { Some(found) } else { None }).collect()
}

fn part(id: i64, container: Option<i64>) -> Part {
    Part { id, container: container.map(Ref::new) }
}

fn product(id: i64, parts: &[i64]) -> Product {
    Product { id, parts: parts.iter().copied().map(Ref::new).collect() }
}

fn host(id: &str) -> Host {
    Host { id: id.to_owned() }
}

fn message(id: i64, host: &str, relay: Option<&str>) -> LogMsg {
    LogMsg { id, host: Ref::new(host.to_owned()), relay: relay.map(|relay| Ref::new(relay.to_owned())) }
}

#[tokio::test]
async fn an_empty_database_and_a_whole_one_are_clean() {
    let db = schema_tests::database().await;
    let report = schema().verify(&db).await.unwrap();
    assert!(report.is_clean());
    assert_eq!(report.to_string(), "nothing found");

    Part::insert_many(&db, &[part(1, None), part(2, Some(1))]).await.unwrap();
    Product::insert_many(&db, &[product(1, &[1, 2, 1]), product(2, &[])]).await.unwrap();
    Host::insert(&db, &host("h")).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, "h", None), message(2, "h", Some("h"))]).await.unwrap();
    // Equal ids in more numeric types, as another client writes the ids, and an absent optional reference.
    let raw = db.collection::<Document>("products");
    raw.insert_one(doc! { "_id": 3, "partIds": [1_i32, 2.0, Bson::Decimal128("1".parse().unwrap()), null] })
        .await
        .unwrap();
    db.collection::<Document>("logmsg").insert_one(doc! { "_id": 3, "host": "h" }).await.unwrap();
    let report = schema().verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn dangling_references_are_counted_and_named() {
    let db = schema_tests::database().await;
    Part::insert_many(&db, &[part(1, None), part(2, Some(1)), part(3, Some(77))]).await.unwrap();
    let products = [product(1, &[1, 2]), product(2, &[8, 1, 9, 8]), product(3, &[9]), product(4, &[])];
    Product::insert_many(&db, &products).await.unwrap();
    Host::insert(&db, &host("h")).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, "h", Some("gone")), message(2, "lost", None)]).await.unwrap();

    let report = schema().verify(&db).await.unwrap();
    let found: Vec<_> = dangling(&report)
        .into_iter()
        .map(|found| {
            let examples: Vec<_> = found.examples.iter().map(|e| (e.id.clone(), e.reference.clone())).collect();
            (found.model, found.collection, found.field, found.target, found.references, found.documents, examples)
        })
        .collect();
    let number = Bson::Int64;
    let text = |text: &str| Bson::String(text.to_owned());
    let in_products =
        vec![(number(2), number(8)), (number(2), number(9)), (number(2), number(8)), (number(3), number(9))];
    assert_eq!(
        found,
        [
            ("Product", "products", "partIds", "parts", 4, 2, in_products),
            ("Part", "parts", "container", "parts", 1, 1, vec![(number(3), number(77))]),
            ("LogMsg", "logmsg", "host", "hosts", 1, 1, vec![(number(2), text("lost"))]),
            ("LogMsg", "logmsg", "relay", "hosts", 1, 1, vec![(number(1), text("gone"))]),
        ]
    );
    assert_eq!(report.findings().len(), 4);
    let text = report.to_string();
    assert!(text.starts_with(
        "Product.partIds: 4 references in 2 documents of `products` without a document in `parts`\n  2 refers to 8\n"
    ));
    assert!(text.contains(
        "\nPart.container: 1 reference in 1 document of `parts` without a document in `parts`\n  3 refers to 77\n"
    ));
}

#[tokio::test]
async fn values_that_are_no_references_break_nothing() {
    let db = schema_tests::database().await;
    let raw = db.collection::<Document>("products");
    let regex = Bson::JavaScriptCode("x".to_owned());
    let odd = doc! { "_id": 1, "partIds": [{ "$gt": "" }, { "$where": "1" }, [5, [6]], regex, { "a": 1 }] };
    raw.insert_many([odd, doc! { "_id": 2, "partIds": "text" }, doc! { "_id": 3 }, doc! { "_id": 4, "partIds": null }])
        .await
        .unwrap();
    db.collection::<Document>("logmsg").insert_one(doc! { "_id": 1, "host": ["h"] }).await.unwrap();
    let report = schema().verify(&db).await.unwrap();
    let found = dangling(&report);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].references, found[0].documents, found[0].examples.len()), (6, 1, 5));
}

#[tokio::test]
async fn examples_are_few_and_counts_whole() {
    let db = schema_tests::database().await;
    let products: Vec<_> =
        (0..300).map(|id| product(id, &(0..100).map(|n| id * 100 + n).collect::<Vec<_>>())).collect();
    Product::insert_many(&db, &products).await.unwrap();
    Part::insert_many(&db, (0..30_000).filter(|id| id % 10 != 0).map(|id| part(id, None)).collect::<Vec<_>>())
        .await
        .unwrap();
    let report = schema().verify(&db).await.unwrap();
    let found = dangling(&report);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].references, found[0].documents, found[0].examples.len()), (3_000, 300, 5));
}

#[tokio::test]
async fn the_references_of_many_documents_are_looked_up_together() {
    let (db, log) = schema_tests::database_with_log().await;
    Host::insert_many(&db, &[host("a"), host("b")]).await.unwrap();
    let messages: Vec<_> = (0..5_000).map(|id| message(id, if id % 2 == 0 { "a" } else { "b" }, None)).collect();
    LogMsg::insert_many(&db, &messages).await.unwrap();
    let (report, names) = sent(&log, schema().verify(&db)).await;
    assert!(report.unwrap().is_clean());
    assert_eq!(names.iter().filter(|name| *name == "getMore").count(), 0);
    // A `find` for each thousand messages and for the end, a `find` for each of two empty collections, and a `find` for
    // the hosts.
    assert_eq!(names.iter().filter(|name| *name == "find").count(), 5 + 1 + 2 + 1, "{names:?}");
}

fn person(id: i64) -> Document {
    doc! { "_id": id, "tags": [], "addresses": [], "grid": [], "position": [1.0, 2.0] }
}

fn ones(count: usize) -> Vec<Bson> {
    vec![Bson::Int64(1); count]
}

#[tokio::test]
async fn arrays_over_and_near_their_bound_are_counted_at_any_depth() {
    let db = schema_tests::database().await;
    let entries = |count| (0..count).map(|n| (format!("k{n}"), Bson::Int64(n))).collect::<Document>();
    let with = |id, field: &str, value: Bson| {
        let mut person = person(id);
        person.insert(field, value);
        person
    };
    let address = |phones: usize, notes: i64| doc! { "phoneNumbers": ones(phones), "notes": entries(notes) };
    let people = [
        person(0),
        with(1, "tags", ones(17).into()),
        with(2, "tags", ones(18).into()),
        with(3, "tags", ones(20).into()),
        with(4, "tags", ones(21).into()),
        with(5, "tags", ones(500).into()),
        // The array of the second address is near its bound; the map in the first address is over its bound.
        with(6, "addresses", vec![address(0, 4), address(9, 0)].into()),
        with(7, "addresses", vec![address(11, 0), address(9, 2)].into()),
        with(8, "grid", vec![Bson::Array(ones(3)), Bson::Array(ones(12))].into()),
        with(9, "position", ones(3).into()),
        // A value that does not fit the struct is no array.
        with(10, "tags", "text".into()),
        with(11, "addresses", doc! { "phoneNumbers": ones(50) }.into()),
        doc! { "_id": 12 },
    ];
    db.collection::<Document>("people").insert_many(people).await.unwrap();
    let report = schema().verify(&db).await.unwrap();
    let found: Vec<_> = large(&report)
        .into_iter()
        .map(|found| {
            assert_eq!((found.model, found.collection), ("Person", "people"));
            let examples: Vec<_> = found.examples.iter().map(|e| (e.id.as_i64().unwrap(), e.size)).collect();
            (found.field.as_str(), found.bound, found.unit, found.over, found.near, examples)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("tags", 20, BoundUnit::Elements, 2, 2, vec![(5, 500), (4, 21), (3, 20), (2, 18)]),
            ("addresses.*.phoneNumbers", 10, BoundUnit::Elements, 1, 1, vec![(7, 11), (6, 9)]),
            ("addresses.*.notes", 3, BoundUnit::Entries, 1, 0, vec![(6, 4)]),
            ("grid.*", 10, BoundUnit::Elements, 1, 0, vec![(8, 12)]),
            ("position", 2, BoundUnit::Elements, 1, 0, vec![(9, 3)]),
        ]
    );
    let text = report.to_string();
    assert!(text.starts_with("Person.tags: 2 documents of `people` over the bound of 20 elements, 2 within 10 % of it\n  5 has 500\n  4 has 21\n"));
}

const DOCUMENTS: i64 = 200_000;
const CHILD_URI: &str = "SCHEMA_TESTS_VERIFY_URI";
const CHILD_DATABASE: &str = "SCHEMA_TESTS_VERIFY_DATABASE";

/// A process of its own verifies 200,000 documents with 60 MB of references; every second reference is dangling. The
/// peak of the process memory grows by less than half of 60 MB.
#[test]
fn a_large_collection_is_verified_in_bounded_memory() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Ok(uri) = env::var(CHILD_URI) {
        return runtime.block_on(verify_and_print(&uri));
    }
    let (uri, name) = runtime.block_on(async {
        let db = schema_tests::database().await;
        make_messages(&db).await;
        (schema_tests::server().await.uri().to_owned(), db.name().to_owned())
    });
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "verify::a_large_collection_is_verified_in_bounded_memory", "--nocapture"])
        .env(CHILD_URI, uri)
        .env(CHILD_DATABASE, name)
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    let grown = output.lines().find_map(|line| line.split_once("grown by KiB: "));
    let grown: u64 =
        grown.unwrap_or_else(|| panic!("{output}{}", String::from_utf8_lossy(&child.stderr))).1.trim().parse().unwrap();
    assert!(grown < 30 * 1024, "{grown} KiB");
}

/// Makes the messages on the server: a reference of 300 bytes each, all different.
async fn make_messages(db: &Database) {
    let filler = "x".repeat(290);
    let text = doc! { "$concat": [filler, { "$toString": "$n" }] };
    for (modulus, collection, fields) in
        [(1, "logmsg", doc! { "_id": "$n", "host": &text }), (2, "hosts", doc! { "_id": &text })]
    {
        let range = doc! { "n": { "$range": [0_i32, DOCUMENTS as i32, modulus] } };
        let pipeline = [
            doc! { "$documents": [range] },
            doc! { "$unwind": "$n" },
            doc! { "$project": fields },
            doc! { "$out": collection },
        ];
        db.aggregate(pipeline).await.unwrap();
    }
}

async fn verify_and_print(uri: &str) {
    let client = Client::with_uri_str(uri).await.unwrap();
    let db = client.database(&env::var(CHILD_DATABASE).unwrap());
    // The memory of the first command is not counted.
    Host::find(Filter::all()).limit(100).fetch_all(&db).await.unwrap();
    let before = most_memory();
    let report = schema().verify(&db).await.unwrap();
    let grown = most_memory() - before;
    let found = dangling(&report);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].references, found[0].documents), (DOCUMENTS as u64 / 2, DOCUMENTS as u64 / 2));
    println!("grown by KiB: {grown}");
}

/// Returns the most memory that this process has held, in KiB.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
