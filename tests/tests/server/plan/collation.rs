//! Collations of indexes: created as declared, recognised as the server completes them, and counted by.

// Two collations may have an option in common.
#![allow(clippy::duplicated_attributes)]

use mongodb::bson::{Bson, doc};
use schema_runtime::{
    Error,
    apply::{ApplyOptions, Outcome},
    plan::{Change, Needs},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[index(name, collation(locale = "nb", strength = 2, numeric_ordering))]
#[index(town, collation(locale = "fr_CA", strength = 2, backwards = false))]
#[index(name, town, collation(locale = "th", case_first = upper, alternate = non_ignorable, max_variable = space, normalization = false))]
#[index(street, collation(locale = "de@collation=phonebook", strength = 1, case_level))]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique, case_insensitive)]
    email: String,
    #[index(unique, case_insensitive)]
    nick: Option<String>,
    name: String,
    town: String,
    #[index(collation(locale = "mt"))]
    street: String,
}

/// The same collection before a change of two collations.
mod before {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "users")]
    pub(super) struct User {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[index(unique)]
        pub(super) email: String,
        #[index(name = "by_name")]
        pub(super) name: String,
    }
}

/// Returns the collation of an index on the server.
async fn collation_of(db: &Database, index: &str) -> Document {
    let listed = listed(db, "users").await;
    let index = listed.iter().find(|listed| listed.get_str("name").ok() == Some(index)).expect("the index");
    index.get_document("collation").cloned().unwrap_or_default()
}

#[tokio::test]
async fn every_option_arrives_and_is_recognised() {
    let (db, log) = database_with_log().await;
    applied(schema![User], &db).await;
    let names = names(&db, "users").await;
    let expected = [
        "email_1_en_2",
        "name_1_nb_2_numericOrdering",
        "name_1_town_1_th_normalization_off_caseFirst_upper_alternate_non-ignorable_maxVariable_space",
        "nick_1_en_2",
        "street_1_de@collation=phonebook_1_caseLevel",
        "street_1_mt",
        "town_1_fr_CA_2_backwards_off",
    ];
    assert_eq!(names, expected);
    let stored = collation_of(&db, "name_1_nb_2_numericOrdering").await;
    assert_eq!(
        (stored.get_str("locale").ok(), stored.get_i32("strength").ok(), stored.get_bool("numericOrdering").ok()),
        (Some("nb"), Some(2), Some(true))
    );
    let stored = collation_of(&db, expected[2]).await;
    assert_eq!(
        (stored.get_str("caseFirst").ok(), stored.get_str("alternate").ok(), stored.get_str("maxVariable").ok()),
        (Some("upper"), Some("non-ignorable"), Some("space"))
    );
    assert_eq!(stored.get_bool("normalization").ok(), Some(false));
    assert_eq!(collation_of(&db, expected[6]).await.get_bool("backwards").ok(), Some(false));
    log.clear();
    is_settled(schema![User], &db).await;
    // One question for each distinct collation: `case_insensitive` stands twice.
    assert_eq!(log.named("explain").len(), 6);
    assert_eq!(changing(&log), Vec::<String>::new());
}

#[tokio::test]
async fn a_changed_collation_is_built_beside_the_old_index() {
    let db = database().await;
    applied(schema![before::User], &db).await;
    let plan = planned(schema![User], &db).await;
    let text = plan.to_string();
    assert!(text.contains("index email_1_en_2 {email: 1} unique, collation en strength 2"), "{text}");
    plan.apply(&db).await.and_then(|report| report.complete()).expect("nothing is in the way");
    let both = names(&db, "users").await;
    assert!(both.contains(&"email_1".to_owned()) && both.contains(&"email_1_en_2".to_owned()), "{both:?}");
    let plan = planned(schema![User], &db).await;
    let dropped = plan.steps().iter().map(|step| (step.needs(), matches!(step.change, Change::DropIndex { .. })));
    assert_eq!(dropped.collect::<Vec<_>>(), [(Needs::DropUndeclared, true); 2]);
    let report = plan.apply_with(&db, ApplyOptions::new().drop_undeclared(true)).await.expect("a report");
    report.complete().expect("dropped");
    is_settled(schema![User], &db).await;
}

