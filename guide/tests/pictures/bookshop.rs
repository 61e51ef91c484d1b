//! The diagram of the bookshop: the models of the fifth chapter of the tutorial, drawn by the crate.

use schema_runtime::{
    diagram::{DiagramFormat, DiagramOptions, draw},
    prelude::*,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors", new)]
#[inverse(books = Book::author, on_delete = restrict)]
struct Author {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 100)]
    #[copied_to(Book::author_name)]
    name: String,
    #[computed(count(Book::author))]
    titles: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books", new)]
#[inverse(reviews = Review::book, on_delete = cascade)]
struct Book {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 200)]
    title: String,
    #[relation(one_to_many, parent_ref, order = asc(title))]
    author: Ref<Author>,
    #[bound(max_len = 100)]
    #[denormalize(from = author.name)]
    author_name: String,
    #[computed(count(Review::book))]
    review_count: i64,
    #[computed(avg(Review::book, stars))]
    stars: Option<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reviews", new)]
struct Review {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    book: Ref<Book>,
    #[check(min = 1, max = 5)]
    stars: i32,
}

/// Draws the three collections with the relations, the copy and the counters.
pub(crate) fn draw_bookshop() -> String {
    let file = schema![Author, Book, Review].snapshot().expect("the models have no mistakes");
    draw(&file, DiagramFormat::Svg, &DiagramOptions::new()).expect("the schema is small")
}

#[test]
fn the_models_are_the_models_of_the_chapter() {
    let (own, chapter) = (include_str!("bookshop.rs"), include_str!("../../../examples/examples/tutorial_5_copies.rs"));
    for name in ["Author", "Book", "Review"] {
        let begin = format!("struct {name} {{\n");
        let of = |source: &str| {
            let (before, after) = source.split_once(&begin).expect("the model");
            let attributes = before.rsplit("\n\n").next().unwrap_or_default().replace("// ANCHOR: models\n", "");
            format!("{attributes}{}", after.split_once("\n}\n").expect("the end of the model").0)
        };
        assert_eq!(of(own), of(chapter), "{name}");
    }
}
