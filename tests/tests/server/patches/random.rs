//! Random patches, as JSON texts, on random documents: the stored document equals a model that knows nothing of this
//! crate.

use mongodb::bson::Bson;
use proptest::{collection::vec, option, prelude::*};
use schema_tests::{database, scale::PROPERTY_CASES};
use serde_json::{Map, Value, json};

use super::*;
use crate::relations::runtime;

/// A field of a request.
type Given = Option<Option<String>>;

/// The fields of a request that the test chooses at random: the JSON name, and the value.
fn request() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let text = || option::of(option::of("[a$.é]{0,9}"));
    let (tags, state) = (option::of(option::of(vec("[a-c]{0,8}", 0..=3))), option::of(option::of(any::<bool>())));
    (text(), text(), text(), tags, state, text(), text()).prop_map(
        |(title, note, subtitle, tags, state, city, spare)| {
            let texts: [(&'static str, Given); 4] =
                [("title", title), ("note", note), ("subtitle", subtitle), ("spareCity", spare)];
            let mut fields: Vec<(&'static str, Value)> =
                texts.into_iter().filter_map(|(name, text)| Some((name, json!(text?)))).collect();
            fields.extend(tags.map(|tags| ("tags", json!(tags))));
            let name = |is_draft: bool| if is_draft { "draft" } else { "published" };
            fields.extend(state.map(|state| ("state", json!(state.map(name)))));
            let place = |city: Option<String>| json!(city.map(|city| json!({ "town": city, "country": "IT" })));
            fields.extend(city.map(|city| ("place", place(city))));
            fields
        },
    )
}

fn document() -> impl Strategy<Value = Post> {
    let text = || option::of("[b-d]{0,5}");
    (text(), text(), text(), any::<i64>()).prop_map(|(note, subtitle, spare, likes)| Post {
        note,
        subtitle,
        spare: spare.map(|city| place(&city)),
        likes,
        ..post(1)
    })
}

/// Changes the document as the request says. Returns `None` where the document has no place for a change.
fn expected(mut document: Document, request: &[(&'static str, Value)]) -> Option<(Document, bool)> {
    let mut is_changed = false;
    for (name, value) in request {
        let bson = as_bson(value);
        match (*name, value.is_null()) {
            ("note", _) => drop(document.insert("note", bson)),
            ("subtitle", true) => drop(document.remove("sub")),
            ("subtitle", false) => drop(document.insert("sub", bson)),
            (_, true) => continue,
            ("spareCity", false) => drop(document.get_document_mut("spare").ok()?.insert("town", bson)),
            (name, false) => drop(document.insert(name, bson)),
        }
        is_changed = true;
    }
    Some((document, is_changed))
}

fn as_bson(value: &Value) -> Bson {
    match value {
        Value::Null => Bson::Null,
        Value::String(text) => Bson::String(text.clone()),
        Value::Array(elements) => Bson::Array(elements.iter().map(as_bson).collect()),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), as_bson(value)));
            Bson::Document(fields.collect())
        }
        other => panic!("{other}"),
    }
}

/// Returns the document as sorted text. A `$set` of a new field adds the field at the end.
fn sorted(document: Document) -> Vec<String> {
    let text = |(name, value): (String, Bson)| match value {
        Bson::Document(inner) => format!("{name}: {:?}", sorted(inner)),
        value => format!("{name}: {value}"),
    };
    let mut texts: Vec<String> = document.into_iter().map(text).collect();
    texts.sort_unstable();
    texts
}

async fn check(db: &Database, stored: Post, request: Vec<(&'static str, Value)>) {
    Post::delete_many(db, Filter::all()).await.unwrap();
    Post::insert(db, &stored).await.unwrap();
    let before = raw(db, 1).await;
    let fields: Map<String, Value> = request.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let edit: EditPost = serde_json::from_str(&Value::Object(fields).to_string()).unwrap();
    let updated = Post::update_by_id(1).apply(&edit).execute(db).await;
    let Some((mut expected, is_changed)) = expected(before.clone(), &request) else {
        assert!(matches!(updated, Err(Error::NotFound { .. })), "{updated:?}");
        assert_eq!(raw(db, 1).await, before);
        return;
    };
    updated.unwrap();
    let after = raw(db, 1).await;
    if is_changed {
        let updated = *after.get_datetime("updated").unwrap();
        assert!(updated >= *before.get_datetime("updated").unwrap());
        expected.insert("updated", updated);
        expected.insert("version", before.get_i64("version").unwrap() + 1);
    }
    assert_eq!(sorted(after), sorted(expected), "{request:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: PROPERTY_CASES.of(60), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_random_patch_is_the_change_of_a_model(steps in vec((document(), request()), 1..8)) {
        runtime().block_on(async {
            let db = database().await;
            for (stored, request) in steps {
                check(&db, stored, request).await;
            }
        });
    }
}
