//! The operators on models with derived data: copies, rollups, links, slugs and children in buckets follow each change,
//! or the change is refused before it is sent.

use mongodb::bson::{Document, doc};
use schema_runtime::{Expression, prelude::*};
use schema_tests::{
    database,
    links::{Author, Book, assert_agree, author, book},
};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    #[bound(max_len = 20)]
    #[copied_to(Toy::maker_name)]
    name: Option<String>,
    #[bound(max_len = 20)]
    spare: Option<String>,
    #[copied_to(Toy::rank)]
    rank: u32,
    #[updated_at]
    updated: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "toys")]
struct Toy {
    #[serde(rename = "_id")]
    id: i64,
    maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    maker_name: Option<String>,
    #[denormalize(from = maker.rank)]
    rank: u32,
    price: i64,
    pieces: i32,
}

async fn toys(db: &Database) -> Vec<(Option<String>, u32)> {
    let toys = Toy::find(Filter::all()).sort(Toy::F.id.asc()).fetch_all(db).await.unwrap();
    toys.into_iter().map(|toy| (toy.maker_name, toy.rank)).collect()
}

#[tokio::test]
async fn copies_follow_a_change_of_the_source() {
    let db = database().await;
    let spare = Some("spare".to_owned());
    let maker = Maker { id: 1, version: 1, name: None, spare, rank: 5, updated: DateTime::from_millis(1) };
    Maker::insert(&db, &maker).await.unwrap();
    let toy = |id| Toy { id, maker: Ref::new(1), maker_name: None, rank: 5, price: 2, pieces: 3 };
    Toy::insert_many(&db, &[toy(1), toy(2)]).await.unwrap();
    let (f, update) = (Maker::F, || Maker::update_by_id(1));
    update().rename(f.spare, f.name).dec(f.rank, 2).execute(&db).await.unwrap();
    assert_eq!(toys(&db).await, vec![(Some("spare".to_owned()), 3); 2]);
    update().bit_xor(f.rank, 1).execute(&db).await.unwrap();
    assert_eq!(toys(&db).await[0].1, 2);
    let refused = update().dec(f.rank, 3).execute(&db).await.unwrap_err();
    assert!(matches!(refused, Error::DocumentInvalid { .. }), "{refused}");
    assert_eq!(toys(&db).await[1].1, 2);
    // The version of a copied value is a time of the server, and no pipeline has such a time.
    let doubled = || f.name.concat(Expression::text("+")).concat(f.name);
    for refused in [update().set_expr(f.name, doubled()), update().set_expr(f.rank, f.rank.plus(f.rank))] {
        let error = refused.execute(&db).await.unwrap_err();
        assert!(matches!(&error, Error::Update { message } if message.contains("derived data")), "{error}");
    }
    update().set_expr(f.spare, doubled()).execute(&db).await.unwrap();
    let stored = Maker::get_by_id(&db, &1).await.unwrap();
    assert_eq!((stored.version, stored.rank, stored.spare.as_deref()), (4, 2, Some("spare+spare")));
    assert_eq!(toys(&db).await, vec![(Some("spare".to_owned()), 2); 2]);
    // A holder is computed, and keeps its copies.
    Toy::update_by_id(1).set_expr(Toy::F.price, Toy::F.price.times(Toy::F.pieces)).execute(&db).await.unwrap();
    assert_eq!(Toy::get_by_id(&db, &1).await.unwrap().price, 6);
    let schema = schema![Maker, Toy];
    assert!(schema.verify(&db).await.unwrap().is_clean());
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shelves")]
#[inverse(boxes = Crate::shelf)]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Crate::shelf, weight))]
    weight: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "crates")]
struct Crate {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    shelf: Ref<Shelf>,
    weight: i64,
    net: u32,
    empty: u32,
}

