//! Raw values by path, in filters and updates.

use schema_runtime::BoundUnit;
use schema_tests::{database, database_with_log};

use super::*;

#[tokio::test]
async fn filters_find_values_by_path() {
    let db = database().await;
    applied(schema![Post], &db).await;
    let second = Post {
        meta: doc! { "image": { "width": 1_000_i64, "tags": [] }, "list": [{ "a": 1 }, { "a": 2 }] },
        any: doc! { "x": "Oslo" }.into(),
        ..post(2)
    };
    Post::insert_many(&db, [post(1), second]).await.unwrap();
    let (meta, any) = (Post::F.meta, Post::F.any);
    let width = String::from("image.width");
    for (filter, expected) in [
        (meta.at_path(&width).eq(640), vec![1]),
        (meta.at_path(&width).gte(640), vec![1, 2]),
        (meta.at_path(&width).between(641..), vec![2]),
        (meta.at_path("image.tags").eq(["a", "b"]), vec![1]),
        (meta.at_path("image.tags").eq("a"), vec![1]),
        (meta.at_path("image.tags.1").eq("b"), vec![1]),
        (meta.at_path("list.a").eq(2), vec![2]),
        (meta.at_path("list.1.a").eq(1), vec![]),
        (meta.at_path("when").eq(DateTime::from_millis(5)), vec![1]),
        (meta.at_path("when").exists(false), vec![2]),
        (meta.at_path("when").is_null(), vec![2]),
        (any.at_path("x").starts_with("Os"), vec![2]),
        (any.at_path("x").is_in(["Rome", "Oslo"]), vec![2]),
        (any.eq(Bson::Null), vec![1]),
        (any.eq(Bson::from(doc! { "x": "Oslo" })), vec![2]),
        (Post::F.spare.at_path("a").is_null(), vec![1, 2]),
    ] {
        let found = Post::find(filter.clone()).sort(Post::F.id.asc()).fetch_all(&db).await.unwrap();
        assert_eq!(found.iter().map(|post| post.id).collect::<Vec<_>>(), expected, "{filter:?}");
    }
    // An operand stays a value.
    let operand: Bson = doc! { "$gt": 1 }.into();
    let error = Post::find(meta.at_path("image.width").eq(operand)).fetch_all(&db).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error:?}");
}

#[tokio::test]
async fn updates_change_values_by_path() {
    let db = database().await;
    applied(schema![Post], &db).await;
    Post::insert(&db, &post(1)).await.unwrap();
    let (meta, any, spare) = (Post::F.meta, Post::F.any, Post::F.spare);
    Post::update_by_id(1)
        .set(meta.at_path("image.title"), "Oslo")
        .inc(meta.at_path("image.width"), 10)
        .unset(meta.at_path("when"))
        .set(meta.at_path("new.deep.name"), doc! { "x": [1, "two"] })
        .execute(&db)
        .await
        .unwrap();
    let now = Post::get_by_id(&db, 1).await.unwrap();
    let expected = doc! {
        "image": { "width": 650, "tags": ["a", "b"], "title": "Oslo" }, "new": { "deep": { "name": { "x": [1, "two"] } } }
    };
    assert_eq!(now.meta, expected);
    // A null or another value has no paths: the document stays.
    let before = stored(&db, "posts", 1).await;
    for update in [Post::update_by_id(1).set(any.at_path("a"), 1), Post::update_by_id(1).set(spare.at_path("a"), 1)] {
        assert!(matches!(update.execute(&db).await, Err(Error::NotFound { .. })));
    }
    assert_eq!(stored(&db, "posts", 1).await, before);
    Post::update_by_id(1).set(any, Bson::from(doc! {})).set(spare, doc! {}).execute(&db).await.unwrap();
    Post::update_by_id(1).set(any.at_path("a"), 1).set(spare.at_path("b.c"), true).execute(&db).await.unwrap();
    let now = Post::get_by_id(&db, 1).await.unwrap();
    assert_eq!((now.any, now.spare), (doc! { "a": 1 }.into(), Some(doc! { "b": { "c": true } })));
}

#[tokio::test]
async fn a_path_with_a_part_that_is_no_name_is_an_error_before_a_command() {
    let (db, log) = database_with_log().await;
    let long = ["a"; 101].join(".");
    for path in ["", ".", "a.", ".a", "a..b", "$a", "a.$", "a.$[]", "a.$[x].b", "$where", "a\0", "a.b\0c", &long] {
        log.clear();
        for error in [
            Post::find(Post::F.meta.at_path(path).eq(3)).fetch_all(&db).await.unwrap_err(),
            Post::update_by_id(1).set(Post::F.meta.at_path(path), 3).execute(&db).await.unwrap_err(),
            Post::update_by_id(1).unset(Post::F.any.at_path(path)).execute(&db).await.unwrap_err(),
        ] {
            assert!(matches!(error, Error::Encode { .. }), "{error:?}");
            assert_eq!(error.kind().http_status(), 422);
        }
        assert_eq!(log.commands().len(), 0);
    }
}

#[tokio::test]
async fn the_bound_of_the_bytes_holds_in_every_write() {
    let db = database().await;
    applied(schema![Post], &db).await;
    let large = |bytes: usize| Post { meta: doc! { "x": "a".repeat(bytes) }, ..post(1) };
    // A length, a type, a name of one letter, the length of the text, and three zeros.
    Post::insert(&db, &large(400 - 13)).await.unwrap();
    let error = Post::replace(&db, &large(400 - 12)).await.unwrap_err();
    let Error::BoundExceeded { field, bound: 400, size: 401, unit: BoundUnit::Bytes, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(field, "meta");
    let set = |document: Document| Post::update_by_id(1).set(Post::F.meta, document);
    assert!(matches!(set(large(400).meta).execute(&db).await, Err(Error::BoundExceeded { bound: 400, .. })));
    // A part that fits alone makes the whole too large: the validator refuses the document.
    let error = Post::update_by_id(1).set(Post::F.meta.at_path("y"), 1).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error:?}");
    let error = raw(&db, "posts").update_one(doc! { "_id": 1 }, doc! { "$set": { "any": "a".repeat(396) } }).await;
    assert!(error.unwrap_err().to_string().contains("validation"));
    raw(&db, "posts").update_one(doc! { "_id": 1 }, doc! { "$set": { "any": "a".repeat(395) } }).await.unwrap();
    // Another type than a document.
    let error = raw(&db, "posts").update_one(doc! { "_id": 1 }, doc! { "$set": { "meta": [1] } }).await;
    assert!(error.unwrap_err().to_string().contains("validation"));
    let value = Post { values: vec!["a".repeat(90).into()], ..post(2) };
    let error = Post::insert(&db, &value).await.unwrap_err();
    assert!(matches!(&error, Error::BoundExceeded { field, bound: 60, .. } if field == "values.0"), "{error:?}");
    let plan = schema![Post].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}
