//! A plan after a restart of the server finds nothing to change.

use std::collections::BTreeMap;

use schema_runtime::{
    local::{Server, Topology},
    prelude::*,
};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1000B", max = 5))]
#[index(text(body), weights(body = 3), language = "norwegian")]
#[index(body, collation(locale = "nb", strength = 2), hidden)]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    body: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sessions", clustered(ttl = "30d"), pre_and_post_images, compression = zlib)]
struct Session {
    #[serde(rename = "_id")]
    id: DateTime,
    #[index]
    user: i64,
    #[index(unique, case_insensitive)]
    name: String,
    #[index(geo_2d, bits = 30)]
    place: [f64; 2],
    #[index(wildcard)]
    #[bound(max_items = 9)]
    tags: BTreeMap<String, String>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor, granularity = hours, ttl = "90d"))]
#[index(sensor, at, hidden)]
#[index(place, collation(locale = "fr_CA"))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    sensor: i32,
    place: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "recent", view(of = Session, filter(gte(user, 5), lt(user, 9), exists(user))))]
struct Recent {
    #[serde(rename = "_id")]
    id: DateTime,
    user: i64,
}

#[tokio::test]
async fn each_kind_is_the_same_after_a_restart() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.expect("a server");
    let schema = schema![Event, Session, Reading, Recent];
    let db = server.database("kinds").await.expect("a database");
    applied(schema, &db).await;
    is_settled(schema, &db).await;
    server.restart(0).await.expect("restarted");
    let db = server.database("kinds").await.expect("a database");
    is_settled(schema, &db).await;
}
