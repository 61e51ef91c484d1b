//! The plan of a collection with a collation.

use schema_runtime::{
    Point,
    apply::Outcome,
    local::{Server, Topology},
    plan::{Change, Clash, Needs},
};
use schema_tests::{database, database_with_log};

use super::*;

/// Returns the locale of the collation of each index, by the name of the index; `simple` without a collation.
async fn locales(db: &Database, collection: &str) -> Vec<(String, String)> {
    let indexes = db.run_cursor_command(doc! { "listIndexes": collection }).await.expect("the collection");
    let indexes: Vec<Document> = indexes.try_collect().await.expect("its indexes");
    let locale = |index: &Document| {
        let collation = index.get_document("collation").ok();
        let locale = collation.and_then(|collation| collation.get_str("locale").ok()).unwrap_or("simple").to_owned();
        (index.get_str("name").expect("a name").to_owned(), locale)
    };
    indexes.iter().map(locale).collect()
}

#[tokio::test]
async fn each_index_has_its_comparison() {
    let (db, log) = database_with_log().await;
    let plan = SCHEMA.plan(&db).await.expect("a plan").to_string();
    assert!(plan.contains("collection {collation: {locale: \"nb\", strength: 2}}"), "{plan}");
    assert!(plan.contains("index name_1_simple {name: 1} collation simple"), "{plan}");
    applied(SCHEMA, &db).await;
    let expected = [
        ("_id_", "nb"),
        ("bio_text", "simple"),
        ("email_1", "nb"),
        ("country_1_name_1__id_1", "simple"),
        ("town_1_name_1__id_1", "nb"),
        ("name_1_simple", "simple"),
        ("country_1", "nb"),
    ];
    let mut found = locales(&db, "people").await;
    let mut expected = expected.map(|(name, locale)| (name.to_owned(), locale.to_owned())).to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    log.clear();
    is_settled(SCHEMA, &db).await;
    assert_eq!(log.named("explain").len(), 1, "one question for the one collation");
}

#[tokio::test]
async fn a_restart_changes_nothing() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.expect("a server");
    let db = server.database("collated").await.expect("a database");
    applied(SCHEMA, &db).await;
    is_settled(SCHEMA, &db).await;
    server.restart(0).await.expect("restarted");
    is_settled(SCHEMA, &server.database("collated").await.expect("a database")).await;
}

mod other {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "people", collation(locale = "nb", strength = 3))]
    pub(super) struct Person {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[index(collation(locale = "nb", strength = 3))]
        pub(super) name: String,
        #[index(collation(locale = "simple"))]
        #[index]
        pub(super) town: String,
    }
}

/// A collation is given when the collection is made. `nb` has strength 3 by default.
#[tokio::test]
async fn another_collation_is_a_decision() {
    for found in [None, Some(doc! { "locale": "nb", "strength": 1 }), Some(doc! { "locale": "sv", "strength": 3 })] {
        let db = database().await;
        let mut create = doc! { "create": "people" };
        create.extend(found.map(|collation| ("collation".to_owned(), collation.into())));
        db.run_command(create).await.expect("made");
        let plan = schema![other::Person].plan(&db).await.expect("a plan");
        let steps: Vec<_> = plan.steps().iter().map(|step| (&step.change, step.needs())).collect();
        assert_eq!(steps, [(&Change::CollectionClash { clash: Clash::Collation }, Needs::Decision)]);
        let text = plan.to_string();
        assert!(text.contains("MongoDB sets the collation of a collection once"), "{text}");
    }
    let db = database().await;
    db.run_command(doc! { "create": "people", "collation": { "locale": "nb" } }).await.expect("made");
    applied(schema![other::Person], &db).await;
    is_settled(schema![other::Person], &db).await;
    let names: Vec<String> = locales(&db, "people").await.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["_id_", "name_1", "town_1_simple", "town_1"], "the collation of the collection is in no name");
}

/// The collection is made by another program after the plan.
#[tokio::test]
async fn a_collection_that_comes_in_between_is_outdated() {
    let db = database().await;
    let plan = schema![other::Person].plan(&db).await.expect("a plan");
    db.run_command(doc! { "create": "people", "collation": { "locale": "sv" } }).await.expect("made");
    let report = plan.apply(&db).await.expect("a report");
    assert!(matches!(report.entries()[0].outcome, Outcome::Failed(_)), "{report}");
}

/// A text index of a collection that another program made with a collation compares by bytes as well.
#[tokio::test]
async fn a_text_index_in_a_collection_of_another_program() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "pages")]
    #[index(text(body))]
    #[index(geo_2d(place))]
    struct Page {
        #[serde(rename = "_id")]
        id: i64,
        body: String,
        place: [f64; 2],
    }
    let db = database().await;
    db.run_command(doc! { "create": "pages", "collation": { "locale": "en", "strength": 2 } }).await.expect("made");
    applied(schema![Page], &db).await;
    is_settled(schema![Page], &db).await;
}

/// On a time series, the server takes no collation for an index of measured places. The places of the meta field
/// inherit the collation.
#[tokio::test]
async fn an_index_of_measured_places_compares_by_bytes() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "readings", time_series(time = at, meta = home), collation(locale = "nb"))]
    #[index(geo(place), number)]
    #[index(geo(home))]
    struct Reading {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
        home: Point,
        place: Point,
        number: i64,
    }
    let db = database().await;
    applied(schema![Reading], &db).await;
    is_settled(schema![Reading], &db).await;
    let locales = locales(&db, "readings").await;
    let expected = [("place_2dsphere_number_1", "simple"), ("home_2dsphere", "nb")];
    for (name, locale) in expected {
        assert!(locales.contains(&(name.to_owned(), locale.to_owned())), "{locales:?}");
    }
}

/// The command `create` leaves out options of a language, which indexes and reads take.
#[tokio::test]
async fn a_new_collection_has_all_options_of_the_language() {
    mod thai {
        use super::*;

        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = "people", collation(locale = "th", strength = 2))]
        #[index(name)]
        pub(super) struct Person {
            #[serde(rename = "_id")]
            id: i64,
            name: String,
        }
    }
    use thai::Person;

    let db = database().await;
    let plan = schema![Person].plan(&db).await.expect("a plan").to_string();
    let stated = "collation: {locale: \"th\", strength: 2, alternate: \"shifted\", normalization: true}";
    assert!(plan.contains(stated), "{plan}");
    applied(schema![Person], &db).await;
    is_settled(schema![Person], &db).await;
    let read = doc! { "find": "people", "filter": { "name": "a" }, "collation": { "locale": "th", "strength": 2 } };
    let explained = db.run_command(doc! { "explain": read, "verbosity": "queryPlanner" }).await.expect("a plan");
    let stage = explained.get_document("queryPlanner").and_then(|planner| planner.get_document("winningPlan"));
    assert!(stage.expect("a plan").to_string().contains("IXSCAN"), "the index serves a read in the language");

    let other = database().await;
    let create = doc! { "create": "people", "collation": { "locale": "th", "strength": 2 } };
    other.run_command(create).await.expect("made by another program");
    let plan = schema![Person].plan(&other).await.expect("a plan");
    assert_eq!(plan.steps()[0].needs(), Needs::Decision, "the collection compares in another way");
}
