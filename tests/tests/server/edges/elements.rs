//! Conditions on elements that are no documents: numbers, texts and arrays. Any such condition finds the same documents
//! as a plain predicate.

use mongodb::bson::{Document, doc};
use proptest::{collection::vec, prelude::*, strategy::ValueTree, test_runner::TestRunner};
use schema_runtime::{
    Error,
    field::{Element, ElementToken},
    prelude::*,
};
use schema_tests::{database, scale::PROPERTY_CASES};

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Row(#[bound(max_items = 4)] Vec<i32>);

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "grids")]
struct Grid {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_items = 9)]
    v: Vec<i32>,
    #[bound(max_items = 9, max_len = 9)]
    words: Vec<String>,
    #[bound(max_items = 9)]
    rows: Vec<Row>,
    #[bound(max_items = 9)]
    floats: Vec<f64>,
    #[bound(max_items = 3)]
    cubes: Vec<Cube>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Cube(#[bound(max_items = 4)] Vec<Row>);

fn grid(id: i32, v: &[i32], rows: &[&[i32]]) -> Grid {
    let rows: Vec<Row> = rows.iter().map(|row| Row(row.to_vec())).collect();
    let words = v.iter().map(|n| format!("w{n}")).collect();
    Grid { id, v: v.to_vec(), words, rows: rows.clone(), floats: Vec::new(), cubes: vec![Cube(rows)] }
}

async fn ids(db: &Database, filter: Filter<Grid>) -> Vec<i32> {
    let found = Grid::find(filter.clone()).fetch_all(db).await;
    let found = found.unwrap_or_else(|error| panic!("{filter:?}: {error:?}"));
    let mut ids: Vec<i32> = found.into_iter().map(|grid| grid.id).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn every_element_and_none_are_conditions_of_numbers_and_arrays_too() {
    let (db, f) = (database().await, Grid::F);
    let grids = [grid(1, &[1, 2], &[&[3], &[]]), grid(2, &[], &[]), grid(3, &[7], &[&[]])];
    Grid::insert_many(&db, &grids).await.unwrap();
    for (filter, expected) in [
        (f.v.elem_match(|_| Filter::all()), vec![1, 3]),
        (f.v.elem_match(|one| Filter::all() | one.eq(7)), vec![1, 3]),
        (f.v.elem_match(|one| Filter::all() & one.eq(7)), vec![3]),
        (f.v.elem_match(|_| Filter::none()), vec![]),
        (f.v.elem_match(|_| !Filter::none()), vec![1, 3]),
        (f.v.elem_match(|_| !Filter::all()), vec![]),
        (f.v.elem_match(|one| Filter::none() | one.eq(7)), vec![3]),
        (f.v.elem_match(|one| !(Filter::none() | one.eq(7))), vec![1]),
        (f.v.elem_match(|one| one.gt(0).and(one.gt(1))), vec![1, 3]),
        (f.v.elem_match(|one| !one.gt(1) & !one.lt(1)), vec![1]),
        (f.rows.elem_match(|row| row.contains(3)), vec![1]),
        (!f.rows.elem_match(|row| row.contains(3)), vec![2, 3]),
        (f.rows.elem_match(|row| !row.contains(3)), vec![1, 3]),
        (f.rows.elem_match(|row| row.elem_match(|_| Filter::all())), vec![1]),
        (f.rows.elem_match(|row| row.elem_match(|_| !Filter::none())), vec![1]),
        (f.rows.elem_match(|row| !row.elem_match(|_| Filter::all())), vec![1, 3]),
        (f.rows.elem_match(|row| row.elem_match(|x| !x.lt(3) & !x.gt(3))), vec![1]),
        (f.rows.elem_match(|row| row.size(0)), vec![1, 3]),
        (f.rows.elem_match(|row| row.all([3])), vec![1]),
        (f.rows.elem_match(|row| row.eq(Row(vec![]))), vec![1, 3]),
        (f.rows.elem_match(|row| row.ne(Row(vec![]))), vec![1]),
        (f.rows.elem_match(|row| row.is_in([Row(vec![]), Row(vec![3])]) & row.size(1)), vec![1]),
        (f.rows.elem_match(|row| row.not_in([Row(vec![])])), vec![1]),
        (f.rows.contains(Row(vec![])), vec![1, 3]),
        (f.rows.contains(Row(vec![3])), vec![1]),
        (f.rows.eq(Vec::<Row>::new()), vec![2]),
        (f.rows.ne(Vec::<Row>::new()), vec![1, 3]),
        (f.rows.eq(vec![Row(vec![])]), vec![3]),
        (f.rows.ne(vec![Row(vec![])]), vec![1, 2]),
        (f.rows.is_in([vec![], vec![Row(vec![3]), Row(vec![])]]), vec![1, 2]),
        (f.rows.is_in([vec![Row(vec![])]]), vec![3]),
        (f.rows.not_in([vec![Row(vec![])]]), vec![1, 2]),
        (f.rows.not_in([Vec::<Row>::new()]), vec![1, 3]),
        (!f.rows.eq(Vec::<Row>::new()), vec![1, 3]),
        (f.cubes.elem_match(|cube| cube.eq(Cube(vec![]))), vec![2]),
        (f.cubes.elem_match(|cube| cube.contains(Row(vec![3]))), vec![1]),
        (f.cubes.elem_match(|cube| cube.elem_match(|row| row.contains(3) | row.size(0))), vec![1, 3]),
        (f.cubes.eq(vec![Cube(vec![Row(vec![])])]), vec![3]),
    ] {
        assert_eq!(ids(&db, filter.clone()).await, expected, "{filter:?}");
    }
    Grid::insert(&db, &Grid { cubes: vec![], ..grid(4, &[], &[]) }).await.unwrap();
    assert_eq!(ids(&db, f.cubes.eq(Vec::<Cube>::new())).await, [4]);
    assert_eq!(ids(&db, f.cubes.ne(Vec::<Cube>::new())).await, [1, 2, 3]);
}

#[tokio::test]
async fn what_is_pulled_may_be_said_by_not_and_or() {
    let (db, f) = (database().await, Grid::F);
    Grid::insert(&db, &grid(1, &[1, 2, 3, 9], &[&[3], &[], &[1, 3]])).await.unwrap();
    Grid::update_by_id(1).pull_if(f.v, |one| !one.gt(1)).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().v, [2, 3, 9]);
    Grid::update_by_id(1).pull_if(f.v, |one| one.lt(3) | one.gt(8)).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().v, [3]);
    Grid::update_by_id(1).pull_if(f.v, |_| Filter::none()).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().v, [3]);
    Grid::update_by_id(1).pull_if(f.v, |_| !Filter::none()).execute(&db).await.unwrap();
    assert!(Grid::get_by_id(&db, 1).await.unwrap().v.is_empty());
    Grid::update_by_id(1).pull_if(f.words, |one| one.starts_with("w1") | one.eq("w9")).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().words, ["w2", "w3"]);
    let either = |one: ElementToken<String>| one.contains_text("2") | one.contains_text_ignoring_case("W3");
    Grid::update_by_id(1).pull_if(f.words, either).execute(&db).await.unwrap();
    assert!(Grid::get_by_id(&db, 1).await.unwrap().words.is_empty());
    Grid::update_by_id(1).pull_if(f.rows, |row| row.eq(Row(vec![]))).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().rows, [Row(vec![3]), Row(vec![1, 3])]);
    Grid::update_by_id(1).pull_if(f.rows, |row| !row.contains(1)).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().rows, [Row(vec![1, 3])]);
    Grid::update_by_id(1).pull_if(f.rows, |row| row.elem_match(|x| !x.gt(1))).execute(&db).await.unwrap();
    assert!(Grid::get_by_id(&db, 1).await.unwrap().rows.is_empty());
}

