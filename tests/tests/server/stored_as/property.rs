//! Random values of declared types are stored as an independent model says, come back as the same values, and random
//! filters find the same documents as a filter in Rust.

use std::cmp::Ordering;

use mongodb::bson::{Bson, DateTime as Date, Document, doc};
use proptest::{collection::vec, option, prelude::*, strategy::ValueTree, test_runner::TestRunner};
use schema_runtime::{check_stored, json, prelude::*};
use schema_tests::database;

use super::{Email, Foreign, Level, Seconds, as_date, as_optional_date, email};

/// The number of random collections, and of random filters on each collection.
const COLLECTIONS: usize = 12;
const FILTERS: usize = 40;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "rows")]
struct Row {
    #[serde(rename = "_id")]
    id: i64,
    email: Email,
    other: Option<Email>,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    at: Seconds,
    #[stored_as(Option<DateTime>)]
    #[serde(default, with = "as_optional_date")]
    until: Option<Seconds>,
    #[stored_as(i64)]
    size: Foreign,
    level: Level,
    #[bound(max_items = 4)]
    list: Vec<Email>,
}

fn any_email() -> impl Strategy<Value = Email> {
    prop_oneof!["[ab]{0,2}@[ab]?", "[a-z.é]{0,6}@[a-z$.ß]{0,3}"].prop_map(|text| email(&text.to_lowercase()))
}

fn any_seconds() -> impl Strategy<Value = Seconds> {
    let most = i64::MAX / 1_000;
    prop_oneof![4 => -3_i64..4, 1 => -most..most, 1 => Just(-most), 1 => Just(most)].prop_map(Seconds)
}

fn any_size() -> impl Strategy<Value = Foreign> {
    prop_oneof![4 => -3_i64..4, 1 => any::<i64>(), 1 => Just(i64::MIN), 1 => Just(i64::MAX)].prop_map(Foreign)
}

fn any_level() -> impl Strategy<Value = Level> {
    prop_oneof![Just(Level::Low), Just(Level::Middle), Just(Level::High)]
}

fn any_row() -> impl Strategy<Value = Row> {
    let values = (any_email(), option::of(any_email()), any_seconds(), option::of(any_seconds()));
    (values, any_size(), any_level(), vec(any_email(), 0..4)).prop_map(
        |((email, other, at, until), size, level, list)| Row { id: 0, email, other, at, until, size, level, list },
    )
}

/// Returns the stored document, made without serde.
fn stored(row: &Row) -> Document {
    let text = |email: &Email| Bson::String(email.0.clone());
    let date = |seconds: &Seconds| Bson::DateTime(Date::from_millis(seconds.0 * 1_000));
    doc! {
        "_id": row.id,
        "email": text(&row.email),
        "other": row.other.as_ref().map_or(Bson::Null, text),
        "at": date(&row.at),
        "until": row.until.as_ref().map_or(Bson::Null, date),
        "size": row.size.0,
        "level": row.level as i32,
        "list": row.list.iter().map(text).collect::<Vec<_>>(),
    }
}

/// A filter, and the same filter in Rust.
type Both = (Filter<Row>, fn(&Row, &Row) -> bool);

