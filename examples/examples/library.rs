//! Authors, books and categories: a many-to-many relation with references on both sides, and a many-to-many relation
//! with references on one side. A book has few categories, a category has any number of books; an index reads both
//! sides.
//!
//! `cargo run --example library` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_library`, and first empties the collections of the example.

use schema_examples::table;
use schema_runtime::{assert_indexed, assert_queries_indexed, bson::Document, local, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
#[query(titled(starts_with(title)), order = asc(title), page = 50, per_day = 10_000)]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    authors: Vec<Ref<Author>>,
    #[relation(many_to_many, one_way, max = 3, inverse = books, order = asc(title))]
    categories: Vec<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[relation(many_to_many, two_way, of = Book::authors, max = 500)]
    books: Vec<Ref<Book>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[inverse(books = Book::categories, at_most = 500_000, on_delete = pull)]
struct Category {
    #[serde(rename = "_id")]
    id: String,
}

fn book(id: i64, title: &str, authors: &[i64], categories: &[&str]) -> Book {
    Book {
        id,
        title: title.to_owned(),
        authors: authors.iter().map(|id| Ref::new(*id)).collect(),
        categories: categories.iter().map(|id| Ref::new(*id)).collect(),
    }
}

fn author(id: i64, name: &str) -> Author {
    Author { id, name: name.to_owned(), books: Vec::new() }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_library").await?;
    for collection in ["books", "authors", "categories"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Book, Author, Category];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let [drama, space] = ["drama", "space"].map(|id| Category { id: id.to_owned() });
    Category::insert_many(&db, [&drama, &space]).await?;
    Author::insert_many(&db, [author(1, "Peter Standford"), author(2, "Georg Peterson")]).await?;
    let mut books = vec![
        book(1, "A tale of two people", &[1, 2], &["drama"]),
        book(2, "A tale of two space ships", &[1], &["drama", "space"]),
    ];
    books.extend((3..200).map(|id| book(id, &format!("Space, volume {id:03}"), &[], &["space"])));
    Book::insert_many(&db, &books).await?;

    println!("The second tale has another author: both ends are written in one transaction.");
    Book::AUTHORS.link(&db, 2, 2).await?;
    let authors = Author::find(Filter::all()).sort(Author::F.id.asc()).fetch_all(&db).await?;
    let written = Author::BOOKS.load(&db, &authors).await?;
    let rows = authors.iter().map(|author| {
        let titles: Vec<&str> = written.of(author).iter().map(|book| book.title.as_str()).collect();
        [author.name.clone(), titles.join("\n")]
    });
    println!("{}\n", table(["author", "books"], rows));
    assert_indexed(&authors[0].books(), &db).await;
    assert_indexed(&books[0].authors(), &db).await;

    let (mut token, mut pages, mut count) = (None, 0, 0);
    loop {
        let shelf = space.books().paginate(50).after(&token);
        assert_indexed(&shelf, &db).await;
        let page = shelf.fetch(&db).await?;
        (pages, count) = (pages + 1, count + page.items.len());
        token = page.next;
        if token.is_none() {
            break;
        }
    }
    println!("The shelf `space`, by title: {count} books on {pages} pages, each an index scan without a sort.");
    let first = drama.books().first(1);
    assert_indexed(&first, &db).await;
    println!(
        "First on the shelf `drama`: {}",
        first.fetch_all(&db).await?.first().map_or("nothing", |book| &book.title)
    );

    let volumes = Book::titled("Space, volume 19").fetch(&db).await?;
    println!("Titles that begin with `Space, volume 19`: {}", volumes.items.len());
    assert_queries_indexed(&schema, &db).await;

    let shelves = Category::BOOKS.lookup(Category::find(Filter::all()).sort(Category::F.id.asc())).limit(2);
    assert_indexed(&shelves, &db).await;
    println!("Both shelves with their first two books, by one command:");
    let shelves = shelves.fetch_all(&db).await?.into_vec()?;
    let titles = |books: &mut dyn Iterator<Item = &Book>| books.map(|book| book.title.clone()).collect::<Vec<_>>();
    let rows = shelves.iter().map(|(shelf, books)| [shelf.id.clone(), titles(&mut books.iter()).join("\n")]);
    println!("{}\n", table(["shelf", "first books"], rows));

    let tales = Book::find(Book::F.id.lt(3)).sort(Book::F.id.asc()).fetch_all(&db).await?;
    let (shelves_of, authors_of) = (Book::CATEGORIES, Book::AUTHORS.with(Author::BOOKS)).load(&db, &tales).await?;
    for book in &tales {
        let shelves: Vec<&str> = shelves_of.of(book).iter().map(|shelf| shelf.id.as_str()).collect();
        println!("{} stands on {}; by", book.title, shelves.join(" and "));
        for author in authors_of.of(book) {
            println!("  {}, who wrote {} in all", author.name, authors_of.nested().of(author).len());
        }
    }

    Category::delete(&db, &drama).await?;
    println!("Without the shelf: {} categories of the first book.", Book::get_by_id(&db, 1).await?.categories.len());
    let found = schema.verify(&db).await?;
    if count != 198 || !found.is_clean() {
        return Err(format!("the library is not in order: {found}").into());
    }
    Ok(())
}
