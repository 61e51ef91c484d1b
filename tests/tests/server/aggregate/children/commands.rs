//! The commands of rows of parents: their number, form, indexes and options.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{
    assert_indexed, check_indexed, commands_of, explain::ReadProblem, prelude::*, preview, transaction,
};
use schema_tests::database_with_log;

use super::models::{Alert, Host, HostStats, LogLine, LogMsg, fill};

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Host)]
struct Counted {
    id: i64,
    name: String,
    #[count(LogMsg::host)]
    messages: i64,
    #[sum(LogMsg::host, bytes)]
    bytes: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Host)]
struct Recent {
    id: i64,
    #[serde(rename = "lines")]
    #[top(2, of = LogMsg::host, order = desc(at))]
    recent: Vec<LogLine>,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Host)]
struct Heavy {
    id: i64,
    #[top(2, of = Alert::host, order = desc(weight))]
    heavy: Vec<AlertLine>,
}

#[derive(Projection, Deserialize, Debug)]
#[projection(of = Alert)]
struct AlertLine {
    weight: i32,
}

/// Returns the names of the stages of a command.
fn stages(command: &Document) -> Vec<String> {
    let stages = command.get_array("pipeline").unwrap().iter();
    stages.map(|stage| stage.as_document().unwrap().keys().next().unwrap().clone()).collect()
}

fn operand<'a>(command: &'a Document, at: usize, name: &str) -> &'a Document {
    command.get_array("pipeline").unwrap()[at].as_document().unwrap().get_document(name).unwrap()
}

#[tokio::test]
async fn numbers_are_one_group_for_a_thousand_parents() {
    let (db, log) = database_with_log().await;
    fill(&db, 21, 1_000, 2_000).await;
    log.clear();
    let rows = Host::aggregate::<Counted>().fetch_all(&db).await.unwrap();
    assert_eq!(rows.len(), 1_000);
    assert!(rows.iter().all(|row| row.id < 1_000 && row.name.starts_with('h') && row.bytes >= -5 * row.messages));
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 2, "{commands:?}");
    assert_eq!(commands[0].get_str("aggregate").unwrap(), "child_hosts");
    assert_eq!(stages(&commands[0]), ["$project"]);
    assert_eq!(commands[1].get_str("aggregate").unwrap(), "child_messages");
    assert_eq!(stages(&commands[1]), ["$match", "$group", "$project"]);
    let ids = operand(&commands[1], 0, "$match").get_document("hostId").unwrap().get_array("$in").unwrap();
    assert_eq!(ids.len(), 1_000);
    // One parent more is one command more.
    Host::insert(&db, &super::models::host(1_000)).await.unwrap();
    log.clear();
    let rows = Host::aggregate::<Counted>().fetch_all(&db).await.unwrap();
    assert_eq!((rows.len(), log.named("aggregate").len()), (1_001, 3));
    log.clear();
    let none = Host::aggregate::<Counted>().filter(Host::F.id.gt(5_000)).fetch_all(&db).await.unwrap();
    assert_eq!((none.len(), log.named("aggregate").len()), (0, 1), "without parents nothing follows");
}