/// Returns each condition of a field with the values of `asked`.
fn conditions(asked: &Row) -> Vec<Both> {
    let f = Row::F;
    let row = asked.clone();
    vec![
        (f.email.eq(&row.email), |row, asked| row.email == asked.email),
        (f.email.ne(&row.email), |row, asked| row.email != asked.email),
        (f.email.gt(&row.email), |row, asked| row.email.0 > asked.email.0),
        (f.email.lte(&row.email), |row, asked| row.email.0 <= asked.email.0),
        (f.email.is_in([&row.email, &Email("b@".to_owned())]), |row, asked| {
            row.email == asked.email || row.email.0 == "b@"
        }),
        (f.email.contains_text("b@"), |row, _| row.email.0.contains("b@")),
        (f.other.eq(row.other.clone()), |row, asked| row.other == asked.other),
        (f.other.is_null(), |row, _| row.other.is_none()),
        (f.other.lt(&row.email), |row, asked| row.other.as_ref().is_some_and(|other| other.0 < asked.email.0)),
        (f.at.eq(row.at), |row, asked| row.at == asked.at),
        (f.at.gte(row.at), |row, asked| row.at >= asked.at),
        (f.at.lt(row.at), |row, asked| row.at < asked.at),
        (f.at.between(Seconds(-1)..=row.at), |row, asked| row.at >= Seconds(-1) && row.at <= asked.at),
        (f.at.not_in([row.at, Seconds(0)]), |row, asked| row.at != asked.at && row.at != Seconds(0)),
        (f.until.eq(row.until), |row, asked| row.until == asked.until),
        (f.until.gt(row.at), |row, asked| row.until.is_some_and(|until| until > asked.at)),
        (f.until.is_not_null(), |row, _| row.until.is_some()),
        (f.size.lte(row.size), |row, asked| row.size <= asked.size),
        (f.size.eq(row.size), |row, asked| row.size == asked.size),
        (f.level.gte(row.level), |row, asked| row.level as i32 >= asked.level as i32),
        (f.level.ne(row.level), |row, asked| row.level != asked.level),
        (f.list.contains(&row.email), |row, asked| row.list.contains(&asked.email)),
        (f.list.eq(&row.list), |row, asked| row.list == asked.list),
        (f.list.elem_match(|element| element.gt(&row.email)), |row, asked| {
            row.list.iter().any(|element| element.0 > asked.email.0)
        }),
    ]
}

fn in_order(one: &Row, other: &Row) -> Ordering {
    one.at.0.cmp(&other.at.0).then(one.email.0.cmp(&other.email.0)).then(one.id.cmp(&other.id))
}

#[tokio::test]
async fn filters_find_what_rust_finds() {
    let mut runner = TestRunner::default();
    let mut sample = |most: usize| vec(any_row(), 1..most).new_tree(&mut runner).unwrap().current();
    for _ in 0..COLLECTIONS {
        let db = database().await;
        let mut rows = sample(25);
        for (row, id) in rows.iter_mut().zip(1..) {
            row.id = id;
            check_stored(row).unwrap();
            assert_eq!(&json::from_value::<Row>(&json::to_json(row).unwrap()).unwrap(), row);
        }
        Row::insert_many(&db, &rows).await.unwrap();
        for row in &rows {
            let found = db.collection::<Document>("rows").find_one(doc! { "_id": row.id }).await.unwrap();
            assert_eq!(found.unwrap(), stored(row));
        }
        rows.sort_by(in_order);
        for (at, asked) in sample(FILTERS).iter().enumerate() {
            let (all, further) = (conditions(asked), conditions(&rows[at % rows.len()]));
            let (first, second) = (at * 7 % all.len(), at * 5 % further.len());
            let both = all.into_iter().nth(first).zip(further.into_iter().nth(second)).unwrap();
            let ((one, is_one), (other, is_other)) = both;
            let of_stored = &rows[at % rows.len()];
            let (filter, expected): (_, Vec<&Row>) = match at % 3 {
                0 => (one & other, rows.iter().filter(|row| is_one(row, asked) && is_other(row, of_stored)).collect()),
                1 => (one | other, rows.iter().filter(|row| is_one(row, asked) || is_other(row, of_stored)).collect()),
                _ => (!other, rows.iter().filter(|row| !is_other(row, of_stored)).collect()),
            };
            let find = Row::find(filter.clone()).sort([Row::F.at.asc(), Row::F.email.asc(), Row::F.id.asc()]);
            let found = find.fetch_all(&db).await.unwrap();
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
            let mut paged = Vec::new();
            let mut token = None;
            loop {
                let sorted = Row::find(filter.clone()).sort([Row::F.at.asc(), Row::F.email.asc()]);
                let page = sorted.paginate(3).after(token.as_ref()).fetch(&db).await.unwrap();
                paged.extend(page.items);
                token = page.next;
                if token.is_none() {
                    break;
                }
            }
            assert_eq!(paged.iter().collect::<Vec<_>>(), expected, "{filter:?}");
        }
    }
}
