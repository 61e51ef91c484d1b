//! The code of a careful user of the driver: typed collections, a batch size that brings all documents in a single
//! reply, a cursor that decodes from its own buffer, and children put back into the order of the array, with repeats.

use std::collections::{HashMap, HashSet};

use futures_util::{StreamExt, TryStreamExt, stream};
use mongodb::{
    Collection, Cursor,
    bson::{Document, doc},
};
use schema_runtime::prelude::*;
use serde::de::DeserializeOwned;

use crate::{
    data::{BY_HAND, DRAFTS, Data, LATEST},
    models::{Article, ArticleCard, ArticleSearch, Line, Message, Part, Product, checksum},
};

/// The number of ids in a command of the batched join, and the number of concurrent commands.
const CHUNK: usize = 1_000;
const IN_FLIGHT: usize = 4;

type Result<T> = mongodb::error::Result<T>;

pub(crate) async fn join(data: &Data) -> u64 {
    let product = &data.products[0];
    let ids = distinct(std::slice::from_ref(product));
    let parts = by_id(find_parts(data.db.collection("parts"), ids).await.expect("parts"));
    in_order(std::slice::from_ref(product), &parts)
}

/// Chunks in flight, each on its own task.
pub(crate) async fn batched(data: &Data) -> u64 {
    let ids = distinct(&data.products);
    let collection: Collection<Part> = data.db.collection("parts");
    let chunks: Vec<Vec<ObjectId>> = ids.chunks(CHUNK).map(<[ObjectId]>::to_vec).collect();
    let tasks = stream::iter(chunks).map(|chunk| {
        let read = find_parts(collection.clone(), chunk);
        async move { tokio::spawn(read).await.expect("a task") }
    });
    let chunks: Vec<Vec<Part>> = tasks.buffer_unordered(IN_FLIGHT).try_collect().await.expect("parts");
    let mut parts = HashMap::with_capacity(ids.len());
    parts.extend(chunks.into_iter().flatten().map(|part| (part.id, part)));
    in_order(&data.products, &parts)
}

pub(crate) async fn batched_one_in(data: &Data) -> u64 {
    let ids = distinct(&data.products);
    let parts = by_id(find_parts(data.db.collection("parts"), ids).await.expect("parts"));
    in_order(&data.products, &parts)
}

/// The `_id` of a product, and a part of the product.
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "_id")]
    product: ObjectId,
    part: Part,
}

pub(crate) async fn batched_lookup(data: &Data) -> u64 {
    lookup(data, data.products.len()).await
}

/// Joins the first products, held by the application, with their parts, on the server.
pub(crate) async fn lookup(data: &Data, products: usize) -> u64 {
    let products = &data.products[..products];
    let ids: Vec<ObjectId> = products.iter().map(|product| product.id).collect();
    let pipeline = [
        doc! { "$match": { "_id": { "$in": ids } } },
        doc! { "$lookup": { "from": "parts", "localField": "parts", "foreignField": "_id", "as": "part" } },
        doc! { "$unwind": "$part" },
        doc! { "$project": { "part": 1 } },
    ];
    let collection: Collection<Product> = data.db.collection("products");
    let cursor = collection.aggregate(pipeline).batch_size(i32::MAX as u32).with_type::<Row>().await.expect("rows");
    let rows = collect(cursor, 0).await.expect("rows");
    // The server drops the order and the repeats.
    let mut parts: HashMap<ObjectId, HashMap<ObjectId, Part>> = HashMap::new();
    for Row { product, part } in rows {
        parts.entry(product).or_default().insert(part.id, part);
    }
    let found = products.iter().flat_map(|product| {
        let parts = &parts[&product.id];
        product.parts.iter().filter_map(|part| parts.get(part.id()))
    });
    checksum(found.map(|part| part.qty.into()))
}

