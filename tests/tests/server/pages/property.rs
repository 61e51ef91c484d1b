//! Random documents in random orders: all pages, forward and backward, equal a sort in memory.

use std::cmp::Ordering;

use proptest::{collection::vec, prelude::*};
use schema_tests::{database, scale::PROPERTY_CASES};

use schema_runtime::PageToken;

use super::*;
use crate::relations::runtime;

/// The stored value of a field, in sort order: an absent value and null are equal, NaN is less than every number.
#[derive(Clone, Debug)]
enum Stored {
    Absent,
    Null,
    Number(f64),
    Text(String),
}

/// A document: name, score, city, and true for an active person.
type Row = (Stored, Stored, Stored, bool);

/// A key of the order, and true for a descending key.
type Key = (usize, bool);

fn text() -> impl Strategy<Value = Stored> {
    prop_oneof![Just(Stored::Absent), Just(Stored::Null), "[aBé]{0,2}".prop_map(Stored::Text)]
}

fn number() -> impl Strategy<Value = Stored> {
    let numbers =
        prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(-0.0), Just(0.0), Just(1.5)];
    prop_oneof![1 => Just(Stored::Absent), 1 => Just(Stored::Null), 4 => numbers.prop_map(Stored::Number)]
}

fn row() -> impl Strategy<Value = Row> {
    (text(), number(), text(), any::<bool>())
}

fn order() -> impl Strategy<Value = Vec<Key>> {
    vec((0..5_usize, any::<bool>()), 0..4)
}

