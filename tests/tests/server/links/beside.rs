//! Links and delete rules together with all remaining derived data, and links of a model with itself.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, Schema, Throttle, prelude::*};
use schema_tests::database;

/// A task. A task holds the truth of two links, copies beside the owner, and a version and a time that the crate sets.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = owned)]
    owner: Option<Ref<Person>>,
    #[denormalize(from = owner.name)]
    owner_name: Option<String>,
    #[relation(many_to_many, two_way, max = 3, inverse = watched)]
    watchers: Vec<Ref<Person>>,
    #[version]
    version: i64,
    #[updated_at]
    updated: DateTime,
}

/// A person. A person mirrors both links, and is a source of copies.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Task::owner_name)]
    name: String,
    #[relation(one_to_many, two_way, of = Task::owner, max = 10)]
    owned: Vec<Ref<Task>>,
    #[relation(many_to_many, two_way, of = Task::watchers, max = 10)]
    watched: Vec<Ref<Task>>,
    #[version]
    version: i64,
}

fn task(id: i64, owner: Option<i64>, watchers: &[i64]) -> Task {
    let updated = DateTime::from_millis(0);
    let watchers = watchers.iter().map(|id| Ref::new(*id)).collect();
    Task { id, owner: owner.map(Ref::new), owner_name: None, watchers, version: 0, updated }
}

fn person(id: i64) -> Person {
    Person { id, name: format!("person {id}"), owned: Vec::new(), watched: Vec::new(), version: 0 }
}

async fn name_of(db: &Database, id: i64) -> Option<String> {
    Task::get_by_id(db, id).await.unwrap().owner_name
}

#[tokio::test]
async fn copies_and_versions_go_on_as_if_alone() {
    let db = database().await;
    schema![Task, Person].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Person::insert_many(&db, (1..=3).map(person)).await.unwrap();
    Task::insert(&db, &task(1, Some(1), &[2, 3])).await.unwrap();
    let bulk = Task::bulk().insert(&task(2, Some(1), &[])).insert(&task(3, None, &[1]));
    assert_eq!(bulk.execute(&db).await.unwrap().complete().unwrap().inserted, 2);
    assert_eq!(name_of(&db, 2).await.as_deref(), Some("person 1"));
    Person::update_by_id(1).set(Person::F.name, "Ann").execute(&db).await.unwrap();
    assert_eq!((name_of(&db, 1).await.as_deref(), name_of(&db, 2).await.as_deref()), (Some("Ann"), Some("Ann")));
    assert!(Task::OWNER.reassign(&db, 1, 2).await.unwrap());
    assert_eq!(name_of(&db, 1).await.as_deref(), Some("person 2"));
    let mut one = Task::get_by_id(&db, 1).await.unwrap();
    assert_eq!(one.version, 1);
    // A write of a mirror does not count as a write of the person.
    let mut two = Person::get_by_id(&db, 2).await.unwrap();
    assert_eq!((two.version, two.owned.len(), two.watched.len()), (0, 1, 1));
    one.owner = Some(Ref::new(3_i64));
    one.watchers = vec![Ref::new(1_i64)];
    Task::save(&db, &mut one).await.unwrap();
    assert_eq!((one.version, one.owner_name.as_deref()), (2, Some("person 3")));
    two.name = "Bob".to_owned();
    Person::save(&db, &mut two).await.unwrap();
    assert_eq!((two.owned.len(), two.watched.len()), (0, 0));
    let stale = Task::save(&db, &mut Task { version: 1, ..one.clone() }).await.unwrap_err();
    assert!(matches!(stale, Error::VersionConflict { .. }), "{stale:?}");
    assert!(Person::delete_by_id(&db, 3).await.unwrap());
    let one = Task::get_by_id(&db, 1).await.unwrap();
    assert_eq!((one.owner, one.owner_name), (None, None));
    let upserted = Task::find_one_and_update(Task::F.id.eq(9)).set(Task::F.watchers, vec![Ref::new(2_i64)]).upsert();
    assert_eq!(upserted.clone().fetch_before(&db).await.unwrap(), None);
    assert_eq!(upserted.clone().fetch_before(&db).await.unwrap().unwrap().id, 9);
    assert_eq!(upserted.fetch_after(&db).await.unwrap().unwrap().watchers, [Ref::new(2_i64)]);
    assert_eq!(Person::get_by_id(&db, 2).await.unwrap().watched, [Ref::new(9_i64)]);
    let inserted = Task::find_one_and_update(Task::F.id.eq(10)).set(Task::F.watchers, vec![Ref::new(2_i64)]).upsert();
    assert_eq!(inserted.fetch_after(&db).await.unwrap().unwrap().id, 10);
    schema![Task, Person].recover(&db, &Throttle::new()).await.unwrap();
    let found = schema![Task, Person].verify(&db).await.unwrap();
    assert!(found.is_clean(), "{found}");
    let one = Person::get_by_id(&db, 1).await.unwrap();
    assert_eq!(one.owned, [Ref::new(2_i64)]);
    assert_eq!(one.watched, [Ref::new(3_i64), Ref::new(1_i64)]);
}

