//! Replacements that return the document before or after the replacement.

use schema_runtime::{ShardingError, bson::Bson};
use schema_tests::{database, database_with_log, fail_command, rollups, trees};

use super::*;

/// A document with every field that a replacement keeps or sets.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "plans")]
struct Plan {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    #[bound(max_len = 10)]
    name: String,
    #[unversioned]
    views: i64,
    #[immutable]
    owner: i64,
    #[hidden]
    key: Hidden<String>,
}

fn plan(id: i64, name: &str) -> Plan {
    let (created, updated) = (DateTime::from_millis(0), DateTime::from_millis(0));
    Plan {
        id,
        version: 0,
        created,
        updated,
        name: name.to_owned(),
        views: 0,
        owner: 3,
        key: format!("key {id}").into(),
    }
}

async fn stored(db: &Database, collection: &str, id: i64) -> Document {
    db.collection::<Document>(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_first_document_of_the_order_is_replaced_by_one_command() {
    let (db, log) = database_with_log().await;
    insert_jobs(&db, 2).await;
    log.clear();
    let value = Job { id: 9, queue: "print".into(), created: 7, ..job(9) };
    let oldest = Job::find_one_and_replace(Job::F.queue.eq("mail"), &value).sort(Job::F.created.asc());
    assert_eq!(oldest.clone().fetch_before(&db).await.unwrap(), Some(shown(2)));
    let sent = log.commands();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((sent[0].0.as_str(), sent[0].1.get_document("sort").unwrap()), ("findAndModify", &doc! { "at": 1 }));
    let expected = doc! { "_id": 2_i64, "queue": "print", "at": 7_i64, "notes": [], "secret": "secret 9" };
    assert_eq!(stored(&db, "jobs", 2).await, expected);

    let after = oldest.clone().reveal(Job::F.secret).fetch_after(&db).await.unwrap().unwrap();
    assert_eq!(after, Job { id: 1, ..value.clone() });
    assert_eq!(oldest.fetch_after(&db).await.unwrap(), None);
    // A value without the hidden field keeps the stored value.
    let hidden = Job { queue: "mail".into(), secret: Hidden::not_loaded(), ..value };
    let first = Job::find_one_and_replace(Job::F.id.eq(9), &hidden);
    assert_eq!(first.fetch_after(&db).await.unwrap(), None);
    let first = Job::find_one_and_replace(Job::F.created.eq(7), &hidden).sort(Job::F.id.asc());
    assert_eq!(
        first.reveal(Job::F.secret).fetch_after(&db).await.unwrap().unwrap().secret,
        "secret 9".to_owned().into()
    );
}

#[tokio::test]
async fn the_document_keeps_what_a_replace_keeps() {
    let db = database().await;
    Plan::insert(&db, &plan(1, "old")).await.unwrap();
    Plan::update_by_id(1).inc(Plan::F.views, 5).execute(&db).await.unwrap();
    Plan::update_by_id(1).set(Plan::F.name, "older").execute(&db).await.unwrap();
    let before = stored(&db, "plans", 1).await;
    let value = Plan { key: Hidden::not_loaded(), version: 40, owner: 4, ..plan(7, "new") };
    let after = Plan::find_one_and_replace(Plan::F.name.eq("older"), &value).fetch_after(&db).await.unwrap().unwrap();
    assert_eq!((after.id, after.name.as_str(), after.views), (1, "new", 5));
    let now = stored(&db, "plans", 1).await;
    for kept in ["_id", "created", "views", "owner", "key"] {
        assert_eq!(now.get(kept), before.get(kept), "{kept}");
    }
    let number = |document: &Document| {
        document.get("version").and_then(|version| match version {
            Bson::Int32(version) => Some(i64::from(*version)),
            Bson::Int64(version) => Some(*version),
            _ => None,
        })
    };
    assert_eq!((number(&now), after.version), (number(&before).map(|version| version + 1), number(&now).unwrap()));
    assert!(after.updated > DateTime::from_millis(0));
}

#[tokio::test]
async fn a_wrong_replacement_is_refused_before_anything_is_sent() {
    let (db, log) = database_with_log().await;
    let long = Plan::find_one_and_replace(Filter::all(), &plan(1, "a name that is long")).fetch_before(&db).await;
    assert!(matches!(long, Err(Error::BoundExceeded { .. })), "{long:?}");
    let other = Plan::find_one_and_replace(Plan::F.id.eq(2), &plan(1, "a")).fetch_before(&db).await;
    assert!(matches!(other, Err(Error::Update { .. })), "{other:?}");
    let text = format!("{:?}", Plan::find_one_and_replace(Plan::F.name.eq("classified"), &plan(1, "classified")));
    assert!(!text.contains("classified"), "{text}");
    assert!(log.commands().is_empty());
}

/// The tasks of a cluster.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
#[shard_key(tenant, distinct(tenant = 10_000))]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    tenant: i64,
    text: String,
}

#[tokio::test]
async fn the_filter_gives_the_shard_key_of_the_value() {
    let db = database().await;
    let task = |id: i64, tenant: i64| Task { id, tenant, text: "new".into() };
    Task::insert(&db, &Task { text: "old".into(), ..task(1, 7) }).await.unwrap();
    let missing = Task::find_one_and_replace(Task::F.id.eq(1), &task(1, 7)).fetch_before(&db).await;
    assert!(matches!(missing, Err(Error::Sharding(ShardingError::KeyMissing { .. }))), "{missing:?}");
    let moved = Task::find_one_and_replace(Task::F.tenant.eq(7), &task(1, 8)).fetch_before(&db).await;
    assert!(matches!(moved, Err(Error::Update { .. })), "{moved:?}");
    let after = Task::find_one_and_replace(Task::F.tenant.eq(7), &task(3, 7)).fetch_after(&db).await.unwrap();
    assert_eq!(after, Some(task(1, 7)));
}

/// A source of copies: a model with derived data keeps the same fields in a transaction.
#[tokio::test]
async fn a_source_keeps_its_immutable_fields() {
    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "shops")]
    struct Shop {
        #[serde(rename = "_id")]
        id: i64,
        #[version]
        version: i64,
        #[immutable]
        founder: String,
        #[copied_to(Sale::shop_name)]
        name: String,
    }

    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "sales")]
    struct Sale {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_many, parent_ref)]
        shop: Ref<Shop>,
        #[denormalize(from = shop.name)]
        shop_name: String,
    }

    let db = database().await;
    let shop = |id: i64, name: &str, founder: &str| Shop { id, version: 0, founder: founder.into(), name: name.into() };
    Shop::insert(&db, &shop(1, "old", "Ada")).await.unwrap();
    Sale::insert(&db, &Sale { id: 1, shop: Ref::new(1), shop_name: "old".into() }).await.unwrap();
    let replaced = Shop::find_one_and_replace(Shop::F.name.eq("old"), &shop(9, "new", "Bob"));
    let after = replaced.fetch_after(&db).await.unwrap().unwrap();
    assert_eq!((after.id, after.version, after.founder.as_str()), (1, 1, "Ada"));
    assert_eq!(Sale::get_by_id(&db, 1).await.unwrap().shop_name, "new");
}