/// Another strength under the same name is a rebuild.
#[tokio::test]
async fn an_index_with_a_name_is_made_again() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "users")]
    struct User {
        #[serde(rename = "_id")]
        id: i64,
        email: String,
        #[index(name = "by_name", collation(locale = "nb"))]
        name: String,
    }
    let db = database().await;
    applied(schema![before::User], &db).await;
    let plan = planned(schema![User], &db).await;
    let needs: Vec<Needs> = plan.steps().iter().map(|step| step.needs()).collect();
    assert_eq!(needs, [Needs::Rebuild, Needs::DropUndeclared], "{plan}");
    assert!(plan.to_string().contains("+ by_name {name: 1} collation nb"), "{plan}");
    let options = ApplyOptions::new().rebuild(true).drop_undeclared(true);
    plan.apply_with(&db, options).await.and_then(|report| report.complete()).expect("made again");
    is_settled(schema![User], &db).await;
}

#[tokio::test]
async fn duplicates_are_counted_under_the_collation() {
    let db = database().await;
    applied(schema![before::User], &db).await;
    for (id, email) in [(1, "kate@x.no"), (2, "Kate@X.no"), (3, "kåte@x.no")] {
        before::User::insert(&db, &before::User { id, email: email.to_owned(), name: String::new() }).await.unwrap();
    }
    let plan = planned(schema![User], &db).await;
    let duplicates = plan.steps().iter().find_map(|step| match &step.change {
        Change::CreateIndex { index, duplicates } if index.name == "email_1_en_2" => duplicates.as_ref(),
        _ => None,
    });
    assert_eq!(duplicates.expect("counted").groups, 1, "{plan}");
    let report = plan.apply(&db).await.expect("a report");
    let failed: Vec<_> = report.failures().map(|entry| &entry.outcome).collect();
    let [.., Outcome::Failed(Error::DuplicateKey { fields, index, .. })] = failed[..] else { panic!("{report}") };
    assert_eq!((fields, index.as_str()), (&vec!["email".to_owned()], "email_1_en_2"));
}

/// The filter that leaves nulls out of a unique index is compared under the collation, and the index serves reads.
#[tokio::test]
async fn a_unique_index_over_an_option_takes_nulls_and_each_text_once() {
    let db = database().await;
    applied(schema![User], &db).await;
    let user = |id: i64, nick: Option<&str>| User {
        id,
        email: id.to_string(),
        nick: nick.map(str::to_owned),
        name: String::new(),
        town: String::new(),
        street: String::new(),
    };
    for (id, nick) in [(1, None), (2, None), (3, Some("")), (4, Some("Kate"))] {
        User::insert(&db, &user(id, nick)).await.expect("taken");
    }
    let refused = User::insert(&db, &user(5, Some("KATE"))).await;
    let Err(Error::DuplicateKey { fields, index, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((fields, index.as_str()), (vec!["nick".to_owned()], "nick_1_en_2"));
    let find = User::find(User::F.nick.eq("kATE")).case_insensitive();
    assert_eq!(find.clone().fetch_one(&db).await.expect("found").id, 4);
    let plan = find.explain(&db).await.expect("a plan");
    assert!(plan.to_string().contains("nick_1_en_2"), "{plan}");
}

/// A user who may not read the documents gets no answer to a declared collation; the stored collation then counts.
#[tokio::test]
async fn an_index_of_another_program_with_the_collation_is_recognised() {
    let db = database().await;
    let spelled = doc! { "locale": "nb", "strength": 2_i64, "numericOrdering": true, "caseLevel": false };
    let index = doc! { "key": { "name": 1 }, "name": "theirs", "collation": spelled };
    db.run_command(doc! { "createIndexes": "users", "indexes": [index] }).await.expect("made");
    applied(schema![User], &db).await;
    assert!(!names(&db, "users").await.contains(&"name_1_nb_2_numericOrdering".to_owned()));
    is_settled(schema![User], &db).await;
    let stored = collation_of(&db, "theirs").await;
    assert!(matches!(stored.get("version"), Some(Bson::String(_))), "{stored}");
}
