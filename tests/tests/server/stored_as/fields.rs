//! Fields with `#[stored_as(..)]`, with functions of serde and without: filters, orders, pages, updates, declared
//! queries, patches, projections, JSON and the fields that this crate sets.

// Two declared queries may have words in common.
#![allow(clippy::duplicated_attributes)]

use mongodb::bson::{Bson, DateTime as Date, Document, doc};
use schema_runtime::{check_stored, json, prelude::*, schema};
use schema_tests::database;

use super::{Foreign, Seconds, as_date, as_optional_date, as_words, date};
use crate::positions::raw;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "photos")]
#[index(desc(taken), place.entered)]
#[query(taken_between(between(taken)), order = desc(taken), page = 2)]
#[query(taken_at(taken))]
#[query(sized(is_in(size)), limit = 10)]
#[query(after(gt(seen)), limit = 9)]
struct Photo {
    #[serde(rename = "_id")]
    id: i64,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    taken: Seconds,
    #[stored_as(Option<DateTime>)]
    #[serde(default, with = "as_optional_date")]
    seen: Option<Seconds>,
    #[stored_as(i64)]
    size: Foreign,
    #[stored_as(Option<i64>)]
    width: Option<Foreign>,
    #[stored_as(String)]
    #[bound(max_len = 20)]
    #[serde(with = "as_words")]
    words: Vec<String>,
    place: Place,
    #[relation(one_to_few, embed, max = 5)]
    places: Vec<Place>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    entered: Seconds,
}

#[derive(Projection, Serialize, Deserialize, Debug, PartialEq)]
#[projection(of = Photo)]
struct Card {
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    taken: Seconds,
    #[stored_as(i64)]
    size: Foreign,
}

/// The stored types of the fields.
#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Photo)]
struct Stored {
    taken: DateTime,
    size: i64,
    words: String,
}

#[derive(Patch, Default)]
#[patch(Photo)]
struct Edit {
    taken: Option<Seconds>,
    seen: Option<Option<Seconds>>,
    size: Option<Foreign>,
    words: Option<Vec<String>>,
}

fn photo(id: i64) -> Photo {
    let place = |seconds| Place { entered: Seconds(seconds) };
    Photo {
        id,
        taken: Seconds(id * 10),
        seen: (id > 1).then_some(Seconds(id)),
        size: Foreign(id * 100),
        width: (id < 3).then_some(Foreign(id)),
        words: vec!["word".to_owned(), id.to_string()],
        place: place(id),
        places: vec![place(id), place(-id)],
    }
}

fn stored(id: i64) -> Document {
    let place = |seconds: i64| doc! { "entered": date(seconds * 1_000) };
    let seen = if id > 1 { date(id * 1_000) } else { Bson::Null };
    let width = if id < 3 { Bson::Int64(id) } else { Bson::Null };
    doc! {
        "_id": id, "taken": date(id * 10_000), "seen": seen, "size": id * 100, "width": width,
        "words": format!("word {id}"), "place": place(id), "places": [place(id), place(-id)],
    }
}

async fn photos() -> Database {
    let db = database().await;
    schema![Photo].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Photo::insert_many(&db, (1..=4).map(photo)).await.unwrap();
    db
}

async fn ids(db: &Database, filter: Filter<Photo>) -> Vec<i64> {
    let found = Photo::find(filter).sort(Photo::F.taken.asc()).fetch_all(db).await.unwrap();
    found.into_iter().map(|photo| photo.id).collect()
}

#[tokio::test]
async fn documents_and_filters() {
    let db = photos().await;
    for id in 1..=4 {
        assert_eq!(raw(&db, "photos", id).await, stored(id));
        assert_eq!(Photo::get_by_id(&db, id).await.unwrap(), photo(id));
        check_stored(&photo(id)).unwrap();
    }
    let (f, two) = (Photo::F, photo(2));
    assert_eq!(ids(&db, f.taken.eq(Seconds(20))).await, [2]);
    assert_eq!(ids(&db, f.taken.eq(two.taken)).await, [2]);
    assert_eq!(ids(&db, f.taken.ne(two.taken)).await, [1, 3, 4]);
    assert_eq!(ids(&db, f.taken.gt(two.taken)).await, [3, 4]);
    assert_eq!(ids(&db, f.taken.lte(two.taken)).await, [1, 2]);
    assert_eq!(ids(&db, f.taken.between(Seconds(20)..Seconds(40))).await, [2, 3]);
    assert_eq!(ids(&db, f.taken.is_in([Seconds(10), Seconds(40)])).await, [1, 4]);
    assert_eq!(ids(&db, f.taken.not_in([Seconds(10), Seconds(40)])).await, [2, 3]);
    assert_eq!(ids(&db, f.seen.is_null()).await, [1]);
    assert_eq!(ids(&db, f.seen.eq(None)).await, [1]);
    assert_eq!(ids(&db, f.seen.eq(Seconds(3))).await, [3]);
    assert_eq!(ids(&db, f.seen.gte(Seconds(3))).await, [3, 4]);
    assert_eq!(ids(&db, f.size.lt(Foreign(200))).await, [1]);
    assert_eq!(ids(&db, f.size.is_in([Foreign(200), Foreign(7)])).await, [2]);
    assert_eq!(ids(&db, f.width.is_not_null()).await, [1, 2]);
    assert_eq!(ids(&db, f.width.gt(Foreign(1))).await, [2]);
    assert_eq!(ids(&db, f.words.eq(&two.words)).await, [2]);
    assert_eq!(ids(&db, f.words.starts_with("word 3")).await, [3]);
    assert_eq!(ids(&db, f.words.gt(&two.words)).await, [3, 4]);
    assert_eq!(ids(&db, f.place.entered.lt(Seconds(2))).await, [1]);
    assert_eq!(ids(&db, f.places.elem_match(|place| place.entered.lt(Seconds(-3)))).await, [4]);
    assert_eq!(ids(&db, f.place.eq(&two.place)).await, [2]);
    assert_eq!(ids(&db, f.taken.eq(Seconds(20)) | !f.taken.lt(Seconds(40))).await, [2, 4]);
}

