//! The commands of a read of facets: their number, stages, options and times.

use std::time::Duration;

use mongodb::bson::{Document, doc};
use schema_runtime::{check_indexed, explain::ReadProblem, prelude::*, transaction};
use schema_tests::{database_with_log, fail_command};

use super::models::{Card, Category, Product, Search, fill};

#[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = Product)]
struct Ranked {
    #[page(limit = 5, order = asc(rank))]
    found: Vec<Card>,
    #[count_by(brand, limit = 9)]
    brands: Vec<FacetCount<String>>,
    #[count]
    total: i64,
}

/// Returns the names of the stages of a command.
fn stages(command: &Document) -> Vec<String> {
    let stages = command.get_array("pipeline").unwrap().iter();
    stages.map(|stage| stage.as_document().unwrap().keys().next().unwrap().clone()).collect()
}

#[tokio::test]
async fn all_facets_are_one_command_with_the_filter_before_it() {
    let (db, log) = database_with_log().await;
    fill(&db, 5, 40).await;
    log.clear();
    let search = Product::facets::<Search>().filter(Product::F.price.gte(1.0)).max_time(Duration::from_secs(9));
    search.comment("search").fetch(&db).await.unwrap();
    let commands = log.commands();
    assert_eq!(commands.len(), 1, "{commands:?}");
    let command = &commands[0].1;
    assert_eq!(stages(command), ["$match", "$facet"]);
    assert_eq!(command.get_str("comment").ok(), Some("search"));
    assert!(command.contains_key("maxTimeMS") && !command.contains_key("readConcern"));
    let facets = command.get_array("pipeline").unwrap()[1].as_document().unwrap().get_document("$facet").unwrap();
    assert_eq!(facets.len(), 13, "the values share one group: {facets}");
}

#[tokio::test]
async fn a_page_whose_order_an_index_serves_is_a_read_of_its_own() {
    let (db, log) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let products = fill(&db, 6, 200).await;
    log.clear();
    let ranked = || Product::facets::<Ranked>();
    let screws = || ranked().filter(Product::F.category.eq(Category::Screw));
    let found = screws().skip(2).fetch(&db).await.unwrap();
    let mut expected: Vec<&Product> = products.iter().filter(|product| product.category == Category::Screw).collect();
    expected.sort_by_key(|product| (product.rank, product.id));
    let ids: Vec<i64> = expected.iter().skip(2).take(5).map(|product| product.id).collect();
    assert_eq!(found.found.iter().map(|card| card.id).collect::<Vec<_>>(), ids);
    assert_eq!(found.total as usize, expected.len());
    let commands = log.named("aggregate");
    let page = commands.iter().find(|command| stages(command)[1] == "$sort").expect("a command of the page");
    assert_eq!(stages(page), ["$match", "$sort", "$skip", "$limit", "$project"]);
    assert!(commands.iter().any(|command| stages(command) == ["$match", "$facet"]), "{commands:?}");
    assert_eq!(commands.len(), 2);
    let explain =
        doc! { "explain": { "aggregate": "products", "pipeline": page.get_array("pipeline").unwrap(), "cursor": {} } };
    let plan = db.run_command(explain).await.unwrap().to_string();
    assert!(plan.contains("by_category_and_rank") && !plan.contains("\"SORT\""), "{plan}");
    // Without the equality no index has the order, and the page is inside of the command.
    for inside in [ranked(), ranked().filter(Product::F.category.ne(Category::Paint)), screws().case_insensitive()] {
        log.clear();
        inside.fetch(&db).await.unwrap();
        assert_eq!(log.named("aggregate").len(), 1);
    }
    let lines = screws().to_mongosh().unwrap();
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.lines().all(|line| line.starts_with("db.getCollection(\"products\").aggregate([")), "{lines}");
}

