//! The arguments of a caller: ids in every form, values owned or borrowed; and the results as an iterator.

use mongodb::bson::{Bson, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::{database, database_with_log};

use crate::{
    relations::{Part, Product, part},
    sent::sent,
};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "airports")]
#[inverse(tower = Tower::airport, one_to_one)]
struct Airport {
    #[serde(rename = "_id")]
    code: String,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "towers")]
struct Tower {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_one, parent_ref, standalone)]
    airport: Ref<Airport>,
}

fn airport(code: &str) -> Airport {
    Airport { code: code.to_owned(), name: format!("the airport {code}") }
}

#[tokio::test]
async fn an_id_may_come_in_every_form_that_a_caller_holds() {
    let db = database().await;
    let phoenix = airport("PHX");
    Airport::insert(&db, &phoenix).await.unwrap();
    let (owned, reference) = ("PHX".to_owned(), Ref::<Airport>::new("PHX"));
    for found in [
        Airport::get_by_id(&db, "PHX").await,
        Airport::get_by_id(&db, owned.clone()).await,
        Airport::get_by_id(&db, &owned).await,
        Airport::get_by_id(&db, &phoenix).await,
        Airport::get_by_id(&db, reference.clone()).await,
        Airport::get_by_id(&db, &reference).await,
        Airport::get_by_id(&db, Ref::new(&owned)).await,
    ] {
        assert_eq!(found.unwrap(), phoenix);
    }
    assert_eq!(Airport::find_by_id(&db, "LAX").await.unwrap(), None);
    assert!(matches!(Airport::get_by_id(&db, "LAX").await, Err(Error::NotFound { .. })));

    Airport::update_by_id("PHX").set(Airport::F.name, "Sky Harbor").execute(&db).await.unwrap();
    Airport::update_by_id(&reference).set(Airport::F.name, "Sky Harbor").execute(&db).await.unwrap();
    assert_eq!(Airport::get_by_id(&db, &reference).await.unwrap().name, "Sky Harbor");
    let bulk = Airport::bulk().delete_by_id("LAX").delete_by_id(&reference);
    assert_eq!(bulk.execute(&db).await.unwrap().complete().unwrap().deleted, 1);
    assert!(!Airport::delete_by_id(&db, "PHX").await.unwrap());

    let tower = Tower { id: 7, airport: reference };
    Tower::insert(&db, &tower).await.unwrap();
    for found in [Tower::get_by_id(&db, 7).await, Tower::get_by_id(&db, &7).await, Tower::get_by_id(&db, &tower).await]
    {
        assert_eq!(found.unwrap(), tower);
    }
}

#[tokio::test]
async fn values_are_inserted_owned_or_borrowed_by_one_command() {
    let (db, log) = database_with_log().await;
    let airports = ["PHX", "LAX", "JFK"].map(airport);
    let (result, names) = sent(&log, Airport::insert_many(&db, &airports[..2])).await;
    result.unwrap();
    assert_eq!(names, ["insert"]);
    let (result, names) = sent(&log, Airport::insert_many(&db, [airports[2].clone()])).await;
    result.unwrap();
    assert_eq!(names, ["insert"]);
    let bulk = Airport::bulk().insert_many(vec![airport("SFO")]).insert_many(&[airport("ORD")]);
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(Airport::find(Filter::all()).count(&db).await.unwrap(), 5);
}

#[tokio::test]
async fn one_document_comes_where_there_is_one() {
    let db = database().await;
    let (phoenix, lost) = (airport("PHX"), airport("LST"));
    Airport::insert_many(&db, [&phoenix, &lost]).await.unwrap();
    let tower = Tower { id: 1, airport: Ref::to(&phoenix) };
    Tower::insert(&db, &tower).await.unwrap();
    assert_eq!(tower.airport().fetch_one(&db).await.unwrap(), phoenix);
    assert_eq!(tower.airport().fetch_optional(&db).await.unwrap(), Some(phoenix.clone()));
    assert_eq!(phoenix.tower().fetch_one(&db).await.unwrap(), tower);
    assert_eq!(lost.tower().fetch_optional(&db).await.unwrap(), None);
    assert!(matches!(lost.tower().fetch_one(&db).await, Err(Error::NotFound { .. })));
}

