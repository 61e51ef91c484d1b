//! The element at a position of a list, in filters and updates: conditions, changes of an element that exists, and no
//! change of an element that does not exist.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{BoundedVec, prelude::*};
use schema_tests::database_with_log;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "boards")]
struct Board {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    #[bound(max_items = 4, max_len = 8)]
    tags: Vec<String>,
    #[bound(max_items = 4)]
    scores: Vec<Option<i32>>,
    #[bound(max_items = 4)]
    grid: Vec<BoundedVec<i32, 3>>,
    #[relation(one_to_few, embed, max = 4)]
    rows: Vec<Row>,
    #[relation(one_to_few, embed, max = 4)]
    extra: Option<Vec<Row>>,
    #[bound(max_items = 4, max_bytes = 100)]
    maps: Vec<Bson>,
    pair: [i64; 2],
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Row {
    name: String,
    count: u32,
    at: Option<DateTime>,
}

fn row(name: &str, count: u32) -> Row {
    Row { name: name.to_owned(), count, at: None }
}

fn board(id: i64) -> Board {
    let bounded = |list: Vec<i32>| BoundedVec::try_from(list).unwrap();
    Board {
        id,
        version: 1,
        tags: vec!["a".to_owned(), "b".to_owned()],
        scores: vec![Some(1), None],
        grid: vec![bounded(vec![1, 2]), bounded(vec![3, 4, 5])],
        rows: vec![row("first", 1), row("second", 2)],
        extra: None,
        maps: Vec::new(),
        pair: [1, 2],
    }
}

async fn raw(db: &Database, id: i64) -> Document {
    db.collection::<Document>("boards").find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_condition_is_about_the_element_at_the_position() {
    let (db, _) = database_with_log().await;
    let mut other = board(2);
    other.tags.reverse();
    other.scores = vec![None];
    other.rows.truncate(1);
    Board::insert_many(&db, &[board(1), other]).await.unwrap();
    let f = Board::F;
    let ids = async |filter: Filter<Board>| -> Vec<i64> {
        let found = Board::find(filter).sort(f.id.asc()).fetch_all(&db).await.unwrap();
        found.into_iter().map(|board| board.id).collect()
    };
    assert_eq!(ids(f.tags.at_index(0).eq("a")).await, [1]);
    assert_eq!(ids(f.tags.at_index(1).starts_with("a")).await, [2]);
    assert_eq!(ids(f.tags.at_index(7).ne("a")).await, [1, 2], "an absent element is unequal");
    assert_eq!(ids(f.tags.at_index(7).exists(false)).await, [1, 2]);
    assert_eq!(ids(f.scores.at_index(0).gte(1)).await, [1]);
    assert_eq!(ids(f.scores.at_index(1).is_null()).await, [1], "an absent element is no null");
    assert_eq!(ids(f.scores.at_index(1).exists(true)).await, [1]);
    assert_eq!(ids(f.pair.at_index(1).between(2..3)).await, [1, 2]);
    assert_eq!(ids(f.rows.at_index(1).inside(|row| row.name).eq("second")).await, [1]);
    assert_eq!(ids(f.rows.at_index(0).eq(row("first", 1))).await, [1, 2]);
    assert_eq!(ids(f.grid.at_index(1).at_index(2).eq(5)).await, [1, 2]);
    assert_eq!(ids(f.grid.at_index(0).size(2)).await, [1, 2]);
    assert_eq!(ids(f.grid.elem_match(|line| line.at_index(0).eq(3) & line.at_index(1).eq(4))).await, [1, 2]);
    assert!(matches!(f.maps.at_index(0).eq(&Bson::Null).into_document(), Err(Error::Encode { .. })));
}

#[tokio::test]
async fn a_change_is_of_an_element_that_exists() {
    let (db, log) = database_with_log().await;
    Board::insert(&db, &board(1)).await.unwrap();
    let f = Board::F;
    let update = || Board::update_by_id(1);
    log.clear();
    update()
        .set(f.tags.at_index(1), "c")
        .inc(f.pair.at_index(0), 5)
        .inc(f.rows.at_index(1).inside(|row| row.count), 3)
        .set(f.grid.at_index(1).at_index(0), 9)
        .unset(f.scores.at_index(0))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(log.named("update").len(), 1);
    let after = Board::get_by_id(&db, &1).await.unwrap();
    assert_eq!(after.tags, ["a", "c"]);
    assert_eq!((after.pair, after.rows[1].count, after.version), ([6, 2], 5, 2));
    assert_eq!(after.grid[1].to_vec(), [9, 4, 5]);
    assert_eq!(after.scores, [None, None]);

    let before = raw(&db, 1).await;
    let missing = [
        update().set(f.tags.at_index(2), "d"),
        update().inc(f.rows.at_index(2).inside(|row| row.count), 3),
        update().set(f.extra.at_index(0).inside(|row| row.name), "x"),
        update().set(f.scores.at_index(3), 7),
        update().set(f.grid.at_index(0).at_index(2), 7),
        update().push(f.grid.at_index(3), 7),
    ];
    for update in missing {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
    }
    let many = Board::update_many(Filter::all()).set(f.tags.at_index(2), "d").execute(&db).await.unwrap();
    assert_eq!(many.matched, 0);
    assert_eq!(raw(&db, 1).await, before);
}

#[tokio::test]
async fn bounds_nulls_and_upserts() {
    let (db, _) = database_with_log().await;
    Board::insert(&db, &board(1)).await.unwrap();
    let f = Board::F;
    let too_long = Board::update_by_id(1).set(f.tags.at_index(0), "123456789").execute(&db).await.unwrap_err();
    assert!(matches!(too_long, Error::BoundExceeded { bound: 8, .. }), "{too_long}");
    Board::update_by_id(1).push(f.grid.at_index(0), 7).execute(&db).await.unwrap();
    let full = Board::update_by_id(1).push(f.grid.at_index(0), 8).execute(&db).await.unwrap_err();
    assert!(matches!(full, Error::BoundExceeded { bound: 3, .. }), "{full}");
    let min = Board::update_by_id(1).min(f.scores.at_index(1), 3).execute(&db).await.unwrap_err();
    assert!(matches!(min, Error::Update { .. }), "{min}");
    Board::update_by_id(1).min(f.pair.at_index(1), 1).max(f.pair.at_index(0), 4).execute(&db).await.unwrap();
    assert_eq!(raw(&db, 1).await.get_array("pair").unwrap(), &[Bson::Int64(4), Bson::Int64(1)]);
    let upsert = Board::update_by_id(2).set(f.tags.at_index(0), "a").upsert().execute(&db).await.unwrap_err();
    assert!(matches!(upsert, Error::Update { .. }), "{upsert}");
    let each = Board::update_by_id(1).each(f.grid, |_| Filter::all(), |change, line| change.set(line.at_index(2), 0));
    each.execute(&db).await.unwrap();
    let grid = Board::get_by_id(&db, &1).await.unwrap().grid;
    assert_eq!(grid[0].to_vec(), [1, 2, 0]);
    assert_eq!(grid[1].to_vec(), [3, 4, 0]);
}

#[tokio::test]
async fn a_bulk_changes_elements_by_position() {
    let (db, _) = database_with_log().await;
    Board::insert(&db, &board(1)).await.unwrap();
    let f = Board::F;
    let report = Board::bulk()
        .update(Board::update_by_id(1).set(f.tags.at_index(0), "z"))
        .update(Board::update_by_id(1).set(f.tags.at_index(3), "z"))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(report.counts.unmatched, Some(1));
    assert_eq!(Board::get_by_id(&db, &1).await.unwrap().tags, ["z", "b"]);
}
