//! Stored groups of models with other features, and of other kinds of collections.

use chrono::{TimeZone, Utc};
use mongodb::bson::{Document, doc};
use rust_decimal::Decimal;
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "clients")]
struct Client {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits", time_series(time = at))]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    client: i64,
    at: chrono::DateTime<Utc>,
    fee: Decimal,
    state: State,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "days", pre_and_post_images)]
#[index(state, day, unique)]
#[index(fees)]
struct Day {
    #[serde(rename = "_id")]
    id: ObjectId,
    day: chrono::DateTime<Utc>,
    state: State,
    fees: Decimal,
    #[bound(max_items = 5)]
    clients: Vec<i64>,
    #[index(ttl = "400d")]
    last: DateTime,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Visit, by(state, day = day(at)), into = Day)]
struct OfDay {
    state: State,
    day: chrono::DateTime<Utc>,
    #[sum(fee)]
    fees: Decimal,
    #[collect(client, max = 5)]
    clients: Vec<i64>,
    #[max(at)]
    last: chrono::DateTime<Utc>,
}

#[tokio::test]
async fn a_time_series_and_types_of_other_crates() {
    let db = database().await;
    schema![Visit, Day].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let at = |hour| Utc.with_ymd_and_hms(2100, 2, 28, hour, 0, 0).unwrap();
    let visit = |id, hour, state| Visit { id, client: 10 * id, at: at(hour), fee: Decimal::new(125, 2), state };
    Visit::insert_many(&db, [visit(1, 3, State::Open), visit(2, 4, State::Open), visit(3, 5, State::Done)])
        .await
        .unwrap();
    for _ in 0..2 {
        Visit::aggregate::<OfDay>().merge(&db).await.unwrap();
        let days = Day::find(Filter::all()).sort(Day::F.fees.desc()).fetch_all(&db).await.unwrap();
        assert_eq!(days.len(), 2);
        assert_eq!((days[0].fees, days[0].day, days[0].state), (Decimal::new(250, 2), at(0), State::Open));
        assert_eq!(days[0].last.timestamp_millis(), at(4).timestamp_millis());
        let mut clients = days[0].clients.clone();
        clients.sort_unstable();
        assert_eq!(clients, [10, 20]);
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    client: Ref<Client>,
    total: i64,
    placed: DateTime,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    city: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "client_reports")]
#[index(client, city, unique)]
struct ClientReport {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    client: Ref<Client>,
    city: String,
    revenue: i64,
    name: Option<String>,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(client, city = place.city), into = ClientReport)]
struct OfClient {
    client: Ref<Client>,
    city: String,
    #[sum(total)]
    revenue: i64,
    #[lookup(client.name)]
    name: Option<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "city_reports")]
struct CityReport {
    #[serde(rename = "_id")]
    city: String,
    clients: i64,
    most: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = OfClient, by(city), into = CityReport)]
struct OfCity {
    #[serde(rename = "_id")]
    city: String,
    #[count]
    clients: i64,
    #[max(revenue)]
    most: i64,
}

fn order(id: i64, client: i64, total: i64, city: &str) -> Order {
    let place = Place { city: city.to_owned() };
    Order { id, client: Ref::new(client), total, placed: DateTime::from_millis(0), place }
}

#[tokio::test]
async fn references_looked_up_fields_and_groups_of_groups() {
    let db = database().await;
    schema![Client, Order, ClientReport, CityReport].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Client::insert(&db, &Client { id: 1, name: "Ada".to_owned() }).await.unwrap();
    Order::insert_many(&db, [order(1, 1, 5, "Oslo"), order(2, 1, 6, "Oslo"), order(3, 2, 7, "Oslo")]).await.unwrap();
    Order::aggregate::<OfClient>().merge(&db).await.unwrap();
    let reports = ClientReport::find(Filter::all()).sort(ClientReport::F.revenue.desc()).fetch_all(&db).await.unwrap();
    let shown: Vec<_> = reports.iter().map(|report| (report.revenue, report.name.as_deref())).collect();
    assert_eq!(shown, [(11, Some("Ada")), (7, None)]);
    let client = Client::find_by_id(&db, reports[0].client.id()).await.unwrap();
    assert_eq!(client.map(|client| client.name).as_deref(), Some("Ada"));

    Order::aggregate::<OfCity>().inner_having(OfClient::F.revenue.gte(1)).merge(&db).await.unwrap();
    let cities = CityReport::find(Filter::all()).fetch_all(&db).await.unwrap();
    assert_eq!(cities, [CityReport { city: "Oslo".to_owned(), clients: 2, most: 11 }]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "large_orders", view(of = Order, filter(gte(total, 6))))]
struct LargeOrder {
    #[serde(rename = "_id")]
    id: i64,
    total: i64,
    placed: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "filled_days")]
struct FilledDay {
    #[serde(rename = "_id")]
    day: DateTime,
    orders: i64,
    most: Option<i64>,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = LargeOrder, by(day = day(placed)), fill, into = FilledDay)]
struct LargeDay {
    #[serde(rename = "_id")]
    day: DateTime,
    #[count]
    orders: i64,
    #[max(total)]
    most: Option<i64>,
}

#[tokio::test]
async fn a_view_and_filled_periods() {
    let db = database().await;
    schema![Client, Order, LargeOrder, FilledDay].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, [order(1, 1, 5, "Oslo"), order(2, 1, 6, "Oslo")]).await.unwrap();
    let day = |day: i64| DateTime::from_millis(day * 24 * 60 * 60 * 1_000);
    for _ in 0..2 {
        LargeOrder::aggregate::<LargeDay>().fill(day(0)..day(2)).merge(&db).await.unwrap();
        let days = FilledDay::find(Filter::all()).sort(FilledDay::F.day.asc()).fetch_all(&db).await.unwrap();
        let filled = |at, orders, most| FilledDay { day: day(at), orders, most };
        assert_eq!(days, [filled(0, 1, Some(6)), filled(1, 0, None)]);
    }
    let stored = db.collection::<Document>("filled_days").find_one(doc! { "orders": 0 }).await.unwrap().unwrap();
    assert_eq!(stored.len(), 3);
}
