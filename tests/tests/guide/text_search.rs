//! Text search.

use schema_runtime::{TextSearch, field::SortKey, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[index(text(title, body), weights(title = 10))]
struct Article {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 100)]
    title: String,
    #[bound(max_len = 5_000)]
    body: String,
}
// ANCHOR_END: model

// ANCHOR: search
/// The best twenty articles with at least one of the words, the best first.
async fn search(db: &Database, typed_by_a_visitor: &str) -> Result<Vec<(i32, f64)>> {
    let found = Article::find(Filter::text(typed_by_a_visitor)).sort(SortKey::score()).limit(20);
    let found = found.with_score().fetch_all(db).await?;
    Ok(found.into_iter().map(|found| (found.document.id, found.score)).collect())
}
// ANCHOR_END: search

// ANCHOR: phrase
fn phrase() -> Filter<Article> {
    Filter::text(TextSearch::words("cake").phrase("with cream").without("sugar"))
}
// ANCHOR_END: phrase

#[tokio::test]
async fn the_title_counts_ten_times() -> Result<()> {
    let db = database(&schema![Article]).await;
    let articles =
        [(1, "Bread", "a cake with cream and sugar"), (2, "Cakes", "cakes with cream"), (3, "Tea", "no food")];
    let articles = articles.map(|(id, title, body)| Article { id, title: title.to_owned(), body: body.to_owned() });
    Article::insert_many(&db, &articles).await?;

    let found = search(&db, "cake").await?;
    assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [2, 1]);
    assert!(found[0].1 > found[1].1);
    assert!(search(&db, "\"").await?.is_empty(), "a text of a visitor is never syntax");
    let found = Article::find(phrase()).fetch_all(&db).await?;
    assert_eq!(found.iter().map(|article| article.id).collect::<Vec<_>>(), [2]);

    let read = Article::find(Filter::text("cake")).sort(SortKey::score()).limit(20);
    assert_shown("guides/text_search.md", &read.to_mongosh()?);
    assert_shown("guides/text_search.md", &Article::find(phrase()).to_mongosh()?);
    Ok(())
}
