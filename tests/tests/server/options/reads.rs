//! Options of reads.

use std::time::Duration;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{ReadConcern, ReadPreference},
};
use schema_runtime::{Error, OperationOptions, PageToken, prelude::*, transaction};
use schema_tests::{CommandLog, database, database_with_log};

use super::{Part, names, part, parts, without_case};

async fn parts_with_log() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    Part::apply_indexes(&db).await;
    for (id, name) in [(1, "bolt"), (2, "Bolt"), (3, "nut")] {
        Part::insert(&db, &part(id, name)).await.unwrap();
    }
    log.clear();
    (db, log)
}

impl Part {
    async fn apply_indexes(db: &Database) {
        schema![Part].plan(db).await.unwrap().apply(db).await.unwrap();
    }
}

/// The options that choose documents and cost.
fn all() -> OperationOptions {
    OperationOptions::new()
        .hint("by_name")
        .collation(without_case())
        .comment("options")
        .max_time(Duration::from_millis(30_500))
}

fn assert_all(command: &Document) {
    assert_eq!(command.get_str("hint").ok(), Some("by_name"), "{command}");
    assert_eq!(command.get_document("collation").unwrap().get_str("locale").ok(), Some("en"), "{command}");
    assert_eq!(command.get_str("comment").ok(), Some("options"), "{command}");
    let time = command.get("maxTimeMS").and_then(|time| time.as_i64().or(time.as_i32().map(i64::from)));
    assert_eq!(time, Some(30_500), "{command}");
}

#[tokio::test]
async fn a_find_has_all_options() {
    let (db, log) = parts_with_log().await;
    let find = Part::find(Part::F.name.eq("BOLT"))
        .sort(Part::F.name.asc())
        .options(&all())
        .batch_size(1)
        .allow_disk_use(true)
        .read_concern(ReadConcern::majority())
        .read_preference(ReadPreference::PrimaryPreferred { options: Default::default() });
    let found = find.clone().limit(1).fetch_all(&db).await.unwrap();
    assert_eq!(found.len(), 1);
    let find_command = log.named("find").remove(0);
    assert_all(&find_command);
    assert_eq!(find_command.get_bool("allowDiskUse").ok(), Some(true));
    assert_eq!(find_command.get_document("readConcern").ok(), Some(&doc! { "level": "majority" }));
    log.clear();
    let all_found = find.fetch_all(&db).await.unwrap();
    assert_eq!(all_found.len(), 2);
    let commands = log.commands();
    assert_eq!(names(&commands), ["find", "getMore", "getMore"]);
    assert_eq!(commands[0].1.get_i32("batchSize").ok(), Some(1));
    let comments = parts(&commands, "comment");
    assert!(comments.iter().all(|(_, comment)| *comment == Some(Bson::from("options"))), "{comments:?}");
}

#[tokio::test]
async fn each_read_of_a_filter_has_the_options_of_the_operation_and_of_the_executor() {
    let (db, log) = parts_with_log().await;
    let configured = db.with(all());
    let find = || Part::find(Part::F.name.eq("BOLT"));
    for is_own in [true, false] {
        let (find, db): (_, &dyn Fn() -> schema_runtime::ConfiguredExecutor) = match is_own {
            true => (find().options(&all()), &|| db.with(OperationOptions::new())),
            false => (find(), &|| configured.clone()),
        };
        let db = db();
        assert_eq!(find.clone().count(&db).await.unwrap(), 2);
        assert!(find.clone().exists(&db).await.unwrap());
        assert!(find.clone().fetch_optional(&db).await.unwrap().is_some());
        let distinct = find.clone().distinct(&db, Part::F.qty).await;
        assert!(matches!(distinct, Err(Error::Query { .. })), "{distinct:?}");
        let mut stream = find.clone().stream(&db).await.unwrap();
        assert!(stream.next().await.unwrap().is_ok());
        assert_eq!(find.clone().paginate(1).fetch(&db).await.unwrap().items.len(), 1);
        let commands = log.commands();
        assert_eq!(names(&commands), ["aggregate", "find", "find", "find", "find"]);
        commands.iter().for_each(|(_, command)| assert_all(command));
        log.clear();
    }
}

