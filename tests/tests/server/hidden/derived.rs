//! Models with derived data beside hidden fields: copies, rollups, links and slugs are maintained, and no write loses
//! or sends a hidden value.

use schema_runtime::{Throttle, finish_writes};

use super::*;

/// A source of copies, a parent with rollups, with a slug.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
#[inverse(articles = Article::author)]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Article::author_name, fan_out = 400)]
    name: String,
    #[slug(from = name, max_len = 24, follow)]
    slug: String,
    #[computed(count(Article::author))]
    articles: i64,
    #[computed(sum(Article::author, words))]
    words: i64,
    #[hidden]
    password: Hidden<String>,
    #[hidden]
    pin: Hidden<i32>,
    #[created_at]
    created: DateTime,
}

/// A holder of copies, a child, and the end of a link.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    author_name: String,
    words: i64,
    #[relation(many_to_many, two_way, max = 3, inverse = articles)]
    topics: Vec<Ref<Topic>>,
    #[hidden]
    draft: Hidden<String>,
    #[hidden]
    price: Hidden<i32>,
    #[hidden]
    remark: Hidden<Option<String>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "topics")]
struct Topic {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(many_to_many, two_way, of = Article::topics, max = 5)]
    articles: Vec<Ref<Article>>,
    #[hidden]
    code: Hidden<String>,
}

fn author(id: i64) -> Author {
    Author {
        id,
        name: format!("Author {id}"),
        slug: String::new(),
        articles: 0,
        words: 0,
        password: SECRET.to_owned().into(),
        pin: 1234.into(),
        created: DateTime::from_millis(0),
    }
}

fn article(id: i64) -> Article {
    Article {
        id,
        author: Ref::new(1),
        author_name: String::new(),
        words: 10,
        topics: vec![Ref::new(1)],
        draft: SECRET.to_owned().into(),
        price: 77.into(),
        remark: Some(SECRET.to_owned()).into(),
    }
}

async fn start() -> (Database, CommandLog) {
    let (db, log) = database_with_replies().await;
    let schema = schema![Author, Article, Topic];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Author::insert_many(&db, [author(1), author(2)]).await.unwrap();
    let topics = [1, 2].map(|id| Topic { id, articles: Vec::new(), code: SECRET.to_owned().into() });
    Topic::insert_many(&db, topics).await.unwrap();
    Article::insert(&db, &article(1)).await.unwrap();
    Article::create(&db, &mut article(2)).await.unwrap();
    Article::bulk().insert(&article(3)).execute(&db).await.unwrap().complete().unwrap();
    finish_writes(&db).await;
    assert_silent(&log);
    (db, log)
}

