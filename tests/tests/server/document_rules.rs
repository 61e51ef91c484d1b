//! Rules about several fields, and the derives of other crates: the crate and the server judge alike.

mod judges;

use mongodb::{
    Database,
    bson::{Bson, doc},
};
use schema_runtime::{FailedRule, RuleLimit, prelude::*, schema};
use schema_tests::{CommandLog, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(
    collection = "events",
    check(lt(starts, ends), lte(low, high), ne(first, second), eq(low, exact), gte(a, b), gt(b, c))
)]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "from")]
    starts: DateTime,
    #[serde(rename = "until", skip_serializing_if = "Option::is_none")]
    ends: Option<DateTime>,
    low: f64,
    high: i64,
    exact: Option<i32>,
    #[bound(max_len = 5)]
    first: Option<String>,
    #[check(min_len = 1)]
    second: String,
    a: ObjectId,
    b: ObjectId,
    c: Option<ObjectId>,
    state: State,
    level: i64,
    #[check(required_if(state("paid", "Sent")))]
    paid: Option<DateTime>,
    #[check(required_if(level = 3))]
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum State {
    New,
    #[serde(rename = "paid")]
    Paid,
    Sent,
}

fn id(number: u8) -> ObjectId {
    ObjectId::from_bytes([number; 12])
}

fn date(time: i64) -> DateTime {
    DateTime::from_millis(time)
}

fn event(id_of: i64) -> Event {
    Event {
        id: id_of,
        starts: date(1),
        ends: Some(date(2)),
        low: 1.0,
        high: 2,
        exact: None,
        first: None,
        second: "b".into(),
        a: id(3),
        b: id(2),
        c: None,
        state: State::New,
        level: 1,
        paid: None,
        reason: None,
    }
}

async fn start() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Event].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    log.clear();
    (db, log)
}

/// Returns the fields and the rules of a refusal, sorted.
fn failed(outcome: Result<()>) -> Vec<String> {
    match outcome {
        Ok(()) => Vec::new(),
        Err(Error::DocumentInvalid { failures, .. }) => sorted(&failures),
        Err(error) => panic!("{error:?}"),
    }
}

fn sorted(failures: &[FailedRule]) -> Vec<String> {
    let mut names: Vec<String> = failures
        .iter()
        .map(|failed| match &failed.limit {
            Some(RuleLimit::Field(other)) => format!("{} {} {other}", failed.field, failed.rule),
            _ => format!("{} {}", failed.field, failed.rule),
        })
        .collect();
    names.sort();
    names
}

/// The rules of an event, written by hand.
fn expected(event: &Event) -> Vec<String> {
    let order = |low: f64, other: f64| match (low.is_nan(), other.is_nan()) {
        (true, true) => std::cmp::Ordering::Equal,
        (true, false) => std::cmp::Ordering::Less,
        (false, true) => std::cmp::Ordering::Greater,
        (false, false) => low.partial_cmp(&other).unwrap(),
    };
    let rules = [
        (event.ends.is_none_or(|ends| event.starts < ends), "from lt until"),
        (order(event.low, event.high as f64).is_le(), "low lte high"),
        (event.first.as_ref().is_none_or(|first| *first != event.second), "first ne second"),
        (event.exact.is_none_or(|exact| order(event.low, exact.into()).is_eq()), "low eq exact"),
        (event.a >= event.b, "a gte b"),
        (event.c.is_none_or(|c| event.b > c), "b gt c"),
        (event.state == State::New || event.paid.is_some(), "paid required_if state"),
        (event.level != 3 || event.reason.is_some(), "reason required_if level"),
    ];
    let mut failed: Vec<String> = rules.iter().filter(|(holds, _)| !holds).map(|(_, name)| (*name).into()).collect();
    failed.sort();
    failed
}

fn random(random: &mut fastrand::Rng, id_of: i64) -> Event {
    let dates = [date(-1), date(0), date(1)];
    let texts = ["a", "b", "ä"].map(str::to_owned);
    let numbers = [-1.0, 0.0, -0.0, 0.5, 1.0, f64::NAN, f64::INFINITY, 9e18];
    let mut one = |count: usize| random.usize(..count);
    Event {
        id: id_of,
        starts: dates[one(3)],
        ends: dates.get(one(4)).copied(),
        low: numbers[one(8)],
        high: [0, 1, i64::MIN, i64::MAX][one(4)],
        exact: [0, 1].get(one(3)).copied(),
        first: texts.get(one(4)).cloned(),
        second: texts[one(3)].clone(),
        a: id(one(3) as u8),
        b: id(one(3) as u8),
        c: (one(2) == 0).then(|| id(one(3) as u8)),
        state: [State::New, State::Paid, State::Sent][one(3)],
        level: [1, 3][one(2)],
        paid: (one(2) == 0).then(|| date(0)),
        reason: (one(2) == 0).then(|| "ill".to_owned()),
    }
}