#[tokio::test]
async fn rollups_follow_a_change_of_a_child() {
    let db = database().await;
    Shelf::insert(&db, &Shelf { id: 1, weight: 0 }).await.unwrap();
    let child = |id, weight| Crate { id, shelf: Ref::new(1), weight, net: 7, empty: 2 };
    Crate::insert_many(&db, &[child(1, 10), child(2, 20)]).await.unwrap();
    let (f, update) = (Crate::F, || Crate::update_by_id(1));
    let sum = async || Shelf::get_by_id(&db, &1).await.unwrap().weight;
    update().dec(f.weight, 4).execute(&db).await.unwrap();
    assert_eq!(sum().await, 26);
    update().bit_or(f.weight, 1).execute(&db).await.unwrap();
    assert_eq!(sum().await, 27);
    update().set_expr(f.weight, f.net.plus(f.empty)).execute(&db).await.unwrap();
    assert_eq!(sum().await, 29);
    let many = Crate::update_many(Filter::all()).set_expr(f.weight, f.net.times(f.empty)).execute(&db).await.unwrap();
    assert_eq!((many.matched, sum().await), (2, 28));
    update().dec(f.net, 8).execute(&db).await.unwrap_err();
    let returned = Crate::find_one_and_update(f.id.eq(2)).set_expr(f.weight, f.net).fetch_after(&db).await.unwrap();
    assert_eq!((returned.unwrap().weight, sum().await), (7, 21));
}

#[tokio::test]
async fn links_follow_a_change_of_the_list() {
    let db = database().await;
    let authors: Vec<Author> = (1..=4).map(author).collect();
    Author::insert_many(&db, &authors).await.unwrap();
    Book::insert(&db, &book(1, &[1, 2])).await.unwrap();
    let (f, update) = (Book::F, || Book::update_by_id(1));
    let held = async || -> Vec<i64> {
        assert_agree(&db).await;
        Book::get_by_id(&db, &1).await.unwrap().authors.iter().map(|author| *author.id()).collect()
    };
    update().push_at(f.authors, 0, 3).execute(&db).await.unwrap();
    assert_eq!(held().await, [3, 1, 2]);
    update().pop_last(f.authors).execute(&db).await.unwrap();
    assert_eq!(held().await, [3, 1]);
    update().set(f.authors.at_index(0), 4).execute(&db).await.unwrap();
    assert_eq!(held().await, [4, 1]);
    update().pop_first(f.authors).execute(&db).await.unwrap();
    assert_eq!(held().await, [1]);
    let expected = format!("{} again", book(1, &[]).title);
    update().set_expr(f.title, f.title.concat(Expression::text(" again"))).execute(&db).await.unwrap();
    assert_eq!(Book::get_by_id(&db, &1).await.unwrap().title, expected);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 40)]
    title: String,
    #[slug(from = title, max_len = 40, follow)]
    slug: String,
    views: u32,
}

#[tokio::test]
async fn a_slug_follows_only_a_value_of_the_program() {
    let db = database().await;
    let page = Page { id: 1, title: "Pegs".to_owned(), slug: "pegs".to_owned(), views: 0 };
    Page::insert(&db, &page).await.unwrap();
    let f = Page::F;
    let refused = Page::update_by_id(1).set_expr(f.title, f.title.concat(f.title)).execute(&db).await.unwrap_err();
    assert!(matches!(refused, Error::Update { .. }), "{refused}");
    Page::update_by_id(1).set_expr(f.views, f.views.plus(Expression::value(2_u32))).execute(&db).await.unwrap();
    let stored = Page::get_by_id(&db, &1).await.unwrap();
    assert_eq!((stored.slug, stored.views), ("pegs".to_owned(), 2));
}

#[tokio::test]
async fn raw_documents_without_a_schema_stay_as_before_a_refusal() {
    let db = database().await;
    let raw = db.collection::<Document>("crates");
    raw.insert_one(doc! { "_id": 1_i64, "shelf": 1_i64, "weight": "heavy", "net": 1 }).await.unwrap();
    Shelf::insert(&db, &Shelf { id: 1, weight: 0 }).await.unwrap();
    let f = Crate::F;
    let missing = Crate::update_by_id(1).set_expr(f.weight, f.net.plus(f.empty)).execute(&db).await.unwrap_err();
    assert!(matches!(missing, Error::NotFound { .. }), "an operand is absent: {missing}");
}