async fn stored(db: &Database, collection: &str, id: i64) -> Document {
    db.collection(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

/// Asserts that each hidden value is stored, and that all derived data are right.
async fn assert_right(db: &Database) {
    finish_writes(db).await;
    for id in [1, 2] {
        let author = stored(db, "authors", id).await;
        assert_eq!(
            (author.get_str("password").ok(), author.get_i32("pin").ok()),
            (Some(SECRET), Some(1234)),
            "{author}"
        );
    }
    for id in [1, 2, 3] {
        let article = stored(db, "articles", id).await;
        assert_eq!(
            (article.get_str("draft").ok(), article.get_i32("price").ok(), article.get_str("remark").ok()),
            (Some(SECRET), Some(77), Some(SECRET)),
            "{article}"
        );
    }
    let report = schema![Author, Article, Topic].verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn a_source_and_parent_keeps_hidden_values() {
    let (db, log) = start().await;
    let mut read = Author::get_by_id(&db, 1).await.unwrap();
    assert_eq!((read.articles, read.words, read.password.is_loaded()), (3, 30, false));
    read.name = "Ada".into();
    Author::replace(&db, &read).await.unwrap();
    assert_silent(&log);
    assert_eq!(stored(&db, "articles", 2).await.get_str("author_name").ok(), Some("Ada"));
    log.clear();
    let mut read = Author::get_by_id(&db, 1).await.unwrap();
    assert_eq!(&*read.slug, "ada");
    read.name = "Eve".into();
    Author::save(&db, &mut read).await.unwrap();
    assert_eq!((&*read.slug, read.password.is_loaded()), ("eve", false));
    read.name = "Ida".into();
    Author::upsert(&db, &read).await.unwrap();
    read.name = "Ann".into();
    Author::upsert_many(&db, [&read]).await.unwrap();
    read.name = "Bea".into();
    Author::bulk().replace(&read).execute(&db).await.unwrap().complete().unwrap();
    let after = Author::update_by_id(1).set(Author::F.name, "Cleo").fetch_after(&db).await.unwrap();
    assert_eq!((&*after.name, after.password.is_loaded()), ("Cleo", false));
    let before = Author::find_one_and_update(Author::F.id.eq(1)).set(Author::F.name, "Dea").fetch_before(&db).await;
    assert_eq!(before.unwrap().unwrap(), after);
    finish_writes(&db).await;
    assert_silent(&log);
    assert_eq!(stored(&db, "articles", 3).await.get_str("author_name").ok(), Some("Dea"));
    assert_right(&db).await;
}

#[tokio::test]
async fn a_holder_and_child_keeps_hidden_values() {
    let (db, log) = start().await;
    let mut read = Article::get_by_id(&db, 1).await.unwrap();
    assert!(!read.draft.is_loaded() && !read.price.is_loaded() && !read.remark.is_loaded());
    (read.author, read.words, read.topics) = (Ref::new(2), 11, vec![Ref::new(2)]);
    Article::replace(&db, &read).await.unwrap();
    read.words = 12;
    Article::save(&db, &mut read).await.unwrap();
    assert_eq!((&*read.author_name, read.draft.is_loaded()), ("Author 2", false));
    read.author = Ref::new(1);
    Article::upsert(&db, &read).await.unwrap();
    read.words = 13;
    Article::upsert_many(&db, [&read]).await.unwrap();
    read.words = 14;
    Article::bulk().replace(&read).execute(&db).await.unwrap().complete().unwrap();
    let after = Article::update_by_id(1).set(Article::F.words, 15).fetch_after(&db).await.unwrap();
    assert!(!after.draft.is_loaded());
    Article::update_by_id(1).set(Article::F.words, 16).set(Article::F.price, 77).execute(&db).await.unwrap();
    let named = Article::update_by_id(1).set(Article::F.author, Ref::new(2)).reveal(Article::F.price);
    assert_eq!(named.fetch_before(&db).await.unwrap().price, 77.into());
    Article::TOPICS.link(&db, 1, 1).await.unwrap();
    Article::TOPICS.unlink(&db, 1, 2).await.unwrap();
    Topic::ARTICLES.set(&db, 2, [2_i64, 3]).await.unwrap();
    Article::AUTHOR.reassign(&db, 2, 2).await.unwrap();
    finish_writes(&db).await;
    assert_silent(&log);
    assert_right(&db).await;
}

/// An upsert by an update that returns the document before the upsert.
#[tokio::test]
async fn a_returned_document_of_an_upsert_leaves_hidden_fields_out() {
    let (db, log) = start().await;
    let upsert = Article::find_one_and_update(Article::F.id.eq(1)).set(Article::F.words, 99).upsert();
    let before = upsert.clone().fetch_before(&db).await.unwrap().unwrap();
    assert!(!before.draft.is_loaded());
    let before = upsert.reveal(Article::F.draft).fetch_before(&db).await.unwrap().unwrap();
    assert_eq!(before.draft.get().map(String::as_str), Some(SECRET));
    log.clear();
    assert_right(&db).await;
}

#[tokio::test]
async fn maintenance_needs_no_hidden_value() {
    let (db, log) = start().await;
    let raw = |name: &str| db.collection::<Document>(name);
    raw("articles").update_many(doc! {}, doc! { "$set": { "author_name": "wrong" } }).await.unwrap();
    raw("authors").update_many(doc! {}, doc! { "$set": { "words": 5_i64, "slug": "wrong" } }).await.unwrap_err();
    raw("authors").update_many(doc! {}, doc! { "$set": { "words": 5_i64 } }).await.unwrap();
    let schema = schema![Author, Article, Topic];
    assert!(!schema.verify(&db).await.unwrap().is_clean());
    schema.repair(&db, &Throttle::default()).await.unwrap();
    schema.recover(&db, &Throttle::default()).await.unwrap();
    for id in [1, 2] {
        Author::recompute(&db, id).await.unwrap();
    }
    assert_silent(&log);
    assert_right(&db).await;
}
