//! Declared queries carry their collation, and an index of the same collation serves the query.

use mongodb::bson::doc;
use schema_runtime::{
    assert_indexed, assert_queries_indexed, check_indexed, definition::CollationDefinition, prelude::*,
};
use schema_tests::{database, database_with_log};

use super::{User, prepare, user};

#[tokio::test]
async fn a_declared_query_has_its_collation_and_its_index() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    let names: Vec<String> = db.collection::<User>("users").list_index_names().await.unwrap();
    assert_eq!(
        names,
        ["_id_", "email_1_en_2", "town_1_name_1_nb_1", "town_1_name_1__id_1_nb_2", "town_1"],
        "one index for each collation"
    );
    for (id, email, name) in [(1, "Kate@x.no", "Kåre"), (2, "ola@x.no", "kare"), (3, "per@x.no", "Åse")] {
        User::insert(&db, &user(id, email, name)).await.unwrap();
    }
    log.clear();
    let found = User::by_email("KATE@X.NO").fetch_optional(&db).await.unwrap();
    assert_eq!(found.map(|user| user.id), Some(1));
    assert_eq!(log.named("find")[0].get_document("collation").ok(), Some(&doc! { "locale": "en", "strength": 2 }));
    let ids: Vec<i64> = User::in_town("OSLO").fetch_all(&db).await.unwrap().into_iter().map(|user| user.id).collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(ids[2], 3, "Å is the last letter in Norwegian");
    assert!(User::by_town("OSLO").fetch_all(&db).await.unwrap().is_empty(), "bytes are compared");
    assert_queries_indexed(&schema![User], &db).await;
}

#[tokio::test]
async fn an_index_of_another_collation_serves_no_text() {
    let db = database().await;
    prepare(&db).await;
    for id in 0..40 {
        User::insert(&db, &user(id, &format!("k{id}@x.no"), "k")).await.unwrap();
    }
    let find = User::find(User::F.email.eq("K7@x.no"));
    assert!(!check_indexed(&find, &db).await.unwrap().is_empty());
    assert_indexed(&find.clone().case_insensitive(), &db).await;
    assert_indexed(&find.clone().collation(CollationDefinition::new("en").strength(2)), &db).await;
    let other = find.collation(CollationDefinition::new("nb").strength(2));
    assert!(!check_indexed(&other, &db).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_review_names_the_index_of_each_query() {
    let db = database().await;
    prepare(&db).await;
    let review = schema![User].review().to_string();
    for (query, index) in [("by_email", "email_1_en_2"), ("in_town", "town_1_name_1_nb_1"), ("by_town", "town_1")] {
        let line = review.lines().find(|line| line.contains(query)).unwrap_or_else(|| panic!("{query}: {review}"));
        assert!(line.contains(index), "{line}");
    }
}