#[tokio::test]
async fn separate_facets_are_read_as_of_one_time() {
    let (db, log) = database_with_log().await;
    fill(&db, 7, 60).await;
    log.clear();
    let search = || Product::facets::<Search>().filter(Product::F.in_stock.eq(true)).comment("apart");
    let apart = search().separately().fetch(&db).await.unwrap();
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 13);
    let time = |command: &Document| {
        let concern = command.get_document("readConcern").unwrap();
        assert_eq!(concern.get_str("level").ok(), Some("snapshot"));
        concern.get_timestamp("atClusterTime").unwrap()
    };
    let times: Vec<_> = commands.iter().map(time).collect();
    assert!(times.iter().all(|other| *other == times[0] && other.time > 0), "{times:?}");
    assert!(commands.iter().all(|command| command.get_str("comment").ok() == Some("apart")));
    assert!(commands.iter().all(|command| stages(command)[0] == "$match" && stages(command)[1] != "$facet"));
    assert_eq!(search().separately().to_mongosh().unwrap().lines().count(), 13);
    let together = search().fetch(&db).await.unwrap();
    assert_eq!(format!("{apart:?}"), format!("{together:?}"));
    log.clear();
    let inside = transaction(&db, |tx| async move {
        Product::delete_many(&tx, Product::F.in_stock.eq(true)).await?;
        Product::facets::<Search>().filter(Product::F.in_stock.eq(true)).separately().fetch(&tx).await
    });
    assert_eq!(inside.await.unwrap().total, 0);
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 13);
    assert!(commands.iter().all(|command| !command.contains_key("readConcern")));
}

#[tokio::test]
async fn facets_take_the_rules_of_a_collation() {
    let (db, _) = database_with_log().await;
    let products = fill(&db, 8, 80).await;
    let count = |name: &str| products.iter().filter(|product| product.brand.eq_ignore_ascii_case(name)).count();
    let marked = products.iter().filter(|product| product.tags.iter().any(|tag| tag.eq_ignore_ascii_case("new")));
    let search = || Product::facets::<Search>().case_insensitive();
    for found in [search().fetch(&db).await.unwrap(), search().separately().fetch(&db).await.unwrap()] {
        let brand = found.brands.iter().find(|counted| counted.value.eq_ignore_ascii_case("acme")).unwrap();
        assert_eq!(brand.count as usize, count("acme"));
        let tags: Vec<_> = found.tags.iter().filter(|counted| counted.value.eq_ignore_ascii_case("new")).collect();
        assert_eq!(tags.iter().map(|tag| tag.count as usize).collect::<Vec<_>>(), [marked.clone().count()]);
    }
}

#[tokio::test]
async fn a_scan_of_all_documents_under_a_filter_is_a_problem() {
    let (db, _) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    fill(&db, 10, 300).await;
    let search = |filter| Product::facets::<Search>().filter(filter);
    let problems = check_indexed(&search(Product::F.price.gt(149.0)), &db).await.unwrap();
    assert!(problems.iter().any(|problem| matches!(problem, ReadProblem::CollectionScan)), "{problems:?}");
    let problems = check_indexed(&search(Product::F.brand.eq("Bolt")), &db).await.unwrap();
    assert!(problems.is_empty(), "{problems:?}");
}

#[tokio::test]
async fn an_error_of_a_command_is_the_error_of_the_read() {
    let (db, _) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    fill(&db, 11, 20).await;
    let ranked = || Product::facets::<Ranked>().filter(Product::F.category.eq(Category::Screw));
    for skip in [0, 1] {
        for separately in [false, true] {
            let data = doc! { "failCommands": ["aggregate"], "errorCode": 50 };
            let point = fail_command(&db, doc! { "skip": skip }, data).await;
            let search = if separately { ranked().separately() } else { ranked() };
            let failed = search.fetch(&db).await;
            point.clear().await;
            assert!(matches!(failed, Err(Error::TimedOut { .. })), "{failed:?}");
        }
    }
    let near = Filter::raw(doc! { "place": { "$near": [0, 0] } });
    let refused = Product::facets::<Ranked>().filter(near).fetch(&db).await;
    assert!(matches!(refused, Err(Error::Query { .. })), "{refused:?}");
}

#[tokio::test]
async fn values_from_outside_are_operands() {
    let (db, _) = database_with_log().await;
    let products = fill(&db, 12, 60).await;
    for brand in ["$brand", "$$ROOT", "{\"$gt\":\"\"}"] {
        let search = Product::facets::<Search>().filter(Product::F.brand.eq(brand)).fetch(&db).await.unwrap();
        let expected = products.iter().filter(|product| product.brand == brand).count();
        assert_eq!(search.total as usize, expected);
    }
}
