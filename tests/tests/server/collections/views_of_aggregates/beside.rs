//! Views of groups beside the other features of the source: kinds of collections, links, trees, shard keys, derived
//! data.

use schema_tests::database;

use super::{models::*, *};

/// A tree with ancestors.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Folder>>,
    #[tree(ancestors)]
    ancestors: Vec<Ref<Folder>>,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Folder, unwind(ancestors), by(above = ancestors))]
#[expect(dead_code, reason = "only the server computes the fields")]
struct Below {
    above: Ref<Folder>,
    #[count]
    folders: i64,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "below", view(of = Folder, aggregate = Below))]
struct FolderSize {
    #[serde(rename = "_id")]
    id: i64,
    folders: i64,
}

/// A link with two ends.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, of = Task::owner, max = 20, on_delete = restrict)]
    tasks: Vec<Ref<Task>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = tasks)]
    owner: Ref<Person>,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Person, unwind(tasks), by(id))]
#[expect(dead_code, reason = "only the server computes the fields")]
struct OfPerson {
    id: i64,
    #[count]
    tasks: i64,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "loads", view(of = Person, aggregate = OfPerson))]
struct Load {
    #[serde(rename = "_id")]
    id: i64,
    tasks: i64,
}

/// A plain collection with a shard key and a collation.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(
    collection = "visits",
    collation(locale = "en", strength = 2),
    allow(unused_index, reason = "the view compares bytes, and reads by no text index")
)]
#[shard_key(user, distinct(user = 100_000))]
#[index(page, at)]
#[query(of_user(user))]
struct Visit {
    #[serde(rename = "_id")]
    id: ObjectId,
    user: i64,
    page: String,
    at: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Visit, by(page))]
#[expect(dead_code, reason = "only the server computes the fields")]
struct OfPage {
    page: String,
    #[first(user, order = asc(at))]
    first: i64,
}

/// Views have no collation, and compare bytes.
#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "first_visits", view(of = Visit, aggregate = OfPage))]
struct FirstVisit {
    #[serde(rename = "_id")]
    page: String,
    first: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    sensor: i32,
    celsius: f64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Reading, by(sensor, day = day(at)))]
#[expect(dead_code, reason = "only the server computes the fields")]
struct Day {
    sensor: i32,
    day: DateTime,
    #[avg(celsius)]
    mean: f64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct DayKey {
    sensor: i32,
    day: DateTime,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "days", view(of = Reading, aggregate = Day))]
struct SensorDay {
    #[serde(rename = "_id")]
    id: DayKey,
    mean: f64,
}

#[tokio::test]
async fn trees_and_links() {
    let db = database().await;
    let schema = schema![Folder, FolderSize, Person, Task, Load];
    applied(schema, &db).await;
    is_settled(schema, &db).await;
    for (id, parent) in [(1, None), (2, Some(1)), (3, Some(2))] {
        let folder = Folder { id, parent: parent.map(Ref::new), ancestors: Vec::new() };
        Folder::insert(&db, &folder).await.expect("inserted");
    }
    let sizes = FolderSize::find(Filter::all()).sort(FolderSize::F.id.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(sizes.iter().map(|size| (size.id, size.folders)).collect::<Vec<_>>(), [(1, 2), (2, 1)]);
    Folder::move_to_root(&db, 2).await.expect("moved");
    let sizes = FolderSize::find(Filter::all()).fetch_all(&db).await.expect("read");
    assert_eq!(sizes.iter().map(|size| (size.id, size.folders)).collect::<Vec<_>>(), [(2, 1)]);

    Person::insert(&db, &Person { id: 1, tasks: Vec::new() }).await.expect("inserted");
    for id in [1, 2] {
        Task::insert(&db, &Task { id, owner: Ref::new(1) }).await.expect("inserted");
    }
    assert_eq!(Load::get_by_id(&db, &1).await.expect("read").tasks, 2);
}

#[tokio::test]
async fn shard_keys_collations_and_time_series() {
    let db = database().await;
    let schema = schema![Visit, FirstVisit, Reading, SensorDay];
    applied(schema, &db).await;
    is_settled(schema, &db).await;
    for (user, page, at) in [(1, "a", 2), (2, "A", 1), (3, "a", 1)] {
        Visit::insert(&db, &Visit { id: ObjectId::new(), user, page: page.to_owned(), at }).await.expect("inserted");
    }
    let visits = FirstVisit::find(Filter::all()).sort(FirstVisit::F.page.asc()).fetch_all(&db).await.expect("read");
    let visits: Vec<_> = visits.iter().map(|visit| (visit.page.as_str(), visit.first)).collect();
    assert_eq!(visits, [("A", 2), ("a", 3)], "by bytes");

    for (id, celsius) in [(1, 1.0), (2, 3.0)] {
        let reading = Reading { id, at: DateTime::from_millis(id * 1000), sensor: 7, celsius };
        Reading::insert(&db, &reading).await.expect("inserted");
    }
    let key = DayKey { sensor: 7, day: DateTime::from_millis(0) };
    assert_eq!(SensorDay::get_by_id(&db, &key).await.expect("read").mean, 2.0);
}

/// Copies, rollups, slugs and versions of the source are stored values, and the view shows the values of each moment.
#[tokio::test]
async fn derived_data_of_the_source() {
    #[derive(Aggregate, Deserialize, Debug)]
    #[aggregate(of = Order, by(name = customer_name))]
    #[expect(dead_code, reason = "only the server computes the fields")]
    struct ByName {
        name: String,
        #[max(version)]
        version: i64,
    }
    #[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
    #[model(collection = "names", view(of = Order, aggregate = ByName))]
    struct Name {
        #[serde(rename = "_id")]
        name: String,
        version: i64,
    }
    #[derive(Aggregate, Deserialize, Debug)]
    #[aggregate(of = Customer, by(slug))]
    #[expect(dead_code, reason = "only the server computes the fields")]
    struct BySlug {
        slug: String,
        #[sum(order_count)]
        orders: i64,
    }
    #[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
    #[model(collection = "slugs", view(of = Customer, aggregate = BySlug))]
    struct CustomerSlug {
        #[serde(rename = "_id")]
        slug: String,
        orders: i64,
    }
    let db = stored().await;
    let schema = schema![Name, CustomerSlug, Customer, Order];
    applied(schema, &db).await;
    let mut customer = Customer::get_by_id(&db, &1).await.expect("read");
    customer.name = "Eva".to_owned();
    Customer::save(&db, &mut customer).await.expect("saved");
    let names = Name::find(Filter::all()).sort(Name::F.name.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(names.iter().map(|name| name.name.as_str()).collect::<Vec<_>>(), ["Eva", "Tim"]);
    let slugs = CustomerSlug::find(Filter::all()).sort(CustomerSlug::F.slug.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(slugs.iter().map(|row| (row.slug.as_str(), row.orders)).collect::<Vec<_>>(), [("ada", 3), ("tim", 2)]);
}
