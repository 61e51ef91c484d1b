//! An enum inside of a model, with its fields beside the tag.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, FailedRule, definition::Kind, field::Record, prelude::*, schema};

use super::{Body, Post, ids, picture, poll, post, start, text};

async fn raw(db: &Database, body: Document) -> Result<(), mongodb::error::Error> {
    let blocks: Vec<Bson> = Vec::new();
    let document = doc! { "_id": 100_i64, "body": body, "blocks": blocks };
    db.collection::<Document>("posts").insert_one(document).await.map(drop)
}

fn refusal(error: &mongodb::error::Error) -> String {
    assert!(error.to_string().contains("Document failed validation"), "{error}");
    error.to_string()
}

#[tokio::test]
async fn it_is_stored_as_serde_writes_it() {
    let db = start().await;
    Post::insert(&db, &post(1, picture("a cat"))).await.unwrap();
    let stored = db.collection::<Document>("posts").find_one(doc! {}).await.unwrap().unwrap();
    let expected = doc! { "kind": "picture", "author": "Ben", "caption": "a cat", "px": 5, "altText": null };
    assert_eq!(stored.get_document("body").unwrap(), &expected);
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap(), post(1, picture("a cat")));
}

#[tokio::test]
async fn the_validator_refuses_what_the_client_refuses() {
    let db = start().await;
    // The size is over the bound of this variant, and within the bound of the second variant.
    let long = post(1, text("eleven char"));
    let of_client = Post::insert(&db, &long).await.unwrap_err();
    let Error::BoundExceeded { ref field, bound: 10, size: 11, .. } = of_client else { panic!("{of_client}") };
    assert_eq!(field, "body.caption");
    Post::insert(&db, &post(1, picture("eleven char"))).await.unwrap();
    let over = doc! { "kind": "text", "author": "Ada", "caption": "eleven char", "tags": [] };
    refusal(&raw(&db, over).await.unwrap_err());
    let many = doc! { "kind": "text", "author": "Ada", "caption": "", "tags": ["a", "b", "c", "d"] };
    refusal(&raw(&db, many).await.unwrap_err());
    // A required field of the variant is missing.
    refusal(&raw(&db, doc! { "kind": "vote", "author": "Ada", "caption": "" }).await.unwrap_err());
    refusal(&raw(&db, doc! { "kind": "vote", "author": "Ada", "stars": "many" }).await.unwrap_err());
    refusal(&raw(&db, doc! { "kind": "film", "author": "Ada" }).await.unwrap_err());
    refusal(&raw(&db, doc! { "author": "Ada", "stars": 1_i64 }).await.unwrap_err());
    raw(&db, doc! { "kind": "vote", "author": "Ada", "stars": 1_i64, "more": 1 }).await.unwrap();
}

#[tokio::test]
async fn a_refusal_names_what_is_wrong_in_the_variant() {
    let db = start().await;
    Post::insert(&db, &post(1, text("short"))).await.unwrap();
    // The update is in raw words: the client does not check the value.
    let set = |body: Document| Post::update_by_id(1).raw(doc! { "$set": { "body": body } });
    let long = set(doc! { "kind": "text", "author": "Ada", "caption": "eleven char", "tags": [] }).execute(&db).await;
    let Error::BoundExceeded { field, bound: 10, size: 11, .. } = long.unwrap_err() else { panic!() };
    assert_eq!(field, "body.caption");
    let missing = set(doc! { "kind": "vote", "author": "Ada" }).execute(&db).await.unwrap_err();
    let Error::DocumentInvalid { failures, .. } = missing else { panic!("{missing}") };
    assert_eq!(failures.iter().map(rule_of).collect::<Vec<_>>(), [("body.stars", "required")]);
    let unknown = set(doc! { "kind": "film", "author": "Ada" }).execute(&db).await.unwrap_err();
    let Error::DocumentInvalid { failures, .. } = unknown else { panic!("{unknown}") };
    assert_eq!(failures.iter().map(rule_of).collect::<Vec<_>>(), [("body.kind", "enum")]);
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap().body, text("short"));
}

fn rule_of(failed: &FailedRule) -> (&str, &str) {
    (&failed.field, &failed.rule)
}

