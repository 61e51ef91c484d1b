//! A model that is an enum: a collection with several shapes.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shapes")]
#[inverse(notes = Note::shape, on_delete = cascade)]
#[index(name)]
#[index(kind, desc(made))]
#[query(named(name), limit = 10)]
#[query(latest(), order = desc(made), page = 2)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    #[index(size, desc(made))]
    Circle {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
        made: DateTime,
        #[index]
        radius: f64,
        size: i32,
    },
    Box {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
        made: DateTime,
        #[index(unique)]
        serial: String,
        #[index(unique)]
        code: Option<i32>,
        // The size of a box has another type than the size of a circle.
        #[index]
        #[bound(max_len = 3)]
        size: String,
    },
    Category {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
        made: DateTime,
        #[bound(max_items = 2)]
        shapes: Vec<Ref<Shape>>,
    },
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref, inverse = notes)]
    shape: Ref<Shape>,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Shape)]
struct Label {
    name: String,
    radius: Option<f64>,
}

fn circle(id: i64, radius: f64) -> Shape {
    Shape::Circle { id, name: format!("c{id}"), made: DateTime::from_millis(id), radius, size: 7 }
}

fn boxed(id: i64, serial: &str) -> Shape {
    Shape::Box {
        id,
        name: format!("b{id}"),
        made: DateTime::from_millis(id),
        serial: serial.to_owned(),
        code: None,
        size: "XL".to_owned(),
    }
}

fn category(id: i64, shapes: Vec<Ref<Shape>>) -> Shape {
    Shape::Category { id, name: format!("k{id}"), made: DateTime::from_millis(id), shapes }
}

async fn start() -> Database {
    let db = database().await;
    schema![Shape, Note].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let shapes = [circle(1, 1.5), boxed(2, "s2"), circle(3, 0.5), category(4, vec![Ref::new(1)])];
    Shape::insert_many(&db, shapes).await.unwrap();
    db
}

fn ids(shapes: &[Shape]) -> Vec<i64> {
    shapes.iter().map(|shape| *shape.id()).collect()
}

#[tokio::test]
async fn every_operation_is_typed_as_the_enum() {
    let db = start().await;
    let stored = db.collection::<Document>("shapes").find_one(doc! { "_id": 2_i64 }).await.unwrap().unwrap();
    let made = DateTime::from_millis(2);
    assert_eq!(
        stored,
        doc! { "kind": "box", "_id": 2_i64, "name": "b2", "made": made, "serial": "s2", "code": null, "size": "XL" }
    );
    assert_eq!(Shape::get_by_id(&db, 2).await.unwrap(), boxed(2, "s2"));
    let all = Shape::find(Filter::all()).sort(Shape::F.made.desc()).fetch_all(&db).await.unwrap();
    assert_eq!(ids(&all), [4, 3, 2, 1]);
    Shape::update_by_id(1).set(Shape::F.name, "round").inc(Shape::F.circle().size, 1).execute(&db).await.unwrap();
    let Shape::Circle { name, size, .. } = Shape::get_by_id(&db, 1).await.unwrap() else { panic!() };
    assert_eq!((name.as_str(), size), ("round", 8));
    let of_another = Shape::update_by_id(2).inc(Shape::F.circle().size, 1).execute(&db).await.unwrap_err();
    assert!(matches!(of_another, Error::NotFound { .. }), "{of_another}");
    // A save may change the shape of the document.
    Shape::save(&db, &mut boxed(1, "s1")).await.unwrap();
    assert_eq!(Shape::get_by_id(&db, 1).await.unwrap(), boxed(1, "s1"));
    let stored = db.collection::<Document>("shapes").find_one(doc! { "_id": 1_i64 }).await.unwrap().unwrap();
    assert!(!stored.contains_key("radius"), "nothing of the circle is left: {stored}");
    let upsert = Shape::update_by_id(2).set(Shape::F.circle().radius, 1.0).upsert().execute(&db).await.unwrap_err();
    assert!(matches!(&upsert, Error::Update { message } if message.contains("variant")), "{upsert}");
    assert!(!Shape::upsert(&db, &circle(1, 2.0)).await.unwrap());
    let found = Shape::find_one_and_update(Shape::F.circle().radius.gt(1.0)).set(Shape::F.circle().radius, 9.0);
    assert_eq!(*found.fetch_after(&db).await.unwrap().unwrap().id(), 1);
    let mut bulk = Shape::bulk();
    bulk = bulk.insert(&boxed(5, "s5")).update(Shape::update_by_id(3).set(Shape::F.name, "small"));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    Shape::delete_by_id(&db, 5).await.unwrap();
    assert_eq!(Shape::delete_many(&db, Shape::F.is_circle()).await.unwrap(), 2);
    assert_eq!(ids(&Shape::find(Filter::all()).sort(Shape::F.id.asc()).fetch_all(&db).await.unwrap()), [2, 4]);
}

