//! The command of each operator, and the acceptance of the command by the server.

use mongodb::bson::{Document, doc};
use schema_runtime::{Area, Pattern, Point, prelude::*};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    #[index(text)]
    name: String,
    #[serde(rename = "desc")]
    description: Option<String>,
    stars: i32,
    #[bound(max_items = 5)]
    tags: Vec<String>,
    #[bound(max_items = 5)]
    scores: Vec<i32>,
    #[index(geo)]
    place: Point,
    #[relation(one_to_few, embed, max = 5)]
    rooms: Vec<Room>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Room {
    room_name: String,
    size: i32,
}

fn sent(filter: Filter<Shop>) -> Document {
    filter.into_document().unwrap()
}

#[test]
fn each_is_one_operator_on_the_stored_name() {
    let f = Shop::F;
    let cases = [
        (f.stars.eq(1), doc! { "stars": 1 }),
        (f.stars.ne(1), doc! { "stars": { "$ne": 1 } }),
        (f.stars.gt(1), doc! { "stars": { "$gt": 1 } }),
        (f.stars.gte(1), doc! { "stars": { "$gte": 1 } }),
        (f.stars.lt(1), doc! { "stars": { "$lt": 1 } }),
        (f.stars.lte(1), doc! { "stars": { "$lte": 1 } }),
        (f.stars.is_in([1, 2]), doc! { "stars": { "$in": [1, 2] } }),
        (f.stars.not_in([1, 2]), doc! { "stars": { "$nin": [1, 2] } }),
        (f.stars.between(1..5), doc! { "stars": { "$gte": 1, "$lt": 5 } }),
        (f.stars.between(..=5), doc! { "stars": { "$lte": 5 } }),
        (f.name.between("a".."b"), doc! { "name": { "$gte": "a", "$lt": "b" } }),
        (f.description.exists(true), doc! { "desc": { "$exists": true } }),
        (f.description.is_null(), doc! { "desc": null }),
        (f.description.is_not_null(), doc! { "desc": { "$ne": null } }),
        (f.name.contains_text("a.b"), doc! { "name": { "$regex": r"a\.b" } }),
        (f.name.contains_text_ignoring_case("+"), doc! { "name": { "$regex": r"\+", "$options": "i" } }),
        (f.name.starts_with("$"), doc! { "name": { "$regex": r"^\$" } }),
        (f.name.starts_with_ignoring_case("a"), doc! { "name": { "$regex": "^a", "$options": "i" } }),
        (f.name.ends_with("."), doc! { "name": { "$regex": r"\.\z" } }),
        (f.name.ends_with_ignoring_case("x"), doc! { "name": { "$regex": r"x\z", "$options": "i" } }),
        (f.name.regex(Pattern::new("^[ab]").unwrap()), doc! { "name": { "$regex": "^[ab]" } }),
        (f.tags.contains("a"), doc! { "tags": "a" }),
        (
            f.tags.all(["a", "b"]),
            doc! { "tags": { "$all": [{ "$elemMatch": { "$eq": "a" } }, { "$elemMatch": { "$eq": "b" } }] } },
        ),
        (f.tags.size(2), doc! { "tags": { "$size": 2_i64 } }),
        (
            f.scores.elem_match(|score| score.between(1..5)),
            doc! { "scores": { "$elemMatch": { "$gte": 1, "$lt": 5 } } },
        ),
        (
            f.scores.elem_match(|score| score.gt(1) & score.ne(3)),
            doc! { "scores": { "$elemMatch": { "$gt": 1, "$ne": 3 } } },
        ),
        (
            f.scores.elem_match(|score| score.gt(1) & score.gt(2)),
            doc! { "scores": { "$elemMatch": { "$gt": 1, "$not": { "$not": { "$gt": 2 } } } } },
        ),
        (
            f.scores.elem_match(|score| !(score.eq(1) | score.eq(2))),
            doc! { "scores": { "$elemMatch": { "$nin": [1, 2] } } },
        ),
        (
            f.rooms.elem_match(|room| room.room_name.eq("hall").and(room.size.gt(9))),
            doc! { "rooms": { "$elemMatch": { "roomName": "hall", "size": { "$gt": 9 } } } },
        ),
        (f.rooms.room_name.eq("hall"), doc! { "rooms.roomName": "hall" }),
        (f.stars.eq(1) & f.name.eq("a"), doc! { "stars": 1, "name": "a" }),
        (f.stars.gt(1) & f.stars.lt(5), doc! { "$and": [{ "stars": { "$gt": 1 } }, { "stars": { "$lt": 5 } }] }),
        (
            f.stars.eq(1) | f.stars.eq(2) | f.stars.eq(3),
            doc! { "$or": [{ "stars": 1 }, { "stars": 2 }, { "stars": 3 }] },
        ),
        (!f.stars.eq(1), doc! { "$nor": [{ "stars": 1 }] }),
        (Filter::nor([f.stars.eq(1), f.stars.eq(2)]), doc! { "$nor": [{ "stars": 1 }, { "stars": 2 }] }),
        (Filter::all_of([]), doc! {}),
        (Filter::any_of([]), doc! { "_id": { "$in": [] } }),
    ];
    for (filter, expected) in cases {
        assert_eq!(sent(filter), expected);
    }
}