pub(crate) async fn latest(data: &Data) -> u64 {
    let messages: Collection<Message> = data.db.collection("messages");
    let find = messages
        .find(doc! { "host": data.host.id })
        .sort(doc! { "time": -1, "_id": -1 })
        .limit(LATEST.into())
        .batch_size(LATEST + 1);
    let messages = collect(find.await.expect("messages"), LATEST as usize).await.expect("messages");
    checksum(messages.iter().map(|message| message.time.timestamp_millis()))
}

pub(crate) async fn insert(data: &Data) -> u64 {
    let articles: Collection<Article> = data.drafts.collection("articles");
    articles.insert_many(&data.articles[..DRAFTS]).await.expect("an insert").inserted_ids.len() as u64
}

pub(crate) async fn decode(data: &Data) -> u64 {
    let articles: Collection<Article> = data.db.collection("articles");
    let cursor = articles.find(doc! {}).batch_size(1_000_000).await.expect("articles");
    let articles = collect(cursor, 0).await.expect("articles");
    checksum(articles.iter().map(|article| article.views))
}

pub(crate) async fn decode_stream(data: &Data) -> u64 {
    let articles: Collection<Article> = data.db.collection("articles");
    let mut cursor = articles.find(doc! {}).batch_size(1_000).await.expect("articles");
    let mut views = Vec::new();
    while cursor.advance().await.expect("an article") {
        views.push(cursor.deserialize_current().expect("a document that fits").views);
    }
    checksum(views.into_iter())
}

/// Inserts by three commands: find the parent, insert the child, push and count.
pub(crate) async fn kept(data: &Data, writers: usize) -> u64 {
    let services: Collection<Document> = data.db.collection(&format!("{BY_HAND}services"));
    let lines: Collection<Line> = data.db.collection(&format!("{BY_HAND}lines"));
    let write = async || {
        for _ in 0..80 / writers {
            let found = services.find_one(doc! { "_id": data.service }).projection(doc! { "_id": 1 }).await;
            let service = found.expect("a read").expect("the service").get_object_id("_id").expect("its id");
            let line = Line::now(service);
            lines.insert_one(&line).await.expect("an insert");
            let recent = doc! { "_id": line.id, "time": line.time, "message": line.message };
            let push = doc! { "$each": [recent], "$sort": { "time": -1, "_id": -1 }, "$slice": 1_000 };
            let update = doc! { "$push": { "recent": push }, "$inc": { "lines": 1_i64 } };
            services.update_one(doc! { "_id": service }, update).await.expect("an update");
        }
    };
    futures_util::future::join_all((0..writers).map(|_| write())).await;
    80
}

/// Adds to numbers of documents, without a guard.
pub(crate) async fn plain(data: &Data) -> u64 {
    for part in &data.products[0].parts[..200] {
        increment(data.db.collection(Part::DEFINITION.collection), doc! { "_id": part.id() }, "qty").await;
    }
    200
}

/// Adds to numbers of documents, each with the guard of the range of the type.
pub(crate) async fn guarded(data: &Data) -> u64 {
    for part in &data.products[0].parts[..200] {
        let filter = doc! { "_id": part.id(), "qty": { "$lte": i32::MAX - 1 } };
        increment(data.db.collection(Part::DEFINITION.collection), filter, "qty").await;
    }
    200
}

/// Adds to numbers whose type needs no guard.
pub(crate) async fn incremented(data: &Data) -> u64 {
    for article in &data.articles[..200] {
        increment(data.db.collection(Article::DEFINITION.collection), doc! { "_id": article.id }, "views").await;
    }
    200
}

async fn increment(collection: Collection<Document>, filter: Document, field: &str) {
    let updated = collection.update_one(filter, doc! { "$inc": { field: 1 } }).await.expect("an update");
    assert_eq!(updated.matched_count, 1);
}

