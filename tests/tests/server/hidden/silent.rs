//! No text of this crate shows a hidden value: `Debug`, errors, spans and page tokens.

use std::error::Error as _;

use schema_tests::Spans;

use super::*;

/// Returns all texts of an error.
fn texts(error: &Error) -> String {
    let mut texts = format!("{error} {error:?} {error:#?}");
    let mut source = error.source();
    while let Some(cause) = source {
        texts += &format!(" {cause} {cause:?}");
        source = cause.source();
    }
    texts
}

fn assert_no_secret(what: &str, text: &str) {
    assert!(!text.contains(SECRET), "{what}: {text}");
}

#[tokio::test]
async fn debug_shows_whether_a_value_was_loaded() {
    let (loaded, not_loaded) = (format!("{:?} {:#?}", user(1), user(1)), format!("{:?}", shown(1)));
    assert_no_secret("a value", &loaded);
    assert!(loaded.contains("password: Hidden(loaded)"), "{loaded}");
    assert!(not_loaded.contains("password: Hidden(not loaded)"), "{not_loaded}");
    let filter = User::F.password.eq(SECRET).and(User::F.second.seed.starts_with(SECRET));
    assert_no_secret("a filter", &format!("{filter:?}"));
    let read = User::find(filter.clone()).reveal(User::F.password);
    assert_no_secret("a read", &format!("{read:?}"));
    let update = User::update_by_id(1).set(User::F.password, SECRET).only_if(filter);
    assert_no_secret("an update", &format!("{update:?}"));
}

#[tokio::test]
async fn errors_show_no_hidden_value() {
    let (db, _) = start().await;
    let long = || Hidden::from(SECRET.repeat(20));
    let again = User { token: user(1).token, ..user(7) };
    let mut errors = vec![
        User::insert(&db, &User { password: long(), ..user(7) }).await.unwrap_err(),
        User::replace(&db, &User { password: long(), ..user(1) }).await.unwrap_err(),
        User::update_by_id(1).set(User::F.password, SECRET.repeat(20)).execute(&db).await.unwrap_err(),
        User::insert(&db, &again).await.unwrap_err(),
        User::insert_many(&db, [&again]).await.unwrap_err(),
        User::update_by_id(2).set(User::F.token, user(1).token.into_loaded().unwrap()).execute(&db).await.unwrap_err(),
        User::bulk().insert(&again).execute(&db).await.unwrap().complete().unwrap_err(),
    ];
    assert!(matches!(&errors[3], Error::DuplicateKey { fields, .. } if fields == &["token"]), "{:?}", errors[3]);
    // The validator refuses a value, and a stored value does not fit the type.
    let raw = db.collection::<Document>("users");
    let wrong = Filter::raw(doc! { "_id": 1 });
    errors.push(User::update_one(wrong).raw(doc! { "$set": { "pw": [SECRET] } }).execute(&db).await.unwrap_err());
    for (field, value) in [
        ("pw", Bson::Array(vec![SECRET.into()])),
        ("pin", SECRET.into()),
        ("codes", SECRET.into()),
        ("second", doc! { "seed": SECRET, "kind": SECRET }.into()),
        ("expires", SECRET.into()),
    ] {
        let update = doc! { "$set": { field: value } };
        raw.update_one(doc! { "_id": 3 }, update).bypass_document_validation(true).await.unwrap();
        let read = User::find(User::F.id.eq(3)).reveal(User::F.password).reveal(User::F.pin).reveal(User::F.codes);
        let read = read.reveal(User::F.second).reveal(User::F.expires);
        let error = read.fetch_one(&db).await.unwrap_err();
        assert!(matches!(error, Error::Decode { .. }), "{error:?}");
        errors.push(error);
        // A read that does not name the field is not disturbed.
        assert_eq!(User::get_by_id(&db, 3).await.unwrap(), shown(3));
    }
    for error in &errors {
        assert_no_secret("an error", &texts(error));
    }
}

#[tokio::test]
async fn spans_show_no_hidden_value() {
    let (db, _) = start().await;
    let (spans, _guard) = Spans::collect();
    let found = User::find(User::F.password.eq(format!("{SECRET}-1"))).reveal(User::F.password).fetch_one(&db).await;
    let mut found = found.unwrap();
    found.password.set(format!("{SECRET}-new"));
    User::save(&db, &mut found).await.unwrap();
    User::update_by_id(1).set(User::F.codes, [SECRET]).execute(&db).await.unwrap();
    let again = User { token: user(2).token, ..user(7) };
    User::insert(&db, &again).await.unwrap_err();
    let texts = format!("{:?} {:?}", spans.take(), spans.events());
    assert!(texts.contains("command"));
    assert_no_secret("a span", &texts);
}

#[tokio::test]
async fn a_page_token_holds_no_hidden_value() {
    let (db, _) = start().await;
    let read = User::find(User::F.password.starts_with(SECRET)).sort(User::F.email.asc());
    let page = read.reveal(User::F.password).paginate(2).fetch(&db).await.unwrap();
    let token = page.next.unwrap().to_string();
    assert_no_secret("a token", &token);
}

/// The review and the plan say nothing of hidden fields, and the validator asks for the fields as ever.
#[tokio::test]
async fn the_schema_does_not_change() {
    let (db, _) = start().await;
    assert!(schema![User].plan(&db).await.unwrap().is_empty());
    let listed = db.run_command(doc! { "listCollections": 1, "filter": { "name": "users" } }).await.unwrap();
    let text = Bson::Document(listed).to_string();
    assert!(text.contains("\"pw\"") && text.contains("\"second\""), "{text}");
    let without = doc! { "_id": 9_i64, "email": "x" };
    db.collection::<Document>("users").insert_one(without).await.unwrap_err();
    let review = schema![User].review().to_string();
    assert!(!review.contains("hidden"), "{review}");
}
