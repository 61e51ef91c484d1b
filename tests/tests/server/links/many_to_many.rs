//! Many to many: the array of one side is the truth, and the array of the opposite side is the mirror.

use futures_util::future::join_all;
use mongodb::bson::doc;
use schema_runtime::{Error, prelude::*};
use schema_tests::{
    database, database_with_log,
    links::{Author, Book, assert_agree, author, book},
};

async fn authors(db: &Database, count: i64) {
    Author::insert_many(db, (1..=count).map(author)).await.unwrap();
}

async fn books_of(db: &Database, id: i64) -> Vec<i64> {
    let author = Author::get_by_id(db, id).await.unwrap();
    author.books.iter().map(|book| *book.id()).collect()
}

#[tokio::test]
async fn link_unlink_and_set() {
    let (db, log) = database_with_log().await;
    authors(&db, 4).await;
    Book::insert_many(&db, [book(1, &[1, 2]), book(2, &[])]).await.unwrap();
    log.clear();
    assert!(Book::AUTHORS.link(&db, 2, 1).await.unwrap());
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify", "update", "commitTransaction"]);
    assert!(!Book::AUTHORS.link(&db, 2, 1).await.unwrap());
    assert_eq!(books_of(&db, 1).await, [1, 2]);
    assert!(Author::BOOKS.link(&db, 3, 2).await.unwrap());
    assert!(Book::AUTHORS.unlink(&db, 1, 2).await.unwrap());
    assert!(!Book::AUTHORS.unlink(&db, 1, 2).await.unwrap());
    assert_agree(&db).await;
    assert!(Book::AUTHORS.set(&db, 2, [2_i64, 4]).await.unwrap());
    assert_eq!((books_of(&db, 1).await, books_of(&db, 2).await, books_of(&db, 3).await), (vec![1], vec![2], vec![]));
    assert!(Author::BOOKS.set(&db, 4, [1_i64]).await.unwrap());
    assert_agree(&db).await;
    let one = Book::get_by_id(&db, 1).await.unwrap();
    let names: Vec<String> =
        one.authors().fetch_all(&db).await.unwrap().complete().unwrap().into_iter().map(|author| author.name).collect();
    assert_eq!(names, ["author 1", "author 4"]);
}

#[tokio::test]
async fn every_write_keeps_the_other_end() {
    let db = database().await;
    authors(&db, 5).await;
    Book::insert_many(&db, (1..=4).map(|id| book(id, &[id]))).await.unwrap();
    Book::update_by_id(1).push(Book::F.authors, Ref::new(2_i64)).execute(&db).await.unwrap();
    Book::update_by_id(2).add_to_set(Book::F.authors, Ref::new(2_i64)).execute(&db).await.unwrap();
    Book::update_many(Book::F.id.gte(3)).push(Book::F.authors, Ref::new(5_i64)).execute(&db).await.unwrap();
    assert_agree(&db).await;
    assert_eq!((books_of(&db, 2).await, books_of(&db, 5).await), (vec![2, 1], vec![3, 4]));
    Book::update_many(Book::F.id.gt(0)).pull(Book::F.authors, Ref::new(5_i64)).execute(&db).await.unwrap();
    Book::update_by_id(1).raw(doc! { "$pop": { "authors": -1 } }).execute(&db).await.unwrap();
    Book::update_by_id(2).raw(doc! { "$set": { "authors.0": 3_i64 } }).execute(&db).await.unwrap();
    assert_agree(&db).await;
    assert_eq!((books_of(&db, 1).await, books_of(&db, 2).await, books_of(&db, 3).await), (vec![], vec![1], vec![3, 2]));
    Book::replace(&db, &book(1, &[4, 5])).await.unwrap();
    let bulk = Book::bulk()
        .insert(&book(8, &[1, 5]))
        .update(Book::update_by_id(8).push(Book::F.authors, Ref::new(2_i64)))
        .upsert(&book(9, &[3]))
        .delete_by_id(1);
    let _ = bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_agree(&db).await;
    assert_eq!((books_of(&db, 1).await, books_of(&db, 5).await), (vec![8], vec![8]));
}

#[tokio::test]
async fn both_bounds_are_exact_under_eight_writers() {
    let db = database().await;
    authors(&db, 3).await;
    Book::insert_many(&db, (1..=8).map(|id| book(id, &[]))).await.unwrap();
    let writer = async |at: i64| {
        for round in 0..6 {
            for author in 1..=3 {
                match Book::AUTHORS.link(&db, (at + round) % 8 + 1, author).await {
                    Ok(_) | Err(Error::BoundExceeded { .. }) => {}
                    other => panic!("{other:?}"),
                }
            }
            Book::AUTHORS.unlink(&db, at + 1, round % 3 + 1).await.unwrap();
        }
    };
    join_all((0..8).map(writer)).await;
    assert_agree(&db).await;
    for id in 1..=3 {
        for book in 1..=8 {
            match Book::AUTHORS.link(&db, book, id).await {
                Ok(_) | Err(Error::BoundExceeded { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(books_of(&db, id).await.len(), 5);
    }
    assert_agree(&db).await;
}
