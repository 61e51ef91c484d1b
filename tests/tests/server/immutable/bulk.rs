//! Replaces of a bulk.

use schema_runtime::transaction;

use super::*;

fn other(id: i64) -> Account {
    Account { tags: vec![Some(9)], ..account(id) }
}

fn renamed(id: i64) -> Account {
    Account { name: "Eve".into(), ..account(id) }
}

async fn mails(db: &Database) -> Vec<String> {
    let accounts = Account::find(Filter::all()).sort(Account::F.id.asc()).fetch_all(db).await.unwrap();
    accounts.into_iter().map(|account| format!("{} {:?}", account.name, account.tags)).collect()
}

#[tokio::test]
async fn a_bulk_names_the_replaces_with_other_values() {
    let (db, log) = start().await;
    let bulk = || Account::bulk().replace(&renamed(1)).replace(&other(2)).replace(&renamed(9)).replace(&renamed(3));
    for bulk in [bulk(), bulk().unordered()] {
        log.clear();
        let report = bulk.execute(&db).await.unwrap();
        assert_eq!(names(&log)[..2], ["update", "find"]);
        let failures: Vec<_> = report.failures().map(|(at, error)| (at, error.clone())).collect();
        let [(1, Error::ImmutableField { model: "Account", field: "tags" })] = failures[..] else {
            panic!("{failures:?}")
        };
        assert_eq!((report.counts.matched, report.counts.unmatched), (2, Some(1)));
        assert_refused(report.complete(), "tags");
    }
    let kept = "[Some(1), None]";
    assert_eq!(mails(&db).await, [format!("Eve {kept}"), format!("Ada {kept}"), format!("Eve {kept}")]);
}

#[tokio::test]
async fn a_bulk_without_other_values_is_one_command() {
    let (db, log) = start().await;
    Account::bulk().replace(&renamed(1)).replace(&renamed(2)).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(names(&log), ["update"]);
    log.clear();
    // The reply counts the documents of the update and of the replace together.
    let update = Account::update_many(Account::F.id.gt(2)).set(Account::F.name, "Mia");
    let bulk = Account::bulk().update(update).replace(&renamed(1));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(names(&log), ["update", "find"]);
}

#[tokio::test]
async fn a_bulk_in_a_transaction_takes_all_back() {
    let (db, _) = start().await;
    let before = mails(&db).await;
    let outcome = transaction(&db, |tx| async move {
        Account::bulk().replace(&renamed(1)).replace(&other(2)).execute(&tx).await?.complete().map(drop)
    });
    assert_refused(outcome.await, "tags");
    assert_eq!(mails(&db).await, before);
}

#[tokio::test]
async fn an_upsert_of_a_bulk_is_refused() {
    let (db, log) = start().await;
    let error = Account::bulk().upsert(&account(1)).execute(&db).await.unwrap_err();
    let Error::Update { message } = error.cause() else { panic!("{error:?}") };
    assert!(message.contains("`Account` has an `#[immutable]` field"), "{message}");
    assert!(log.commands().is_empty());
    let upserted = Account::upsert_many(&db, [renamed(1), other(2), renamed(9)]).await;
    assert_refused(upserted, "tags");
    assert_eq!(mails(&db).await.len(), 4);
    assert_eq!(stored(&db, "accounts", 1).await.get_str("name").ok(), Some("Eve"));
}
