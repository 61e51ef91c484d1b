//! A search for documents with an array that contains at least one of some values: a single `$in`.

use mongodb::bson::{Bson, doc};
use schema_runtime::{assert_indexed, prelude::*};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    #[index]
    #[bound(max_items = 5, max_len = 10)]
    tags: Vec<String>,
    #[relation(one_to_many, child_refs, max = 5)]
    owners: Vec<Ref<Owner>>,
    #[bound(max_items = 5)]
    scores: Vec<Option<i32>>,
    #[relation(one_to_few, embed, max = 5)]
    rooms: Vec<Room>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Room {
    label: String,
    #[bound(max_items = 5, max_len = 10)]
    doors: Vec<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: i64,
}

fn room(label: &str) -> Room {
    Room { label: label.to_owned(), doors: vec![label.to_owned()] }
}

fn shop(id: i64, tags: &[&str]) -> Shop {
    let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
    let scores = if id == 3 { vec![None] } else { vec![Some(id as i32)] };
    Shop { id, tags, owners: vec![Ref::new(id), Ref::new(9)], scores, rooms: vec![room(&format!("room {id}"))] }
}

async fn found(db: &Database, filter: Filter<Shop>) -> Vec<i64> {
    let shops = Shop::find(filter).sort([Shop::F.id.asc()]).fetch_all(db).await.unwrap();
    shops.into_iter().map(|shop| shop.id).collect()
}

#[tokio::test]
async fn one_of_the_values_is_an_element() {
    let (db, log) = database_with_log().await;
    schema![Shop, Owner].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let shops = [shop(1, &["maps", "globes"]), shop(2, &["books"]), shop(3, &[])];
    Shop::insert_many(&db, &shops).await.unwrap();
    log.clear();
    let f = Shop::F;
    assert_eq!(found(&db, f.tags.contains_any(["globes", "books", "lamps"])).await, [1, 2]);
    let sent = log.named("find")[0].get_document("filter").unwrap().clone();
    assert_eq!(sent, doc! { "tags": { "$in": ["globes", "books", "lamps"] } });
    let typed: Vec<String> = vec!["maps".to_owned()];
    assert_eq!(found(&db, f.tags.contains_any(&typed)).await, [1]);
    assert_eq!(found(&db, f.tags.contains_any(["maps"]) | f.id.eq(3)).await, [1, 3]);
    assert_eq!(found(&db, !f.tags.contains_any(["maps"])).await, [2, 3]);
    assert_eq!(found(&db, f.tags.contains_any([""; 0])).await, [0; 0]);
    assert_eq!(found(&db, !f.tags.contains_any([""; 0])).await, [1, 2, 3]);
    let owner = Owner { id: 2 };
    assert_eq!(found(&db, f.owners.contains_any([&owner])).await, [2]);
    assert_eq!(found(&db, f.owners.contains_any([1_i64, 3])).await, [1, 3]);
    assert_eq!(found(&db, f.rooms.doors.contains_any(["room 2", "room 3"])).await, [2, 3]);
    assert_eq!(found(&db, f.rooms.elem_match(|it| it.doors.contains_any(["room 2"]))).await, [2]);
}

/// Nulls and documents are compared with elements, not with the whole array or an absent array, and never as a pattern.
#[tokio::test]
async fn null_and_documents_are_elements_too() {
    let db = database().await;
    let shops = [shop(1, &["maps"]), shop(2, &[]), shop(3, &[])];
    Shop::insert_many(&db, &shops).await.unwrap();
    db.collection("shops").insert_one(doc! { "_id": 4_i64, "tags": Bson::Null }).await.unwrap();
    let ids = async |filter| Shop::find(filter).count(&db).await.unwrap();
    assert_eq!(ids(Shop::F.scores.contains_any([None, Some(2)])).await, 2);
    assert_eq!(ids(Shop::F.rooms.contains_any([room("room 1"), room("room 3")])).await, 2);
    assert_eq!(ids(Shop::F.scores.contains_any([None::<i32>])).await, 1);
}

#[tokio::test]
async fn an_index_serves_it() {
    let db = database().await;
    schema![Shop, Owner].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let shops: Vec<Shop> = (0..200).map(|id| shop(id, &[&format!("tag {}", id % 50)])).collect();
    Shop::insert_many(&db, &shops).await.unwrap();
    assert_indexed(&Shop::find(Shop::F.tags.contains_any(["tag 1", "tag 2"])), &db).await;
}

/// A reference is `Copy` when its `_id` is `Copy`.
#[test]
fn a_reference_is_copy_where_its_id_is() {
    fn is_copy<T: Copy>(_: T) {}
    let reference: Ref<Owner> = Ref::new(1);
    is_copy(reference);
    let (id, twice) = (*reference.id(), [reference, reference]);
    assert_eq!((id, twice.map(|it| *it.id())), (1, [1, 1]));
    is_copy(Some(reference));
}