#[tokio::test]
async fn a_view_reads_one_variant() {
    let db = start().await;
    assert_eq!(ids(&Shape::circles().sort(Shape::F.id.asc()).fetch_all(&db).await.unwrap()), [1, 3]);
    assert_eq!(ids(&Shape::boxes().fetch_all(&db).await.unwrap()), [2]);
    assert_eq!(ids(&Shape::categories().fetch_all(&db).await.unwrap()), [4]);
    let large = Shape::circles().filter(Shape::F.circle().radius.gt(1.0)).fetch_all(&db).await.unwrap();
    assert_eq!(ids(&large), [1]);
    let labels = Shape::find(Filter::all()).sort(Shape::F.id.asc()).select::<Label>().fetch_all(&db).await.unwrap();
    assert_eq!(labels[0], Label { name: "c1".to_owned(), radius: Some(1.5) });
    assert_eq!(labels[1], Label { name: "b2".to_owned(), radius: None });
}

#[tokio::test]
async fn pages_and_declared_queries_go_through_all_shapes() {
    let db = start().await;
    assert_eq!(ids(&Shape::named("b2").fetch_all(&db).await.unwrap()), [2]);
    let first = Shape::latest().fetch(&db).await.unwrap();
    assert_eq!(ids(&first.items), [4, 3]);
    let second = Shape::latest().after(&first.next.unwrap()).fetch(&db).await.unwrap();
    assert_eq!(ids(&second.items), [2, 1]);
    // A sort by a field of a single variant: the remaining variants come first, as null.
    let page = Shape::find(Filter::all()).sort(Shape::F.circle().radius.asc()).paginate(3).fetch(&db).await.unwrap();
    let next = page.next.unwrap();
    let rest = Shape::find(Filter::all()).sort(Shape::F.circle().radius.asc()).paginate(3).after(&next);
    assert_eq!((ids(&page.items), ids(&rest.fetch(&db).await.unwrap().items)), (vec![2, 4, 3], vec![1]));
}

#[tokio::test]
async fn the_validator_refuses_what_the_client_refuses() {
    let db = start().await;
    let long = Shape::Box {
        id: 9,
        name: String::new(),
        made: DateTime::from_millis(9),
        serial: String::new(),
        code: None,
        size: "long".to_owned(),
    };
    let error = Shape::insert(&db, &long).await.unwrap_err();
    let Error::BoundExceeded { field, bound: 3, size: 4, .. } = error else { panic!("{error}") };
    assert_eq!(field, "size");
    let raw = db.collection::<Document>("shapes");
    let made = DateTime::from_millis(9);
    for document in [
        doc! { "_id": 9_i64, "kind": "box", "name": "", "made": made, "serial": "", "size": "long" },
        doc! { "_id": 9_i64, "kind": "circle", "name": "", "made": made, "radius": 1.0, "size": "XL" },
        doc! { "_id": 9_i64, "kind": "circle", "name": "", "made": made, "size": 1 },
        doc! { "_id": 9_i64, "kind": "square", "name": "", "made": made },
        doc! { "_id": 9_i64, "name": "", "made": made },
    ] {
        let refused = raw.insert_one(document.clone()).await.unwrap_err();
        assert!(refused.to_string().contains("failed validation"), "{document}: {refused}");
    }
    let unknown = Shape::update_by_id(1).raw(doc! { "$set": { "kind": "square" } }).execute(&db).await.unwrap_err();
    let Error::DocumentInvalid { failures, .. } = unknown else { panic!("{unknown}") };
    assert_eq!(failures.iter().map(|failed| failed.field.as_str()).collect::<Vec<_>>(), ["kind"]);
}

