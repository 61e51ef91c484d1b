//! Parents with a struct as `_id`: each parent has a chain of its own, for all reads and writes.

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Joined, Throttle, prelude::*, schema};
use schema_tests::database;

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    row: i64,
    seat: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "seats")]
#[inverse(visits = Visit::seat)]
struct Seat {
    #[serde(rename = "_id")]
    id: Place,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits", bucket(size = 3))]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    seat: Ref<Seat>,
    time: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "linked_visits")]
struct LinkedVisit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    seat: Ref<Seat>,
    time: i64,
}

fn seat(row: i64, seat: i64) -> Seat {
    Seat { id: Place { row, seat } }
}

fn visit(id: i64, of: &Seat) -> Visit {
    Visit { id, seat: Ref::new(of.id.clone()), time: id }
}

fn all() -> schema_runtime::Schema {
    schema![Seat, Visit, LinkedVisit]
}

/// Inserts two seats with swapped fields of the `_id`, and 8 visits each, in turn; the last visit of each seat is a
/// separate insert.
async fn start() -> (Database, [Seat; 2]) {
    let db = database().await;
    all().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let seats = [seat(1, 2), seat(2, 1)];
    Seat::insert_many(&db, &seats).await.unwrap();
    Visit::insert_many(&db, (0..14).map(|id| visit(id, &seats[id as usize % 2]))).await.unwrap();
    for id in 14..16 {
        Visit::insert(&db, &visit(id, &seats[id as usize % 2])).await.unwrap();
    }
    (db, seats)
}

fn ids(visits: &Joined<Visit>) -> Vec<i64> {
    visits.iter().map(|visit| visit.id).collect()
}

#[tokio::test]
async fn each_has_a_chain_of_its_own() {
    let (db, [one, other]) = start().await;
    let pages = |seat: &Seat| doc! { "seat": { "row": seat.id.row, "seat": seat.id.seat } };
    let stored = db.collection::<Document>("visits");
    for seat in [&one, &other] {
        assert_eq!(stored.count_documents(pages(seat)).await.unwrap(), 3);
        assert_eq!(seat.visits().count(&db).await.unwrap(), 8);
    }
    let second = other.visits().bucket(2).fetch_all(&db).await.unwrap();
    assert_eq!(ids(&second), [7, 9, 11]);
    assert!(second.iter().all(|visit| visit.seat == Ref::new(other.id.clone())));
    assert_eq!(ids(&one.visits().latest(3).fetch_all(&db).await.unwrap()), [14, 12, 10]);
    let first = one.visits().paginate(5).fetch(&db).await.unwrap();
    let next = one.visits().paginate(5).after(&first.next).fetch(&db).await.unwrap();
    assert_eq!((ids(&first.items), ids(&next.items)), (vec![0, 2, 4, 6, 8], vec![10, 12, 14]));
    let found = Visit::find(Visit::F.seat.eq(Ref::new(one.id.clone()))).fetch_all(&db).await.unwrap();
    assert_eq!(found.len(), 8);
    assert!(all().verify(&db).await.unwrap().is_clean());
}

#[tokio::test]
async fn compact_and_migrations_keep_them_apart() {
    let (db, [one, other]) = start().await;
    for id in [0, 2, 6, 8] {
        Visit::delete_by_id(&db, id).await.unwrap();
    }
    Visit::compact(&db, &one).await.unwrap();
    assert_eq!(ids(&one.visits().bucket(1).fetch_all(&db).await.unwrap()), [4, 10, 12]);
    assert_eq!(ids(&other.visits().bucket(1).fetch_all(&db).await.unwrap()), [1, 3, 5]);
    Visit::into_documents::<LinkedVisit>(&db, &Throttle::new()).await.unwrap();
    let linked = db.collection::<Document>("linked_visits");
    assert_eq!(linked.count_documents(doc! { "seat": { "row": 2_i64, "seat": 1_i64 } }).await.unwrap(), 8);
    all().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Visit::into_buckets::<LinkedVisit>(&db, &Throttle::new()).await.unwrap();
    assert_eq!(ids(&one.visits().bucket(1).fetch_all(&db).await.unwrap()), [4, 10, 12]);
    assert_eq!(ids(&other.visits().bucket(3).fetch_all(&db).await.unwrap()), [13, 15]);
    assert!(all().verify(&db).await.unwrap().is_clean());
}
