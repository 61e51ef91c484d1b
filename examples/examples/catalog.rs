//! The catalogue of a tool shop: products with details, tags, prices and reviews, in categories that form a tree; a
//! slug finds a product or a category.
//!
//! A product stores the `_id`s of its categories, and nothing about the ancestors of the categories. The page of a
//! category asks for the `_id`s of the category's subtree (one range of the index of `ancestors.id`), and then for the
//! products of all the subtree's categories (the server merges the ranges of `{categories: 1, name: 1, _id: 1}` in the
//! order of the names, up to 200 ranges, and reads no more products than the page shows). With the ancestors stored in
//! each product, the page would take one command, and a move of a category would rewrite all products below the
//! category.
//!
//! `cargo run --example catalog` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_catalog`, and first empties the collections of the example.

use schema_examples::{access, table};
use schema_runtime::{Error, TreeError, assert_indexed, assert_queries_indexed, bson::Document, local, prelude::*};

/// A category, found by the slug (`Category::by_slug`), with the breadcrumb stored inside.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[inverse(products = Product::categories, on_delete = restrict)]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[slug(from = name, max_len = 60)]
    slug: String,
    #[bound(max_len = 60)]
    #[copied_to(Category::ancestors)]
    #[changes(seldom)]
    name: String,
    #[bound(max_len = 1_000)]
    description: String,
    #[tree(parent, max_depth = 8, on_delete = restrict, order = asc(name))]
    parent: Option<Ref<Category>>,
    #[tree(ancestors, by = id)]
    ancestors: Vec<Ancestor>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Ancestor {
    id: Ref<Category>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Category)]
struct CategoryId {
    #[serde(rename = "_id")]
    id: ObjectId,
}

/// A product, found by the slug, by the categories and by a tag.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[query(tagged(contains(tags)), order = asc(name), page = 20, per_day = 2_000)]
#[inverse(reviews = Review::product, on_delete = restrict)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[slug(from = name, max_len = 60)]
    slug: String,
    #[bound(max_len = 60)]
    name: String,
    #[bound(max_len = 10_000)]
    full_description: String,
    #[relation(one_to_one, embed)]
    details: Details,
    #[relation(many_to_many, one_way, max = 5, inverse = products, order = asc(name))]
    categories: Vec<Ref<Category>>,
    #[bound(max_items = 20, max_len = 30)]
    tags: Vec<String>,
    #[history(keep = 50, order = desc(date_start), interval(date_start, date_end))]
    price_history: Vec<Price>,
    #[computed(count(Review::product))]
    reviews: i64,
    #[computed(avg(Review::product, stars))]
    stars: Option<f64>,
    /// The reviews that the page shows without a separate read.
    #[subset(of = Review::product, keep = 2, order = desc(created))]
    latest_reviews: Vec<ReviewLine>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Details {
    weight: f64,
    weight_units: String,
    model_num: i64,
    manufacturer: String,
    color: String,
}

/// In cents.
#[derive(Embed, Serialize, Deserialize)]
struct Price {
    retail: i64,
    sale: i64,
    date_start: DateTime,
    date_end: Option<DateTime>,
}

#[derive(Embed, Serialize, Deserialize)]
struct ReviewLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    created: DateTime,
    #[bound(max_len = 40)]
    username: String,
    stars: i32,
    #[bound(max_len = 500)]
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(created))]
    product: Ref<Product>,
    created: DateTime,
    #[bound(max_len = 40)]
    username: String,
    stars: i32,
    #[bound(max_len = 500)]
    text: String,
}

/// Puts a category into the tree; the insert makes the slug and the breadcrumb.
async fn category(db: &Database, name: &str, parent: Option<&Category>) -> Result<Category> {
    let mut category = Category {
        id: ObjectId::new(),
        slug: String::new(),
        name: name.to_owned(),
        description: format!("All that is {name}"),
        parent: parent.map(Ref::to),
        ancestors: Vec::new(),
    };
    Category::create(db, &mut category).await?;
    Ok(category)
}

