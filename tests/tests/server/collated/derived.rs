//! Derived data of collections with a collation: the crate compares by bytes, so that `Abc` and `abc` are two
//! documents, and the change of `bolt` to `BOLT` is a change.

use schema_runtime::{Error, Throttle};
use schema_tests::{CommandLog, Fault, Proxy, database_with_log};

use super::*;

/// The ids of tags are texts, in a collection without a collation.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "tags")]
#[inverse(parts = Part::kind, on_delete = cascade)]
struct Tag {
    #[serde(rename = "_id")]
    #[bound(max_len = 20)]
    id: String,
    #[copied_to(Part::kind_name)]
    #[bound(max_len = 20)]
    name: String,
    #[computed(count(Part::kind))]
    parts: i64,
    #[computed(max(Part::kind, name))]
    greatest: Option<String>,
    #[subset(of = Part::kind, keep = 2, order = asc(name))]
    first: Vec<PartLine>,
    #[relation(many_to_many, two_way, of = Part::tags, max = 20)]
    tagged: Vec<Ref<Part>>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct PartLine {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    name: String,
}

/// A holder, a child, a source and an end of links.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "parts", collation(locale = "en", strength = 2))]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Drawer::part_name)]
    #[bound(max_len = 20)]
    name: String,
    #[slug(from = name, max_len = 20)]
    slug: String,
    #[relation(one_to_many, parent_ref, inverse = parts)]
    kind: Ref<Tag>,
    #[denormalize(from = kind.name)]
    #[bound(max_len = 20)]
    kind_name: String,
    #[relation(many_to_many, two_way, max = 5, inverse = tagged)]
    tags: Vec<Ref<Tag>>,
}

/// A holder of the copies of a source with a collation.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "drawers", collation(locale = "en", strength = 1))]
struct Drawer {
    #[serde(rename = "_id")]
    id: i64,
    part: Ref<Part>,
    #[denormalize(from = part.name)]
    #[bound(max_len = 20)]
    part_name: String,
}

const ALL: Schema = schema![Tag, Part, Drawer];

fn tag(id: &str) -> Tag {
    let (name, first, tagged) = (id.to_owned(), Vec::new(), Vec::new());
    Tag { id: id.to_owned(), name, parts: 0, greatest: None, first, tagged }
}

fn part(id: i64, name: &str, kind: &str, tags: &[&str]) -> Part {
    let tags = tags.iter().map(|tag| Ref::new((*tag).to_owned())).collect();
    let (slug, kind) = (String::new(), Ref::new(kind.to_owned()));
    Part { id, name: name.to_owned(), slug, kind, kind_name: String::new(), tags }
}

async fn prepare() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    applied(ALL, &db).await;
    is_settled(ALL, &db).await;
    for id in ["Abc", "abc"] {
        Tag::insert(&db, &tag(id)).await.expect("inserted");
    }
    let parts = (0..20).map(|id| part(id, &format!("part {id}"), "abc", &[]));
    Part::insert_many(&db, parts).await.expect("inserted");
    Part::insert(&db, &part(100, "bolt", "Abc", &["Abc", "abc"])).await.expect("inserted");
    Part::insert(&db, &part(101, "BOLT", "abc", &["abc"])).await.expect("inserted");
    for id in 0..20 {
        let drawer = Drawer { id, part: Ref::new(if id == 0 { 100 } else { id }), part_name: String::new() };
        Drawer::insert(&db, &drawer).await.expect("inserted");
    }
    (db, log)
}

async fn get(db: &Database, id: &str) -> Tag {
    Tag::get_by_id(db, id).await.expect("read")
}

