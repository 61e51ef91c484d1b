//! A check of the raw documents: the rules that hold for every bucket after every write.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

/// The children of each chain by page, as `_id`s. The key of a chain is a text.
pub type Pages = BTreeMap<String, Vec<Vec<i64>>>;

/// Returns all buckets of comments.
pub async fn buckets(db: &Database) -> Vec<Document> {
    let mut cursor =
        db.collection::<Document>("comments").find(doc! {}).sort(doc! { "post": 1, "page": 1 }).await.unwrap();
    let mut all = Vec::new();
    while cursor.advance().await.unwrap() {
        all.push(cursor.deserialize_current().unwrap());
    }
    all
}

/// Returns the children of each post by page; panics at a wrong bucket. `size` is the bucket size of the model.
pub async fn checked(db: &Database, size: usize) -> Pages {
    let (mut pages, mut seen, mut open) = (Pages::new(), BTreeSet::new(), BTreeSet::new());
    for bucket in buckets(db).await {
        let items: Vec<&Document> =
            bucket.get_array("items").unwrap().iter().map(|item| item.as_document().unwrap()).collect();
        assert_eq!(number(&bucket, "count"), items.len() as i64, "count of {bucket}");
        assert!(items.len() <= size, "over its size: {bucket}");
        let key = |item: &&Document| (item.get_datetime("created_on").unwrap().timestamp_millis(), number(item, "_id"));
        assert!(items.is_sorted_by_key(key), "not sorted: {bucket}");
        for item in &items {
            assert!(!item.contains_key("post"), "the parent is stored once: {bucket}");
            assert!(seen.insert(number(item, "_id")), "twice: {}", number(item, "_id"));
            let time = item.get_datetime("created_on").unwrap();
            assert!(
                bucket.get_datetime("first").unwrap() <= time && time <= bucket.get_datetime("last").unwrap(),
                "bounds of {bucket}"
            );
        }
        let post = bucket.get("post").unwrap().to_string();
        if !items.is_empty() {
            assert!(!open.contains(&post), "one before it does not say that it is followed: {bucket}");
            if !bucket.contains_key("followed") {
                open.insert(post.clone());
            }
        }
        let chain = pages.entry(post).or_default();
        chain.push(items.iter().map(|item| number(item, "_id")).collect());
        assert_eq!(number(&bucket, "page"), chain.len() as i64, "a gap before {bucket}");
    }
    pages
}

/// Returns a whole number of any type.
pub fn number(document: &Document, name: &str) -> i64 {
    match document.get(name) {
        Some(Bson::Int32(number)) => (*number).into(),
        Some(Bson::Int64(number)) => *number,
        other => panic!("{name} is {other:?}"),
    }
}