#[tokio::test]
async fn the_indexes_of_a_variant_are_partial_and_a_view_uses_them() {
    let db = start().await;
    let listed = db.run_command(doc! { "listIndexes": "shapes" }).await.unwrap();
    let indexes = listed.get_document("cursor").unwrap().get_array("firstBatch").unwrap().clone();
    let partial_of = |name: &str| {
        let mut all = indexes.iter().filter_map(|index| index.as_document());
        let index = all.find(|index| index.get_str("name").unwrap() == name).unwrap_or_else(|| panic!("{name}"));
        index.get_document("partialFilterExpression").unwrap().clone()
    };
    assert_eq!(partial_of("radius_1_circle"), doc! { "kind": { "$eq": "circle" } });
    assert_eq!(partial_of("size_1_made_-1_circle"), doc! { "kind": { "$eq": "circle" } });
    assert_eq!(partial_of("size_1_box"), doc! { "kind": { "$eq": "box" } });
    for (find, name) in [
        (Shape::circles().filter(Shape::F.circle().radius.gt(1.0)), "radius_1_circle"),
        (Shape::find(Shape::F.circle().radius.gt(1.0)), "radius_1_circle"),
        (Shape::find(Shape::F.r#box().serial.eq("s2")), "serial_1_box"),
        (Shape::find(Shape::F.r#box().size.eq("XL")), "size_1_box"),
        (Shape::find(Shape::F.circle().size.eq(7)), "size_1_made_-1_circle"),
    ] {
        let plan = find.explain(&db).await.unwrap();
        let text = format!("{plan:?}");
        assert!(text.contains("IXSCAN") && text.contains(name), "{name}: {text}");
    }
    // The plan has no further steps.
    assert!(schema![Shape, Note].plan(&db).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_unique_field_of_a_variant_is_unique_among_its_documents() {
    let db = start().await;
    let twice = Shape::insert(&db, &boxed(9, "s2")).await.unwrap_err();
    assert!(matches!(twice, Error::DuplicateKey { .. }), "{twice}");
    Shape::insert_many(&db, [circle(10, 1.0), circle(11, 1.0), boxed(12, "s12")]).await.unwrap();
    // Null may repeat, as for a struct.
    Shape::update_by_id(2).set(Shape::F.r#box().code, Some(1)).execute(&db).await.unwrap();
    let twice = Shape::update_by_id(12).set(Shape::F.r#box().code, Some(1)).execute(&db).await.unwrap_err();
    assert!(matches!(twice, Error::DuplicateKey { .. }), "{twice}");
}

#[tokio::test]
async fn children_refer_to_any_shape_and_a_delete_takes_them_along() {
    let db = start().await;
    let notes = [(1, 1), (2, 1), (3, 2)].map(|(id, shape)| Note { id, shape: Ref::new(shape) });
    Note::insert_many(&db, notes).await.unwrap();
    let shape = Shape::get_by_id(&db, 1).await.unwrap();
    assert_eq!(shape.notes().fetch_all(&db).await.unwrap().len(), 2);
    let note = Note::get_by_id(&db, 3).await.unwrap();
    assert_eq!(note.shape().fetch_one(&db).await.unwrap(), boxed(2, "s2"));
    Shape::delete_by_id(&db, 1).await.unwrap();
    assert_eq!(Note::find(Filter::all()).count(&db).await.unwrap(), 1);
}

/// A document with an unknown variant is an error, and the remaining results are readable, as for any document that
/// does not decode.
#[tokio::test]
async fn a_document_of_an_unknown_variant_is_a_typed_error_and_the_others_are_read() {
    use futures_util::StreamExt;
    let db = start().await;
    db.run_command(doc! { "collMod": "shapes", "validationLevel": "off" }).await.unwrap();
    let raw = db.collection::<Document>("shapes");
    raw.insert_one(doc! { "_id": 2_i64 + 7, "kind": "square", "name": "x", "made": DateTime::now() }).await.unwrap();
    let error = Shape::get_by_id(&db, 9).await.unwrap_err();
    assert!(matches!(error, Error::Decode { model: "Shape", .. }), "{error}");
    let stream = Shape::find(Filter::all()).sort(Shape::F.id.desc()).stream(&db).await.unwrap();
    let each: Vec<Option<i64>> = stream.map(|shape| shape.ok().map(|shape| *shape.id())).collect().await;
    assert_eq!(each, [None, Some(4), Some(3), Some(2), Some(1)]);
    assert_eq!(ids(&Shape::boxes().fetch_all(&db).await.unwrap()), [2]);
    Shape::delete_by_id(&db, 9).await.unwrap();
    assert_eq!(Shape::find(Filter::all()).fetch_all(&db).await.unwrap().len(), 4);
}
