//! The facets are the numbers of the same documents in Rust.

use std::{cmp::Reverse, collections::BTreeMap, fmt::Debug};

use schema_runtime::{prelude::*, transaction};
use schema_tests::database;

use super::models::{Card, Category, Product, Search, fill};

/// Counts the products with each value; a product with a value twice counts once.
fn count_by<T: Ord + Clone>(
    products: &[&Product],
    limit: usize,
    values: impl Fn(&Product) -> Vec<T>,
) -> Vec<FacetCount<T>> {
    let mut counts: BTreeMap<T, u64> = BTreeMap::new();
    for product in products {
        let mut values = values(product);
        values.sort();
        values.dedup();
        values.into_iter().for_each(|value| *counts.entry(value).or_default() += 1);
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(value, count)| FacetCount { value, count }).collect();
    counts.sort_by_key(|counted| Reverse(counted.count));
    counts.truncate(limit);
    counts
}

fn ranges<T: Copy>(
    products: &[&Product],
    begins: &[(f64, T)],
    of: impl Fn(&Product) -> Option<f64>,
) -> Vec<FacetCount<T>> {
    let count = |at: usize| {
        let end = begins.get(at + 1).map_or(f64::INFINITY, |(end, _)| *end);
        let inside = |value: f64| value >= begins[at].0 && value < end;
        products.iter().filter(|product| of(product).is_some_and(inside)).count() as u64
    };
    begins.iter().enumerate().map(|(at, (_, value))| FacetCount { value: *value, count: count(at) }).collect()
}

/// Numbers in the order of MongoDB: NaN is the least.
fn ordered(price: f64) -> i64 {
    if price.is_nan() { i64::MIN } else { (price * 8.0) as i64 }
}

fn cents(of: &Decimal128) -> i64 {
    let text = of.to_string();
    let (whole, part) = text.split_once('.').unwrap();
    let whole_cents: i64 = whole.parse::<i64>().unwrap() * 100;
    let part: i64 = part.parse().unwrap();
    if text.starts_with('-') { whole_cents - part } else { whole_cents + part }
}

fn decimal(text: &str) -> Decimal128 {
    text.parse().unwrap()
}

pub(super) fn expected(products: &[&Product], skip: usize) -> Search {
    let mut sorted = products.to_vec();
    sorted.sort_by(|one, other| {
        let key = |product: &Product| (Reverse(ordered(product.price)), product.brand.clone(), product.id);
        key(one).cmp(&key(other))
    });
    let card = |product: &&Product| Card { id: product.id, brand: product.brand.clone(), price: product.price };
    let prices: Vec<f64> = products.iter().map(|product| product.price).collect();
    let sum: i64 = products.iter().map(|product| cents(&product.cost)).sum();
    let with_sign = if sum < 0 { "-" } else { "" };
    Search {
        found: sorted.iter().skip(skip).take(7).map(card).collect(),
        brands: count_by(products, 3, |product| vec![product.brand.clone()]),
        categories: {
            let mut counts = count_by(products, 9, |product| vec![product.category]);
            let name = |of: Category| serde_json::to_string(&of).unwrap();
            counts.sort_by_key(|counted| (Reverse(counted.count), name(counted.value)));
            counts
        },
        colors: count_by(products, 20, |product| vec![product.color.clone()]),
        stock: count_by(products, 9, |product| vec![product.in_stock]),
        tags: count_by(products, 20, |product| product.tags.clone()),
        marks: count_by(products, 20, |product| product.marks.clone().unwrap_or_default()),
        sizes: count_by(products, 20, |product| product.variants.iter().filter_map(|variant| variant.size).collect()),
        countries: count_by(products, 20, |product| vec![product.maker.country.clone()]),
        prices: ranges(products, &[(0.0, 0.0), (10.0, 10.0), (50.5, 50.5), (100.0, 100.0)], |product| {
            Some(product.price)
        }),
        weights: ranges(products, &[(0.0, 0), (5.0, 5)], |product| product.weight.map(f64::from)),
        costs: ranges(products, &[(1.0, decimal("1")), (20.0, decimal("20"))], |product| {
            Some(cents(&product.cost) as f64 / 100.0)
        }),
        total: products.len() as i64,
        ranks: products.iter().map(|product| product.rank).sum(),
        cost: if products.is_empty() {
            decimal("0")
        } else {
            decimal(&format!("{with_sign}{}.{:02}", sum.abs() / 100, sum.abs() % 100))
        },
        mean: (!prices.is_empty()).then(|| prices.iter().sum::<f64>() / prices.len() as f64),
        cheapest: prices.iter().copied().min_by_key(|price| ordered(*price)),
        heaviest: products.iter().filter_map(|product| product.weight).max(),
    }
}