/// A parent that is a source of copies and counts its children. The children have copies and a version.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host, on_delete = cascade)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Message::host_name)]
    name: String,
    #[computed(count(Message::host))]
    count: i64,
    #[version]
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "messages")]
struct Message {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.name)]
    host_name: String,
    #[relation(one_to_many, parent_ref)]
    site: Ref<Site>,
    #[version]
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sites")]
#[inverse(messages = Message::site, on_delete = cascade)]
struct Site {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(Message::site))]
    count: i64,
}

fn of_all() -> Schema {
    schema![Host, Message, Site]
}

#[tokio::test]
async fn children_with_copies_and_rollups_are_taken() {
    let db = database().await;
    of_all().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let host = |id| Host { id, name: format!("host {id}"), count: 0, version: 0 };
    let site = |id| Site { id, count: 0 };
    let message = |id: i64| Message {
        id,
        host: Ref::new(id % 2 + 1),
        host_name: String::new(),
        site: Ref::new(id % 3 + 1),
        version: 0,
    };
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    Site::insert_many(&db, (1..=3).map(site)).await.unwrap();
    Message::insert_many(&db, (0..60).map(message)).await.unwrap();
    Message::insert(&db, &message(60)).await.unwrap();
    let report = Message::bulk().insert(&message(61)).insert(&message(60)).unordered().execute(&db).await.unwrap();
    assert_eq!((report.counts.inserted, report.failures().count(), report.failure().is_some()), (1, 1, false));
    assert_eq!(Host::get_by_id(&db, 1).await.unwrap().count, 31);
    Host::update_by_id(1).set(Host::F.name, "sirius").execute(&db).await.unwrap();
    Message::update_by_id(0).set(Message::F.host, Ref::new(2_i64)).execute(&db).await.unwrap();
    assert_eq!(Message::get_by_id(&db, 0).await.unwrap().host_name, "host 2");
    assert!(Host::delete_by_id(&db, 1).await.unwrap());
    assert_eq!(Message::find(Filter::all()).count(&db).await.unwrap(), 32);
    assert_eq!(Host::get_by_id(&db, 2).await.unwrap().count, 32);
    let counts: Vec<i64> =
        Site::find(Filter::all()).fetch_all(&db).await.unwrap().iter().map(|site| site.count).collect();
    assert_eq!(counts.iter().sum::<i64>(), 32);
    // A host that does not match the filter any more stays.
    assert_eq!(Host::delete_many(&db, Host::F.name.eq("sirius")).await.unwrap(), 0);
    of_all().recover(&db, &Throttle::new()).await.unwrap();
    let found = of_all().verify(&db).await.unwrap();
    assert!(found.is_clean(), "{found}");
}

