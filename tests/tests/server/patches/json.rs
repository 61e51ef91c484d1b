//! A patch from the text of a request: an absent field, null and a value.

use super::*;

fn read(json: &str) -> EditPost {
    serde_json::from_str(json).unwrap()
}

#[test]
fn absent_null_and_value_are_three() {
    assert_eq!(read("{}"), EditPost::default());
    assert_eq!(read(r#"{ "note": null }"#).note, Some(None));
    assert_eq!(read(r#"{ "note": "x" }"#).note, Some(Some("x".to_owned())));
    assert_eq!(read(r#"{ "title": null }"#), EditPost::default(), "a field that is never null stays unchanged");
    assert_eq!(read(r#"{ "spareCity": "Rome" }"#).spare_city.as_deref(), Some("Rome"));
    for wrong in [r#"{ "note": 1 }"#, r#"{ "note": [] }"#, r#"{ "state": "gone" }"#, r#"{ "place": {} }"#] {
        assert!(serde_json::from_str::<EditPost>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    for note in [None, Some(None), Some(Some("x".to_owned()))] {
        let edit = EditPost { note, title: Some("t".to_owned()), ..EditPost::default() };
        let json = serde_json::to_string(&edit).unwrap();
        assert_eq!(read(&json), edit, "{json}");
    }
    assert_eq!(serde_json::to_string(&EditPost::default()).unwrap(), "{}");
}

#[tokio::test]
async fn a_request_becomes_the_stored_document() {
    let (db, _) = start().await;
    let before = raw(&db, 1).await;
    let json = r#"{ "title": "new", "note": null, "subtitle": "sub", "tags": [], "place": { "town": "Rome", "country": "IT" } }"#;
    Post::update_by_id(1).apply(&read(json)).execute(&db).await.unwrap();
    let mut expected = before;
    let set =
        doc! { "title": "new", "note": null, "sub": "sub", "tags": [], "place": { "town": "Rome", "country": "IT" } };
    expected.extend(set);
    let mut stored = raw(&db, 1).await;
    expected.insert("version", 1_i64);
    expected.insert("updated", stored.get_datetime("updated").unwrap());
    assert_eq!(stored.get_i64("version").ok(), Some(1));
    let (mut names, mut expected_names) = (stored.keys().cloned().collect::<Vec<_>>(), Vec::new());
    expected_names.extend(expected.keys().cloned());
    names.sort_unstable();
    expected_names.sort_unstable();
    assert_eq!(names, expected_names);
    for (name, value) in expected {
        assert_eq!(stored.remove(&name), Some(value), "{name}");
    }
}
