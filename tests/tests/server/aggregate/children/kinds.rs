//! Rows of parents with other features: trees, extended references, relations with two ends, enums with data,
//! capped collections, time series, views, and texts as `_id`s under a collation.

use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Folder>>,
    size: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Folder)]
struct FolderRow {
    id: i64,
    parent: Option<Ref<Folder>>,
    size: i64,
    #[count(Folder::parent)]
    folders: i64,
    #[sum(Folder::parent, size)]
    inside: i64,
}

#[tokio::test]
async fn the_children_of_a_tree_are_in_the_same_collection() {
    let db = database().await;
    schema![Folder].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for (id, parent) in [(1, None), (2, Some(1)), (3, Some(1)), (4, Some(2)), (5, None)] {
        Folder::insert(&db, &Folder { id, parent: parent.map(Ref::new), size: 10 * id }).await.unwrap();
    }
    let rows = Folder::aggregate::<FolderRow>().sort(FolderRow::F.id.asc()).fetch_all(&db).await.unwrap();
    let numbers: Vec<_> = rows.iter().map(|row| (row.id, row.size, row.folders, row.inside)).collect();
    assert_eq!(numbers, [(1, 10, 2, 50), (2, 20, 1, 40), (3, 30, 0, 0), (4, 40, 0, 0), (5, 50, 0, 0)]);
    assert_eq!(rows[1].parent, Some(Ref::new(1)));
    let roots = Folder::aggregate::<FolderRow>().filter(Folder::F.parent.eq(None)).having(FolderRow::F.folders.eq(0));
    assert_eq!(roots.fetch_all(&db).await.unwrap().len(), 1);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_tags")]
struct Tag {
    #[serde(rename = "_id")]
    id: String,
    title: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_notes", collation(locale = "en", strength = 2))]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(rank))]
    tag: Ref<Tag>,
    rank: i64,
    word: String,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Note)]
struct NoteLine {
    word: String,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Tag)]
struct TagRow {
    id: String,
    title: String,
    #[count(Note::tag)]
    notes: i64,
    #[top(5, of = Note::tag, order = asc(rank))]
    lines: Vec<NoteLine>,
}

/// Two `_id`s that a collation takes for equal are two parents.
#[tokio::test]
async fn references_that_are_texts_are_equal_by_bytes() {
    let db = database().await;
    schema![Tag, Note].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for id in ["red", "Red", "blue"] {
        Tag::insert(&db, &Tag { id: id.to_owned(), title: "T".to_owned() }).await.unwrap();
    }
    for (id, tag) in [(1, "red"), (2, "Red"), (3, "Red"), (4, "RED")] {
        let note = Note { id, tag: Ref::new(tag.to_owned()), rank: 9 - id, word: format!("w{id}") };
        Note::insert(&db, &note).await.unwrap();
    }
    let read = || Tag::aggregate::<TagRow>().filter(Tag::F.title.eq("T"));
    for rows in [read(), read().having(TagRow::F.notes.gte(0))] {
        let mut rows = rows.fetch_all(&db).await.unwrap();
        rows.sort_by(|one, other| one.id.cmp(&other.id));
        let numbers: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.notes, row.lines.len())).collect();
        assert_eq!(numbers, [("Red", 2, 2), ("blue", 0, 0), ("red", 1, 1)]);
        assert_eq!(rows[0].lines[0].word, "w3");
    }
    let upper = Tag::aggregate::<TagRow>().having(TagRow::F.notes.eq(2)).fetch_one(&db).await.unwrap();
    assert_eq!(upper.id, "Red");
    let refused = Tag::aggregate::<TagRow>().having(TagRow::F.notes.eq(2)).case_insensitive().fetch_all(&db).await;
    assert!(refused.unwrap_err().to_string().contains("remove the collation"));
    assert_eq!(read().case_insensitive().fetch_all(&db).await.unwrap().len(), 3);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_sensors")]
