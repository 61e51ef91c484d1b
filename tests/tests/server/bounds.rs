//! The client refuses a write over a declared bound before the send, and the server refuses the write too, with the
//! same typed error.

use mongodb::{Database, bson::Bson};
use schema_runtime::{BoundUnit, prelude::*};

use crate::sent::sent;

/// Defines a model `Post` with these bounds, values of the model, and values over the bounds of the strict model.
macro_rules! posts {
    ($module:ident, title = $title:literal, tags = $tags:literal, tag = $tag:literal, inner = $inner:literal, few = $few:literal) => {
        mod $module {
            use std::collections::HashMap;

            use schema_runtime::{BoundUnit, bson::Bson, prelude::*};

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = "posts")]
            pub(crate) struct Post {
                #[serde(rename = "_id")]
                pub(crate) id: i64,
                #[bound(max_len = $title)]
                pub(crate) title: String,
                #[bound(max_items = $tags, max_len = $tag)]
                #[serde(rename = "labels")]
                pub(crate) tags: Vec<String>,
                #[bound(max_items = $inner)]
                pub(crate) scores: HashMap<String, i32>,
                #[bound(max_items = $inner)]
                pub(crate) grid: Vec<schema_runtime::BoundedVec<i32, $few>>,
                #[relation(one_to_few, embed, max = $inner)]
                pub(crate) sections: Vec<Section>,
                #[relation(one_to_one, embed)]
                pub(crate) lead: Option<Section>,
                #[opaque(max_bytes = 64)]
                pub(crate) extra: Bson,
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
            pub(crate) struct Section {
                #[bound(max_items = $inner)]
                pub(crate) notes: Vec<i64>,
                #[bound(max_items = $inner, max_len = $tag)]
                pub(crate) words: HashMap<String, String>,
            }

            /// Returns a post with every value at its bound.
            pub(crate) fn post() -> Post {
                Post {
                    id: 1,
                    title: "tïtle".to_owned(),
                    tags: ["a", "b", "four"].map(str::to_owned).to_vec(),
                    scores: HashMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]),
                    grid: vec![vec![1, 2].try_into().unwrap(), schema_runtime::BoundedVec::new()],
                    sections: vec![Section::default(), Section { notes: vec![1, 2], words: HashMap::new() }],
                    lead: None,
                    extra: Bson::Null,
                }
            }

            /// Returns a value over each bound, with the contents of the error.
            pub(crate) fn over() -> Vec<(Post, &'static str, u64, u64, BoundUnit)> {
                let three = HashMap::from([("a", 1), ("b", 2), ("c", 3)].map(|(key, score)| (key.to_owned(), score)));
                let notes = || Section { notes: vec![1, 2, 3], words: HashMap::new() };
                let words =
                    Section { notes: vec![], words: HashMap::from([("secret".to_owned(), "fünfe".to_owned())]) };
                vec![
                    (Post { title: "tïtles".to_owned(), ..post() }, "title", 5, 6, BoundUnit::CodePoints),
                    (Post { tags: vec![String::new(); 4], ..post() }, "labels", 3, 4, BoundUnit::Elements),
                    (
                        Post { tags: vec![String::new(), "fünfe".to_owned()], ..post() },
                        "labels.1",
                        4,
                        5,
                        BoundUnit::CodePoints,
                    ),
                    (Post { scores: three, ..post() }, "scores", 2, 3, BoundUnit::Entries),
                    (
                        Post { grid: vec![schema_runtime::BoundedVec::new(); 3], ..post() },
                        "grid",
                        2,
                        3,
                        BoundUnit::Elements,
                    ),
                    (Post { sections: vec![Section::default(); 3], ..post() }, "sections", 2, 3, BoundUnit::Elements),
                    (
                        Post { sections: vec![Section::default(), notes()], ..post() },
                        "sections.1.notes",
                        2,
                        3,
                        BoundUnit::Elements,
                    ),
                    (Post { sections: vec![words], ..post() }, "sections.0.words.*", 4, 5, BoundUnit::CodePoints),
                    (Post { lead: Some(notes()), ..post() }, "lead.notes", 2, 3, BoundUnit::Elements),
                ]
            }
        }
    };
}

