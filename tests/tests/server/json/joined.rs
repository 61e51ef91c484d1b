//! JSON of joins: the joined documents stand under the name of the relation.

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, json, prelude::*, schema};
use schema_tests::database;
use serde_json::{Value, json};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
#[inverse(posts = Post::author)]
#[inverse(profile = Profile::author, one_to_one)]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[json(skip)]
    #[serde(default)]
    password: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[json(rename = "writer")]
    #[relation(one_to_many, parent_ref, order = asc(title))]
    author: Ref<Author>,
    title: String,
    #[serde(rename = "t")]
    #[relation(one_to_many, child_refs, max = 5)]
    tags: Vec<Ref<Tag>>,
    #[relation(one_to_many, parent_ref)]
    editor: Option<Ref<Tag>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tags")]
#[inverse(edited = Post::editor)]
struct Tag {
    #[serde(rename = "_id")]
    id: i64,
    label: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "profiles")]
struct Profile {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_one, parent_ref, standalone)]
    author: Ref<Author>,
}

/// A document that refers to a document of the same model.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 5)]
    parent: Option<Ref<Folder>>,
}

#[derive(Projection, Serialize, Deserialize, Debug)]
#[projection(of = Author)]
struct Name {
    #[json(rename = "called")]
    name: String,
}

async fn blog() -> Database {
    let db = database().await;
    schema![Author, Post, Tag, Profile, Folder].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let author = |id: i64, name: &str| Author { id, name: name.to_owned(), password: "secret".to_owned() };
    Author::insert_many(&db, [author(1, "Ada"), author(2, "Tim")]).await.unwrap();
    Tag::insert_many(&db, [Tag { id: 7, label: "a".to_owned() }, Tag { id: 8, label: "b".to_owned() }]).await.unwrap();
    let post = |id: i64, tags: &[i64], editor: Option<i64>| Post {
        id,
        author: Ref::new(1),
        title: format!("post {id}"),
        tags: tags.iter().copied().map(Ref::new).collect(),
        editor: editor.map(Ref::new),
    };
    Post::insert_many(&db, [post(1, &[8, 7, 8], None), post(2, &[], Some(7))]).await.unwrap();
    Profile::insert(&db, &Profile { id: 5, author: Ref::new(2) }).await.unwrap();
    db
}

fn ada() -> Value {
    json!({ "id": 1, "name": "Ada" })
}

#[tokio::test]
async fn a_single_reference_becomes_the_document() {
    let db = blog().await;
    let sorted = || Post::find(Filter::all()).sort(Post::F.id.asc());
    let rows = Post::AUTHOR.lookup(sorted()).fetch_all(&db).await.unwrap();
    let wanted = json!([
        { "id": 1, "writer": ada(), "title": "post 1", "t": [8, 7, 8], "editor": null },
        { "id": 2, "writer": ada(), "title": "post 2", "t": [], "editor": 7 },
    ]);
    assert_eq!(json::to_json(&rows).unwrap(), wanted);
    assert_eq!(serde_json::to_value(json::Json(&rows)).unwrap(), wanted);
    let names = Post::AUTHOR.select::<Name>().lookup(sorted().limit(1)).fetch_all(&db).await.unwrap();
    assert_eq!(json::to_json(&names).unwrap()[0]["writer"], json!({ "called": "Ada" }));
    let editors = Post::EDITOR.lookup(sorted()).fetch_all(&db).await.unwrap();
    let editors = json::to_json(&editors).unwrap();
    assert_eq!([&editors[0]["editor"], &editors[1]["editor"]], [&json!(null), &json!({ "id": 7, "label": "a" })]);
}

#[tokio::test]
async fn references_become_the_documents_in_order() {
    let db = blog().await;
    let rows = Post::TAGS.lookup(Post::find(Filter::all()).sort(Post::F.id.asc())).fetch_all(&db).await.unwrap();
    let (a, b) = (json!({ "id": 7, "label": "a" }), json!({ "id": 8, "label": "b" }));
    let written = json::to_json(&rows).unwrap();
    assert_eq!([&written[0]["t"], &written[1]["t"]], [&json!([b, a, b]), &json!([])]);

    // The children of one parent are a list.
    let post = Post::get_by_id(&db, 1).await.unwrap();
    let tags = post.tags().fetch_all(&db).await.unwrap();
    assert_eq!(json::to_json(&tags).unwrap(), json!([b, a, b]));
    let loaded = Post::TAGS.load(&db, [&post]).await.unwrap();
    assert_eq!(json::to_json(&loaded.of(&post)).unwrap(), json!([b, a, b]));
}

#[tokio::test]
async fn an_inverse_stands_under_the_accessor() {
    let db = blog().await;
    let sorted = || Author::find(Filter::all()).sort(Author::F.id.asc());
    let rows = Author::POSTS.lookup(sorted()).fetch_all(&db).await.unwrap();
    let written = json::to_json(&rows).unwrap();
    assert_eq!(written[0]["posts"].as_array().unwrap().len(), 2);
    assert_eq!(written[0]["posts"][1]["writer"], json!(1));
    assert_eq!(written[1], json!({ "id": 2, "name": "Tim", "posts": [] }));
    let rows = Author::PROFILE.lookup(sorted()).fetch_all(&db).await.unwrap();
    let written = json::to_json(&rows).unwrap();
    assert_eq!([&written[0]["profile"], &written[1]["profile"]], [&json!(null), &json!({ "id": 5, "author": 2 })]);

    Folder::insert_many(&db, [Folder { id: 1, parent: None }, Folder { id: 2, parent: Some(Ref::new(1)) }])
        .await
        .unwrap();
    let rows = Folder::CHILDREN.lookup(Folder::F.id.eq(1)).fetch_all(&db).await.unwrap();
    assert_eq!(
        json::to_json(&rows).unwrap(),
        json!([{ "id": 1, "parent": null, "children": [{ "id": 2, "parent": 1 }] }])
    );
    let rows = Folder::PARENT.lookup(Folder::F.id.eq(2)).fetch_all(&db).await.unwrap();
    assert_eq!(json::to_json(&rows).unwrap(), json!([{ "id": 2, "parent": { "id": 1, "parent": null } }]));
}

#[tokio::test]
async fn missing_and_failed_documents_are_an_error() {
    let db = blog().await;
    db.collection::<Document>("tags").delete_one(doc! { "_id": 8 }).await.unwrap();
    let rows = Post::TAGS.lookup(Filter::all()).fetch_all(&db).await.unwrap();
    match json::to_json(&rows).unwrap_err() {
        Error::Incomplete { field, missing: 2, failed: 0 } => assert_eq!(field, "Post.tags"),
        other => panic!("{other:?}"),
    }
    let plain = doc! { "collMod": "posts", "validator": {} };
    db.run_command(plain).await.unwrap();
    db.collection::<Document>("posts").update_one(doc! { "_id": 1 }, doc! { "$set": { "title": 7 } }).await.unwrap();
    let rows = Post::AUTHOR.lookup(Filter::all()).fetch_all(&db).await.unwrap();
    match json::to_json(&rows).unwrap_err() {
        Error::Incomplete { field, missing: 0, failed: 1 } => assert_eq!(field, "Post.author"),
        other => panic!("{other:?}"),
    }
}