/// A node with links to nodes and from nodes.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: String,
    #[serde(rename = "to")]
    #[relation(many_to_many, two_way, max = 5, inverse = led_from)]
    leads_to: Vec<Ref<Node>>,
    #[serde(rename = "from")]
    #[relation(many_to_many, two_way, of = Node::leads_to, max = 5)]
    led_from: Vec<Ref<Node>>,
}

fn node(id: &str, to: &[&str]) -> Node {
    Node { id: id.to_owned(), leads_to: to.iter().map(|id| Ref::new(*id)).collect(), led_from: Vec::new() }
}

#[tokio::test]
async fn a_model_may_be_linked_with_itself() {
    let db = database().await;
    schema![Node].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Node::insert_many(&db, [node("a", &["a", "b"]), node("b", &["a"]), node("c", &[])]).await.unwrap();
    let ids = |nodes: &[Ref<Node>]| nodes.iter().map(|node| node.id().clone()).collect::<Vec<_>>();
    assert_eq!(ids(&Node::get_by_id(&db, "a").await.unwrap().led_from), ["a", "b"]);
    Node::LEADS_TO.link(&db, "c", "c").await.unwrap();
    Node::LED_FROM.link(&db, "c", "b").await.unwrap();
    assert_eq!(ids(&Node::get_by_id(&db, "b").await.unwrap().leads_to), ["a", "c"]);
    let stored = db.collection::<Document>("nodes").find_one(doc! { "_id": "c" }).await.unwrap().unwrap();
    assert_eq!(stored, doc! { "_id": "c", "to": ["c"], "from": ["c", "b"] });
    // An upsert of a node without links stores an empty mirror.
    Node::bulk().upsert(&node("d", &[])).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(Node::get_by_id(&db, "d").await.unwrap().led_from, []);
    assert!(Node::delete_by_id(&db, "a").await.unwrap());
    assert!(schema![Node].verify(&db).await.unwrap().is_clean());
    assert_eq!(ids(&Node::get_by_id(&db, "b").await.unwrap().leads_to), ["c"]);
    assert_eq!(Node::delete_many(&db, Filter::all()).await.unwrap(), 3);
}

/// A tree. A category below a category prevents the delete of the category above.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "categories")]
#[inverse(below = Category::parent, on_delete = restrict)]
struct Category {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    parent: Option<Ref<Category>>,
}

#[tokio::test]
async fn a_tree_may_be_inserted_at_once_and_is_kept_by_what_is_below() {
    let db = database().await;
    let category = |id: i64, parent: Option<i64>| Category { id, parent: parent.map(Ref::new) };
    Category::insert_many(&db, [category(1, None), category(2, Some(1)), category(3, Some(2))]).await.unwrap();
    let kept = Category::delete_by_id(&db, 2).await.unwrap_err();
    assert!(matches!(kept, Error::DeleteRestricted { .. }), "{kept:?}");
    assert!(Category::delete_by_id(&db, 3).await.unwrap());
    assert!(Category::delete_by_id(&db, 2).await.unwrap());
    // An unchecked category with a missing parent and with a child stays, and does not stop the recover.
    let orphan = doc! { "_id": 7_i64, "parent": 77_i64, "_unchecked": ObjectId::new() };
    db.collection::<Document>("categories").insert_one(orphan).await.unwrap();
    Category::insert(&db, &category(8, Some(7))).await.unwrap();
    schema![Category].recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(schema![Category].verify(&db).await.unwrap().findings().len(), 1);
}

/// A book with a repeated author takes a single place in the mirror.
#[tokio::test]
async fn what_is_given_twice_takes_one_place() {
    use schema_tests::links::{Author, Book, author, book};
    let db = database().await;
    Author::insert(&db, &author(1)).await.unwrap();
    Book::insert_many(&db, (1..=4).map(|id| book(id, &[1]))).await.unwrap();
    Book::insert(&db, &book(5, &[1, 1])).await.unwrap();
    assert_eq!(Author::get_by_id(&db, 1).await.unwrap().books.len(), 5);
    Author::bulk().upsert(&author(2)).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(Author::get_by_id(&db, 2).await.unwrap().books, []);
}