#[serde(tag = "kind")]
enum Sensor {
    Heat {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
        limit: f64,
    },
    Light {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
        color: String,
    },
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_readings", time_series(time = at, meta = sensor))]
struct Measure {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    sensor: Ref<Sensor>,
    at: DateTime,
    value: f64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_lines", capped(size = "1MiB"))]
struct Line {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    sensor: Ref<Sensor>,
    text: String,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sensor)]
struct SensorRow {
    id: i64,
    name: String,
    limit: Option<f64>,
    #[avg(Measure::sensor, value)]
    mean: Option<f64>,
    #[last(Measure::sensor, value, order = asc(at))]
    newest: Option<f64>,
    #[count(Line::sensor)]
    lines: i64,
    #[max(Line::sensor, text)]
    greatest: Option<String>,
}

#[tokio::test]
async fn enums_with_data_time_series_and_capped_collections() {
    let db = database().await;
    schema![Sensor, Measure, Line].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let heat = Sensor::Heat { id: 1, name: "a".to_owned(), limit: 2.5 };
    let light = Sensor::Light { id: 2, name: "b".to_owned(), color: "red".to_owned() };
    Sensor::insert_many(&db, &[heat, light]).await.unwrap();
    for (id, value) in [(1, 1.0), (2, 2.0), (3, 6.0)] {
        let at = DateTime::from_millis(1_700_000_000_000 + id * 1_000);
        Measure::insert(&db, &Measure { id, sensor: Ref::new(1), at, value }).await.unwrap();
        Line::insert(&db, &Line { id, sensor: Ref::new(2), text: format!("t{id}") }).await.unwrap();
    }
    let rows = Sensor::aggregate::<SensorRow>().sort(SensorRow::F.id.asc()).fetch_all(&db).await.unwrap();
    let first = SensorRow {
        id: 1,
        name: "a".to_owned(),
        limit: Some(2.5),
        mean: Some(3.0),
        newest: Some(6.0),
        lines: 0,
        greatest: None,
    };
    let second = SensorRow {
        id: 2,
        name: "b".to_owned(),
        limit: None,
        mean: None,
        newest: None,
        lines: 3,
        greatest: Some("t3".to_owned()),
    };
    assert_eq!(rows, [first.clone(), second]);
    let hot = Sensor::aggregate::<SensorRow>().having(SensorRow::F.mean.gt(2.0).and(SensorRow::F.newest.gt(5.0)));
    assert_eq!(hot.fetch_all(&db).await.unwrap(), [first]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Post::author)]
    #[changes(seldom)]
    name: String,
    #[relation(one_to_many, two_way, of = Draft::author, max = 100, on_delete = restrict)]
    drafts: Vec<Ref<Draft>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, by = id)]
    author: AuthorRef,
    words: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct AuthorRef {
    #[serde(rename = "authorId")]
    id: Ref<Author>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kind_drafts")]
struct Draft {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = drafts)]
    author: Ref<Author>,
    words: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Author)]
struct AuthorRow {
    id: i64,
    name: String,
    #[sum(Post::author, words)]
    words: i64,
    #[first(Post::author, words, order = desc(id))]
    newest: Option<i64>,
    #[count(Draft::author)]
    drafts: i64,
}

#[tokio::test]
async fn extended_references_and_relations_with_two_ends() {
    let db = database().await;
    schema![Author, Post, Draft].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for id in 1..=2 {
        Author::insert(&db, &Author { id, name: format!("a{id}"), drafts: Vec::new() }).await.unwrap();
    }
    for (id, author, words) in [(1, 1, 10), (2, 1, 30), (3, 2, 5)] {
        let author = AuthorRef { id: Ref::new(author), name: format!("a{author}") };
        Post::insert(&db, &Post { id, author, words }).await.unwrap();
    }
    Draft::insert(&db, &Draft { id: 1, author: Ref::new(2), words: 4 }).await.unwrap();
    let rows = Author::aggregate::<AuthorRow>().sort(AuthorRow::F.id.asc()).fetch_all(&db).await.unwrap();
    let row = |id, words, newest, drafts| AuthorRow { id, name: format!("a{id}"), words, newest: Some(newest), drafts };
    assert_eq!(rows, [row(1, 40, 30, 0), row(2, 5, 5, 1)]);
    let some = Author::aggregate::<AuthorRow>().having(AuthorRow::F.drafts.gte(1).and(AuthorRow::F.words.lt(9)));
    assert_eq!(some.fetch_all(&db).await.unwrap(), rows[1..]);
}