async fn is_right(db: &Database) {
    ALL.recover(db, &Throttle::new()).await.expect("recovered");
    let report = ALL.verify(db).await.expect("read");
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn each_text_id_has_its_own_children_copies_and_links() {
    let (db, _) = prepare().await;
    let (large, small) = (get(&db, "Abc").await, get(&db, "abc").await);
    assert_eq!((large.parts, small.parts), (1, 21));
    assert_eq!((large.greatest.as_deref(), large.first.len()), (Some("bolt"), 1));
    // The order of the bytes: `BOLT` before `part 0`, and `part 9` after `BOLT`.
    assert_eq!((small.greatest.as_deref(), small.first[0].name.as_str()), (Some("part 9"), "BOLT"));
    assert_eq!((large.tagged.len(), small.tagged.len()), (1, 2));
    let bolt = Part::get_by_id(&db, &100).await.expect("read");
    assert_eq!((bolt.kind_name.as_str(), bolt.slug.as_str()), ("Abc", "bolt"));
    assert_eq!(Part::get_by_id(&db, &101).await.expect("read").slug, "bolt-2");

    // A rename that changes the case alone reaches the copies.
    Part::update_by_id(100).set(Part::F.name, "Bolt").execute(&db).await.expect("updated");
    assert_eq!(Drawer::get_by_id(&db, &0).await.expect("read").part_name, "Bolt");
    assert_eq!(get(&db, "Abc").await.greatest.as_deref(), Some("Bolt"));
    let mut bolt = Part::get_by_id(&db, &100).await.expect("read");
    bolt.name = "BOLT".to_owned();
    Part::replace(&db, &bolt).await.expect("replaced");
    assert_eq!(Drawer::get_by_id(&db, &0).await.expect("read").part_name, "BOLT");
    Tag::update_by_id("Abc".to_owned()).set(Tag::F.name, "ABC").execute(&db).await.expect("updated");
    assert_eq!(Part::get_by_id(&db, &100).await.expect("read").kind_name, "ABC");
    assert_eq!(Part::get_by_id(&db, &101).await.expect("read").kind_name, "abc");
    is_right(&db).await;

    // A part moves from `Abc` to `abc`, and a tag goes.
    Part::update_by_id(100).set(Part::F.kind, Ref::new("abc".to_owned())).execute(&db).await.expect("updated");
    assert_eq!((get(&db, "Abc").await.parts, get(&db, "abc").await.parts), (0, 22));
    assert_eq!(Part::get_by_id(&db, &100).await.expect("read").kind_name, "abc");
    Part::TAGS.unlink(&db, &bolt, &small).await.expect("unlinked");
    let bolt = Part::get_by_id(&db, &100).await.expect("read");
    assert_eq!(bolt.tags, [Ref::new("Abc".to_owned())]);
    is_right(&db).await;
    Tag::delete(&db, &large).await.expect("deleted");
    assert!(Part::get_by_id(&db, &100).await.expect("it stays").tags.is_empty());
    assert_eq!(Part::find(Filter::all()).count(&db).await.expect("counted"), 22);
    is_right(&db).await;
    Tag::delete(&db, &small).await.expect("deleted");
    assert_eq!(Part::find(Filter::all()).count(&db).await.expect("counted"), 0);
}

/// A write of a model with derived data compares by bytes, and a read by the collation.
#[tokio::test]
async fn a_write_with_derived_data_compares_by_bytes() {
    let (db, log) = prepare().await;
    assert_eq!(Part::find(Part::F.name.eq("bolt")).count(&db).await.expect("counted"), 2);
    log.clear();
    let updated = Part::update_many(Part::F.name.eq("bolt")).set(Part::F.name, "nut").execute(&db).await;
    assert_eq!(updated.expect("updated").matched, 1);
    assert_eq!(Part::delete_many(&db, Part::F.name.eq("NUT")).await.expect("deleted"), 0);
    assert_eq!(Part::delete_many(&db, Part::F.name.eq("nut")).await.expect("deleted"), 1);
}

/// Every command of the crate finds its documents by an index.
#[tokio::test]
async fn no_command_reads_a_whole_collection() {
    let (db, _) = prepare().await;
    watch(&db).await;
    let mut bolt = Part::get_by_id(&db, &100).await.expect("read");
    bolt.name = "Bolt".to_owned();
    Part::replace(&db, &bolt).await.expect("replaced");
    Part::insert(&db, &part(200, "bolt", "Abc", &["abc"])).await.expect("inserted");
    Part::update_by_id(100).set(Part::F.kind, Ref::new("abc".to_owned())).execute(&db).await.expect("updated");
    Tag::update_by_id("abc".to_owned()).set(Tag::F.name, "xyz").execute(&db).await.expect("updated");
    Part::delete_by_id(&db, &101).await.expect("deleted");
    ALL.recover(&db, &Throttle::new()).await.expect("recovered");
    Tag::delete(&db, &get(&db, "Abc").await).await.expect("deleted");
    for collection in ["parts", "drawers", "tags"] {
        let whole = whole_reads(&db, collection).await;
        assert!(whole.is_empty(), "{collection}: {whole:?}");
    }
}

/// A write of another program is found and repaired.
#[tokio::test]
async fn maintenance_compares_by_bytes() {
    let (db, _) = prepare().await;
    let parts = db.collection::<Document>("parts");
    parts.update_one(doc! { "_id": 100 }, doc! { "$set": { "kind_name": "ABC", "tags": ["abc"] } }).await.expect("set");
    let drawers = db.collection::<Document>("drawers");
    drawers.update_one(doc! { "_id": 0 }, doc! { "$set": { "part_name": "BOLT" } }).await.expect("set");
    let tags = db.collection::<Document>("tags");
    tags.update_one(doc! { "_id": "Abc" }, doc! { "$set": { "parts": 22_i64, "greatest": "BOLT" } })
        .await
        .expect("set");
    assert!(!ALL.verify(&db).await.expect("read").is_clean());
    ALL.repair(&db, &Throttle::new()).await.expect("repaired");
    Tag::recompute_all(&db).await.expect("computed again");
    is_right(&db).await;
    assert_eq!(Drawer::get_by_id(&db, &0).await.expect("read").part_name, "bolt");
    let large = get(&db, "Abc").await;
    assert_eq!((large.parts, large.greatest.as_deref()), (1, Some("bolt")));
    ALL.backfill(&db, &Throttle::new()).await.expect("filled");
    is_right(&db).await;
}

/// A server refuses a command in the middle of a change of the case, each command once: `recover` ends the work.
#[tokio::test]
async fn a_refused_change_of_case_is_recovered() {
    let counting = Proxy::start([]).await;
    let (db, _) = prepare().await;
    Part::update_by_id(100)
        .set(Part::F.name, "Bolt")
        .execute(&counting.database(db.name()).await)
        .await
        .expect("updated");
    let commands = counting.names().len();
    for (at, name) in (0..commands).zip(["BOLT", "bolt", "Bolt"].into_iter().cycle()) {
        let proxy = Proxy::start([(at, Fault::Refuse)]).await;
        let through = proxy.database(db.name()).await;
        let _: Result<_, Error> = Part::update_by_id(100).set(Part::F.name, name).execute(&through).await;
        ALL.recover(&db, &Throttle::new()).await.expect("recovered");
        is_right(&db).await;
    }
}

/// The breadcrumbs of a tree follow a change of the case; the slugs of two texts that are equal without case differ.
#[tokio::test]
async fn a_tree_compares_by_bytes() {
    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "topics", collation(locale = "en", strength = 2))]
    struct Topic {
        #[serde(rename = "_id")]
        id: i64,
        #[copied_to(Topic::above)]
        name: String,
        #[tree(parent, max_depth = 8, order = asc(name))]
        parent: Option<Ref<Topic>>,
        #[tree(ancestors, by = id)]
        above: Vec<Above>,
    }
    #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Above {
        id: Ref<Topic>,
        #[denormalize(from = id.name)]
        name: String,
    }
    let (db, _) = database_with_log().await;
    let schema = schema![Topic];
    applied(schema, &db).await;
    is_settled(schema, &db).await;
    let topic = |id: i64, name: &str, parent: Option<i64>| Topic {
        id,
        name: name.to_owned(),
        parent: parent.map(Ref::new),
        above: Vec::new(),
    };
    let all = [topic(1, "root", None), topic(2, "b", Some(1)), topic(3, "A", Some(1)), topic(4, "c", Some(2))];
    Topic::insert_many(&db, &all).await.expect("inserted");
    watch(&db).await;
    Topic::update_by_id(2).set(Topic::F.name, "B").execute(&db).await.expect("updated");
    let below = Topic::get_by_id(&db, &4).await.expect("read");
    assert_eq!(below.above.iter().map(|above| above.name.as_str()).collect::<Vec<_>>(), ["root", "B"]);
    let root = Topic::get_by_id(&db, &1).await.expect("read");
    let children = root.children().fetch_all(&db).await.expect("read");
    assert_eq!(children.iter().map(|topic| topic.id).collect::<Vec<_>>(), [3, 2], "in the order of the collation");
    assert_eq!(root.descendants().count(&db).await.expect("counted"), 3);
    Topic::move_under(&db, 4, 3).await.expect("moved");
    assert_eq!(Topic::get_by_id(&db, &4).await.expect("read").above[1].name, "A");
    let whole = whole_reads(&db, "topics").await;
    assert!(whole.is_empty(), "{whole:?}");
    assert!(schema.verify(&db).await.expect("read").is_clean());
}