#[tokio::test]
async fn derived_data_follow() {
    use rollups::{Host, LogMsg, host, message};

    let db = database().await;
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    LogMsg::insert_many(&db, (1..=3).map(|id| message(id, 1))).await.unwrap();
    let value = LogMsg { bytes: 1_000, text: "moved".into(), ..message(9, 2) };
    let newest = LogMsg::find_one_and_replace(LogMsg::F.host.eq(1), &value).sort(LogMsg::F.time.desc());
    let before = newest.clone().fetch_before(&db).await.unwrap();
    assert_eq!(before, Some(message(3, 1)));
    let hosts = [Host::get_by_id(&db, 1).await.unwrap(), Host::get_by_id(&db, 2).await.unwrap()];
    assert_eq!((hosts[0].messages, hosts[1].messages, hosts[1].greatest), (2, 1, Some(1_000)));
    assert_eq!(hosts[1].recent[0].id, 3);

    // A conflict runs the whole transaction again.
    let data = doc! { "failCommands": ["findAndModify", "update"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let failure = fail_command(&db, doc! { "times": 1 }, data).await;
    let after = newest.clone().fetch_after(&db).await.unwrap().unwrap();
    failure.clear().await;
    assert_eq!((after.id, after.host), (2, Ref::new(2)));
    assert_eq!(Host::get_by_id(&db, 2).await.unwrap().total_bytes, 2_000);
    let undone: Result<()> = schema_runtime::transaction(&db, |tx| {
        let newest = newest.clone();
        async move {
            assert_eq!(newest.fetch_after(&tx).await?.map(|message| message.id), Some(1));
            Err(Error::Query { message: "undone" })
        }
    })
    .await;
    assert!(undone.is_err());
    assert_eq!(stored(&db, "logmsg", 1).await.get_str("text").ok(), Some("message 1"));
}

/// A replacement moves no document of a tree.
#[tokio::test]
async fn the_parent_of_a_tree_stays() {
    use trees::Category;

    let db = database().await;
    for (id, parent) in [(1, None), (2, Some(1)), (3, None)] {
        Category::insert(&db, &Category::new(id, parent)).await.unwrap();
    }
    let moved = Category::find_one_and_replace(Category::F.id.eq(2), &Category::new(2, Some(3)));
    assert!(matches!(moved.fetch_after(&db).await, Err(Error::Update { .. })));
    let named = Category { name: "named".into(), ..Category::new(1, None) };
    let after = Category::find_one_and_replace(Category::F.id.eq(1), &named).fetch_after(&db).await.unwrap().unwrap();
    assert_eq!(after.name, "named");
    let child = Category::get_by_id(&db, 2).await.unwrap();
    assert_eq!(child.ancestors[0].name, "named");
}