#[tokio::test]
async fn conditions_on_what_all_share_and_on_one_variant() {
    let db = start().await;
    let posts = [post(1, text("x")), post(2, text("y")), post(3, picture("x")), post(4, poll(7))];
    Post::insert_many(&db, posts).await.unwrap();
    let body = Post::F.body;
    assert_eq!(ids(&db, body.author.eq("Ada")).await, [1, 2, 4]);
    assert_eq!(ids(&db, body.is_text()).await, [1, 2]);
    assert_eq!(ids(&db, !body.is_text()).await, [3, 4]);
    assert_eq!(ids(&db, body.tag().is_in(["text", "vote"])).await, [1, 2, 4]);
    assert_eq!(ids(&db, body.text().caption.eq("x")).await, [1], "not the picture");
    assert_eq!(ids(&db, body.picture().caption.eq("x")).await, [3]);
    assert_eq!(ids(&db, body.text().caption.ne("x")).await, [2], "texts with another caption");
    assert_eq!(ids(&db, !body.text().caption.eq("x")).await, [2, 3, 4], "whatever is no such text");
    assert_eq!(
        ids(&db, body.picture().alt_text.is_null()).await,
        [3],
        "others have none because they have no such field"
    );
    assert_eq!(ids(&db, body.text().caption.eq("x").or(body.poll().stars.gt(5))).await, [1, 4]);
    assert_eq!(ids(&db, body.text().caption.eq("x").and(body.text().tags.contains("a"))).await, [1]);
    let stars = Post::find(Filter::all()).distinct(&db, body.poll().stars).await.unwrap();
    assert_eq!(stars, [7]);
    let captions = Post::find(Filter::all()).distinct(&db, body.text().caption).await.unwrap();
    assert_eq!(captions, ["x", "y"], "those of texts");
}

#[tokio::test]
async fn the_tag_stands_once_beside_several_conditions() {
    let body = Post::F.body;
    let both = body.text().caption.eq("x").and(body.text().tags.contains("a"));
    let expected = doc! { "body.kind": "text", "body.caption": "x", "body.tags": "a" };
    assert_eq!(both.into_document().unwrap(), expected);
}

#[tokio::test]
async fn an_optional_one_may_be_null() {
    let db = start().await;
    let with = Post { aside: Some(poll(3)), ..post(1, text("x")) };
    Post::insert_many(&db, [with.clone(), post(2, text("x"))]).await.unwrap();
    db.collection::<Document>("posts")
        .update_one(doc! { "_id": 2_i64 }, doc! { "$set": { "aside": null } })
        .await
        .unwrap();
    assert_eq!(ids(&db, Post::F.aside.poll().stars.gte(3)).await, [1]);
    assert_eq!(ids(&db, Post::F.aside.is_null()).await, [2]);
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap(), with);
}

#[tokio::test]
async fn a_sort_by_a_field_of_one_variant_puts_the_others_first() {
    let db = start().await;
    let posts = [post(1, poll(7)), post(2, text("x")), post(3, poll(5)), post(4, picture("x"))];
    Post::insert_many(&db, posts).await.unwrap();
    let sorted = || Post::find(Filter::all()).sort([Post::F.body.poll().stars.asc(), Post::F.id.asc()]);
    let found: Vec<i64> = sorted().fetch_all(&db).await.unwrap().into_iter().map(|post| post.id).collect();
    assert_eq!(found, [2, 4, 3, 1]);
}

/// An older program, or another program, has stored a variant that this program does not know.
#[tokio::test]
async fn a_document_of_an_unknown_variant_is_a_typed_error_and_the_others_are_read() {
    let db = start().await;
    Post::insert_many(&db, [post(1, text("x")), post(3, poll(2))]).await.unwrap();
    db.run_command(doc! { "collMod": "posts", "validationLevel": "off" }).await.unwrap();
    raw(&db, doc! { "kind": "film", "author": "Ada" }).await.unwrap();
    let error = Post::get_by_id(&db, 100).await.unwrap_err();
    let Error::Decode { model, path, ref message, .. } = error else { panic!("{error}") };
    assert_eq!((model, path.as_str()), ("Post", "body.kind"));
    assert!(message.contains("film"), "serde says which: {message}");
    // A stream gives the error in its place, and then the documents after the error.
    use futures_util::StreamExt;
    let stream = Post::find(Filter::all()).sort(Post::F.id.desc()).stream(&db).await.unwrap();
    let each: Vec<Option<i64>> = stream.map(|post| post.ok().map(|post| post.id)).collect().await;
    assert_eq!(each, [None, Some(3), Some(1)]);
    // A read without the body works, and a typed update repairs the document.
    assert_eq!(ids(&db, Post::F.body.is_text()).await, [1]);
    Post::update_by_id(100).set(Post::F.body, &poll(1)).execute(&db).await.unwrap();
    assert_eq!(Post::get_by_id(&db, 100).await.unwrap().body, poll(1));
    assert!(schema![Post].verify(&db).await.unwrap().is_clean());
}

#[test]
fn the_fields_of_all_variants_are_each_there_once() {
    let names: Vec<&str> = Body::FIELDS.iter().map(|field| field.name).collect();
    // Two captions with different bounds are two fields, and no path means both.
    assert_eq!(names, ["kind", "author", "caption", "tags", "caption", "px", "altText", "stars"]);
    let required: Vec<&str> = Body::FIELDS.iter().filter(|field| field.required).map(|field| field.name).collect();
    assert_eq!(required, ["kind", "author"]);
    let Kind::Enum(tags) = Body::FIELDS[0].shape.kind else { panic!() };
    assert_eq!(tags, ["text", "picture", "vote"]);
}