#[tokio::test]
async fn distinct_values_take_all_options_but_the_hint() {
    let (db, log) = parts_with_log().await;
    let names = Part::find(Part::F.name.eq("BOLT")).collation(without_case()).comment("distinct");
    assert_eq!(names.max_time(Duration::from_secs(9)).distinct(&db, Part::F.qty).await.unwrap().len(), 2);
    let distinct = log.named("distinct").remove(0);
    assert_eq!(distinct.get_str("comment").ok(), Some("distinct"));
    assert!(distinct.contains_key("collation") && distinct.contains_key("maxTimeMS"));
}

#[tokio::test]
async fn the_options_of_an_operation_win() {
    let (db, log) = parts_with_log().await;
    let outer = db.with(OperationOptions::new().comment("outer").hint("qty_1_name_1"));
    let inner = outer.with(OperationOptions::new().comment("inner"));
    Part::find(Filter::all()).comment(doc! { "request": 7 }).fetch_all(&inner).await.unwrap();
    Part::find(Filter::all()).hint("_id_").fetch_all(&inner).await.unwrap();
    Part::find(Filter::all()).fetch_all(&outer).await.unwrap();
    Part::find(Filter::all()).fetch_all(&db).await.unwrap();
    let commands = log.commands();
    let comments: Vec<_> = parts(&commands, "comment").into_iter().map(|(_, comment)| comment).collect();
    let expected = [Some(Bson::from(doc! { "request": 7 })), Some("inner".into()), Some("outer".into()), None];
    assert_eq!(comments, expected);
    let hints: Vec<_> = parts(&commands, "hint").into_iter().map(|(_, hint)| hint).collect();
    assert_eq!(hints, [Some("qty_1_name_1".into()), Some("_id_".into()), Some("qty_1_name_1".into()), None]);
    // Without options, a command has none of the parts.
    for part in ["collation", "maxTimeMS", "allowDiskUse", "readConcern"] {
        assert_eq!(commands[3].1.get(part), None);
    }
}

#[tokio::test]
async fn a_hint_names_an_index_of_the_model() {
    let (db, log) = parts_with_log().await;
    let refused = Part::find(Filter::all()).hint("by_nam").fetch_all(&db).await.unwrap_err();
    let Error::UnknownIndex { model: "Part", index, indexes } = &refused else { panic!("{refused:?}") };
    assert_eq!((index.as_str(), indexes.join(" ")), ("by_nam", "_id_ qty_1_name_1 by_name".to_owned()));
    let text = "the hint names no index of `Part`: the indexes are `_id_`, `qty_1_name_1`, `by_name`";
    assert_eq!(refused.to_string(), text);
    let update = Part::update_many(Filter::all()).set(Part::F.qty, 1).hint("name_1").execute(&db).await;
    assert!(matches!(update, Err(Error::UnknownIndex { .. })), "{update:?}");
    assert!(log.commands().is_empty());
    Part::find(Part::F.qty.eq(1)).hint("qty_1_name_1").fetch_all(&db).await.unwrap();
    // A model without this index in the database: the server refuses.
    let db = database().await;
    Part::insert(&db, &part(1, "bolt")).await.unwrap();
    let refused = Part::find(Filter::all()).hint("qty_1_name_1").fetch_all(&db).await;
    assert!(refused.is_err(), "{refused:?}");
}