posts!(strict, title = 5, tags = 3, tag = 4, inner = 2, few = 2);
posts!(loose, title = 100, tags = 100, tag = 100, inner = 100, few = 100);

#[track_caller]
fn assert_bound(error: &Error, field: &str, bound: u64, size: u64, unit: BoundUnit) {
    match error {
        Error::BoundExceeded { model, field: f, bound: b, size: s, unit: u, .. } => {
            assert_eq!((model.as_str(), f.as_str(), *b, *s, *u), ("Post", field, bound, size, unit));
        }
        other => panic!("{other:?}"),
    }
    let place = match field.strip_suffix(".*") {
        Some(map) => format!("a value in `{map}`"),
        None => format!("`{field}`"),
    };
    assert_eq!(error.to_string(), format!("{place} of `Post` has {size} {unit}, the bound is {bound}"));
}

async fn count(db: &Database) -> u64 {
    strict::Post::find(Filter::all()).count(db).await.unwrap()
}

#[tokio::test]
async fn every_bound_is_held_where_no_validator_was_applied() {
    use strict::{Post, over, post};

    let (db, log) = schema_tests::database_with_log().await;
    Post::insert(&db, &post()).await.unwrap();
    let extra = Bson::String("x".repeat(60));
    let opaque = (Post { extra, ..post() }, "extra", 64, 65, BoundUnit::Bytes);
    for (value, field, bound, size, unit) in over().into_iter().chain([opaque]) {
        let value = Post { id: 2, ..value };
        let (result, names) = sent(&log, Post::insert(&db, &value)).await;
        assert_bound(&result.unwrap_err(), field, bound, size, unit);
        assert_eq!(names, [] as [&str; 0]);

        let many = [Post { id: 3, ..post() }, value.clone()];
        let (result, names) = sent(&log, Post::insert_many(&db, &many)).await;
        let error = result.unwrap_err();
        assert!(matches!(error, Error::InsertMany { collection: "posts", inserted: 0, index: Some(1), .. }), "{error}");
        assert_bound(error.cause(), field, bound, size, unit);
        assert_eq!(names, [] as [&str; 0]);

        let (result, names) = sent(&log, Post::replace(&db, &Post { id: 1, ..value })).await;
        assert_bound(&result.unwrap_err(), field, bound, size, unit);
        assert_eq!(names, [] as [&str; 0]);
    }
    assert_eq!(Post::find(Filter::all()).fetch_all(&db).await.unwrap(), [post()]);
}

/// The loose `Post` sends a value that the strict `Post` refuses, and the answer of the server becomes the error of the
/// strict `Post`.
#[tokio::test]
async fn the_servers_refusal_is_the_same_error() {
    use loose::{Post, over, post};

    let (db, log) = schema_tests::database_with_log().await;
    schema![strict::Post].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Post::insert(&db, &post()).await.unwrap();
    let mut id = 10;
    for (value, field, bound, size, unit) in over() {
        id += 2;
        let value = Post { id, ..value };
        let (result, names) = sent(&log, Post::insert(&db, &value)).await;
        assert_bound(&result.unwrap_err(), field, bound, size, unit);
        assert_eq!(names, ["insert"]);
        assert_bound(
            &Post::replace(&db, &Post { id: 1, ..value.clone() }).await.unwrap_err(),
            field,
            bound,
            size,
            unit,
        );

        let before = count(&db).await;
        let many = [Post { id: id + 1, ..post() }, value.clone(), Post { id: id + 100, ..post() }];
        let error = Post::insert_many(&db, &many).await.unwrap_err();
        assert!(matches!(error, Error::InsertMany { inserted: 1, index: Some(1), .. }), "{error}");
        assert_bound(error.cause(), field, bound, size, unit);
        // As the error says: the first document is stored, and no document after the refused document.
        assert_eq!(count(&db).await, before + 1);
    }
    // An array in an array; the type of the strict model rules out the value.
    let value =
        Post { id: 5, grid: vec![schema_runtime::BoundedVec::new(), vec![1, 2, 3].try_into().unwrap()], ..post() };
    assert_bound(&Post::insert(&db, &value).await.unwrap_err(), "grid.1", 2, 3, BoundUnit::Elements);
    assert_eq!(Post::get_by_id(&db, &1).await.unwrap(), post());
}
