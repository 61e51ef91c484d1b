//! Enums with data, together with the remaining features of a model.

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Teaser::media)]
    media: Media,
    #[history(keep = 2, order = desc(at))]
    log: Vec<Entry>,
    #[relation(one_to_few, embed, max = 4)]
    parts: Vec<Media>,
}

/// A film and a book at their bounds would not fit into a document together, and no value holds both.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", deny_unknown_fields)]
enum Media {
    Film {
        #[bound(max_len = 600_000)]
        script: String,
        #[bound(max_items = 10)]
        cast: Vec<String>,
    },
    Song(Song),
    Silence,
    Book {
        #[bound(max_len = 600_000)]
        text: String,
        #[bound(max_items = 30)]
        cast: Vec<String>,
    },
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Song {
    title: String,
    verses: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "did")]
enum Entry {
    Read { at: i64 },
    Wrote { at: i64, by: String },
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "teasers")]
struct Teaser {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    article: Ref<Article>,
    #[denormalize(from = article.media)]
    media: Media,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Article)]
struct ArticleMedia {
    media: Media,
}

fn song(verses: i32) -> Media {
    Media::Song(Song { title: "S".to_owned(), verses })
}

fn film(cast: usize) -> Media {
    Media::Film { script: String::new(), cast: vec!["A".to_owned(); cast] }
}

fn article(id: i64, media: Media) -> Article {
    Article { id, media, log: vec![], parts: vec![] }
}

async fn start() -> Database {
    let db = database().await;
    schema![Article, Teaser].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

#[tokio::test]
async fn a_variant_that_holds_a_struct_and_one_that_holds_nothing() {
    let db = start().await;
    Article::insert_many(&db, [article(1, song(3)), article(2, Media::Silence), article(3, film(1))]).await.unwrap();
    let stored = db.collection::<Document>("articles").find_one(doc! { "_id": 1_i64 }).await.unwrap().unwrap();
    assert_eq!(stored.get_document("media").unwrap(), &doc! { "type": "Song", "title": "S", "verses": 3 });
    let songs = Article::find(Article::F.media.song().verses.gte(3)).fetch_all(&db).await.unwrap();
    assert_eq!(songs, [article(1, song(3))]);
    let silent = Article::find(Article::F.media.is_silence()).fetch_all(&db).await.unwrap();
    assert_eq!(silent, [article(2, Media::Silence)]);
    let all =
        Article::find(Filter::all()).sort(Article::F.id.asc()).select::<ArticleMedia>().fetch_all(&db).await.unwrap();
    assert_eq!(all[2], ArticleMedia { media: film(1) });
}

#[tokio::test]
async fn a_copy_of_one_follows_a_change_of_its_variant() {
    let db = start().await;
    Article::insert(&db, &article(1, song(3))).await.unwrap();
    Teaser::insert(&db, &Teaser { id: 7, article: Ref::new(1), media: Media::Silence }).await.unwrap();
    assert_eq!(Teaser::get_by_id(&db, 7).await.unwrap().media, song(3));
    Article::update_by_id(1).set(Article::F.media.song().verses, 4).execute(&db).await.unwrap();
    assert_eq!(Teaser::get_by_id(&db, 7).await.unwrap().media, song(4));
    Article::update_by_id(1).set(Article::F.media, &film(2)).execute(&db).await.unwrap();
    assert_eq!(Teaser::get_by_id(&db, 7).await.unwrap().media, film(2));
    let of_another =
        Article::update_many(Filter::all()).set(Article::F.media.song().verses, 5).execute(&db).await.unwrap();
    assert_eq!(of_another.matched, 0);
    assert_eq!(Teaser::get_by_id(&db, 7).await.unwrap().media, film(2));
    assert!(schema![Article, Teaser].verify(&db).await.unwrap().is_clean());
}

#[tokio::test]
async fn a_history_of_entries_of_several_kinds() {
    let db = start().await;
    Article::insert(&db, &article(1, song(3))).await.unwrap();
    let wrote = |at| Entry::Wrote { at, by: "Ada".to_owned() };
    for entry in [Entry::Read { at: 1 }, wrote(3), Entry::Read { at: 2 }] {
        Article::update_by_id(1).record(Article::F.log, &entry).execute(&db).await.unwrap();
    }
    assert_eq!(Article::get_by_id(&db, 1).await.unwrap().log, [wrote(3), Entry::Read { at: 2 }]);
}

/// The cast of a film may have 10 members, the cast of a book 30: each variant is measured by its own bound.
#[tokio::test]
async fn arrays_near_their_bound_are_those_of_the_variant() {
    let db = start().await;
    let book = Media::Book { text: String::new(), cast: vec!["A".to_owned(); 12] };
    let parts = Article { parts: vec![film(5), book.clone()], ..article(2, book) };
    Article::insert_many(&db, [article(1, film(10)), parts]).await.unwrap();
    let report = schema![Article, Teaser].verify(&db).await.unwrap();
    let text = report.to_string();
    assert!(
        text.contains("Article.media.cast: 0 documents of `articles` over the bound of 10 elements, 1 within 10 %"),
        "{text}"
    );
    assert!(!text.contains("30") && !text.contains("parts"), "{text}");
}
