//! Declared queries: a method for each query, the index that serves the query, and the read fields.

mod checked;
mod combinations;
mod edges;
mod partial;
mod silenced;

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{assert_indexed, prelude::*};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
#[query(by_slug(slug), one)]
#[query(of_author(author), order = desc(published), limit = 3, per_day = 20_000)]
#[query(tagged(contains(tags)), order = desc(published), page = 2, select = Card)]
#[query(in_states(is_in(state), author))]
#[query(due(between(due)), order = asc(due))]
#[query(written_in(address.city as String, gte(stars)))]
#[query(titled(starts_with(title)))]
#[query(everything)]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    slug: String,
    title: String,
    author: Ref<Author>,
    #[serde(rename = "publishedAt")]
    published: i64,
    due: Option<i64>,
    state: State,
    stars: i32,
    address: Address,
    #[bound(max_items = 10, max_len = 20)]
    tags: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    #[serde(rename = "town")]
    city: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum State {
    Draft,
    Public,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Article)]
struct Card {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
}

fn article(id: i64) -> Article {
    Article {
        id,
        slug: format!("article-{id}"),
        title: format!("title {}", id % 7),
        author: Ref::new(id % 3),
        published: 1_000 - id,
        due: (id % 4 > 0).then_some(id),
        state: if id % 2 == 0 { State::Draft } else { State::Public },
        stars: (id % 5) as i32,
        address: Address { city: if id % 3 == 0 { "Oslo".into() } else { "Rome".into() } },
        tags: vec![format!("tag{}", id % 2), "all".into()],
    }
}

async fn prepared(db: &Database) -> Vec<Article> {
    let schema = schema![Article, Author];
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let all: Vec<Article> = (0..60).map(article).collect();
    Article::insert_many(db, &all).await.unwrap();
    all
}

async fn keys(db: &Database, collection: &str) -> Vec<Document> {
    let mut indexes = db.collection::<Document>(collection).list_indexes().await.unwrap();
    let mut keys = Vec::new();
    while indexes.advance().await.unwrap() {
        keys.push(indexes.deserialize_current().unwrap().keys);
    }
    keys
}

#[tokio::test]
async fn each_brings_the_index_that_a_careful_person_would_create() {
    let db = database().await;
    prepared(&db).await;
    let expected = [
        doc! { "_id": 1 },
        doc! { "slug": 1 },
        doc! { "author": 1, "publishedAt": -1 },
        doc! { "tags": 1, "publishedAt": -1, "_id": -1 },
        doc! { "author": 1, "state": 1 },
        doc! { "due": 1 },
        doc! { "address.town": 1, "stars": 1 },
        doc! { "title": 1 },
    ];
    assert_eq!(keys(&db, "articles").await, expected);
}

#[tokio::test]
async fn each_reads_what_it_says_and_an_index_serves_it() {
    let db = database().await;
    let all = prepared(&db).await;
    let ids = |articles: Vec<Article>| articles.into_iter().map(|article| article.id).collect::<Vec<_>>();
    let those = |is: fn(&Article) -> bool| {
        all.iter().filter(|article| is(article)).map(|article| article.id).collect::<Vec<_>>()
    };

    let by_slug = Article::by_slug("article-7");
    assert_indexed(&by_slug, &db).await;
    assert_eq!(by_slug.fetch_one(&db).await.unwrap(), all[7]);

    let author = Author { id: 1, name: "Ann".into() };
    for of_author in [Article::of_author(&author), Article::of_author(1_i64), Article::of_author(Ref::new(1))] {
        assert_indexed(&of_author, &db).await;
        assert_eq!(ids(of_author.fetch_all(&db).await.unwrap()), [1, 4, 7]);
    }

    let drafts = Article::in_states([State::Draft], &author);
    assert_indexed(&drafts, &db).await;
    assert_eq!(ids(drafts.fetch_all(&db).await.unwrap()), those(|article| article.id % 3 == 1 && article.id % 2 == 0));

    let due = Article::due(10..20);
    assert_indexed(&due, &db).await;
    assert_eq!(ids(due.fetch_all(&db).await.unwrap()), [10, 11, 13, 14, 15, 17, 18, 19]);

    let written = Article::written_in("Oslo", 4);
    assert_indexed(&written, &db).await;
    assert_eq!(ids(written.fetch_all(&db).await.unwrap()), those(|article| article.id % 3 == 0 && article.id % 5 == 4));

    let titled = Article::titled("title 3");
    assert_indexed(&titled, &db).await;
    assert_eq!(titled.count(&db).await.unwrap(), 9);
    assert_eq!(Article::everything().count(&db).await.unwrap(), 60);
}

