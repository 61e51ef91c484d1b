//! Updates: the changes use hidden fields, and the returned documents leave hidden fields out.

use super::*;

#[derive(Patch, Default)]
#[patch(User)]
struct EditUser {
    password: Option<String>,
    pin: Option<Option<i32>>,
    codes: Option<Vec<String>>,
}

#[tokio::test]
async fn updates_set_hidden_fields() {
    let (db, log) = start().await;
    User::update_by_id(1).set(User::F.password, "new").push(User::F.codes, "more").execute(&db).await.unwrap();
    User::update_one(User::F.id.eq(1)).set(User::F.second.seed, "seed").execute(&db).await.unwrap();
    User::update_many(User::F.password.eq("new")).set(User::F.pin, 5).execute(&db).await.unwrap();
    assert_silent(&log);
    let document = stored(&db, 1).await;
    assert_eq!((document.get_str("pw").ok(), document.get_i32("pin").ok()), (Some("new"), Some(5)));
    assert_eq!(document.get_array("codes").unwrap().len(), 2);
    assert_eq!(document.get_document("second").unwrap().get_str("seed").ok(), Some("seed"));

    let edit = EditUser { password: Some("patched".into()), pin: Some(None), codes: Some(vec![]) };
    User::update_by_id(1).apply(&edit).execute(&db).await.unwrap();
    let document = stored(&db, 1).await;
    assert_eq!((document.get_str("pw").ok(), document.get("pin")), (Some("patched"), Some(&Bson::Null)));

    let error = User::update_by_id(1).set(User::F.password, "x".repeat(41)).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error:?}");
    User::update_by_id(9)
        .set(User::F.email, "9@example.com")
        .set(User::F.password, "nine")
        .set(User::F.token, "nine")
        .set(User::F.pin, 9)
        .set(User::F.codes, Vec::<String>::new())
        .set(User::F.second, &Second { seed: "s".into(), kind: Kind::Sms })
        .set(User::F.expires, DateTime::from_millis(4_000_000_000_000))
        .upsert()
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db, 9).await.get_str("pw").ok(), Some("nine"));
}

#[tokio::test]
async fn returned_documents_leave_hidden_fields_out() {
    let (db, log) = start().await;
    let update = || User::update_by_id(1).set(User::F.email, "new@example.com");
    assert_eq!(update().fetch_before(&db).await.unwrap(), shown(1));
    assert_eq!(projection(&log), Some(all_hidden()));
    let changed = User { email: "new@example.com".into(), ..shown(1) };
    assert_eq!(update().fetch_after(&db).await.unwrap(), changed);
    let one = || User::find_one_and_update(User::F.id.eq(1)).set(User::F.email, "new@example.com");
    assert_eq!(one().fetch_before(&db).await.unwrap(), Some(changed.clone()));
    assert_eq!(one().fetch_after(&db).await.unwrap(), Some(changed.clone()));
    let only = update().only_if(User::F.password.starts_with(SECRET)).fetch_after(&db).await.unwrap();
    assert_eq!(only, changed);
    assert_silent(&log);

    let found = update().reveal(User::F.password).fetch_after(&db).await.unwrap();
    assert_eq!(found.password, user(1).password);
    assert!(!found.token.is_loaded());
    let found = one().reveal(User::F.pin).fetch_before(&db).await.unwrap().unwrap();
    assert_eq!(found, User { pin: user(1).pin, ..changed });
}