#[tokio::test]
async fn orders_pages_and_declared_queries() {
    let db = photos().await;
    let down = || Photo::find(Filter::all()).sort(Photo::F.taken.desc());
    let numbers = |photos: &[Photo]| photos.iter().map(|photo| photo.id).collect::<Vec<_>>();
    let first = down().paginate(3).fetch(&db).await.unwrap();
    assert_eq!(numbers(&first.items), [4, 3, 2]);
    let token = first.next.map(|token| token.to_string().parse::<schema_runtime::PageToken>().unwrap());
    let next = down().paginate(3).after(token.as_ref()).fetch(&db).await.unwrap();
    assert_eq!(numbers(&next.items), [1]);

    let page = Photo::taken_between(Seconds(10)..Seconds(40)).fetch(&db).await.unwrap();
    assert_eq!(numbers(&page.items), [3, 2]);
    let page = Photo::taken_between(Seconds(10)..Seconds(40)).after(page.next.as_ref()).fetch(&db).await.unwrap();
    assert_eq!(numbers(&page.items), [1]);
    assert_eq!(numbers(&Photo::taken_at(Seconds(30)).fetch_all(&db).await.unwrap()), [3]);
    assert_eq!(Photo::sized([Foreign(100), Foreign(300)]).fetch_all(&db).await.unwrap().len(), 2);
    assert_eq!(numbers(&Photo::after(Seconds(3)).fetch_all(&db).await.unwrap()), [4]);
    assert_eq!(schema_runtime::check_queries(&schema![Photo], &db).await.unwrap().len(), 0);

    let card = Photo::find(Photo::F.size.eq(Foreign(200))).select::<Card>().fetch_one(&db).await.unwrap();
    assert_eq!(card, Card { taken: Seconds(20), size: Foreign(200) });
    let plain = Photo::find(Photo::F.size.eq(Foreign(200))).select::<Stored>().fetch_one(&db).await.unwrap();
    let expected = Stored { taken: DateTime::from_millis(20_000), size: 200, words: "word 2".to_owned() };
    assert_eq!(plain, expected);
    let sizes = Photo::find(Photo::F.id.lt(3)).distinct(&db, Photo::F.size).await.unwrap();
    assert_eq!(sizes, [Foreign(100), Foreign(200)]);
}

#[tokio::test]
async fn updates() {
    let db = photos().await;
    let f = Photo::F;
    let update = Photo::update_by_id(1).set(f.taken, Seconds(70)).set(f.seen, Seconds(8)).set(f.size, Foreign(9));
    let update = update.set(f.width, None).set(f.words, vec!["a".to_owned()]).set(f.place.entered, Seconds(6));
    update.push(f.places, &Place { entered: Seconds(5) }).execute(&db).await.unwrap();
    let mut expected = stored(1);
    for (name, value) in [("taken", date(70_000)), ("seen", date(8_000)), ("size", 9_i64.into())] {
        expected.insert(name, value);
    }
    expected.insert("width", Bson::Null);
    expected.insert("words", "a");
    expected.insert("place", doc! { "entered": date(6_000) });
    let place = |seconds: i64| doc! { "entered": date(seconds * 1_000) };
    expected.insert("places", [place(1), place(-1), place(5)].to_vec());
    assert_eq!(raw(&db, "photos", 1_i64).await, expected);

    let update = Photo::update_by_id(1).min(f.taken, Seconds(60)).max(f.size, Foreign(10)).unset(f.seen);
    update.pull_if(f.places, |place| place.entered.lt(Seconds(0))).execute(&db).await.unwrap();
    let read = Photo::get_by_id(&db, 1).await.unwrap();
    assert_eq!((read.taken, read.seen, read.size, read.places.len()), (Seconds(60), None, Foreign(10), 2));
    let update = Photo::update_by_id(1).inc(f.size, Foreign(5)).current_date(f.taken);
    update.only_if(f.taken.eq(Seconds(60))).execute(&db).await.unwrap();
    let read = Photo::get_by_id(&db, 1).await.unwrap();
    assert!(read.taken > Seconds(1_700_000_000) && read.size == Foreign(15));
    let each = Photo::update_by_id(1).each(
        f.places,
        |place| place.entered.gt(Seconds(4)),
        |change, place| change.set(place.entered, Seconds(50)),
    );
    each.execute(&db).await.unwrap();
    assert_eq!(Photo::get_by_id(&db, 1).await.unwrap().places[1].entered, Seconds(50));

    let edit = Edit { taken: Some(Seconds(3)), seen: Some(None), size: None, words: Some(vec!["x".into()]) };
    let after = Photo::update_by_id(2).apply(&edit).fetch_after(&db).await.unwrap();
    let expected = Photo { taken: Seconds(3), seen: None, words: vec!["x".into()], ..photo(2) };
    assert_eq!(after, expected);
    assert_eq!(raw(&db, "photos", 2_i64).await.get("taken"), Some(&date(3_000)));

    Photo::replace(&db, &Photo { size: Foreign(1), ..photo(3) }).await.unwrap();
    Photo::save(&db, &mut Photo { size: Foreign(2), ..photo(3) }).await.unwrap();
    assert_eq!(raw(&db, "photos", 3_i64).await.get("size"), Some(&Bson::Int64(2)));
    assert!(Photo::upsert(&db, &photo(5)).await.unwrap());
    let bulk = Photo::bulk().insert(&photo(6)).replace(&photo(5));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(raw(&db, "photos", 6_i64).await, stored(6));
}