/// Compares the text, in which NaN equals NaN, and the average to nine digits.
fn assert_search(found: Search, expected: Search) {
    let near = |one: f64, other: f64| match (one.is_nan(), other.is_nan()) {
        (false, false) => (one - other).abs() <= 1e-9 * one.abs().max(1.0),
        (one, other) => one == other,
    };
    assert_eq!(found.mean.is_some(), expected.mean.is_some());
    assert!(near(found.mean.unwrap_or(0.0), expected.mean.unwrap_or(0.0)), "{found:?} {expected:?}");
    assert_same(&Search { mean: None, ..found }, &Search { mean: None, ..expected });
}

fn assert_same(found: &impl Debug, expected: &impl Debug) {
    assert_eq!(format!("{found:#?}"), format!("{expected:#?}"));
}

#[tokio::test]
async fn the_facets_are_the_numbers_of_the_documents_in_rust() {
    let db = database().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for (seed, count) in [(1, 0), (2, 1), (3, 30), (4, 250)] {
        Product::delete_many(&db, Filter::all()).await.unwrap();
        let products = fill(&db, seed, count).await;
        let all = || products.iter();
        let f = Product::F;
        for (filter, kept) in [
            (Filter::all(), all().collect::<Vec<_>>()),
            (f.rank.gte(10), all().filter(|product| product.rank >= 10).collect()),
            (f.tags.contains("sale"), all().filter(|product| product.tags.iter().any(|tag| tag == "sale")).collect()),
            (f.rank.gte(1_000), Vec::new()),
        ] {
            let search = || Product::facets::<Search>().filter(filter.clone());
            assert_search(search().fetch(&db).await.unwrap(), expected(&kept, 0));
            assert_search(search().skip(5).fetch(&db).await.unwrap(), expected(&kept, 5));
            assert_search(search().separately().fetch(&db).await.unwrap(), expected(&kept, 0));
            let inside = transaction(&db, |tx| {
                let searches = (search(), search().separately());
                async move { Ok::<_, Error>((searches.0.fetch(&tx).await?, searches.1.fetch(&tx).await?)) }
            });
            let (together, separately) = inside.await.unwrap();
            assert_search(together, expected(&kept, 0));
            assert_search(separately, expected(&kept, 0));
        }
    }
}

#[tokio::test]
async fn the_count_of_a_value_is_the_count_of_a_read_with_the_value() {
    let db = database().await;
    fill(&db, 9, 120).await;
    let search = Product::facets::<Search>().fetch(&db).await.unwrap();
    assert!(search.tags.len() > 3 && search.sizes.len() > 2);
    for FacetCount { value, count } in search.tags {
        assert_eq!(Product::find(Product::F.tags.contains(value)).count(&db).await.unwrap(), count);
    }
    for FacetCount { value, count } in search.sizes {
        let of_size = Product::F.variants.size.eq(value);
        assert_eq!(Product::find(of_size).count(&db).await.unwrap(), count);
    }
    for FacetCount { value, count } in search.colors {
        assert_eq!(Product::find(Product::F.color.eq(value)).count(&db).await.unwrap(), count);
    }
}