#[tokio::test]
async fn elements_of_elements_are_changed() {
    let (db, f) = (database().await, Grid::F);
    Grid::insert(&db, &grid(1, &[1, 2, 9], &[&[3, 1], &[], &[1, 3]])).await.unwrap();
    let raw = || async { db.collection::<Document>("grids").find_one(doc! {}).await.unwrap().unwrap() };
    let big =
        Grid::update_by_id(1).each(f.rows, |_| Filter::all(), |c, row| c.each(row, |x| x.gt(1), |c, x| c.inc(x, 1)));
    big.execute(&db).await.unwrap();
    assert_eq!(raw().await.get("rows"), doc! { "rows": [[4, 1], [], [1, 4]] }.get("rows"));
    let all = Grid::update_by_id(1).each(
        f.rows,
        |row| row.size(2) & !row.eq(Row(vec![1, 4])),
        |c, row| c.each(row, |_| Filter::all(), |c, x| c.set(x, 0)),
    );
    all.execute(&db).await.unwrap();
    assert_eq!(raw().await.get("rows"), doc! { "rows": [[0, 0], [], [1, 4]] }.get("rows"));
    let pushed = Grid::update_by_id(1).each(f.rows, |_| Filter::all(), |c, row| c.push(row, 5));
    pushed.execute(&db).await.unwrap();
    assert_eq!(raw().await.get("rows"), doc! { "rows": [[0, 0, 5], [5], [1, 4, 5]] }.get("rows"));
    let deep = || {
        Grid::update_by_id(1).each(
            f.cubes,
            |_| Filter::all(),
            |c, cube| c.each(cube, |_| Filter::all(), |c, row| c.push(row, 8)),
        )
    };
    deep().execute(&db).await.unwrap();
    assert_eq!(raw().await.get("cubes"), doc! { "c": [[[3, 1, 8], [8], [1, 3, 8]]] }.get("c"));
    deep().execute(&db).await.unwrap();
    let over = deep().execute(&db).await;
    assert!(matches!(over, Err(Error::BoundExceeded { .. })), "{over:?}");
    let outside = Grid::update_by_id(1).each(f.v, |x| x.lt(2) | x.gt(8) | Filter::none(), |c, x| c.set(x, 5));
    outside.execute(&db).await.unwrap();
    assert_eq!(raw().await.get("v"), doc! { "v": [5, 2, 5] }.get("v"));
    let none = Grid::update_by_id(1).each(f.v, |_| !Filter::all(), |c, x| c.set(x, 6));
    none.execute(&db).await.unwrap();
    let every = Grid::update_by_id(1).each(f.v, |x| Filter::all() | x.eq(1), |c, x| c.inc(x, 1));
    every.execute(&db).await.unwrap();
    assert_eq!(raw().await.get("v"), doc! { "v": [6, 3, 6] }.get("v"));
}