#[test]
fn json_has_the_declared_type() {
    let value = json::to_json(&photo(2)).unwrap();
    assert_eq!(value["taken"], "1970-01-01T00:00:20.000Z");
    assert_eq!((&value["words"], &value["size"]), (&"word 2".into(), &200.into()));
    assert_eq!(json::from_value::<Photo>(&value).unwrap(), photo(2));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    text: String,
    #[created_at]
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    created: Seconds,
    #[updated_at]
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    updated: Seconds,
    #[version]
    version: i64,
    #[index(ttl = "30d")]
    #[stored_as(Option<DateTime>)]
    #[serde(default, skip_serializing_if = "Option::is_none", with = "as_optional_date")]
    expires: Option<Seconds>,
}

#[tokio::test]
async fn times_that_the_crate_sets() {
    let db = database().await;
    schema![Note].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let now = || Seconds(Date::now().timestamp_millis().div_euclid(1_000));
    let (zero, before) = (Seconds(0), now());
    let mut note = Note {
        id: 1,
        text: "a".into(),
        created: zero,
        updated: zero,
        version: 0,
        expires: Some(Seconds(4_102_444_800)),
    };
    Note::create(&db, &mut note).await.unwrap();
    assert!(before <= note.created && note.created <= now() && note.updated == note.created);
    assert_eq!(Note::get_by_id(&db, 1).await.unwrap(), note);
    note.text = "b".into();
    note.expires = None;
    Note::save(&db, &mut note).await.unwrap();
    let stored = raw(&db, "notes", 1_i64).await;
    assert!(stored.get_datetime("created").is_ok() && !stored.contains_key("expires"), "{stored}");
    assert_eq!(Note::find(Note::F.updated.gte(before) & Note::F.expires.is_null()).count(&db).await.unwrap(), 1);
    let made = Note::update_one(Note::F.id.eq(2)).set(Note::F.text, "c").set(Note::F.expires, Seconds(1)).upsert();
    made.execute(&db).await.unwrap();
    let read = Note::get_by_id(&db, 2).await.unwrap();
    assert!(read.created >= before && read.created == read.updated && read.expires == Some(Seconds(1)));
    assert!(schema![Note].plan(&db).await.unwrap().is_empty());
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "drafts", new(Clone))]
struct Draft {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    created: Seconds,
    #[default(Seconds(7))]
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    due: Seconds,
    #[default(Foreign(3))]
    #[stored_as(i64)]
    size: Foreign,
    #[auto(with = new_words)]
    #[stored_as(String)]
    #[serde(with = "as_words")]
    words: Vec<String>,
}

fn new_words() -> Vec<String> {
    vec!["a".to_owned(), "b".to_owned()]
}

#[tokio::test]
async fn new_values_have_the_declared_types() {
    let db = database().await;
    let new = NewDraft { id: 1, due: None, size: Some(Foreign(9)) };
    let draft = new.insert(&db).await.unwrap();
    assert_eq!((draft.due, draft.size, &draft.words), (Seconds(7), Foreign(9), &new_words()));
    let stored = raw(&db, "drafts", 1_i64).await;
    assert!(stored.get_datetime("created").is_ok(), "{stored}");
    assert_eq!((stored.get("due"), stored.get_str("words").unwrap()), (Some(&date(7_000)), "a b"));
    assert_eq!(Draft::get_by_id(&db, 1).await.unwrap(), draft);
    let read: NewDraft = json::from_value(&serde_json::json!({ "id": 2, "due": "1970-01-01T00:00:05Z" })).unwrap();
    assert_eq!(read.into_model().unwrap().due, Seconds(5));
}
