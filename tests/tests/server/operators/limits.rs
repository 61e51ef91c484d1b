//! Guards of the rules of a field (`#[check(..)]`): an `inc`, a `dec` and a `mul` of one document never break a rule,
//! also without a validator. Each update is compared with a plain computation in Rust.

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    #[check(min = -50, max = 100)]
    cents: i64,
    #[check(more_than = 0, less_than = 10)]
    level: i32,
    #[check(min = -1.5, less_than = 2.5)]
    share: f64,
}

fn account(id: i64) -> Account {
    Account { id, version: 1, cents: 0, level: 5, share: 0.1 }
}

/// A change of one field, and the same change in Rust.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add(i64),
    Subtract(i64),
    Multiply(i64),
    Share(f64),
    Scale(f64),
}

fn random() -> Step {
    let small = |most: i64| fastrand::i64(-most..=most);
    match fastrand::u8(0..5) {
        0 => Step::Add(if fastrand::u8(0..20) == 0 { i64::MAX } else { small(120) }),
        1 => Step::Subtract(if fastrand::u8(0..20) == 0 { -i64::MAX } else { small(120) }),
        2 => Step::Multiply(small(4)),
        3 => Step::Share(small(30) as f64 / 10.0),
        _ => Step::Scale([0.0, -1.0, 0.5, -2.0, 1e-3, 3.3, f64::NAN][fastrand::usize(0..7)]),
    }
}

/// Returns the account after the change; `None` where a rule refuses the change.
fn in_rust(account: &Account, step: Step) -> Option<Account> {
    let mut after = Account { version: account.version + 1, ..account.clone() };
    let cents = i128::from(account.cents);
    let cents = match step {
        Step::Add(amount) => cents + i128::from(amount),
        Step::Subtract(amount) => cents - i128::from(amount),
        Step::Multiply(factor) => cents * i128::from(factor),
        Step::Share(amount) => {
            after.share += amount;
            cents
        }
        Step::Scale(factor) => {
            after.share *= factor;
            cents
        }
    };
    let fits = (-50..=100).contains(&cents) && after.share >= -1.5 && after.share < 2.5;
    fits.then_some(Account { cents: cents as i64, ..after })
}

#[tokio::test]
async fn random_changes_are_the_changes_of_rust() {
    let db = database().await;
    Account::insert(&db, &account(1)).await.unwrap();
    let (f, mut expected, mut refused) = (Account::F, account(1), 0);
    for _ in 0..400 {
        let step = random();
        let update = Account::update_by_id(1);
        let update = match step {
            Step::Add(amount) => update.inc(f.cents, amount),
            Step::Subtract(amount) => update.dec(f.cents, amount),
            Step::Multiply(factor) => update.mul(f.cents, factor),
            Step::Share(amount) => update.inc(f.share, amount),
            Step::Scale(factor) => update.mul(f.share, factor),
        };
        match (in_rust(&expected, step), update.execute(&db).await) {
            (Some(after), Ok(_)) => expected = after,
            (None, Err(Error::DocumentInvalid { .. })) => refused += 1,
            (after, written) => panic!("{step:?} of {expected:?}: {after:?} in Rust, {written:?} in MongoDB"),
        }
        assert_eq!(Account::get_by_id(&db, &1).await.unwrap(), expected, "{step:?}");
    }
    assert!((20..380).contains(&refused), "{refused} of 400 are refused");
}

#[tokio::test]
async fn the_failed_rule_is_the_rule_of_the_field() {
    let db = database().await;
    Account::insert(&db, &account(1)).await.unwrap();
    let (f, update) = (Account::F, || Account::update_by_id(1));
    let text = async |update: schema_runtime::operation::Update<Account, schema_runtime::operation::ById>| {
        update.execute(&db).await.unwrap_err().to_string()
    };
    assert!(text(update().dec(f.cents, 51)).await.contains("`cents` is less than -50"));
    assert!(text(update().inc(f.level, 5)).await.contains("`level` is not less than 10"));
    assert!(text(update().dec(f.level, 5)).await.contains("`level` is not more than 0"));
    assert!(text(update().mul(f.level, 0)).await.contains("`level` is not more than 0"));
    assert!(text(update().mul(f.level, -1)).await.contains("`level` is not more than 0"));
    assert!(text(update().inc(f.share, 2.4)).await.contains("`share` is not less than 2.5"));
    update().inc(f.level, 4).execute(&db).await.unwrap();
    assert_eq!(Account::get_by_id(&db, &1).await.unwrap().level, 9);
    // An upsert by a filter would insert a second account beside an account that the guard leaves out.
    let upsert = Account::update_one(f.id.eq(1)).inc(f.cents, 1).upsert().execute(&db).await.unwrap_err();
    assert!(matches!(upsert, Error::Update { .. }), "{upsert}");
}

#[tokio::test]
async fn a_number_out_of_the_range_may_come_nearer() {
    let db = database().await;
    Account::insert(&db, &account(1)).await.unwrap();
    let accounts = db.collection::<Document>("accounts");
    accounts.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "cents": -500_i64 } }).await.unwrap();
    Account::update_by_id(1).inc(Account::F.cents, 100).execute(&db).await.unwrap();
    let further = Account::update_by_id(1).dec(Account::F.cents, 1).execute(&db).await.unwrap_err();
    assert!(matches!(further, Error::DocumentInvalid { .. }), "{further}");
    assert_eq!(Account::get_by_id(&db, &1).await.unwrap().cents, -400);
}