#[tokio::test]
async fn the_filter_the_sort_and_the_limit_are_of_the_parents() {
    let (db, log) = database_with_log().await;
    fill(&db, 22, 60, 400).await;
    log.clear();
    let read = || Host::aggregate::<HostStats>().filter(Host::F.name.gte("h01")).sort(HostStats::F.name.asc()).limit(5);
    read().fetch_all(&db).await.unwrap();
    let commands = log.named("aggregate");
    assert_eq!(stages(&commands[0]), ["$match", "$sort", "$project", "$limit"]);
    assert_eq!(operand(&commands[0], 1, "$sort"), &doc! { "hostName": 1 });
    // Two groups, and a search for each of `largest`, `oldest` and `recent`.
    let mut of: Vec<Vec<String>> = commands[1..].iter().map(stages).collect();
    of.sort();
    let (search, group) = (["$documents", "$lookup", "$unwind"], ["$match", "$group", "$project"]);
    assert_eq!(of, [&search[..], &search, &search, &group, &group]);
    for command in &commands[1..] {
        let ids = match command.get("aggregate") {
            Some(Bson::String(_)) => {
                let condition = operand(command, 0, "$match").values().next().unwrap().as_document().unwrap();
                condition.get_array("$in").unwrap().len()
            }
            _ => {
                let stage = command.get_array("pipeline").unwrap()[0].as_document().unwrap();
                stage.get_array("$documents").unwrap().len()
            }
        };
        assert!(ids <= 5, "{command}");
    }
    let indexed = Host::aggregate::<Counted>().filter(Host::F.name.gte("h01")).sort(Counted::F.name.asc()).limit(5);
    assert_indexed(&indexed, &db).await;
    // A stream reads the same commands for each 1,000 rows.
    let (_, sent) = commands_of(db.name(), async {
        let mut rows = read().stream(&db).await.unwrap();
        while let Some(row) = rows.next().await {
            row.unwrap();
        }
    })
    .await;
    assert_eq!(sent.len(), 6, "{sent:?}");
}

#[tokio::test]
async fn a_condition_on_the_children_is_decided_by_one_pipeline() {
    let (db, log) = database_with_log().await;
    fill(&db, 23, 50, 400).await;
    log.clear();
    let read = || Host::aggregate::<Counted>().having(Counted::F.messages.gte(4)).sort(Counted::F.bytes.desc());
    let rows = read().limit(6).fetch_all(&db).await.unwrap();
    assert!(rows.iter().all(|row| row.messages >= 4) && rows.len() == 6);
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 1, "{commands:?}");
    let form = ["$project", "$lookup", "$set", "$unset", "$match", "$sort", "$limit"];
    assert_eq!(stages(&commands[0]), form);
    let lookup = operand(&commands[0], 1, "$lookup");
    let inside: Vec<String> = lookup
        .get_array("pipeline")
        .unwrap()
        .iter()
        .map(|stage| stage.as_document().unwrap().keys().next().unwrap().clone())
        .collect();
    assert_eq!(inside, ["$group", "$project"], "the children of a parent are never an array");
    // A condition on a field of the parent alone decides nothing about the children.
    log.clear();
    Host::aggregate::<Counted>().having(Counted::F.id.lt(3)).fetch_all(&db).await.unwrap();
    let commands = log.named("aggregate");
    assert_eq!(commands.iter().map(stages).collect::<Vec<_>>()[0], ["$project", "$match"]);
    assert_eq!(commands.len(), 2);
    // The other parts of the row follow for the parents of the page alone.
    log.clear();
    let page = Host::aggregate::<HostStats>().sort(HostStats::F.messages.desc()).limit(3);
    page.fetch_all(&db).await.unwrap();
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 5, "the pipeline, the alerts, and three searches");
    assert!(commands[1..].iter().all(|command| !stages(command).contains(&"$sort".to_owned())));
}

