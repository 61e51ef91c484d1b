//! The derives of other crates: `check(garde)`, `check(validator)`.

use validator::Validate as _;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, garde::Validate)]
#[model(collection = "users", check(garde))]
struct User {
    #[serde(rename = "_id")]
    #[garde(skip)]
    id: i64,
    #[serde(rename = "nick")]
    #[garde(length(min = 3))]
    name: String,
    #[relation(one_to_few, embed, max = 3)]
    #[garde(dive)]
    homes: Vec<Home>,
    #[check(min_len = 1)]
    #[garde(skip)]
    text: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, garde::Validate)]
struct Home {
    #[serde(rename = "town")]
    #[garde(length(min = 2))]
    city: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, validator::Validate)]
#[model(collection = "members", check(validator))]
struct Member {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "nick")]
    #[validate(length(min = 3, message = "too short"))]
    name: String,
    #[relation(one_to_few, embed, max = 3)]
    #[validate(nested)]
    flats: Vec<Flat>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, validator::Validate)]
struct Flat {
    #[serde(rename = "town")]
    #[validate(length(min = 2))]
    city: String,
}

fn messages(outcome: Result<()>) -> Vec<(String, String, String)> {
    let error = outcome.unwrap_err();
    let Error::DocumentInvalid { failures, .. } = error.cause() else { panic!("{error:?}") };
    let text = |failed: &FailedRule| failed.message.clone().unwrap_or_default();
    failures.iter().map(|failed| (failed.field.clone(), failed.rule.clone(), text(failed))).collect()
}

#[tokio::test]
async fn a_derive_of_garde_judges_each_value() {
    let (db, log) = database_with_log().await;
    let homes = vec![Home { city: "Oslo".into() }, Home { city: "O".into() }];
    let wrong = User { id: 1, name: "Al".into(), homes, text: String::new() };
    for outcome in [User::check(&wrong), User::insert(&db, &wrong).await, User::replace(&db, &wrong).await] {
        let found = messages(outcome);
        let places: Vec<_> = found.iter().map(|(field, rule, _)| (field.as_str(), rule.as_str())).collect();
        assert_eq!(places, [("text", "minLength"), ("homes.1.town", "garde"), ("nick", "garde")]);
        assert!(found[2].2.contains("length is lower than 3"), "{found:?}");
    }
    assert!(log.commands().is_empty());
    let right = User { name: "Ada".into(), homes: vec![], text: "x".into(), ..wrong };
    User::insert(&db, &right).await.unwrap();
    User::check(&right).unwrap();
}

#[tokio::test]
async fn a_derive_of_validator_judges_each_value() {
    let (db, log) = database_with_log().await;
    let flats = vec![Flat { city: "Oslo".into() }, Flat { city: "O".into() }];
    let wrong = Member { id: 1, name: "Al".into(), flats };
    let outcome = Member::bulk().insert(&wrong).execute(&db).await.map(drop);
    for outcome in [Member::check(&wrong), Member::insert(&db, &wrong).await, outcome] {
        let error = outcome.clone().unwrap_err();
        assert!(!error.to_string().contains("too short"), "the text has no message: {error}");
        let of = |field: &str, text: &str| (field.to_owned(), "validator".to_owned(), text.to_owned());
        assert_eq!(messages(outcome), [of("flats.1.town", "length"), of("nick", "too short")]);
    }
    assert!(log.commands().is_empty());
    Member::insert(&db, &Member { name: "Ada".into(), flats: vec![], ..wrong }).await.unwrap();
}
