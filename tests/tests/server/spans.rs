//! The spans of operations: a span for each command, with names and counts, and without any value.

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, transaction};
use schema_tests::{Fields, Span, Spans, database, fail_command};
use tracing::Instrument;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: String,
    #[index(unique)]
    name: String,
    #[bound(max_len = 30)]
    note: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: String,
    #[relation(one_to_many, child_refs, max = 10)]
    parts: Vec<Ref<Part>>,
}

fn part(id: impl ToString) -> Part {
    Part { id: id.to_string(), name: id.to_string(), note: String::new() }
}

/// Returns the fields that differ between spans: the operation, and the counts.
fn recorded(span: &Span, db: &Database) -> Fields {
    assert_eq!((span.name, span.closed), ("command", true));
    let mut fields = span.fields.clone();
    assert_eq!(fields.remove("db.system.name").as_deref(), Some("mongodb"));
    assert_eq!(fields.remove("db.namespace").as_deref(), Some(db.name()));
    assert_eq!(fields.remove("otel.kind").as_deref(), Some("client"));
    fields.remove("otel.name");
    fields
}

fn fields<const N: usize>(pairs: [(&str, &str); N]) -> Fields {
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// Returns the fields of a command on `parts`.
fn of_parts<const N: usize>(operation: &str, pairs: [(&str, &str); N]) -> Fields {
    let mut fields = fields(pairs);
    fields.extend(self::fields([("db.collection.name", "parts"), ("db.operation.name", operation)]));
    fields
}

const ROWS: &str = "db.response.returned_rows";

#[tokio::test]
async fn each_command_has_a_span_with_its_counts() {
    let db = database().await;
    let (spans, _guard) = Spans::collect();
    let many: Vec<_> = (0..5).map(part).collect();

    Part::insert(&db, &part("a")).await.unwrap();
    Part::insert_many(&db, &many).await.unwrap();
    Part::insert_many(&db, [&part("b")]).await.unwrap();
    Part::find(Filter::all()).limit(3).fetch_all(&db).await.unwrap();
    Part::find_by_id(&db, &"gone".to_owned()).await.unwrap();
    Part::find(Filter::all()).count(&db).await.unwrap();
    Part::replace(&db, &part("a")).await.unwrap();
    Part::update_by_id("a".to_owned()).set(Part::F.note, "x").execute(&db).await.unwrap();
    Part::update_many(Filter::all()).set(Part::F.note, "x").execute(&db).await.unwrap();
    Part::find_one_and_update(Part::F.name.eq("a")).set(Part::F.note, "y").fetch_after(&db).await.unwrap();
    Part::delete_by_id(&db, &"a".to_owned()).await.unwrap();
    Part::delete_many(&db, Part::F.name.ne("b")).await.unwrap();

    let all = spans.take();
    assert_eq!(all[0].fields["otel.name"], "insert parts");
    let matched = |matched, modified| [("mongodb.matched_count", matched), ("mongodb.modified_count", modified)];
    assert_eq!(
        all.iter().map(|span| recorded(span, &db)).collect::<Vec<_>>(),
        [
            of_parts("insert", []),
            of_parts("insert", [("db.operation.batch.size", "5")]),
            of_parts("insert", []),
            of_parts("find", [(ROWS, "3")]),
            of_parts("find", [(ROWS, "0")]),
            of_parts("aggregate", []),
            of_parts("update", matched("1", "0")),
            of_parts("update", matched("1", "1")),
            of_parts("update", matched("7", "6")),
            of_parts("findAndModify", [(ROWS, "1")]),
            of_parts("delete", [("mongodb.deleted_count", "1")]),
            of_parts("delete", [("mongodb.deleted_count", "5")]),
        ]
    );
}

#[tokio::test]
async fn a_stream_has_a_span_for_each_reply() {
    let db = database().await;
    let many: Vec<_> = (0..2_500).map(part).collect();
    Part::insert_many(&db, &many).await.unwrap();
    let (spans, _guard) = Spans::collect();
    let mut stream = Part::find(Filter::all()).stream(&db).await.unwrap();
    let first = spans.take();
    assert_eq!(
        recorded(&first[0], &db),
        of_parts("find", [(ROWS, "1000")]),
        "it ends with its reply, not with the stream"
    );
    while let Some(part) = stream.next().await {
        part.unwrap();
    }
    let recorded: Vec<_> = spans.take().iter().map(|span| recorded(span, &db)).collect();
    assert_eq!(recorded, [of_parts("getMore", [(ROWS, "1000")]), of_parts("getMore", [(ROWS, "500")])]);
}

#[tokio::test]
async fn the_spans_of_a_transaction_are_in_its_own() {
    let db = database().await;
    let many: Vec<_> = (0..1_500).map(part).collect();
    Part::insert_many(&db, &many).await.unwrap();
    let (spans, _guard) = Spans::collect();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    transaction(&db, |tx| async move {
        Part::insert(&tx, &part("a")).await?;
        let mut stream = Part::find(Filter::all()).stream(&tx).await?;
        while let Some(part) = stream.next().await {
            part?;
        }
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    point.clear().await;
    let all = spans.take();
    assert_eq!((all[0].name, all[0].parent, all[0].closed), ("transaction", None, true));
    assert_eq!(all[0].fields["mongodb.transaction.attempts"], "2");
    assert!(all[1..].iter().all(|span| span.parent == Some("transaction") && span.closed), "{all:?}");
    let names: Vec<_> = all[1..].iter().map(|span| span.fields["otel.name"].as_str()).collect();
    let expected =
        ["insert parts", "abortTransaction", "insert parts", "find parts", "getMore parts", "commitTransaction"];
    assert_eq!(names, expected);
    assert_eq!(all[1].fields["error.type"], "112");
}

/// The spans are in the caller's span also when several commands run concurrently.
#[tokio::test]
async fn they_are_in_the_callers_span() {
    let db = database().await;
    let many: Vec<_> = (0..2_000).map(part).collect();
    Part::insert_many(&db, &many).await.unwrap();
    let products: Vec<_> = many
        .chunks(10)
        .enumerate()
        .map(|(id, parts)| Product { id: id.to_string(), parts: parts.iter().map(Ref::to).collect() })
        .collect();
    let (spans, _guard) = Spans::collect();
    let load = async { Product::PARTS.load(&db, &products).await.unwrap() };
    load.instrument(tracing::info_span!("request")).await;
    let parents: Vec<_> = spans.take().iter().map(|span| span.parent).collect();
    assert_eq!(parents, [Some("request"); 2]);
}

#[tokio::test]
async fn an_error_is_reported_by_its_number_or_kind() {
    let db = database().await;
    Part::insert(&db, &part("a")).await.unwrap();
    let (spans, _guard) = Spans::collect();
    Part::insert(&db, &part("a")).await.unwrap_err();
    Part::insert_many(&db, [&part("a"), &part("b")]).await.unwrap_err();
    Part::find(Filter::raw(doc! { "$unknown": 1 })).fetch_all(&db).await.unwrap_err();
    let point = fail_command(&db, "alwaysOn", doc! { "failCommands": ["find"], "closeConnection": true }).await;
    Part::find(Filter::all()).fetch_all(&db).await.unwrap_err();
    point.clear().await;
    let refused = |code| [("error.type", code), ("db.response.status_code", code)];
    let mut batch = of_parts("insert", refused("11000"));
    batch.extend(fields([("db.operation.batch.size", "2")]));
    assert_eq!(
        spans.take().iter().map(|span| recorded(span, &db)).collect::<Vec<_>>(),
        [
            of_parts("insert", refused("11000")),
            batch,
            of_parts("find", refused("2")),
            of_parts("find", [("error.type", "io")]),
        ]
    );
}

/// No span contains a value, for every operation of the crate and at every level.
#[tokio::test]
async fn no_value_is_ever_written() {
    let db = database().await;
    let (spans, _guard) = Spans::collect();
    schema![Part, Product].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let secret = || Part { id: "secret-id".to_owned(), name: "secret-name".to_owned(), note: "secret".to_owned() };
    Part::insert(&db, &secret()).await.unwrap();
    Part::insert(&db, &secret()).await.unwrap_err();
    Part::insert_many(&db, [&Part { id: "other".to_owned(), ..secret() }]).await.unwrap_err();
    Part::insert(&db, &Part { note: "secret".repeat(10), ..part("secret-2") }).await.unwrap_err();
    Part::find(Part::F.name.eq("secret-name")).fetch_all(&db).await.unwrap();
    Part::find(Part::F.name.eq("secret-name")).explain(&db).await.unwrap();
    Part::find(Part::F.name.eq("secret-name")).count(&db).await.unwrap();
    Part::update_by_id("secret-id".to_owned()).set(Part::F.note, "secret").execute(&db).await.unwrap();
    Part::update_by_id("secret-gone".to_owned()).set(Part::F.note, "secret").execute(&db).await.unwrap_err();
    let product = Product { id: "secret-product".to_owned(), parts: vec![Ref::to(&secret())] };
    Product::insert(&db, &product).await.unwrap();
    product.parts().fetch_all(&db).await.unwrap();
    Product::PARTS.lookup(Product::F.id.eq("secret-product")).fetch_all(&db).await.unwrap();
    let stored = doc! { "_id": "secret-bad", "name": ["secret"], "note": "secret" };
    let unchecked = db.collection::<Document>("parts");
    unchecked.insert_one(stored).bypass_document_validation(true).await.unwrap();
    Part::find_by_id(&db, &"secret-bad".to_owned()).await.unwrap_err();
    Part::find(Filter::raw(doc! { "$where": "secret(" })).fetch_all(&db).await.unwrap_err();
    transaction(&db, |tx| async move {
        Part::insert(&tx, &Part { name: "secret-3".to_owned(), ..part("secret-3") }).await?;
        Part::insert(&tx, &secret()).await
    })
    .await
    .unwrap_err();
    Part::delete_by_id(&db, &"secret-id".to_owned()).await.unwrap();
    schema![Part, Product].verify(&db).await.unwrap();

    let all = spans.take();
    assert!(all.len() > 20 && spans.events().len() > 2, "{} {}", all.len(), spans.events().len());
    for fields in all.iter().map(|span| &span.fields).chain(&spans.events()) {
        for (name, value) in fields {
            assert!(!value.contains("secret") && !name.contains("secret"), "{fields:?}");
        }
    }
}