/// A declared query offers all features of a read: further conditions, a projection, pages, a stream, a count.
#[tokio::test]
async fn a_declared_query_is_a_read_like_others() {
    let db = database().await;
    prepared(&db).await;
    let first = Article::tagged("tag1").fetch(&db).await.unwrap();
    assert_eq!(first.items.iter().map(|card| card.id).collect::<Vec<_>>(), [1, 3]);
    assert_indexed(&Article::tagged("tag1"), &db).await;
    let second = Article::tagged("tag1").after(first.next.as_ref()).fetch(&db).await.unwrap();
    assert_eq!(second.items, [Card { id: 5, title: "title 5".into() }, Card { id: 7, title: "title 0".into() }]);
    let filtered = Article::tagged("tag1").filter(Article::F.stars.eq(4)).after(None).fetch(&db).await.unwrap();
    assert_eq!(filtered.items.iter().map(|card| card.id).collect::<Vec<_>>(), [9, 19]);
    assert_eq!(Article::tagged("tag1").into_find().count(&db).await.unwrap(), 30);

    let of_author =
        Article::of_author(1_i64).filter(Article::F.stars.gte(2)).select::<Card>().fetch_all(&db).await.unwrap();
    assert_eq!(of_author.iter().map(|card| card.id).collect::<Vec<_>>(), [4, 7, 13]);
    let mut stream = Article::due(..5).stream(&db).await.unwrap();
    let mut ids = Vec::new();
    while let Some(article) = futures_util::StreamExt::next(&mut stream).await {
        ids.push(article.unwrap().id);
    }
    assert_eq!(ids, [1, 2, 3]);
}

/// The query is a single `find` with exactly the contents of the attribute.
#[tokio::test]
async fn one_command_is_sent() {
    let (db, log) = database_with_log().await;
    prepared(&db).await;
    log.clear();
    Article::of_author(1_i64).fetch_all(&db).await.unwrap();
    let finds = log.named("find");
    let [find] = finds.as_slice() else { panic!("{finds:?}") };
    assert_eq!(find.get_document("filter").unwrap(), &doc! { "author": 1_i64 });
    assert_eq!(find.get_document("sort").unwrap(), &doc! { "publishedAt": -1 });
    assert_eq!(find.get_i64("limit").unwrap(), 3);
}

/// A value with any contents stays a value.
#[tokio::test]
async fn a_value_never_becomes_an_operator() {
    let db = database().await;
    prepared(&db).await;
    for text in ["{\"$ne\": null}", "$where", ".*", "^title"] {
        assert_eq!(Article::titled(text).count(&db).await.unwrap(), 0, "{text}");
        assert!(Article::by_slug(text).fetch_optional(&db).await.unwrap().is_none(), "{text}");
    }
}

#[test]
fn the_definition_says_what_was_declared() {
    use schema_runtime::definition::{ConditionOperator, QuerySize};
    let queries = Article::DEFINITION.queries;
    let tagged = &queries[2];
    assert_eq!((tagged.name, tagged.size, tagged.per_day), ("tagged", QuerySize::Page(2), None));
    assert_eq!(
        (tagged.conditions[0].path, tagged.conditions[0].operator),
        (&["tags"][..], ConditionOperator::Contains)
    );
    assert_eq!(tagged.select.map(|fields| fields.len()), Some(2));
    assert_eq!((queries[1].per_day, queries[1].size), (Some(20_000), QuerySize::Limit(3)));
    assert_eq!(queries[0].size, QuerySize::First);
    assert_eq!(Author::DEFINITION.queries.len(), 0);
}
