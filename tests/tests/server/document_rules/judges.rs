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

#[derive(Model, Serialize, Deserialize, Clone, Debug, garde::Validate)]
#[model(collection = "seats", new(Clone), check(garde, lt(from, to)))]
struct Seat {
    #[serde(rename = "_id")]
    #[auto]
    #[garde(skip)]
    id: ObjectId,
    #[default("none")]
    #[garde(length(min = 6))]
    name: String,
    #[check(min = 0)]
    #[garde(range(max = 9))]
    from: i64,
    #[garde(skip)]
    to: i64,
    #[created_at]
    #[garde(custom(is_recent))]
    created: DateTime,
}

fn is_recent(created: &DateTime, (): &()) -> garde::Result {
    let is_recent = created.timestamp_millis() > 0;
    if is_recent { Ok(()) } else { Err(garde::Error::new("the time is not set")) }
}

/// A new value without derived data is judged as the model, with the defaults and the times, and one error has all
/// failures.
#[tokio::test]
async fn a_derive_judges_new_values() {
    let (db, log) = database_with_log().await;
    let new = |name: Option<&str>, from| NewSeat { name: name.map(str::to_owned), from, to: 5 };
    let places = |error: &Error| {
        let Error::DocumentInvalid { failures, .. } = error.cause() else { panic!("{error:?}") };
        failures.iter().map(|failed| format!("{} {}", failed.field, failed.rule)).collect::<Vec<_>>()
    };
    let error = new(None, 10).insert(&db).await.unwrap_err();
    assert_eq!(places(&error), ["from lt", "from garde", "name garde"]);
    let error = new(None, -1).insert(&db).await.unwrap_err();
    assert_eq!(places(&error), ["from minimum", "name garde"]);
    let error = NewSeat::insert_many(&db, [new(Some("window"), 1), new(None, 1)]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { inserted: 0, index: Some(1), .. }), "{error:?}");
    assert_eq!(places(&error), ["name garde"]);
    assert!(log.commands().is_empty());
    let stored = new(Some("window"), 1).insert(&db).await.unwrap();
    let many = NewSeat::insert_many(&db, [new(Some("corridor"), 2), new(Some("middle"), 3)]).await.unwrap();
    assert_eq!((stored.from, many.len()), (1, 2));
    // The value of `into_model` has no times.
    assert_eq!(places(&Seat::check(&new(Some("window"), 1).into_model().unwrap()).unwrap_err()), ["created garde"]);
}

/// A derive judges whole values, and an update has no whole value.
#[tokio::test]
async fn an_update_asks_no_derive() {
    let (db, _) = database_with_log().await;
    let right = User { id: 1, name: "Ada".into(), homes: vec![], text: "x".into() };
    User::insert(&db, &right).await.unwrap();
    let home = Home { city: "O".into() };
    User::update_by_id(1).set(User::F.name, "A").push(User::F.homes, home.clone()).execute(&db).await.unwrap();
    let upsert = User::update_by_id(2).set(User::F.name, "B").set(User::F.text, "x").set(User::F.homes, vec![home]);
    upsert.upsert().execute(&db).await.unwrap();
    let stored = User::find(Filter::all()).sort(User::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(stored.iter().map(|user| user.name.as_str()).collect::<Vec<_>>(), ["A", "B"]);
    // The next write of the whole value asks the derive.
    let found = messages(User::replace(&db, &stored[0]).await);
    let places: Vec<_> = found.iter().map(|(field, ..)| field.as_str()).collect();
    assert_eq!(places, ["homes.0.town", "nick"]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, garde::Validate)]
#[model(collection = "articles", new(Clone), check(garde))]
struct Article {
    #[serde(rename = "_id")]
    #[auto(sequence)]
    #[garde(skip)]
    id: i64,
    #[garde(length(min = 3))]
    title: String,
    #[slug(from = title, max_len = 40)]
    #[garde(length(min = 3))]
    slug: String,
}

/// The effects of a write fill the new value first. Nothing is inserted.
#[tokio::test]
async fn a_derive_judges_new_values_with_derived_data() {
    let (db, log) = database_with_log().await;
    schema![Article].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let new = |title: &str| NewArticle { title: title.to_owned() };
    let found = messages(new("A").insert(&db).await.map(drop));
    let places = |found: &[(String, String, String)]| {
        found.iter().map(|(field, rule, _)| format!("{field} {rule}")).collect::<Vec<_>>()
    };
    assert_eq!(places(&found), ["slug garde", "title garde"]);
    let error = NewArticle::insert_many(&db, [new("Engines"), new("A")]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { inserted: 0, index: Some(1), .. }), "{error:?}");
    assert_eq!(places(&messages(Err(error))), ["slug garde", "title garde"]);
    assert!(log.named("insert").is_empty());
    let stored = new("Engines").insert(&db).await.unwrap();
    assert_eq!(stored.slug, "engines");
    assert_eq!(NewArticle::insert_many(&db, [new("Looms"), new("Mills")]).await.unwrap().len(), 2);
}
