//! The code of a user of this crate.

use schema_runtime::prelude::*;

use crate::{
    data::{DRAFTS, Data, LATEST},
    models::{Article, ArticleSearch, Line, Part, Product, checksum},
};

pub(crate) async fn join(data: &Data) -> u64 {
    let parts = data.products[0].parts().fetch_all(&data.db).await.expect("a join");
    checksum(parts.iter().map(|part| part.qty.into()))
}

pub(crate) async fn batched(data: &Data) -> u64 {
    let parts = Product::PARTS.load(&data.db, &data.products).await.expect("a join");
    checksum(data.products.iter().flat_map(|product| parts.of(product).iter()).map(|part| part.qty.into()))
}

/// Joins the first products with their parts, on the server.
pub(crate) async fn lookup(data: &Data, products: usize) -> u64 {
    let ids = data.products[..products].iter().map(|product| product.id);
    let rows = Product::PARTS.lookup(Product::F.id.is_in(ids)).fetch_all(&data.db).await.expect("a join");
    checksum(rows.iter().flat_map(|(_, parts)| parts.iter()).map(|part| part.qty.into()))
}

pub(crate) async fn facets(data: &Data) -> u64 {
    Article::facets::<ArticleSearch>().fetch(&data.db).await.expect("facets").checksum()
}

pub(crate) async fn latest(data: &Data) -> u64 {
    let messages = data.host.messages().latest(LATEST).fetch_all(&data.db).await.expect("a join");
    checksum(messages.iter().map(|message| message.time.timestamp_millis()))
}

pub(crate) async fn insert(data: &Data) -> u64 {
    let articles = &data.articles[..DRAFTS];
    Article::insert_many(&data.drafts, articles).await.expect("an insert");
    articles.len() as u64
}

pub(crate) async fn decode(data: &Data) -> u64 {
    let articles = Article::find(Filter::all()).fetch_all(&data.db).await.expect("a read");
    checksum(articles.iter().map(|article| article.views))
}

pub(crate) async fn decode_stream(data: &Data) -> u64 {
    let mut articles = Article::find(Filter::all()).stream(&data.db).await.expect("a read");
    let mut views = Vec::new();
    while let Some(article) = articles.next().await {
        views.push(article.expect("a document that fits").views);
    }
    checksum(views.into_iter())
}

/// Inserts 80 lines of a service, by `writers` concurrent writers.
pub(crate) async fn kept(data: &Data, writers: usize) -> u64 {
    let write = async || {
        for _ in 0..80 / writers {
            Line::insert(&data.db, &Line::now(data.service)).await.expect("an insert");
        }
    };
    futures_util::future::join_all((0..writers).map(|_| write())).await;
    80
}

/// Adds to numbers of documents, each with the guard of the range of the type.
pub(crate) async fn guarded(data: &Data) -> u64 {
    for part in &data.products[0].parts[..200] {
        Part::update_by_id(part).inc(Part::F.qty, 1).execute(&data.db).await.expect("an update");
    }
    200
}

/// Adds to numbers whose type needs no guard.
pub(crate) async fn incremented(data: &Data) -> u64 {
    for article in &data.articles[..200] {
        Article::update_by_id(&article.id).inc(Article::F.views, 1).execute(&data.db).await.expect("an update");
    }
    200
}

/// Reads documents one by one, without options.
pub(crate) async fn one_by_one(data: &Data) -> u64 {
    let mut numbers = Vec::new();
    for part in &data.products[0].parts[..200] {
        numbers.push(Part::get_by_id(&data.db, part).await.expect("a read").qty.into());
    }
    checksum(numbers.into_iter())
}
