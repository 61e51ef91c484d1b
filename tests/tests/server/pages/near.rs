//! Pages of a read that finds the documents near a place.

use schema_runtime::{Error, Point, prelude::*};
use schema_tests::database_with_log;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "stops")]
struct Stop {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[index(geo)]
    place: Point,
}

const CENTRE: Point = Point::new(10.75, 59.91);

/// Returns five stops: the last stop is the nearest, and the first stop is too far away.
fn stops() -> Vec<Stop> {
    let stop = |id: i64| {
        let degrees = if id == 1 { 3.0 } else { (6 - id) as f64 / 1_000.0 };
        Stop { id, name: format!("stop {}", id * 3 % 5), place: Point::new(10.75 + degrees, 59.91) }
    };
    (1..=5).map(stop).collect()
}

/// The order of the distance has no place where a next page could begin.
#[tokio::test]
async fn a_page_of_the_nearest_documents_needs_a_sort() {
    let (db, log) = database_with_log().await;
    let near = || Stop::find(Stop::F.place.near(CENTRE, 5_000.0));
    let inside = || Stop::find(Stop::F.name.ne("closed").and(Stop::F.place.near(CENTRE, 5_000.0)));
    for page in
        [near().paginate(2), inside().paginate(2), near().paginate(2).page_number(2), near().paginate(2).with_total()]
    {
        assert!(matches!(page.fetch(&db).await, Err(Error::Query { .. })));
    }
    assert!(log.commands().is_empty());
}

#[tokio::test]
async fn a_sort_gives_the_pages_near_a_place_their_order() {
    let (db, log) = database_with_log().await;
    schema![Stop].plan(&db).await.expect("planned").apply(&db).await.expect("applied").complete().expect("complete");
    Stop::insert_many(&db, stops()).await.expect("inserted");
    let near = || Stop::find(Stop::F.place.near(CENTRE, 5_000.0));
    let ids = |stops: &[Stop]| stops.iter().map(|stop| stop.id).collect::<Vec<_>>();
    assert_eq!(ids(&near().limit(3).fetch_all(&db).await.expect("read")), [5, 4, 3], "the nearest first");

    log.clear();
    let (mut found, mut names) = (Vec::new(), Vec::new());
    let mut page = near().sort(Stop::F.name.asc()).paginate(3).fetch(&db).await.expect("a page");
    loop {
        found.extend(ids(&page.items));
        names.extend(page.items.iter().map(|stop| stop.name.clone()));
        let Some(next) = page.next else { break };
        page = near().sort(Stop::F.name.asc()).paginate(3).after(&next).fetch(&db).await.expect("a page");
    }
    assert!(names.is_sorted(), "{names:?}");
    found.sort_unstable();
    assert_eq!(found, [2, 3, 4, 5]);
    assert_eq!(log.named("find").len(), 2);
}
