//! A hint of an index with another collation than the operation is an error before anything is sent.

use mongodb::options::{Collation, CollationStrength};
use schema_runtime::{Error, definition::CollationDefinition};
use schema_tests::{CommandLog, database_with_log};

use super::*;

/// A plain collection with indexes of several collations.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "words")]
#[index(number, text, name = "by_number")]
struct Word {
    #[serde(rename = "_id")]
    id: String,
    #[index(name = "by_text")]
    text: String,
    #[index(name = "by_title", case_insensitive)]
    title: String,
    number: i64,
}

const WORDS: Schema = schema![Word];

async fn prepared() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    applied(WORDS, &db).await;
    applied(SCHEMA, &db).await;
    let word = Word { id: "a".to_owned(), text: "Abc".to_owned(), title: "Abc".to_owned(), number: 1 };
    Word::insert(&db, &word).await.expect("inserted");
    Person::insert(&db, &person(1, "Kare", "no")).await.expect("inserted");
    log.clear();
    (db, log)
}

#[track_caller]
fn is_refused<T: std::fmt::Debug>(result: schema_runtime::Result<T>) {
    let text = format!("{result:?}");
    assert!(matches!(&result, Err(Error::Query { message }) if message.contains("another collation")), "{text}");
}

#[tokio::test]
async fn a_hint_of_an_index_with_another_collation_is_refused() {
    let (db, log) = prepared().await;
    let by_title = || Word::find(Word::F.title.eq("ABC")).hint("by_title");
    is_refused(by_title().fetch_all(&db).await);
    is_refused(by_title().count(&db).await);
    is_refused(by_title().paginate(2).fetch(&db).await);
    is_refused(by_title().collation(CollationDefinition::new("nb").strength(2)).fetch_all(&db).await);
    is_refused(by_title().collation(CollationDefinition::new("en").strength(1)).fetch_all(&db).await);
    is_refused(by_title().collation(CollationDefinition::new("en")).fetch_all(&db).await);
    is_refused(by_title().collation(CollationDefinition::SIMPLE).fetch_all(&db).await);
    is_refused(Word::find(Word::F.text.eq("ABC")).hint("by_text").case_insensitive().fetch_all(&db).await);
    is_refused(Word::find(Word::F.id.eq("A")).hint("_id_").case_insensitive().fetch_all(&db).await);
    is_refused(Word::update_many(Word::F.title.eq("ABC")).set(Word::F.number, 2).hint("by_title").execute(&db).await);
    // A collection with a collation: the index inherits the collation, or compares by bytes.
    is_refused(Person::find(Person::F.name.eq("kare")).hint("name_1_simple").fetch_all(&db).await);
    let bytes = Person::find(Person::F.email.eq("Kare1@x.no")).hint("email_1").collation(CollationDefinition::SIMPLE);
    is_refused(bytes.fetch_all(&db).await);
    assert!(log.commands().is_empty(), "nothing is sent");
}

#[tokio::test]
async fn a_hint_of_an_index_with_the_same_collation_is_sent() {
    let (db, log) = prepared().await;
    let by_title = || Word::find(Word::F.title.eq("ABC")).hint("by_title");
    assert_eq!(by_title().case_insensitive().count(&db).await.expect("counted"), 1);
    let given = Collation::builder().locale("en").strength(CollationStrength::Secondary).build();
    assert_eq!(by_title().collation(given).count(&db).await.expect("counted"), 1);
    let usual = CollationDefinition::new("en").strength(2).numeric_ordering(false);
    assert_eq!(by_title().collation(usual).count(&db).await.expect("counted"), 1);
    // The first key is a number, which each collation compares alike.
    let by_number = Word::find(Word::F.number.eq(1)).hint("by_number").case_insensitive();
    assert_eq!(by_number.count(&db).await.expect("counted"), 1);
    let simple = Word::find(Word::F.text.eq("Abc")).hint("by_text").collation(CollationDefinition::SIMPLE);
    assert_eq!(simple.count(&db).await.expect("counted"), 1);
    assert_eq!(Person::find(Person::F.email.eq("KARE1@X.NO")).hint("email_1").count(&db).await.expect("counted"), 1);
    let exact = Person::find(Person::F.name.eq("Kare")).hint("name_1_simple").collation(CollationDefinition::SIMPLE);
    assert_eq!(exact.count(&db).await.expect("counted"), 1);
    let id = Person::find(Person::F.id.eq(1)).hint("_id_").collation(CollationDefinition::SIMPLE);
    assert_eq!(id.count(&db).await.expect("counted"), 1);
    assert!(log.commands().iter().all(|(_, command)| command.contains_key("hint")), "{:?}", log.commands());
}