/// Returns a product without a price; the insert makes the slug.
fn product(name: impl Into<String>, tags: &[&str], categories: &[&Category]) -> Product {
    let name = name.into();
    Product {
        id: ObjectId::new(),
        slug: String::new(),
        full_description: format!("The {name} that every garden needs."),
        name,
        details: Details {
            weight: 47.0,
            weight_units: "lbs".to_owned(),
            model_num: 4_039_283_402,
            manufacturer: "Acme".to_owned(),
            color: "green".to_owned(),
        },
        categories: categories.iter().map(|category| Ref::to(*category)).collect(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        price_history: Vec::new(),
        reviews: 0,
        stars: None,
        latest_reviews: Vec::new(),
    }
}

fn breadcrumb(category: &Category) -> String {
    let above = category.ancestors.iter().map(|ancestor| ancestor.name.as_str());
    above.chain([category.name.as_str()]).collect::<Vec<_>>().join(" > ")
}

/// Prints the page of a category, by four commands: the breadcrumb, the categories directly below, and the products of
/// the whole subtree.
async fn category_page(db: &Database, slug: &str) -> Result<Vec<String>> {
    let category = Category::by_slug(slug).fetch_one(db).await?;
    let (children, below) = (category.children(), category.descendants().select::<CategoryId>());
    assert_indexed(&children, db).await;
    assert_indexed(&below, db).await;
    let children = children.fetch_all(db).await?;
    let subtree = below.fetch_all(db).await?.into_iter().map(|below| below.id).chain([category.id]);
    let in_it = Filter::any_of(subtree.map(|id| Product::F.categories.contains(id)));
    let products = Product::find(in_it).sort(Product::F.name.asc()).paginate(20);
    assert_indexed(&products, db).await;
    println!("{} (/{slug})", breadcrumb(&category));
    println!("  with {}", children.iter().map(|child| child.name.as_str()).collect::<Vec<_>>().join(", "));
    println!("  how: {}", access(&products.explain(db).await?));
    let products = products.fetch(db).await?.items;
    let rows = products.iter().map(|product| {
        let stars = product.stars.map_or("-".to_owned(), |stars| format!("{stars:.1}"));
        [product.name.clone(), format!("/{}", product.slug), stars]
    });
    println!("{}\n", table(["product", "address", "stars"], rows));
    Ok(products.into_iter().map(|product| product.slug).collect())
}

/// Prints the page of a product, by two commands: the product with the price of the day, the stars and the latest
/// reviews, and the product's categories.
async fn product_page(db: &Database, slug: &str, on: &str) -> Result<()> {
    let product = Product::by_slug(slug).fetch_one(db).await?;
    let categories = product.categories();
    assert_indexed(&categories, db).await;
    let shelves = categories.fetch_all(db).await?.complete()?;
    let price = product.price_history_at(day(on)).map_or(0, |price| price.sale);
    println!("{}, {:.2} on {on}", product.name, price as f64 / 100.0);
    println!("  in {}", shelves.iter().map(breadcrumb).collect::<Vec<_>>().join(" and "));
    println!("  {:.2} stars of {} reviews, the latest:", product.stars.unwrap_or_default(), product.reviews);
    for review in &product.latest_reviews {
        println!("  {} {}: {}", "*".repeat(review.stars as usize), review.username, review.text);
    }
    println!();
    Ok(())
}

fn day(text: &str) -> DateTime {
    DateTime::parse_rfc3339_str(format!("{text}T00:00:00Z")).expect("a date")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_catalog").await?;
    for collection in ["categories", "products", "reviews"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Category, Product, Review];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let home = category(&db, "Home", None).await?;
    let outdoors = category(&db, "Outdoors", Some(&home)).await?;
    let tools = category(&db, "Tools", None).await?;
    let gardening = category(&db, "Gardening Tools", Some(&tools)).await?;
    let barrows = category(&db, "Wheelbarrows", Some(&gardening)).await?;
    let repairs = category(&db, "Repairs", Some(&tools)).await?;
    let barrow = product("Extra Large Wheelbarrow", &["tools", "garden"], &[&barrows, &outdoors]);
    let gloves = [&gardening, &outdoors].map(|category| product("Rubberized Work Glove", &["garden"], &[category]));
    let screws = (0..200).map(|size| product(format!("Screw, size {size:03}"), &["small"], &[&repairs]));
    Product::insert(&db, &barrow).await?;
    Product::insert_many(&db, gloves.into_iter().chain(screws)).await?;

    for (from, sale) in [("2026-01-01", 489_700), ("2026-05-01", 429_700)] {
        let price = Price { retail: 589_700, sale, date_start: day(from), date_end: None };
        Product::update_by_id(barrow.id).record(Product::F.price_history, &price).execute(&db).await?;
    }
    for (from, username, stars, text) in [
        ("2026-02-01", "dannyb", 4, "Buy one today."),
        ("2026-03-01", "kbanker", 5, "Holds a lot."),
        ("2026-06-01", "homer", 2, "Now where did I put that beer?"),
    ] {
        let (username, text) = (username.to_owned(), text.to_owned());
        let product = Ref::to(&barrow);
        let review = Review { id: ObjectId::new(), product, created: day(from), username, stars, text };
        Review::insert(&db, &review).await?;
    }

    let shown = category_page(&db, "gardening-tools").await?;
    assert_eq!(shown, ["extra-large-wheelbarrow", "rubberized-work-glove"]);
    product_page(&db, "extra-large-wheelbarrow", "2026-04-01").await?;
    product_page(&db, "extra-large-wheelbarrow", "2026-07-01").await?;
    let garden = Product::tagged("garden").fetch(&db).await?;
    println!("Tagged `garden`: {}\n", garden.items.len());

    println!("A category gets another name, which every breadcrumb below it follows; its address stays:");
    Category::update_by_id(gardening.id).set(Category::F.name, "Garden").execute(&db).await?;
    println!("  {}", breadcrumb(&Category::by_slug("wheelbarrows").fetch_one(&db).await?));
    println!("It is moved, with all that is below it; no product is written:");
    Category::move_under(&db, gardening.id, outdoors.id).await?;
    println!("  {}\n", breadcrumb(&Category::by_slug("wheelbarrows").fetch_one(&db).await?));
    let shown = category_page(&db, "home").await?;
    assert_eq!(shown, ["extra-large-wheelbarrow", "rubberized-work-glove", "rubberized-work-glove-2"]);

    let under_itself = Category::move_under(&db, home.id, barrows.id).await;
    assert!(matches!(under_itself, Err(Error::Tree(TreeError::Cycle { .. }))));
    for (what, kept) in [("with categories below it", &tools), ("with products", &barrows)] {
        match Category::delete(&db, kept).await {
            Err(Error::DeleteRestricted { relation, .. }) => println!("A category {what} stays: {relation}"),
            other => return Err(format!("deleted: {other:?}").into()),
        }
    }

    assert_queries_indexed(&schema, &db).await;
    let found = schema.verify(&db).await?;
    if !found.is_clean() {
        return Err(format!("the catalogue is not in order: {found}").into());
    }
    Ok(())
}
