//! Queries with an index that only seems to serve the query, and queries that need less than their declaration says.

#![allow(clippy::duplicated_attributes, reason = "two queries may have the same words")]

use mongodb::bson::doc;
use schema_runtime::{assert_indexed, assert_queries_indexed, prelude::*};
use schema_tests::database;

use super::keys;

/// A note. The unique index holds no document without a slug: the beginning of the index serves no query.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
#[index(author, slug, unique)]
#[query(of_author(author))]
#[query(these(is_in(id)), order = desc(id))]
#[query(by_slugs(is_in(slug)), order = asc(slug))]
#[query(newest(author), order(desc(time), desc(id), asc(slug)))]
#[query(at_noon(time), order(asc(time), desc(slug)))]
#[query(filed(is_in(state)), order = desc(time), limit = 4)]
#[query(of_address(address.city as String, is_in(address.number as i32)))]
#[query(filed_as(state), order(asc(time), desc(state)), page = 5)]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    author: String,
    slug: Option<String>,
    time: i64,
    state: i32,
    #[relation(one_to_one, embed)]
    address: Address,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    number: i32,
}

async fn stored(db: &Database) {
    schema![Note].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let note = |id: i64| Note {
        id,
        author: format!("author {}", id % 4),
        slug: (id % 3 > 0).then(|| format!("slug {id}")),
        time: id % 10,
        state: (id % 300) as i32,
        address: Address { city: format!("city {}", id % 5), number: (id % 7) as i32 },
    };
    Note::insert_many(db, (0..1_200).map(note).collect::<Vec<_>>()).await.unwrap();
}

/// A member. The unique index and the sparse index leave documents out: the queries have further indexes with the same
/// keys.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "members")]
#[query(mailed(starts_with(email)), order = asc(email))]
#[query(called(phone))]
struct Member {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    email: Option<String>,
    #[index(sparse)]
    phone: Option<String>,
}

#[tokio::test]
async fn an_index_of_a_query_has_a_name_of_its_own_beside_one_of_the_same_keys() {
    let db = database().await;
    let schema = schema![Member];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let member = |id: i64| Member {
        id,
        email: (id % 2 == 0).then(|| format!("{id}@example.com")),
        phone: (id % 3 == 0).then(|| format!("{id}")),
    };
    Member::insert_many(&db, (0..300).map(member).collect::<Vec<_>>()).await.unwrap();
    let names = db.collection::<Member>("members").list_index_names().await.unwrap();
    assert_eq!(names, ["_id_", "email_1", "phone_1", "email_1_mailed", "phone_1_called"]);
    assert_queries_indexed(&schema, &db).await;
    let review = schema.review_on(&db).await.unwrap();
    assert_eq!(review.models[0].reads[0].index.as_deref(), Some("email_1_mailed"));
    assert!(schema.plan(&db).await.unwrap().is_empty());
}

#[tokio::test]
async fn each_has_the_keys_that_it_needs() {
    let db = database().await;
    stored(&db).await;
    let expected = [
        doc! { "_id": 1 },
        doc! { "author": 1, "slug": 1 },
        doc! { "slug": 1 },
        doc! { "author": 1, "time": -1, "_id": -1 },
        doc! { "time": 1, "slug": -1 },
        doc! { "address.city": 1, "address.number": 1 },
        doc! { "state": 1, "time": 1, "_id": 1 },
    ];
    assert_eq!(keys(&db, "notes").await, expected);
    assert_queries_indexed(&schema![Note], &db).await;
}

#[tokio::test]
async fn an_index_serves_what_is_without_a_slug() {
    let db = database().await;
    stored(&db).await;
    let of_author = Note::of_author("author 0");
    assert_indexed(&of_author, &db).await;
    assert_eq!(of_author.count(&db).await.unwrap(), 300);
    let ids: Vec<i64> = Note::these([5, 9, 7]).fetch_all(&db).await.unwrap().into_iter().map(|note| note.id).collect();
    assert_eq!(ids, [9, 7, 5]);
    let newest = Note::newest("author 1").limit(3);
    assert_indexed(&newest, &db).await;
    assert_eq!(
        newest.fetch_all(&db).await.unwrap().iter().map(|note| note.id).collect::<Vec<_>>(),
        [1_189, 1_169, 1_149]
    );

    let filed = Note::filed([3, 4, 299]);
    assert_indexed(&filed, &db).await;
    let times: Vec<i64> = filed.fetch_all(&db).await.unwrap().into_iter().map(|note| note.time).collect();
    assert_eq!(times, [9, 9, 9, 9]);
    assert_eq!(Note::of_address("city 2", [0, 1]).count(&db).await.unwrap(), 69);
}
