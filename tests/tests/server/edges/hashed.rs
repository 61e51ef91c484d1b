//! Values with entries in a random order: the entries are stored sorted, and an equal value finds the document.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Item {
    #[bound(max_items = 20)]
    attributes: HashMap<String, i32>,
    #[bound(max_items = 20)]
    tags: HashSet<i32>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Key {
    #[bound(max_items = 20)]
    parts: HashMap<String, i32>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "hashed")]
struct Hashed {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_items = 20)]
    map: HashMap<String, i32>,
    #[bound(max_items = 20)]
    set: HashSet<i32>,
    #[bound(max_items = 20)]
    maybe: Option<HashMap<String, i32>>,
    #[relation(one_to_few, embed, max = 20)]
    nested: HashMap<String, Item>,
    #[relation(one_to_few, embed, max = 30)]
    items: Vec<Item>,
    one: Item,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "keyed")]
struct Keyed {
    #[serde(rename = "_id")]
    id: Key,
    n: i32,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "referring")]
struct Referring {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    keyed: Ref<Keyed>,
}

/// Returns a map with a new order in each call.
fn map() -> HashMap<String, i32> {
    (0..8).map(|n| (format!("k{n}"), n)).collect()
}

fn set() -> HashSet<i32> {
    (0..8).map(|n| n * 37 - 40).collect()
}

fn item() -> Item {
    Item { attributes: map(), tags: set() }
}

fn hashed(id: i32) -> Hashed {
    let nested = (0..3).map(|n| (format!("n{n}"), item())).collect();
    Hashed { id, map: map(), set: set(), maybe: Some(map()), nested, items: vec![item()], one: item() }
}

async fn count(db: &Database, filter: Filter<Hashed>) -> u64 {
    Hashed::find(filter).count(db).await.unwrap()
}

#[tokio::test]
async fn a_value_finds_its_equals() {
    let (db, f) = (database().await, Hashed::F);
    for id in 0..10 {
        Hashed::insert(&db, &hashed(id)).await.unwrap();
    }
    Hashed::insert_many(&db, (10..20).map(hashed)).await.unwrap();
    Hashed::upsert_many(&db, (20..25).map(hashed)).await.unwrap();
    Hashed::bulk().insert(&hashed(25)).insert(&hashed(26)).execute(&db).await.unwrap().complete().unwrap();
    for id in 0..5 {
        Hashed::save(&db, &mut hashed(id)).await.unwrap();
        Hashed::update_by_id(id + 5).set(f.map, map()).set(f.set, set()).set(f.one, item()).execute(&db).await.unwrap();
        Hashed::update_by_id(id + 5).set(f.items, [item()]).set(f.maybe, map()).execute(&db).await.unwrap();
    }
    for filter in [
        f.map.eq(map()),
        f.set.eq(set()),
        f.maybe.eq(map()),
        f.maybe.eq(Some(map())),
        f.nested.eq(hashed(0).nested),
        f.one.eq(item()),
        f.one.is_in([item()]),
        f.one.attributes.eq(map()),
        f.map.is_in([map(), HashMap::new()]),
        f.items.eq(vec![item()]),
        f.items.eq([item()]),
        f.items.contains(item()),
        f.items.all([item()]),
        f.items.elem_match(|one| one.eq(item())),
        f.items.elem_match(|one| one.tags.eq(set())),
        !f.map.ne(map()),
        !f.map.not_in([map()]),
        f.set.contains(-3),
    ] {
        assert_eq!(count(&db, filter.clone()).await, 27, "{filter:?}");
    }
    let read = Hashed::get_by_id(&db, 3).await.unwrap();
    assert_eq!(read, hashed(3));
    assert_eq!(count(&db, f.map.eq(&read.map) & f.one.eq(&read.one) & f.items.eq(&read.items)).await, 27);

    let find = || Hashed::find(f.map.eq(map())).sort(f.id.asc());
    let first = find().paginate(20).fetch(&db).await.unwrap();
    let second = find().paginate(20).after(first.next.as_ref()).fetch(&db).await.unwrap();
    assert_eq!((first.items.len(), second.items.len()), (20, 7));
}

#[tokio::test]
async fn an_element_is_added_once_and_pulled_by_its_equal() {
    let (db, f) = (database().await, Hashed::F);
    Hashed::insert(&db, &hashed(1)).await.unwrap();
    for _ in 0..5 {
        Hashed::update_by_id(1).add_to_set(f.items, &item()).execute(&db).await.unwrap();
    }
    assert_eq!(Hashed::get_by_id(&db, 1).await.unwrap().items.len(), 1);
    Hashed::update_by_id(1).push(f.items, &item()).execute(&db).await.unwrap();
    Hashed::update_by_id(1).pull(f.items, &item()).execute(&db).await.unwrap();
    assert!(Hashed::get_by_id(&db, 1).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn a_struct_with_a_map_is_one_id() {
    let (db, key) = (database().await, || Key { parts: map() });
    Keyed::insert(&db, &Keyed { id: key(), n: 1 }).await.unwrap();
    assert!(Keyed::insert(&db, &Keyed { id: key(), n: 2 }).await.is_err());
    assert!(Keyed::find_by_id(&db, key()).await.unwrap().is_some());
    let upserted = Keyed::upsert_many(&db, [Keyed { id: key(), n: 3 }]).await.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (0, 1));
    Referring::insert(&db, &Referring { id: 1, keyed: Ref::new(key()) }).await.unwrap();
    let referring = Referring::get_by_id(&db, 1).await.unwrap();
    assert_eq!(referring.keyed().fetch_one(&db).await.unwrap().n, 3);
    assert_eq!(Referring::find(Referring::F.keyed.eq(Ref::new(key()))).count(&db).await.unwrap(), 1);
    assert_eq!(db.collection::<Document>("keyed").count_documents(doc! {}).await.unwrap(), 1);
}