/// Reads documents one by one.
pub(crate) async fn one_by_one(data: &Data) -> u64 {
    let parts: Collection<Part> = data.db.collection(Part::DEFINITION.collection);
    let mut numbers = Vec::new();
    for part in &data.products[0].parts[..200] {
        let part = parts.find_one(doc! { "_id": part.id() }).await.expect("a read").expect("a part");
        numbers.push(part.qty.into());
    }
    checksum(numbers.into_iter())
}

async fn find_parts(collection: Collection<Part>, ids: Vec<ObjectId>) -> Result<Vec<Part>> {
    // The batch is larger by 1 than the number of documents: otherwise, the server keeps the cursor open for an empty
    // reply.
    let (count, batch_size) = (ids.len(), ids.len() as u32 + 1);
    collect(collection.find(doc! { "_id": { "$in": ids } }).batch_size(batch_size).await?, count).await
}

async fn collect<T: DeserializeOwned>(mut cursor: Cursor<T>, count: usize) -> Result<Vec<T>> {
    let mut documents = Vec::with_capacity(count);
    while cursor.advance().await? {
        documents.push(cursor.deserialize_current()?);
    }
    Ok(documents)
}

fn distinct(products: &[Product]) -> Vec<ObjectId> {
    let ids: HashSet<ObjectId> = products.iter().flat_map(|product| &product.parts).map(|part| *part.id()).collect();
    ids.into_iter().collect()
}

fn by_id(parts: Vec<Part>) -> HashMap<ObjectId, Part> {
    parts.into_iter().map(|part| (part.id, part)).collect()
}

fn in_order(products: &[Product], parts: &HashMap<ObjectId, Part>) -> u64 {
    let found = products.iter().flat_map(|product| &product.parts).filter_map(|part| parts.get(part.id()));
    checksum(found.map(|part| part.qty.into()))
}

/// Reads facets by one `$facet` that a user writes.
pub(crate) async fn facets(data: &Data) -> u64 {
    #[derive(Deserialize)]
    struct Totals {
        total: i64,
        views: i64,
    }

    #[derive(Deserialize)]
    struct Search {
        found: Vec<ArticleCard>,
        subtitles: Vec<FacetCount<Option<String>>>,
        tags: Vec<FacetCount<String>>,
        scores: Vec<FacetCount<f64>>,
        totals: Vec<Totals>,
    }

    let counted = || {
        [
            doc! { "$sort": { "count": -1, "_id": 1 } },
            doc! { "$limit": 20 },
            doc! { "$project": { "_id": 0, "value": "$_id", "count": 1 } },
        ]
    };
    let mut subtitles = vec![doc! { "$group": { "_id": { "$ifNull": ["$subtitle", null] }, "count": { "$sum": 1 } } }];
    subtitles.extend(counted());
    let mut tags = vec![doc! { "$unwind": "$tags" }, doc! { "$group": { "_id": "$tags", "count": { "$sum": 1 } } }];
    tags.extend(counted());
    let buckets =
        doc! { "groupBy": "$score", "boundaries": [0.0, 10.0, 100.0, 1_000.0, f64::INFINITY], "default": null };
    let facets = doc! { "$facet": {
        "found": [
            { "$sort": { "views": -1, "_id": -1 } },
            { "$limit": 20 },
            { "$project": { "title": 1, "views": 1 } },
        ],
        "subtitles": subtitles,
        "tags": tags,
        "scores": [{ "$bucket": buckets }, { "$project": { "_id": 0, "value": "$_id", "count": 1 } }],
        "totals": [{ "$group": { "_id": null, "total": { "$sum": 1 }, "views": { "$sum": "$views" } } }],
    } };
    let articles = data.db.collection::<Document>("articles");
    let mut rows = articles.aggregate([facets]).with_type::<Search>().await.expect("facets");
    let search = rows.try_next().await.expect("a reply").expect("a row");
    let (found, subtitles, tags, scores) = (search.found, search.subtitles, search.tags, search.scores);
    let Totals { total, views } = search.totals[0];
    ArticleSearch { found, subtitles, tags, scores, total, views }.checksum()
}