/// A condition on a number.
#[derive(Clone, Debug)]
enum OfNumber {
    Compare(usize, i32),
    In(Vec<i32>),
    NotIn(Vec<i32>),
    All,
    None,
    And(Vec<OfNumber>),
    Or(Vec<OfNumber>),
    Not(Box<OfNumber>),
}

fn of_number() -> impl Strategy<Value = OfNumber> {
    let leaf = prop_oneof![
        8 => (0..6_usize, 0..5).prop_map(|(operator, value)| OfNumber::Compare(operator, value)),
        1 => vec(0..5, 0..3).prop_map(OfNumber::In),
        1 => vec(0..5, 0..3).prop_map(OfNumber::NotIn),
        1 => Just(OfNumber::All),
        1 => Just(OfNumber::None),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(OfNumber::And),
            vec(inner.clone(), 1..4).prop_map(OfNumber::Or),
            inner.prop_map(|one| OfNumber::Not(Box::new(one))),
        ]
    })
}

impl OfNumber {
    fn holds(&self, number: i32) -> bool {
        match self {
            OfNumber::Compare(operator, value) => match operator {
                0 => number == *value,
                1 => number != *value,
                2 => number > *value,
                3 => number >= *value,
                4 => number < *value,
                _ => number <= *value,
            },
            OfNumber::In(values) => values.contains(&number),
            OfNumber::NotIn(values) => !values.contains(&number),
            OfNumber::All => true,
            OfNumber::None => false,
            OfNumber::And(all) => all.iter().all(|one| one.holds(number)),
            OfNumber::Or(some) => some.iter().any(|one| one.holds(number)),
            OfNumber::Not(one) => !one.holds(number),
        }
    }

    fn filter(&self, one: ElementToken<i32>) -> Filter<Element<i32>> {
        match self {
            OfNumber::Compare(operator, value) => match operator {
                0 => one.eq(*value),
                1 => one.ne(*value),
                2 => one.gt(*value),
                3 => one.gte(*value),
                4 => one.lt(*value),
                _ => one.lte(*value),
            },
            OfNumber::In(values) => one.is_in(values),
            OfNumber::NotIn(values) => one.not_in(values),
            OfNumber::All => Filter::all(),
            OfNumber::None => Filter::none(),
            OfNumber::And(all) => Filter::all_of(all.iter().map(|inner| inner.filter(one))),
            OfNumber::Or(some) => Filter::any_of(some.iter().map(|inner| inner.filter(one))),
            OfNumber::Not(inner) => !inner.filter(one),
        }
    }
}

/// Returns conditions on numbers, the same conditions in each run.
fn conditions() -> Vec<OfNumber> {
    let (mut runner, any) = (TestRunner::deterministic(), of_number());
    (0..PROPERTY_CASES.of(400)).map(|_| any.new_tree(&mut runner).unwrap().current()).collect()
}

fn grids() -> Vec<Grid> {
    let rows: [&[i32]; 8] = [&[], &[0], &[1, 2], &[4], &[0, 3, 3], &[2], &[1, 4], &[0, 1, 2, 3]];
    (0..8).map(|id| grid(id, rows[id as usize], &rows[id as usize % 4..][..id as usize / 2])).collect()
}

