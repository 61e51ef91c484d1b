//! Random new values against an independent model of the stored document.

use mongodb::bson::{Bson, Document, doc};
use proptest::{
    collection::vec,
    option,
    prelude::{Strategy, any},
    strategy::ValueTree,
    test_runner::TestRunner,
};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "items", new(Debug, Clone))]
struct Item {
    #[serde(rename = "_id")]
    #[auto(sequence)]
    id: i64,
    text: String,
    #[default(-7)]
    count: i32,
    #[default(Some(1.5))]
    ratio: Option<f64>,
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    #[default]
    flag: Option<bool>,
    #[default(vec![1, 2])]
    #[bound(max_items = 5)]
    list: Vec<i64>,
    bytes: Option<i64>,
}

fn new_items() -> impl Strategy<Value = Vec<NewItem>> {
    let numbers = option::of(vec(any::<i64>(), 0..5));
    let ratio = option::of(option::of(-1e9..1e9_f64));
    let item = (
        ".{0,12}",
        option::of(any::<i32>()),
        ratio,
        option::of(option::of(any::<bool>())),
        numbers,
        option::of(any::<i64>()),
    );
    let item =
        item.prop_map(|(text, count, ratio, flag, list, bytes)| NewItem { text, count, ratio, flag, list, bytes });
    vec(item, 1..30)
}

/// Returns the document of a new value, written by hand.
fn expected(id: i64, new: &NewItem) -> Document {
    let mut document = doc! { "_id": id, "text": &new.text, "count": new.count.unwrap_or(-7) };
    document.insert("ratio", new.ratio.unwrap_or(Some(1.5)));
    if let Some(flag) = new.flag.flatten() {
        document.insert("f", flag);
    }
    document.insert("list", new.list.clone().unwrap_or_else(|| vec![1, 2]));
    document.insert("bytes", new.bytes.map_or(Bson::Null, Bson::Int64));
    document
}

#[tokio::test]
async fn each_value_is_stored_as_a_program_by_hand_would_store_the_value() {
    let db = database().await;
    let (mut runner, mut last, mut all) = (TestRunner::deterministic(), 0, Vec::new());
    for round in 0..40 {
        let new = new_items().new_tree(&mut runner).unwrap().current();
        let items = match (round % 3, &new[..]) {
            (0, [first, ..]) => vec![first.clone().insert(&db).await.unwrap()],
            _ => NewItem::insert_many(&db, new.clone()).await.unwrap(),
        };
        for (item, new) in items.iter().zip(&new) {
            last += 1;
            assert_eq!(item.id, last);
            all.push((expected(last, new), item.clone()));
        }
    }
    let stored = super::stored(&db, "items").await;
    assert_eq!(stored, all.iter().map(|(document, _)| document.clone()).collect::<Vec<_>>());
    let found = Item::find(Filter::all()).sort(Item::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(found, all.into_iter().map(|(_, item)| item).collect::<Vec<_>>());
}