#[tokio::test]
async fn the_crate_and_the_server_judge_alike() {
    let (db, log) = start().await;
    let (mut rng, mut right) = (fastrand::Rng::with_seed(7), 0);
    for number in 0..300 {
        let event = random(&mut rng, number);
        let of_crate = failed(Event::check(&event));
        assert_eq!(of_crate, expected(&event), "{event:?}");
        assert!(log.commands().is_empty(), "a check sends nothing");
        // An update is judged by the server alone.
        let f = Event::F;
        let update = Event::update_by_id(number).set(f.starts, event.starts).set(f.ends, event.ends);
        let update = update.set(f.low, event.low).set(f.high, event.high).set(f.exact, event.exact);
        let update = update.set(f.first, event.first.clone()).set(f.second, &event.second).set(f.a, event.a);
        let update = update.set(f.b, event.b).set(f.c, event.c).set(f.state, event.state).set(f.level, event.level);
        let update = update.set(f.paid, event.paid).set(f.reason, event.reason.clone());
        let of_server = failed(update.upsert().execute(&db).await.map(drop));
        assert_eq!(of_server, of_crate, "{event:?}");
        right += usize::from(of_server.is_empty());
        log.clear();
    }
    assert!(right > 0, "some events are right");
}

#[tokio::test]
async fn each_write_of_a_whole_value_is_judged_before_anything_is_sent() {
    let (db, log) = start().await;
    Event::insert(&db, &event(1)).await.unwrap();
    log.clear();
    let wrong = Event { ends: Some(date(1)), ..event(1) };
    let is_wrong = |outcome: Result<()>| {
        let error = outcome.unwrap_err();
        let Error::DocumentInvalid { failures, .. } = error.cause() else { panic!("{error:?}") };
        assert_eq!(sorted(failures), ["from lt until"]);
        assert!(error.to_string().contains("`from` is not less than `until`"), "{error}");
    };
    is_wrong(Event::insert(&db, &wrong).await);
    is_wrong(Event::insert_many(&db, [&event(2), &wrong]).await.map(drop));
    is_wrong(Event::replace(&db, &wrong).await);
    is_wrong(Event::save(&db, &mut wrong.clone()).await);
    is_wrong(Event::upsert(&db, &wrong).await.map(drop));
    is_wrong(Event::upsert_many(&db, [&wrong]).await.map(drop));
    is_wrong(Event::bulk().insert(&wrong).execute(&db).await.map(drop));
    is_wrong(Event::bulk().replace(&wrong).execute(&db).await.map(drop));
    let written = log.commands().into_iter().filter(|(name, _)| name == "update");
    assert_eq!(written.count(), 0);
}

#[tokio::test]
async fn an_update_of_one_field_is_judged_by_the_server() {
    let (db, _) = start().await;
    Event::insert(&db, &event(1)).await.unwrap();
    let f = Event::F;
    let late = Event::update_by_id(1).set(f.starts, date(9)).execute(&db).await.map(drop);
    assert_eq!(failed(late), ["from lt until"]);
    let paid = Event::update_by_id(1).set(f.state, State::Paid).execute(&db).await.map(drop);
    assert_eq!(failed(paid), ["paid required_if state"]);
    Event::update_by_id(1).set(f.state, State::Paid).current_date(f.paid).execute(&db).await.unwrap();
    Event::update_by_id(1).unset(f.ends).set(f.starts, date(9)).execute(&db).await.unwrap();
}

#[tokio::test]
async fn one_error_has_all_failures() {
    let (db, _) = start().await;
    let wrong = Event { first: Some("longer".into()), second: String::new(), level: 3, state: State::Sent, ..event(1) };
    let Err(Error::DocumentInvalid { failures, .. }) = Event::insert(&db, &wrong).await else { panic!("refused") };
    let expected = ["first maxLength", "paid required_if state", "reason required_if level", "second minLength"];
    assert_eq!(sorted(&failures), expected);
}

#[tokio::test]
async fn a_plan_knows_the_validator() {
    let (db, _) = start().await;
    let plan = schema![Event].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
    let found = db.run_command(doc! { "listCollections": 1, "filter": { "name": "events" } }).await.unwrap();
    let first = &found.get_document("cursor").unwrap().get_array("firstBatch").unwrap()[0];
    let validator = first.as_document().unwrap().get_document("options").unwrap().get_document("validator").unwrap();
    let first = &validator.get_array("$and").unwrap()[0];
    let expected = doc! { "$expr": { "$or": [
        { "$lte": ["$from", Bson::Null] }, { "$lte": ["$until", Bson::Null] }, { "$lt": ["$from", "$until"] },
    ] } };
    assert_eq!(first.as_document(), Some(&expected));
}