#[test]
fn a_condition_that_the_server_has_no_words_for_is_reported() {
    let room = Room { room_name: "hall".to_owned(), size: 1 };
    let filter = Shop::F.rooms.elem_match(|one| one.size.gt(1) & one.ne(&room));
    assert!(matches!(filter.into_document(), Err(Error::Filter { .. })));
}

fn shop(id: i64, place: Point) -> Shop {
    let (name, tags) = (format!("shop {id}"), Vec::new());
    Shop { id, name, description: None, stars: 1, tags, scores: Vec::new(), place, rooms: Vec::new() }
}

#[tokio::test]
async fn places_near_and_within() {
    let (db, log) = database_with_log().await;
    schema![Shop].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let (oslo, drammen, bergen) = (Point::new(10.75, 59.91), Point::new(10.20, 59.74), Point::new(5.32, 60.39));
    Shop::insert_many(&db, &[shop(1, bergen), shop(2, oslo), shop(3, drammen)]).await.unwrap();
    let ids = |shops: Vec<Shop>| shops.iter().map(|shop| shop.id).collect::<Vec<_>>();

    log.clear();
    let near = Shop::find(Shop::F.place.near(oslo, 50_000.0)).fetch_all(&db).await.unwrap();
    assert_eq!(ids(near), [2, 3], "the nearest first");
    let geometry = doc! { "type": "Point", "coordinates": [10.75, 59.91] };
    assert_eq!(
        log.named("find")[0].get_document("filter").unwrap(),
        &doc! { "place": { "$nearSphere": { "$geometry": geometry, "$maxDistance": 50_000.0 } } }
    );

    let circle = Shop::find(Shop::F.place.within(Area::circle(oslo, 10_000.0))).fetch_all(&db).await.unwrap();
    assert_eq!(ids(circle), [2]);
    let corners = [Point::new(9.0, 59.0), Point::new(12.0, 59.0), Point::new(12.0, 61.0), Point::new(9.0, 61.0)];
    let within = || Shop::F.place.within(Area::polygon(corners));
    let mut inside = ids(Shop::find(within()).fetch_all(&db).await.unwrap());
    inside.sort_unstable();
    assert_eq!(inside, [2, 3]);
    assert_eq!(Shop::find(!within()).count(&db).await.unwrap(), 1);
    assert_eq!(Shop::get_by_id(&db, &2).await.unwrap().place, oslo);
}

#[tokio::test]
async fn words_of_a_text_index() {
    let db = database().await;
    Shop::insert_many(&db, &[shop(1, Point::new(0.0, 0.0)), shop(2, Point::new(0.0, 0.0))]).await.unwrap();
    schema![Shop].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    assert_eq!(Shop::find(Filter::text("shop")).count(&db).await.unwrap(), 2);
    // A minus and quotes have a meaning in the server's own search.
    assert_eq!(Shop::find(Filter::text("shop -\"shop\"")).count(&db).await.unwrap(), 2);
    assert_eq!(Shop::find(Filter::text("shop").and(Shop::F.id.eq(2))).count(&db).await.unwrap(), 1);
}
