//! `_id`s of every type, also in the types of further clients.

use mongodb::bson::{Binary, Bson, doc, spec::BinarySubtype};
use schema_runtime::{Error, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

/// Defines a parent and its child, for a type of `_id`.
macro_rules! pair {
    ($parent:ident, $child:ident, $id:ty, $parents:literal, $children:literal) => {
        #[derive(Model, Serialize, Deserialize, Debug)]
        #[model(collection = $parents)]
        struct $parent {
            #[serde(rename = "_id")]
            id: i64,
            #[relation(one_to_many, child_refs, max = 2_000, inverse = parents)]
            children: Vec<Ref<$child>>,
        }

        #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
        #[model(collection = $children)]
        #[inverse(parents = $parent::children)]
        struct $child {
            #[serde(rename = "_id")]
            id: $id,
        }
    };
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    shelf: i64,
    bin: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Code(String);

pair!(LongParent, LongChild, i64, "long_parents", "long_children");
pair!(DoubleParent, DoubleChild, f64, "double_parents", "double_children");
pair!(TextParent, TextChild, String, "text_parents", "text_children");
pair!(UuidParent, UuidChild, Uuid, "uuid_parents", "uuid_children");
pair!(PlaceParent, PlaceChild, Place, "place_parents", "place_children");
pair!(CodeParent, CodeChild, Code, "code_parents", "code_children");
pair!(DateParent, DateChild, DateTime, "date_parents", "date_children");

/// Checks that fetch, load, lookup and the inverse give the children in the order of the parent.
macro_rules! joins {
    ($db:expr, $parent:ident, $child:ident, $ids:expr) => {{
        let ids = $ids;
        let children: Vec<$child> = ids.iter().cloned().map(|id| $child { id }).collect();
        insert($db, &children).await;
        let refs = ids.iter().rev().chain(&ids).cloned().map(Ref::new).collect();
        let parents = [$parent { id: 1, children: refs }];
        insert($db, &parents).await;
        assert_joins!($db, $parent, parents, children);
    }};
}

macro_rules! assert_joins {
    ($db:expr, $parent:ident, $parents:expr, $children:expr) => {{
        let expected: Vec<_> = $children.iter().rev().chain(&$children).collect();
        let parent = &$parents[0];
        assert_eq!(parent.children().fetch_all($db).await.unwrap().iter().collect::<Vec<_>>(), expected);
        let loaded = $parent::CHILDREN.load($db, &$parents).await.unwrap();
        assert_eq!(loaded.of(parent).iter().collect::<Vec<_>>(), expected);
        let rows = $parent::CHILDREN.lookup(Filter::all()).fetch_all($db).await.unwrap();
        assert_eq!(rows.iter().next().unwrap().1.iter().collect::<Vec<_>>(), expected);
        assert!(rows.iter().next().unwrap().1.is_complete());
        let inverse = $children[0].parents().fetch_all($db).await.unwrap();
        assert_eq!(inverse.iter().map(|parent| parent.id).collect::<Vec<_>>(), [1]);
    }};
}

#[tokio::test]
async fn of_every_type() {
    let db = &database().await;
    joins!(db, LongParent, LongChild, vec![i64::MIN, -1, 0, 7, 1 << 53, i64::MAX]);
    joins!(db, TextParent, TextChild, ["", "$where", "a.b", "ä\u{10ffff}"].map(str::to_owned).to_vec());
    joins!(db, UuidParent, UuidChild, vec![Uuid::new(), Uuid::new()]);
    joins!(db, CodeParent, CodeChild, vec![Code("x".into()), Code("$_id".into())]);
    joins!(db, DateParent, DateChild, vec![DateTime::from_millis(-5), DateTime::from_millis(5)]);
    let places = [(1, "a"), (1, "b"), (2, "a"), (3, "\", \"x\": \"")];
    let places = places.map(|(shelf, bin)| Place { shelf, bin: bin.to_owned() });
    joins!(db, PlaceParent, PlaceChild, places.to_vec());
}

#[tokio::test]
async fn numbers_of_another_type() {
    let db = &database().await;
    insert_raw::<LongChild>(db, [Bson::Int32(1), Bson::Int64(3)].map(|id| doc! { "_id": id })).await;
    let children = [1, 3].map(|id| LongChild { id });
    let refs = [Bson::Int64(3), Bson::Int64(1), Bson::Double(1.0), Bson::Int32(3)].to_vec();
    insert_raw::<LongParent>(db, [doc! { "_id": 1, "children": &refs[..2] }]).await;
    let parents = [LongParent { id: 1, children: children.iter().rev().map(Ref::to).collect() }];
    let expected: Vec<_> = children.iter().rev().collect();
    assert_eq!(parents[0].children().fetch_all(db).await.unwrap().iter().collect::<Vec<_>>(), expected);
    let rows = LongParent::CHILDREN.lookup(Filter::all()).fetch_all(db).await.unwrap();
    assert_eq!(rows.iter().next().unwrap().1.iter().collect::<Vec<_>>(), expected);

    // serde accepts no double for an `i64`: the document exists and does not fit.
    insert_raw::<LongChild>(db, [doc! { "_id": 2.0 }]).await;
    let parent = LongParent { id: 2, children: vec![Ref::new(2)] };
    let joined = parent.children().fetch_all(db).await.unwrap();
    assert_eq!((joined.len(), joined.missing().count()), (0, 0));
    assert!(matches!(joined.failed().collect::<Vec<_>>()[..], [Error::Decode { path, .. }] if path == "_id"));

    // A double that holds whole numbers, on both sides.
    insert_raw::<DoubleChild>(db, [Bson::Int32(1), Bson::Double(2.0), Bson::Int64(3)].map(|id| doc! { "_id": id }))
        .await;
    insert_raw::<DoubleParent>(db, [doc! { "_id": 1, "children": [3, 2_i64, 1.0, 1, 2, 3] }]).await;
    let children = [1.0, 2.0, 3.0].map(|id| DoubleChild { id });
    let parents = [DoubleParent { id: 1, children: children.iter().rev().chain(&children).map(Ref::to).collect() }];
    assert_joins!(db, DoubleParent, parents, children);

    let places = [doc! { "shelf": 1, "bin": "a" }, doc! { "shelf": 2_i64, "bin": "b" }];
    insert_raw::<PlaceChild>(db, places.iter().map(|id| doc! { "_id": id.clone() })).await;
    let children = [(1, "a"), (2, "b")].map(|(shelf, bin)| PlaceChild { id: Place { shelf, bin: bin.to_owned() } });
    let parents = [PlaceParent { id: 1, children: children.iter().rev().chain(&children).map(Ref::to).collect() }];
    insert(db, &parents).await;
    assert_joins!(db, PlaceParent, parents, children);
}

#[tokio::test]
async fn that_are_the_same_but_for_their_type_are_not_mixed_up() {
    let db = &database().await;
    let binary = Bson::Binary(Binary { subtype: BinarySubtype::Generic, bytes: b"7".to_vec() });
    insert_raw::<TextChild>(db, [doc! { "_id": 7 }, doc! { "_id": binary }, doc! { "_id": doc! { "a": "7" } }]).await;
    let parent = TextParent { id: 1, children: vec![Ref::new("7".to_owned())] };
    let joined = parent.children().fetch_all(db).await.unwrap();
    assert_eq!((joined.len(), joined.missing().count()), (0, 1));
}

#[tokio::test]
async fn over_16_mb_of_them_in_commands_that_fit() {
    let (db, log) = database_with_log().await;
    // Twelve parents hold 18 MB of references: the ids take 20 KB each.
    let id = |number: usize| format!("{number:05}").repeat(4_000);
    let children: Vec<TextChild> = (0..900).map(|number| TextChild { id: id(number) }).collect();
    for children in children.chunks(300) {
        insert(&db, children).await;
    }
    let parents = children.chunks(75).zip(0..).map(|(children, number)| {
        let children = children.iter().map(Ref::to).collect();
        TextParent { id: number, children }
    });
    let parents: Vec<TextParent> = parents.collect();
    log.clear();

    let loaded = TextParent::CHILDREN.load(&db, &parents).await.unwrap();
    assert_eq!(log.named("find").len(), 2);
    for (parent, children) in parents.iter().zip(children.chunks(75)) {
        assert_eq!(loaded.of(parent).iter().collect::<Vec<_>>(), children.iter().collect::<Vec<_>>());
    }
}