#[tokio::test]
async fn pages_keep_the_collation() {
    let (db, log) = parts_with_log().await;
    Part::insert(&db, &part(4, "BOLT")).await.unwrap();
    let pages = || Part::find(Filter::all()).sort(Part::F.name.asc()).paginate(2).collation(without_case());
    let (mut ids, mut after) = (Vec::new(), None::<PageToken>);
    loop {
        let page = pages().after(after.as_ref()).fetch(&db).await.unwrap();
        ids.extend(page.items.iter().map(|part| part.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(ids, [1, 2, 4, 3]);
    assert!(log.named("find").iter().all(|find| find.get_document("collation").is_ok()));
    let token = pages().fetch(&db).await.unwrap().next.unwrap();
    let plain = Part::find(Filter::all()).sort(Part::F.name.asc()).paginate(2).after(&token).fetch(&db).await;
    assert!(matches!(plain, Err(Error::PageToken { .. })), "{plain:?}");
    // The collation of the executor counts as the collation of the read.
    let configured = db.with(OperationOptions::new().collation(without_case()));
    let page = Part::find(Filter::all()).sort(Part::F.name.asc()).paginate(2).after(&token).fetch(&configured).await;
    assert_eq!(page.unwrap().items.len(), 2);
}

#[tokio::test]
async fn pages_with_a_collation_need_an_id_without_texts() {
    #[derive(Model, Serialize, Deserialize, Debug)]
    #[model(collection = "words")]
    struct Word {
        #[serde(rename = "_id")]
        id: String,
    }
    let db = database().await;
    let page = Word::find(Filter::all()).paginate(2).collation(without_case()).fetch(&db).await;
    assert!(matches!(page, Err(Error::Query { .. })), "{page:?}");
    assert!(Word::find(Filter::all()).collation(without_case()).fetch_all(&db).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_plan_has_the_hint_and_the_collation() {
    let (db, log) = parts_with_log().await;
    let find = Part::find(Part::F.name.eq("BOLT")).hint("by_name").collation(without_case());
    find.explain(&db).await.unwrap();
    find.paginate(2).explain(&db).await.unwrap();
    for explain in log.named("explain") {
        let explained = explain.get_document("explain").unwrap();
        assert_eq!(explained.get_str("hint").ok(), Some("by_name"));
        assert_eq!(explained.get_document("collation").unwrap().get_str("locale").ok(), Some("en"));
    }
}

#[tokio::test]
async fn a_transaction_takes_all_options_but_the_concerns() {
    let (db, log) = parts_with_log().await;
    let find = || Part::find(Part::F.name.eq("BOLT"));
    let refused: Vec<OperationOptions> = vec![
        OperationOptions::new().read_concern(ReadConcern::local()),
        OperationOptions::new().read_preference(ReadPreference::Primary),
        OperationOptions::new().write_concern(mongodb::options::WriteConcern::majority()),
    ];
    let ran = transaction(&db, async |tx| -> Result<()> {
        assert_eq!(find().options(&all()).fetch_all(&tx).await?.len(), 2);
        assert_eq!(find().count(&tx.with(all())).await?, 2);
        for options in &refused {
            let read = find().options(options).fetch_all(&tx).await;
            assert!(matches!(read, Err(Error::Query { .. })), "{read:?}");
            let read = find().fetch_all(&tx.with(options.clone())).await;
            assert!(matches!(read, Err(Error::Query { .. })), "{read:?}");
        }
        // A configured database is a plain database.
        let outside = find().fetch_all(&db.with(all())).await;
        assert!(matches!(outside, Err(Error::OutsideTransaction)), "{outside:?}");
        Ok::<_, Error>(())
    });
    ran.await.unwrap();
    let commands = log.commands();
    assert_eq!(names(&commands), ["find", "aggregate", "commitTransaction"]);
    commands[..2].iter().for_each(|(_, command)| assert_all(command));
}

#[tokio::test]
async fn a_database_configured_before_a_transaction_is_refused_inside() {
    let (db, _) = parts_with_log().await;
    let configured = db.with(OperationOptions::new().comment("before"));
    let configured = &configured;
    let ran = transaction(&db, async |_| Part::find(Filter::all()).count(configured).await);
    assert!(matches!(ran.await, Err(Error::OutsideTransaction)));
}
