//! Immutable fields of models with derived data.

use schema_runtime::finish_writes;

use super::*;

/// A source of copies, a parent with rollups, with a slug.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
#[inverse(articles = Article::author)]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[immutable]
    #[copied_to(Article::author_name, fan_out = 400)]
    name: String,
    #[slug(from = name, max_len = 24)]
    slug: String,
    #[computed(count(Article::author))]
    articles: i64,
    #[created_at]
    created: DateTime,
}

/// A holder of copies, and a child.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[immutable]
    #[relation(one_to_many, parent_ref)]
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    author_name: String,
    #[immutable]
    words: i64,
    text: String,
}

fn author(id: i64) -> Author {
    let created = DateTime::from_millis(0);
    Author { id, name: format!("Author {id}"), slug: String::new(), articles: 0, created }
}

fn article(id: i64) -> Article {
    Article { id, author: Ref::new(1), author_name: String::new(), words: 10, text: "long".into() }
}

async fn start() -> Database {
    let (db, _) = database_with_log().await;
    schema![Author, Article].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Author::insert_many(&db, [author(1), author(2)]).await.unwrap();
    Article::insert(&db, &article(1)).await.unwrap();
    Article::bulk().insert(&article(2)).insert(&article(3)).execute(&db).await.unwrap().complete().unwrap();
    finish_writes(&db).await;
    db
}

async fn assert_right(db: &Database) {
    finish_writes(db).await;
    let report = schema![Author, Article].verify(db).await.unwrap();
    assert!(report.findings().is_empty(), "{report}");
    for id in [1, 2, 3] {
        let stored = Article::get_by_id(db, id).await.unwrap();
        assert_eq!((stored.author, stored.author_name.as_str(), stored.words), (Ref::new(1), "Author 1", 10));
    }
    assert_eq!(Author::get_by_id(db, 1).await.unwrap().articles, 3);
}

#[tokio::test]
async fn a_child_and_holder_keeps_the_values() {
    let db = start().await;
    for (field, other) in
        [("author", Article { author: Ref::new(2), ..article(1) }), ("words", Article { words: 11, ..article(1) })]
    {
        assert_refused(Article::replace(&db, &other).await, field);
        assert_refused(Article::save(&db, &mut other.clone()).await, field);
        assert_refused(Article::upsert(&db, &other).await, field);
        assert_refused(Article::upsert_many(&db, [&other]).await, field);
        let report = Article::bulk().unordered().replace(&article(2)).replace(&other).execute(&db).await.unwrap();
        assert_refused(report.complete(), field);
        assert_right(&db).await;
    }
    let mut same = Article { text: "short".into(), ..article(1) };
    Article::save(&db, &mut same).await.unwrap();
    Article::replace(&db, &Article { text: "new".into(), ..article(2) }).await.unwrap();
    assert_right(&db).await;
    assert_eq!(stored(&db, "articles", 1).await.get_str("text").ok(), Some("short"));
    assert_eq!(stored(&db, "articles", 2).await.get_str("text").ok(), Some("new"));
}

#[tokio::test]
async fn a_source_and_parent_keeps_the_values() {
    let db = start().await;
    let read = Author::get_by_id(&db, 1).await.unwrap();
    let other = Author { name: "Other".into(), ..read.clone() };
    assert_refused(Author::replace(&db, &other).await, "name");
    assert_refused(Author::save(&db, &mut other.clone()).await, "name");
    assert_refused(Author::upsert(&db, &other).await, "name");
    let report = Author::bulk().replace(&other).execute(&db).await.unwrap();
    assert_refused(report.complete(), "name");
    Author::save(&db, &mut read.clone()).await.unwrap();
    assert_eq!(Author::get_by_id(&db, 1).await.unwrap(), read);
    assert_right(&db).await;
    let new = Author { id: 5, ..author(5) };
    Author::upsert(&db, &new).await.unwrap();
    assert_eq!(Author::get_by_id(&db, 5).await.unwrap().slug, "author-5");
}
