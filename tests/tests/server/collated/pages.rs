//! Pages of the children of a parent, where the children are in a collection with a collation.

use schema_runtime::Error;
use schema_tests::database;

use super::*;

/// A parent whose `_id` is a number: the order of the children inherits the collation of their collection.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "shelves")]
#[inverse(books = Book::shelf)]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "books", collation(locale = "en", strength = 2))]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[relation(one_to_many, parent_ref, inverse = books, order = asc(title))]
    shelf: Ref<Shelf>,
}

/// The same collections under another collation, and without a collation.
mod other {
    use super::*;

    #[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
    #[model(collection = "shelves")]
    #[inverse(books = Swedish::shelf)]
    pub(super) struct Shelf {
        #[serde(rename = "_id")]
        pub(super) id: i64,
    }

    #[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
    #[model(collection = "books", collation(locale = "sv", strength = 2))]
    pub(super) struct Swedish {
        #[serde(rename = "_id")]
        id: i64,
        title: String,
        #[relation(one_to_many, parent_ref, inverse = books, order = asc(title))]
        shelf: Ref<Shelf>,
    }
}

mod plain {
    use super::*;

    #[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
    #[model(collection = "shelves")]
    #[inverse(books = Bytes::shelf)]
    pub(super) struct Shelf {
        #[serde(rename = "_id")]
        pub(super) id: i64,
    }

    #[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
    #[model(collection = "books")]
    pub(super) struct Bytes {
        #[serde(rename = "_id")]
        id: i64,
        title: String,
        #[relation(one_to_many, parent_ref, inverse = books, order = asc(title))]
        shelf: Ref<Shelf>,
    }
}

#[tokio::test]
async fn a_token_of_children_under_another_collation_is_refused() {
    let db = database().await;
    applied(schema![Shelf, Book], &db).await;
    let shelf = Shelf { id: 1 };
    Shelf::insert(&db, &shelf).await.expect("inserted");
    for (id, title) in [(1, "b"), (2, "A"), (3, "a"), (4, "B")] {
        let title = title.to_owned();
        Book::insert(&db, &Book { id, title, shelf: Ref::new(1) }).await.expect("inserted");
    }
    let pages = || shelf.books().paginate(2);
    let first = pages().fetch(&db).await.expect("a page");
    let next = first.next.expect("a further page");
    let second = pages().after(&next).fetch(&db).await.expect("a page");
    let ids = [first.items, second.items].map(|page| page.iter().map(|book| book.id).collect::<Vec<_>>());
    assert_eq!(ids, [vec![2, 3], vec![1, 4]]);

    let swedish = other::Shelf { id: 1 };
    let plain = plain::Shelf { id: 1 };
    let refused = swedish.books().paginate(2).after(&next).fetch(&db).await;
    assert!(matches!(refused, Err(Error::PageToken { .. })), "{refused:?}");
    let refused = plain.books().paginate(2).after(&next).fetch(&db).await;
    assert!(matches!(refused, Err(Error::PageToken { .. })), "{refused:?}");
    let of_plain = plain.books().paginate(2).fetch(&db).await.expect("a page").next.expect("a further page");
    let refused = pages().after(&of_plain).fetch(&db).await;
    assert!(matches!(refused, Err(Error::PageToken { .. })), "{refused:?}");
}