impl Stored {
    fn compare(&self, other: &Stored) -> Ordering {
        match (self, other) {
            (Stored::Number(one), Stored::Number(other)) => match (one.is_nan(), other.is_nan()) {
                (false, false) => one.partial_cmp(other).expect("neither is NaN"),
                (one, other) => other.cmp(&one),
            },
            (Stored::Text(one), Stored::Text(other)) => one.cmp(other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        }
    }

    fn is_some(&self) -> bool {
        !matches!(self, Stored::Absent | Stored::Null)
    }

    fn put(&self, document: &mut Document, name: &str) {
        match self {
            Stored::Absent => None,
            Stored::Null => document.insert(name, Bson::Null),
            Stored::Number(number) => document.insert(name, *number),
            Stored::Text(text) => document.insert(name, text),
        };
    }
}

fn document(id: i64, (name, score, city, active): &Row) -> Document {
    let mut document = doc! { "_id": id, "team": "red", "active": active, "addresses": [] };
    name.put(&mut document, "fullName");
    score.put(&mut document, "score");
    // An absent value at `contact.city` also means: an absent contact, or a null contact.
    let mut contact = Document::new();
    city.put(&mut contact, "city");
    match (city, id % 3) {
        (Stored::Absent, 0) => {}
        (Stored::Absent, 1) => drop(document.insert("contact", Bson::Null)),
        _ => drop(document.insert("contact", contact)),
    }
    document
}

fn compare(order: &[Key], (id, row): &(i64, Row), (other_id, other): &(i64, Row)) -> Ordering {
    // A repeated key changes nothing, and `_id` has the direction of the last effective key.
    let is_new = |at: &usize| order[..*at].iter().all(|(key, _)| *key != order[*at].0);
    let last = (0..order.len()).rfind(is_new);
    let by_id = (4, last.is_some_and(|at| order[at].1));
    for (key, descending) in order.iter().chain([&by_id]) {
        let ordering = match key {
            0 => row.0.compare(&other.0),
            1 => row.1.compare(&other.1),
            2 => row.2.compare(&other.2),
            3 => row.3.cmp(&other.3),
            _ => id.cmp(other_id),
        };
        let ordering = if *descending { ordering.reverse() } else { ordering };
        if ordering.is_ne() {
            return ordering;
        }
    }
    Ordering::Equal
}

fn find(order: &[Key]) -> schema_runtime::operation::Find<Person> {
    let keys = order.iter().map(|(key, descending)| {
        let both = match key {
            0 => [Person::F.name.asc(), Person::F.name.desc()],
            1 => [Person::F.score.asc(), Person::F.score.desc()],
            2 => [Person::F.contact.city.asc(), Person::F.contact.city.desc()],
            3 => [Person::F.active.asc(), Person::F.active.desc()],
            _ => [Person::F.id.asc(), Person::F.id.desc()],
        };
        let [ascending, descending_key] = both;
        if *descending { descending_key } else { ascending }
    });
    Person::find(Filter::all()).sort(keys)
}

/// Returns a token as a client keeps the token.
fn kept(token: Option<PageToken>) -> Option<PageToken> {
    token.map(|token| token.to_string().parse().expect("its own text"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: PROPERTY_CASES.of(60), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn all_pages_are_a_sort_in_memory(rows in vec(row(), 0..40), order in order(), size in 1..9_u32, indexed in any::<bool>()) {
        runtime().block_on(all_pages(rows, order, size, indexed));
    }

    #[test]
    fn what_comes_and_goes_hides_and_repeats_nothing(
        rows in vec(row(), 1..30),
        order in order(),
        size in 1..6_u32,
        changes in vec((0..60_i64, row()), 0..30),
        backward in any::<bool>(),
    ) {
        runtime().block_on(changing(rows, order, size, changes, backward));
    }
}

/// A merge of index ranges takes an absent field for less than null; a sort and an index do not.
#[tokio::test]
async fn absent_and_null_are_one_place_in_an_index() {
    let names = [Stored::Absent, Stored::Null, Stored::Text("x".to_owned())];
    let scores = [Stored::Absent, Stored::Null, Stored::Number(f64::NAN), Stored::Number(1.5)];
    let row = |at: usize| (names[at % 3].clone(), scores[at / 3 % 4].clone(), Stored::Absent, false);
    for order in [[(0, false), (1, true), (4, false)], [(0, true), (1, false), (4, true)]] {
        for size in [1, 4] {
            all_pages((0..24).map(row).collect(), order.to_vec(), size, true).await;
        }
    }
}

async fn all_pages(rows: Vec<Row>, order: Vec<Key>, size: u32, indexed: bool) {
    let db = database().await;
    let mut rows: Vec<(i64, Row)> = rows.into_iter().zip(1..).map(|(row, at)| (at * 31 % 97, row)).collect();
    if !rows.is_empty() {
        insert_raw::<Person>(&db, rows.iter().map(|(id, row)| document(*id, row))).await;
    }
    if indexed {
        let keys = doc! { "fullName": 1, "score": -1, "_id": 1 };
        let index = mongodb::IndexModel::builder().keys(keys).build();
        db.collection::<Document>("people").create_index(index).await.unwrap();
    }
    rows.sort_by(|one, other| compare(&order, one, other));
    let expected: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids(&find(&order).fetch_all(&db).await.unwrap()).len(), expected.len());

    let mut forward = Vec::new();
    let mut page = find(&order).paginate(size).fetch(&db).await.unwrap();
    assert!(!page.has_previous());
    loop {
        forward.extend(ids(&page.items));
        assert!(page.len() == size as usize || !page.has_next());
        let Some(next) = kept(page.next) else { break };
        let following = find(&order).paginate(size).after(&next).fetch(&db).await.unwrap();
        // From each page, the way back leads to the page before.
        let previous = kept(following.previous.clone()).expect("there is one");
        let back = find(&order).paginate(size).before(&previous).fetch(&db).await.unwrap();
        assert_eq!(ids(&back.items), ids(&page.items));
        page = following;
    }
    assert_eq!(forward, expected);

    let mut backward = Vec::new();
    let mut page = find(&order).paginate(size).last().fetch(&db).await.unwrap();
    assert!(!page.has_next());
    loop {
        backward.splice(0..0, ids(&page.items));
        assert!(page.len() == size as usize || !page.has_previous());
        let Some(previous) = kept(page.previous) else { break };
        page = find(&order).paginate(size).before(&previous).fetch(&db).await.unwrap();
        assert!(page.has_next());
    }
    assert_eq!(backward, expected);
}

async fn changing(rows: Vec<Row>, order: Vec<Key>, size: u32, changes: Vec<(i64, Row)>, backward: bool) {
    let db = database().await;
    let rows: Vec<(i64, Row)> = rows.into_iter().zip(0..).map(|(row, at)| (at * 2, row)).collect();
    insert_raw::<Person>(&db, rows.iter().map(|(id, row)| document(*id, row))).await;
    let people = db.collection::<Document>("people");
    let mut stayed: Vec<(i64, Row)> = rows.clone();
    let mut known = rows;
    let mut changes = changes.into_iter();

    let mut read = Vec::new();
    let mut token: Option<PageToken> = None;
    loop {
        let page = find(&order).paginate(size);
        let page = match (&token, backward) {
            (None, true) => page.last(),
            (token, true) => page.before(token),
            (token, false) => page.after(token),
        };
        let page = page.fetch(&db).await.unwrap();
        let mut found = ids(&page.items);
        if backward {
            found.reverse();
        }
        read.extend(found);
        token = kept(if backward { page.previous } else { page.next });
        if token.is_none() {
            break;
        }
        // Even numbers are deleted, odd numbers are inserted.
        for (id, row) in changes.by_ref().take(3) {
            if id % 2 == 0 {
                people.delete_one(doc! { "_id": id }).await.unwrap();
                stayed.retain(|(stays, _)| *stays != id);
            } else if known.iter().all(|(other, _)| *other != id) {
                people.insert_one(document(id, &row)).await.unwrap();
                known.push((id, row));
            }
        }
    }
    let mut in_order: Vec<&(i64, Row)> =
        read.iter().map(|id| known.iter().find(|(known, _)| known == id).unwrap()).collect();
    if backward {
        in_order.reverse();
    }
    // Strictly ascending: no document twice, no document out of its place.
    assert!(in_order.windows(2).all(|pair| compare(&order, pair[0], pair[1]).is_lt()), "{read:?}");
    assert!(stayed.iter().all(|(id, _)| read.contains(id)), "{read:?} of {stayed:?}");
}