#[tokio::test]
async fn what_has_iter_is_iterated_by_reference_and_by_value() {
    let db = database().await;
    let (bolt, nut) = (part("bolt"), part("nut"));
    Part::insert_many(&db, [&bolt, &nut]).await.unwrap();
    let gone = Ref::new(ObjectId::new());
    let parts = vec![Ref::to(&bolt), Ref::to(&nut), gone, Ref::to(&bolt)];
    let product = Product { id: ObjectId::new(), name: "shelf".to_owned(), parts };
    Product::insert(&db, &product).await.unwrap();

    let names = |parts: &[Part]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    let joined = product.parts().fetch_all(&db).await.unwrap();
    let mut seen = Vec::new();
    for part in &joined {
        seen.push(part.clone());
    }
    assert_eq!(names(&seen), ["bolt", "nut", "bolt"]);
    assert_eq!(joined.missing().collect::<Vec<_>>(), [gone.id()]);
    assert_eq!(names(&joined.into_iter().collect::<Vec<_>>()), ["bolt", "nut", "bolt"]);

    let loaded = Product::PARTS.load(&db, [&product]).await.unwrap();
    let mut distinct: Vec<Part> = (&loaded).into_iter().cloned().collect();
    distinct.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!(names(&distinct), ["bolt", "nut"]);
    let mut of_product = Vec::new();
    for part in loaded.of(&product) {
        of_product.push(part.clone());
    }
    assert_eq!(names(&of_product), ["bolt", "nut", "bolt"]);
    assert_eq!(loaded.into_iter().count(), 2);

    let rows = Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap();
    for (found, parts) in &rows {
        assert_eq!((found, parts.len()), (&product, 3));
    }
    assert_eq!(rows.into_iter().map(|(product, _)| product.name).collect::<Vec<_>>(), ["shelf"]);

    let page = Part::find(Filter::all()).sort(Part::F.name.asc()).paginate(10).fetch(&db).await.unwrap();
    let mut by_reference = Vec::new();
    for part in &page {
        by_reference.push(part.clone());
    }
    assert_eq!(names(&by_reference), ["bolt", "nut"]);
    assert_eq!(names(&page.into_iter().collect::<Vec<_>>()), ["bolt", "nut"]);
}

/// A view of the scarce parts. Another program created the view.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "scarce", read_only)]
struct Scarce {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

/// Measurements without changes after the insert.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "measurements", insert_only)]
struct Measurement {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    at: DateTime,
    celsius: f64,
}

#[tokio::test]
async fn a_read_only_model_is_read_and_planned_as_it_is() {
    let db = database().await;
    let (bolt, nut) = (part("bolt"), Part { qty: 50, ..part("nut") });
    Part::insert_many(&db, [&bolt, &nut]).await.unwrap();
    let scarce = doc! { "create": "scarce", "viewOn": "parts", "pipeline": [{ "$match": { "qty": { "$lt": 10 } } }] };
    db.run_command(scarce).await.unwrap();

    let schema = schema![Scarce, Measurement];
    let plan = schema.plan(&db).await.unwrap();
    assert!(plan.steps().iter().all(|step| step.collection == "measurements"), "{plan}");
    plan.apply(&db).await.unwrap().complete().unwrap();
    assert!(schema.plan(&db).await.unwrap().is_empty());

    let found = Scarce::find(Filter::all()).fetch_all(&db).await.unwrap();
    assert_eq!(found, [Scarce { id: bolt.id, name: "bolt".to_owned() }]);
    assert_eq!(Scarce::get_by_id(&db, bolt.id).await.unwrap().name, "bolt");
    assert!(schema.verify(&db).await.unwrap().findings().is_empty());
}

#[tokio::test]
async fn an_insert_only_model_is_inserted_and_read() {
    let db = database().await;
    let mut first = Measurement { id: 1, at: DateTime::MIN, celsius: 21.5 };
    Measurement::create(&db, &mut first).await.unwrap();
    assert!(first.at > DateTime::MIN);
    let more = (2..5).map(|id| Measurement { id, ..first.clone() });
    Measurement::insert_many(&db, more).await.unwrap();
    let bulk = Measurement::bulk().insert(&Measurement { id: 5, ..first.clone() });
    bulk.execute(&db).await.unwrap().complete().unwrap();
    let ids = Measurement::find(Filter::all()).distinct(&db, Measurement::F.id).await.unwrap();
    assert_eq!(ids.into_iter().map(Bson::from).collect::<Vec<_>>(), (1..=5_i64).map(Bson::from).collect::<Vec<_>>());
}
