//! Reads of one model: the server sends a hidden field only to a read that names the field.

use futures_util::TryStreamExt;

use super::*;

#[tokio::test]
async fn no_read_gets_a_hidden_field() {
    let (db, log) = start().await;
    let filter = || User::F.id.eq(1);
    assert_eq!(User::get_by_id(&db, 1).await.unwrap(), shown(1));
    assert_eq!(projection(&log), Some(all_hidden()));
    assert_silent(&log);
    assert_eq!(User::find_by_id(&db, 1).await.unwrap(), Some(shown(1)));
    assert_eq!(User::find_one(&db, filter()).await.unwrap(), Some(shown(1)));
    assert_eq!(User::get(&db, filter()).await.unwrap(), shown(1));
    assert_eq!(User::find(filter()).fetch_one(&db).await.unwrap(), shown(1));
    assert_eq!(User::find(filter()).fetch_each(&db).await.unwrap().remove(0).unwrap(), shown(1));
    let all = User::find(Filter::all()).sort(User::F.id.asc());
    assert_eq!(all.clone().fetch_all(&db).await.unwrap(), [shown(1), shown(2), shown(3)]);
    let streamed: Vec<User> = all.clone().stream(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(streamed, [shown(1), shown(2), shown(3)]);
    let first = all.clone().paginate(2).fetch(&db).await.unwrap();
    assert_eq!(first.items, [shown(1), shown(2)]);
    let second = all.paginate(2).after(&first.next.unwrap()).fetch(&db).await.unwrap();
    assert_eq!(second.items, [shown(3)]);
    assert_eq!(User::by_email("1@example.com").fetch_all(&db).await.unwrap(), [shown(1)]);
    assert_silent(&log);
}

#[tokio::test]
async fn a_read_that_names_a_field_gets_the_field() {
    let (db, log) = start().await;
    let read = User::find(User::F.email.eq("1@example.com"));
    let found = read.clone().reveal(User::F.password).fetch_one(&db).await.unwrap();
    assert_eq!(found, User { password: user(1).password, ..shown(1) });
    let mut others = all_hidden();
    others.remove("pw");
    assert_eq!(projection(&log), Some(others));
    log.clear();

    let all = read.reveal(User::F.password).reveal(User::F.token).reveal(User::F.pin).reveal(User::F.codes);
    // A part of a struct stands for the struct.
    let all = all.reveal(User::F.second.seed).reveal(User::F.expires);
    assert_eq!(all.clone().fetch_one(&db).await.unwrap(), user(1));
    assert_eq!(projection(&log), None, "nothing is hidden from the read");
    assert_eq!(all.clone().paginate(1).fetch(&db).await.unwrap().items, [user(1)]);
    let streamed: Vec<User> = all.stream(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(streamed, [user(1)]);
    let declared = User::by_email("1@example.com").reveal(User::F.pin).fetch_one(&db).await.unwrap();
    assert_eq!(declared, User { pin: user(1).pin, ..shown(1) });
    let paged = User::find(User::F.id.eq(2)).paginate(5).reveal(User::F.pin).fetch(&db).await.unwrap();
    assert_eq!(paged.items, [User { pin: user(2).pin, ..shown(2) }]);
}

#[tokio::test]
async fn a_projection_names_its_fields() {
    let (db, log) = start().await;
    let login = User::find(User::F.id.eq(1)).select::<Login>().fetch_one(&db).await.unwrap();
    assert_eq!(login.password.get(), user(1).password.get());
    assert_eq!(projection(&log), Some(doc! { "_id": 1, "email": 1, "pw": 1 }));
    assert_eq!(User::login("1@example.com").fetch_one(&db).await.unwrap(), login);
    log.clear();
    let email = User::find(User::F.id.eq(1)).select::<Email>().fetch_one(&db).await.unwrap();
    assert_eq!(email.email, "1@example.com");
    assert_eq!(projection(&log), Some(doc! { "_id": 1, "email": 1 }));
    assert_silent(&log);
}

#[tokio::test]
async fn conditions_use_hidden_fields() {
    let (db, log) = start().await;
    let token = format!("{SECRET}-token-2");
    assert_eq!(User::by_token(&token).fetch_all(&db).await.unwrap(), [shown(2)]);
    assert_eq!(User::find(User::F.password.starts_with(SECRET)).count(&db).await.unwrap(), 3);
    assert_eq!(User::find(User::F.pin.gt(7_001)).count(&db).await.unwrap(), 2);
    assert_eq!(User::find(User::F.codes.contains(format!("{SECRET}-code"))).count(&db).await.unwrap(), 3);
    assert!(User::find(User::F.second.kind.eq(Kind::Totp)).exists(&db).await.unwrap());
    assert!(!User::find(User::F.second.seed.eq("x")).exists(&db).await.unwrap());
    assert_silent(&log);
    // A distinct names the field.
    let mut pins = User::find(Filter::all()).distinct(&db, User::F.pin).await.unwrap();
    pins.sort_unstable();
    assert_eq!(pins, [Some(7_001), Some(7_002), Some(7_003)]);
    log.clear();
    let plan = User::find(User::F.token.eq(&*token)).explain(&db).await.unwrap();
    assert!(Bson::Document(plan).to_string().contains("\"pw\""), "the explained read leaves the field out too");
}

#[tokio::test]
async fn a_null_is_loaded_and_an_absent_field_is_not() {
    let (db, _) = start().await;
    User::update_by_id(1).set(User::F.pin, None).execute(&db).await.unwrap();
    let read = || User::find(User::F.id.eq(1)).reveal(User::F.pin).fetch_one(&db);
    assert_eq!(read().await.unwrap().pin, Hidden::loaded(None));
    db.collection::<Document>("users").update_one(doc! { "_id": 1 }, doc! { "$unset": { "pin": "" } }).await.unwrap();
    assert_eq!(read().await.unwrap().pin, Hidden::not_loaded(), "the document has no value");
}

/// A model without hidden fields sends the same reads as ever.
#[tokio::test]
async fn a_model_without_hidden_fields_sends_no_projection() {
    #[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
    #[model(collection = "plain")]
    struct Plain {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
    }
    let (db, log) = database_with_replies().await;
    Plain::insert(&db, &Plain { id: 1, name: "a".into() }).await.unwrap();
    log.clear();
    Plain::get_by_id(&db, 1).await.unwrap();
    assert_eq!(projection(&log), None);
    log.clear();
    Plain::update_by_id(1).set(Plain::F.name, "b").fetch_after(&db).await.unwrap();
    assert_eq!(projection(&log), None);
    log.clear();
    Plain::replace(&db, &Plain { id: 1, name: "c".into() }).await.unwrap();
    let sent = log.named("update").remove(0);
    let update = sent.get_array("updates").unwrap()[0].as_document().unwrap().get_document("u").unwrap();
    assert_eq!(update, &doc! { "_id": 1_i64, "name": "c" });
}