/// The first children are found by the index of the relation: as many keys for each parent as children are sent.
#[tokio::test]
async fn the_first_children_are_as_many_keys_of_the_index() {
    let (db, _) = database_with_log().await;
    fill(&db, 24, 20, 3_000).await;
    let read = || Host::aggregate::<Recent>().filter(Host::F.id.lt(10)).sort(Recent::F.id.asc());
    let explained = read().explain(&db).await.unwrap();
    let children = explained.get_array("children").unwrap();
    assert_eq!(children.len(), 1);
    let text = children[0].to_string();
    assert!(text.contains("hostId_1_at_-1"), "{text}");
    let keys = |stage: &Document| schema_runtime_count(stage.get("totalKeysExamined"));
    let stages = children[0].as_document().unwrap().get_array("stages").unwrap();
    let lookup = stages.iter().filter_map(Bson::as_document).find(|stage| stage.contains_key("$lookup")).unwrap();
    assert!(keys(lookup) <= 2 * 10 + 2, "{lookup}");
    assert_eq!(check_indexed(&read(), &db).await.unwrap(), []);
    let rows = read().fetch_all(&db).await.unwrap();
    assert!(rows.iter().all(|row| row.id < 10 && row.recent.len() == 2));
    assert_eq!(check_indexed(&Host::aggregate::<Counted>().filter(Host::F.id.lt(10)), &db).await.unwrap(), []);
    // No index has the order of the weights, and each search examines all alerts of the parent.
    let problems = check_indexed(&Host::aggregate::<Heavy>().filter(Host::F.id.lt(10)), &db).await.unwrap();
    assert!(matches!(problems[..], [ReadProblem::Examined { .. }]), "{problems:?}");
    db.collection::<Document>("child_messages").drop_indexes().await.unwrap();
    let problems = check_indexed(&read(), &db).await.unwrap();
    assert!(problems.contains(&ReadProblem::CollectionScan), "{problems:?}");
    let rows = Host::aggregate::<Heavy>().fetch_all(&db).await.unwrap();
    assert!(rows.iter().all(|row| row.id >= 0 && row.heavy.is_sorted_by(|one, other| one.weight >= other.weight)));
}

fn schema_runtime_count(value: Option<&Bson>) -> i64 {
    match value {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        other => panic!("no number: {other:?}"),
    }
}

#[tokio::test]
async fn the_options_are_in_all_commands_and_a_hint_is_of_the_parents() {
    let (db, log) = database_with_log().await;
    fill(&db, 25, 20, 100).await;
    log.clear();
    let read = Host::aggregate::<HostStats>().filter(Host::F.name.gte(""));
    let read = read.hint("by_name").comment("stats").max_time(Duration::from_secs(30)).allow_disk_use(true);
    read.fetch_all(&db).await.unwrap();
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 6);
    assert!(commands[0].contains_key("hint"));
    for command in &commands {
        assert_eq!(command.get_str("comment").ok(), Some("stats"), "{command}");
        assert!(command.contains_key("maxTimeMS") && command.get_bool("allowDiskUse").unwrap());
    }
    assert!(commands[1..].iter().all(|command| !command.contains_key("hint")));
    log.clear();
    transaction(&db, |tx| async move { Host::aggregate::<Recent>().fetch_all(&tx).await }).await.unwrap();
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 2);
    assert!(commands.iter().all(|command| command.contains_key("txnNumber")));
    let near = Host::aggregate::<Counted>().hint("no_such_index").fetch_all(&db).await;
    assert!(matches!(near, Err(Error::UnknownIndex { .. })), "{near:?}");
}

#[tokio::test]
async fn the_lines_for_mongosh_have_all_commands() {
    let (db, _) = database_with_log().await;
    fill(&db, 26, 3, 20).await;
    let lines = Host::aggregate::<Counted>().filter(Host::F.id.lt(2)).to_mongosh().unwrap();
    let expected = "const parents = db.getCollection(\"child_hosts\").aggregate([{ $match: { _id: { $lt: NumberLong(\"2\") } } }, \
                    { $project: { _id: 1, id: \"$_id\", name: \"$hostName\" } }]).toArray()\n\
                    db.getCollection(\"child_messages\").aggregate([{ $match: { hostId: { $in: parents.map((parent) => \
                    parent._id) } } }, ";
    assert!(lines.starts_with(expected), "{lines}");
    let lines = Host::aggregate::<Recent>().to_mongosh().unwrap();
    assert!(lines.contains("$documents: parents.map((parent) => ({ k: { $literal: parent._id } }))"), "{lines}");
    let one = Host::aggregate::<Counted>().having(Counted::F.bytes.gte(3)).to_mongosh().unwrap();
    assert_eq!(one.lines().count(), 1, "{one}");
    let shown = preview(Host::aggregate::<Recent>().fetch_all(&db)).await.unwrap();
    assert_eq!(shown.lines().count(), 2, "{shown}");
}
