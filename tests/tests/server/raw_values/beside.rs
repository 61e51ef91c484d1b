//! Unknown fields, raw fields and keys of maps beside data that is derived from writes: copies, rollups, slugs, trees,
//! delete rules and links.

use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "makers")]
#[inverse(parts = Part::maker, on_delete = cascade)]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Part::maker_name, fan_out = 400)]
    name: String,
    #[bound(max_items = 5)]
    #[copied_to(Part::maker_marks, fan_out = 400)]
    marks: BTreeMap<String, i32>,
    #[slug(from = name, max_len = 24, follow, keep_old = 3)]
    slug: String,
    #[computed(count(Part::maker))]
    parts: i64,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    maker_name: String,
    #[bound(max_items = 5)]
    #[denormalize(from = maker.marks)]
    maker_marks: BTreeMap<String, i32>,
    #[bound(max_bytes = 200)]
    meta: Document,
    #[version]
    version: i64,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

/// The same collections for a program that refuses unknown fields.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts", unknown_fields = refuse, read_only)]
struct StrictPart {
    #[serde(rename = "_id")]
    id: i64,
    maker: i64,
    maker_name: String,
    #[bound(max_items = 5)]
    maker_marks: BTreeMap<String, i32>,
    #[bound(max_bytes = 200)]
    meta: Document,
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "nodes", unknown_fields = refuse)]
struct Node {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 6)]
    parent: Option<Ref<Node>>,
    #[tree(ancestors)]
    ancestors: Vec<Ref<Node>>,
    name: String,
}

fn maker(id: i64, name: &str) -> Maker {
    let marks = BTreeMap::from([("a".to_owned(), 1)]);
    Maker {
        id,
        name: name.to_owned(),
        marks,
        slug: String::new(),
        parts: 0,
        rest: doc! { "colour": "red", "_class": 3 },
    }
}

fn part(id: i64) -> Part {
    let (maker_name, maker_marks) = (String::new(), BTreeMap::new());
    let (meta, rest) = (doc! { "a": 1 }, doc! { "weight": 5, "deep": { "$ref": 1 } });
    Part { id, maker: Ref::new(1), maker_name, maker_marks, meta, version: 0, rest }
}

