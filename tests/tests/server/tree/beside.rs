//! Trees together with the remaining features of a model.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, Throttle, prelude::*, schema};
use schema_tests::{database, trees::wrong_in};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sections")]
#[inverse(products = Product::section, on_delete = restrict)]
struct Section {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Section::parent_name)]
    #[copied_to(Product::section_name)]
    #[changes(seldom)]
    name: String,
    #[slug(from = name, max_len = 40)]
    slug: String,
    #[tree(parent, max_depth = 8, order = asc(name))]
    parent: Option<Ref<Section>>,
    #[denormalize(from = parent.name)]
    parent_name: Option<String>,
    #[tree(path)]
    path: TreePath<Section>,
    #[computed(count(Section::parent))]
    subsections: i64,
    #[computed(count(Product::section))]
    products: i64,
    #[history(keep = 5)]
    notes: Vec<Note>,
    #[version]
    version: i64,
    #[updated_at]
    updated: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Note {
    text: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    section: Ref<Section>,
    #[denormalize(from = section.name)]
    section_name: String,
}

fn section(id: i64, parent: Option<i64>) -> Section {
    Section {
        id,
        name: format!("Section {id}"),
        slug: String::new(),
        parent: parent.map(Ref::new),
        parent_name: None,
        path: TreePath::default(),
        subsections: 0,
        products: 0,
        notes: Vec::new(),
        version: 0,
        updated: DateTime::MIN,
    }
}

#[tokio::test]
async fn all_that_is_derived() {
    let db = database().await;
    let schema = schema![Section, Product];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Section::insert_many(&db, [section(1, None), section(2, None), section(3, Some(1)), section(4, Some(3))])
        .await
        .unwrap();
    Product::insert(&db, &Product { id: 1, section: Ref::new(4), section_name: String::new() }).await.unwrap();
    let read = async |id: i64| Section::get_by_id(&db, id).await.unwrap();
    let before = read(3).await;
    assert_eq!((before.parent_name.as_deref(), before.slug.as_str()), (Some("Section 1"), "section-3"));
    assert_eq!((read(1).await.subsections, read(2).await.subsections), (1, 0));
    Section::update_by_id(3)
        .record(Section::F.notes, &Note { text: "moves soon".to_owned() })
        .execute(&db)
        .await
        .unwrap();
    let before = read(3).await;
    Section::move_under(&db, 3, 2).await.unwrap();
    let after = read(3).await;
    assert_eq!(after.parent_name.as_deref(), Some("Section 2"), "copies beside the parent follow");
    assert_eq!((read(1).await.subsections, read(2).await.subsections), (0, 1), "and what parents keep");
    assert_eq!(after.version, before.version + 1, "a move is a write of the document");
    assert!(after.updated >= before.updated);
    assert_eq!((after.notes.len(), &after.slug), (1, &before.slug));
    assert_eq!(read(4).await.version, 0, "and not of those below it");
    assert_eq!((read(4).await.path.depth(), read(4).await.products), (2, 1));
    let mut value = read(4).await;
    value.name = "Renamed".to_owned();
    Section::save(&db, &mut value).await.unwrap();
    assert_eq!(Product::get_by_id(&db, 1).await.unwrap().section_name, "Renamed");
    assert_eq!(wrong_in(&db, "sections").await, [""; 0]);
    let kept = Section::delete_by_id(&db, 4).await.unwrap_err();
    assert!(matches!(&kept, Error::DeleteRestricted { relation, .. } if relation == "Product.section"), "{kept}");
    let kept = Section::delete_by_id(&db, 3).await.unwrap_err();
    assert!(matches!(&kept, Error::DeleteRestricted { relation, .. } if relation == "Section.parent"), "{kept}");
    assert!(Product::delete_by_id(&db, 1).await.unwrap());
    assert_eq!(Section::delete_many(&db, Section::F.id.is_in([4])).await.unwrap(), 1);
    Section::move_to_root(&db, 3).await.unwrap();
    assert_eq!((read(3).await.parent_name, read(2).await.subsections, read(3).await.subsections), (None, 0, 0));
    assert_eq!(schema.recover(&db, &Throttle::default()).await.unwrap().to_string(), "nothing to recover");
    assert!(schema.verify(&db).await.unwrap().is_clean());
    let raw = db.collection::<Document>("sections").find_one(doc! { "_id": 3 }).await.unwrap().unwrap();
    assert!(!raw.contains_key("_moving"), "{raw}");
}

/// A tree with reads only.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sections", read_only)]
struct Seen {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Seen>>,
    #[tree(path)]
    path: TreePath<Seen>,
}

#[tokio::test]
async fn a_tree_that_is_read_only() {
    let db = database().await;
    Section::insert_many(&db, [section(1, None), section(3, Some(1)), section(4, Some(3))]).await.unwrap();
    let seen = Seen::get_by_id(&db, 1).await.unwrap();
    assert_eq!(seen.descendants().count(&db).await.unwrap(), 2);
}