#[tokio::test]
async fn any_condition_of_numbers_finds_what_a_predicate_finds() {
    let (db, grids, f) = (database().await, grids(), Grid::F);
    Grid::insert_many(&db, &grids).await.unwrap();
    let some =
        |holds: &dyn Fn(&Grid) -> bool| grids.iter().filter(|grid| holds(grid)).map(|grid| grid.id).collect::<Vec<_>>();
    for condition in conditions() {
        let of_v = |grid: &Grid| grid.v.iter().any(|one| condition.holds(*one));
        let filter = || f.v.elem_match(|one| condition.filter(one));
        assert_eq!(ids(&db, filter()).await, some(&of_v), "{condition:?} {:?}", filter());
        assert_eq!(ids(&db, !filter()).await, some(&|grid| !of_v(grid)), "{condition:?} {:?}", filter());
        let in_row = |row: &Row| row.0.iter().any(|one| condition.holds(*one));
        let filter = || f.rows.elem_match(|row| row.elem_match(|one| condition.filter(one)));
        assert_eq!(
            ids(&db, filter()).await,
            some(&|grid| grid.rows.iter().any(in_row)),
            "{condition:?} {:?}",
            filter()
        );
        let filter = || f.rows.elem_match(|row| !row.elem_match(|one| condition.filter(one)));
        let none_in_row = |grid: &Grid| grid.rows.iter().any(|row| !in_row(row));
        match filter().into_document() {
            // `!` of several `$elemMatch` of the same element.
            Err(Error::Filter { .. }) => {}
            _ => assert_eq!(ids(&db, filter()).await, some(&none_in_row), "{condition:?} {:?}", filter()),
        }
    }
}

#[tokio::test]
async fn any_condition_of_numbers_changes_and_pulls_what_a_predicate_finds() {
    let (db, f) = (database().await, Grid::F);
    let (mut refused, conditions) = (0, conditions());
    for condition in &conditions {
        Grid::delete_many(&db, Filter::all()).await.unwrap();
        Grid::insert(&db, &grid(1, &[0, 1, 2, 3, 4], &[&[0, 1], &[], &[2, 3, 4]])).await.unwrap();
        let zero = |one: i32| if condition.holds(one) { -1 } else { one };
        Grid::update_by_id(1)
            .each(f.v, |one| condition.filter(one), |c, one| c.set(one, -1))
            .execute(&db)
            .await
            .unwrap();
        let rows = Grid::update_by_id(1).each(
            f.rows,
            |_| Filter::all(),
            |c, row| c.each(row, |one| condition.filter(one), |c, one| c.set(one, -1)),
        );
        rows.execute(&db).await.unwrap();
        let stored = Grid::get_by_id(&db, 1).await.unwrap();
        assert_eq!(stored.v, [0, 1, 2, 3, 4].map(zero), "{condition:?}");
        assert_eq!(stored.rows, [Row(vec![zero(0), zero(1)]), Row(vec![]), Row([2, 3, 4].map(zero).to_vec())]);

        let rest: Vec<i32> = (0..6).filter(|one| !condition.holds(*one)).collect();
        Grid::update_by_id(1).set(f.v, vec![0, 1, 2, 3, 4, 5]).execute(&db).await.unwrap();
        match Grid::update_by_id(1).pull_if(f.v, |one| condition.filter(one)).execute(&db).await {
            Err(Error::Filter { .. }) => refused += 1,
            pulled => {
                pulled.unwrap();
                assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().v, rest, "{condition:?}");
            }
        }
    }
    assert!(refused < conditions.len() / 10, "{refused} of {} conditions have no words", conditions.len());
}

#[tokio::test]
async fn a_number_that_is_none_is_neither_more_nor_less() {
    let (db, f) = (database().await, Grid::F);
    Grid::insert(&db, &Grid { floats: vec![f64::NAN], ..grid(1, &[], &[]) }).await.unwrap();
    assert_eq!(ids(&db, f.floats.elem_match(|x| !x.gt(1.0) & !x.lt(1.0))).await, [1]);
    assert_eq!(ids(&db, f.floats.elem_match(|x| x.gt(1.0) | x.lt(1.0))).await, Vec::<i32>::new());
    Grid::update_by_id(1).pull_if(f.floats, |x| x.lt(1.0) | x.gt(2.0)).execute(&db).await.unwrap();
    assert_eq!(Grid::get_by_id(&db, 1).await.unwrap().floats.len(), 1);
    Grid::update_by_id(1).pull_if(f.floats, |x| !x.lt(1.0) & !x.gt(2.0)).execute(&db).await.unwrap();
    assert!(Grid::get_by_id(&db, 1).await.unwrap().floats.is_empty());
}