#[tokio::test]
async fn writes_with_effects_keep_unknown_fields_and_hide_the_names_of_this_crate() {
    let db = database().await;
    applied(schema![Maker, Part], &db).await;
    Maker::create(&db, &mut maker(1, "Bolt")).await.unwrap();
    Part::create(&db, &mut part(1)).await.unwrap();
    Part::insert_many(&db, [part(2), part(3)]).await.unwrap();

    let mut found = Maker::get_by_id(&db, 1).await.unwrap();
    assert_eq!((found.rest.clone(), found.parts), (maker(1, "").rest, 3));
    found.name = "Nut".to_owned();
    found.rest.insert("size", 4);
    found.rest.remove("colour");
    Maker::save(&db, &mut found).await.unwrap();
    let expected = doc! { "_class": 3, "size": 4 };
    assert_eq!((&found.rest, found.slug.as_str()), (&expected, "nut"));
    assert_eq!(Maker::get_by_id(&db, 1).await.unwrap().rest, expected);
    let document = stored(&db, "makers", 1).await;
    assert!(document.contains_key("_v") && document.contains_key("_slugs_slug"), "{document}");
    for id in 1..=3 {
        let part = Part::get_by_id(&db, id).await.unwrap();
        assert_eq!((part.maker_name.as_str(), &part.rest), ("Nut", &self::part(1).rest));
    }

    // An entry of a copied map changes in the copies, too.
    Maker::update_by_id(1).inc(Maker::F.marks.key("a"), 4).set(Maker::F.marks.key("b"), 9).execute(&db).await.unwrap();
    let marks = BTreeMap::from([("a".to_owned(), 5), ("b".to_owned(), 9)]);
    for id in 1..=3 {
        assert_eq!(Part::get_by_id(&db, id).await.unwrap().maker_marks, marks, "{id}");
    }
    Maker::update_by_id(1).unset(Maker::F.marks.key("a")).execute(&db).await.unwrap();
    assert_eq!(Part::get_by_id(&db, 2).await.unwrap().maker_marks, BTreeMap::from([("b".to_owned(), 9)]));

    // Replaces of the holder, alone and in a bulk.
    let mut held = Part::get_by_id(&db, 1).await.unwrap();
    held.rest.remove("weight");
    held.rest.insert("new", true);
    Part::replace(&db, &held).await.unwrap();
    let expected = doc! { "deep": { "$ref": 1 }, "new": true };
    held = Part::get_by_id(&db, 1).await.unwrap();
    assert_eq!((&held.rest, held.maker_name.as_str(), held.version), (&expected, "Nut", 1));
    held.rest.remove("new");
    held.rest.insert("newer", 1);
    Part::bulk().replace(&held).execute(&db).await.unwrap().complete().unwrap();
    held = Part::get_by_id(&db, 1).await.unwrap();
    assert_eq!((held.rest.clone(), held.version), (doc! { "deep": { "$ref": 1 }, "newer": 1 }, 2));
    Part::update_by_id(1).set(Part::F.meta.at_path("b.c"), 2).execute(&db).await.unwrap();
    assert_eq!(Part::get_by_id(&db, 1).await.unwrap().meta, doc! { "a": 1, "b": { "c": 2 } });
    assert!(schema![Maker, Part].verify(&db).await.unwrap().is_clean());

    let Err(Error::Decode { path, .. }) = StrictPart::get_by_id(&db, 2).await else { panic!("it is read") };
    assert_eq!(path, "weight");
    let mut plain = Part::get_by_id(&db, 3).await.unwrap();
    plain.rest.clear();
    Part::save(&db, &mut plain).await.unwrap();
    assert_eq!(StrictPart::get_by_id(&db, 3).await.unwrap().maker_name, "Nut");

    // A load of the far side reads the documents by the same rule.
    let makers = Maker::find(Filter::all()).fetch_all(&db).await.unwrap();
    let parts = makers[0].parts_of(&db).await;
    assert_eq!(parts.len(), 3);
    Maker::delete_by_id(&db, 1).await.unwrap();
    assert_eq!(Part::find(Filter::all()).count(&db).await.unwrap(), 0);
}

impl Maker {
    async fn parts_of(&self, db: &Database) -> Vec<Part> {
        Part::find(Part::F.maker.eq(self)).fetch_all(db).await.unwrap()
    }
}

#[tokio::test]
async fn a_tree_may_refuse_unknown_fields() {
    let db = database().await;
    applied(schema![Node], &db).await;
    let node = |id: i64, parent: Option<i64>| Node {
        id,
        parent: parent.map(Ref::new),
        ancestors: Vec::new(),
        name: "x".to_owned(),
    };
    for (id, parent) in [(1, None), (2, Some(1)), (3, Some(2)), (4, None)] {
        Node::insert(&db, &node(id, parent)).await.unwrap();
    }
    Node::move_under(&db, 2, 4).await.unwrap();
    assert_eq!(Node::get_by_id(&db, 3).await.unwrap().ancestors, [Ref::new(4), Ref::new(2)]);
    raw(&db, "nodes").update_one(doc! { "_id": 3 }, doc! { "$set": { "x": 1 } }).await.unwrap_err();
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shelves")]
#[inverse(books = Book::shelf)]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 4)]
    places: Vec<Spot>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Spot {
    name: String,
    #[bound(max_items = 4)]
    counts: BTreeMap<String, i32>,
    #[bound(max_bytes = 100)]
    meta: Document,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "books", bucket(size = 3))]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(at))]
    shelf: Ref<Shelf>,
    at: DateTime,
    #[bound(max_items = 4)]
    counts: BTreeMap<String, i32>,
    #[bound(max_bytes = 100)]
    meta: Document,
}

