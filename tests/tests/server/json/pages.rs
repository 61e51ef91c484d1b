//! A page as JSON, and the token of a page from JSON.

use schema_runtime::{
    PageToken,
    json::{self, Json},
    prelude::*,
};
use schema_tests::database;
use serde_json::{Value, json};

use super::Owner;

#[tokio::test]
async fn a_client_reads_page_after_page() {
    let db = database().await;
    let owners: Vec<Owner> = ["a", "b", "c"].map(|id| Owner { id: id.to_owned() }).into();
    Owner::insert_many(&db, owners).await.unwrap();
    let (mut seen, mut next): (Vec<Value>, Option<PageToken>) = (Vec::new(), None);
    for _ in 0..2 {
        let pages = Owner::find(Filter::all()).sort(Owner::F.id.asc()).paginate(2);
        let page = pages.after(&next).fetch(&db).await.unwrap();
        let text = serde_json::to_string(&Json(&page)).unwrap();
        let value: Value = text.parse().unwrap();
        assert_eq!(value, json::to_json(&page).unwrap());
        assert!(text.starts_with(r#"{"items":[{"id":"#), "{text}");
        seen.extend(value["items"].as_array().unwrap().iter().cloned());
        assert_eq!(value["previous"].is_null(), next.is_none());
        next = serde_json::from_value(value["next"].clone()).unwrap();
    }
    assert!(next.is_none());
    assert_eq!(seen, [json!({ "id": "a" }), json!({ "id": "b" }), json!({ "id": "c" })]);
}