#[tokio::test]
async fn elements_of_arrays_and_children_in_buckets_have_keys_and_paths() {
    let db = database().await;
    applied(schema![Shelf, Book], &db).await;
    let counts = || BTreeMap::from([("a".to_owned(), 1)]);
    let spot = |name: &str| Spot { name: name.to_owned(), counts: counts(), meta: doc! { "x": 1 } };
    Shelf::insert(&db, &Shelf { id: 1, places: vec![spot("low"), spot("high")] }).await.unwrap();
    let places = Shelf::F.places;
    let update = Shelf::update_by_id(1).each(
        places,
        |place| place.counts.key("a").gte(1).and(place.name.eq("high")),
        |change, place| change.inc(place.counts.key("a"), 4).set(place.meta.at_path("y.z"), true),
    );
    update.execute(&db).await.unwrap();
    let found = Shelf::get_by_id(&db, 1).await.unwrap();
    assert_eq!(found.places[0], spot("low"));
    assert_eq!((found.places[1].counts["a"], &found.places[1].meta), (5, &doc! { "x": 1, "y": { "z": true } }));
    for filter in [
        places.elem_match(|place| place.counts.key("a").eq(5) & place.meta.at_path("y.z").eq(true)),
        places.counts.key("a").eq(5),
        places.meta.at_path("y.z").eq(true),
    ] {
        assert_eq!(Shelf::find(filter).count(&db).await.unwrap(), 1);
    }

    for id in 1..=4 {
        let (shelf, at) = (Ref::new(1), DateTime::from_millis(id));
        Book::insert(&db, &Book { id, shelf, at, counts: counts(), meta: doc! { "x": id } }).await.unwrap();
    }
    let update = Book::update_by_id(2).inc(Book::F.counts.key("a"), 2).set(Book::F.meta.at_path("y"), "z");
    assert!(update.execute(&db).await.unwrap());
    let found = Book::find_one(&db, Book::F.counts.key("a").eq(3)).await.unwrap().expect("the book");
    assert_eq!((found.id, &found.meta), (2, &doc! { "x": 2_i64, "y": "z" }));
    let found = Book::find_one(&db, Book::F.meta.at_path("y").eq("z")).await.unwrap();
    assert_eq!(found.map(|book| book.id), Some(2));
    let error = Book::update_by_id(2).set(Book::F.meta, doc! { "x": "a".repeat(100) }).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { bound: 100, .. }), "{error:?}");
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    address: Address,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    city: String,
    since: DateTime,
    #[bound(max_items = 4)]
    counts: BTreeMap<String, i32>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people", unknown_fields = refuse)]
struct StrictPerson {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    address: Address,
}

#[tokio::test]
async fn flat_fields_are_no_unknown_fields() {
    let db = database().await;
    applied(schema![StrictPerson], &db).await;
    let counts = BTreeMap::from([("a".to_owned(), 1)]);
    let address = Address { city: "Oslo".to_owned(), since: DateTime::from_millis(5), counts };
    StrictPerson::insert(&db, &StrictPerson { id: 1, address: address.clone() }).await.unwrap();
    assert_eq!(StrictPerson::get_by_id(&db, 1).await.unwrap().address, address);
    let error = raw(&db, "people").update_one(doc! { "_id": 1 }, doc! { "$set": { "x": 1 } }).await.unwrap_err();
    assert!(error.to_string().contains("validation"));

    let db = database().await;
    let rest = doc! { "x": ObjectId::from_bytes([7; 12]), "y": { "$oid": "no id" } };
    let mut person = Person { id: 1, address: address.clone(), rest };
    Person::save(&db, &mut person).await.unwrap();
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap(), person);
    Person::update_by_id(1).inc(Person::F.address.counts.key("a"), 2).execute(&db).await.unwrap();
    assert_eq!(Person::get(&db, Person::F.address.counts.key("a").eq(3)).await.unwrap().rest, person.rest);
    assert!(matches!(StrictPerson::get_by_id(&db, 1).await, Err(Error::Decode { path, .. }) if path == "x"));
    let taken = Person { rest: doc! { "city": 1 }, ..person };
    assert!(matches!(Person::replace(&db, &taken).await, Err(Error::Encode { .. })));
}
