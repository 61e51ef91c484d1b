//! Rows of parents as documents of another aggregation, as declared queries, and in a `having` over both.

use schema_runtime::prelude::*;
use schema_tests::{database, database_with_log};

use super::models::{Host, LogMsg, Stored, fill, filled};

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Host)]
struct HostRow {
    id: i64,
    rack: Option<i32>,
    #[count(LogMsg::host)]
    messages: i64,
    #[max(LogMsg::host, bytes)]
    most: Option<i64>,
    #[first(LogMsg::host, bytes, order = asc(at))]
    first: Option<i64>,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = HostRow, by(rack))]
struct Rack {
    rack: Option<i32>,
    #[count]
    hosts: i64,
    #[sum(messages)]
    messages: i64,
    #[max(most)]
    most: Option<i64>,
    #[count(where(eq(messages, 0)))]
    silent: i64,
    #[top(2, order = desc(messages))]
    busiest: Vec<HostRow>,
}

#[tokio::test]
async fn rows_of_parents_are_the_documents_of_groups() {
    let (db, log) = database_with_log().await;
    let stored = fill(&db, 31, 25, 120).await;
    log.clear();
    let read = || Host::aggregate::<Rack>().filter(Host::F.id.gte(2));
    let racks = read().sort(Rack::F.rack.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(log.named("aggregate").len(), 1);
    let mut keys: Vec<Option<i32>> = stored.hosts.iter().filter(|host| host.id >= 2).map(|host| host.rack).collect();
    keys.sort_unstable();
    keys.dedup();
    let expected: Vec<Rack> = keys.into_iter().map(|rack| of_rack(&stored, rack)).collect();
    assert_eq!(racks, expected);
    let busy = read().inner_having(HostRow::F.messages.gte(3)).fetch_all(&db).await.unwrap();
    let count: i64 = busy.iter().map(|rack| rack.hosts).sum();
    let hosts = stored.rows().into_iter().filter(|row| row.id >= 2 && row.messages >= 3).count();
    assert_eq!(count as usize, hosts);
}

fn of_rack(stored: &Stored, rack: Option<i32>) -> Rack {
    let hosts = stored.hosts.iter().filter(|host| host.id >= 2 && host.rack == rack);
    let row = |host: &Host| {
        let row = stored.row(host);
        let messages = stored.messages.iter().filter(|message| *message.host.id() == host.id);
        let most = messages.clone().map(|message| message.bytes).max();
        let first = messages.min_by_key(|message| (message.at, message.id)).map(|message| message.bytes);
        HostRow { id: host.id, rack, messages: row.messages, most, first }
    };
    let mut rows: Vec<HostRow> = hosts.map(row).collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.messages), row.id));
    Rack {
        rack,
        hosts: rows.len() as i64,
        messages: rows.iter().map(|row| row.messages).sum(),
        most: rows.iter().filter_map(|row| row.most).max(),
        silent: rows.iter().filter(|row| row.messages == 0).count() as i64,
        busiest: rows.into_iter().take(2).collect(),
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "child_shops")]
#[query(stats_of(region), aggregate = ShopStats, per_day = 24)]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    region: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "child_sales")]
struct Sale {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    shop: Ref<Shop>,
    total: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Shop)]
struct ShopStats {
    #[serde(rename = "_id")]
    id: i64,
    region: String,
    #[sum(Sale::shop, total)]
    revenue: i64,
}

#[tokio::test]
async fn a_declared_query_brings_the_index_of_the_parents() {
    let db = database().await;
    let schema = schema![Shop, Sale];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let shops: Vec<Shop> = (0..40).map(|id| Shop { id, region: format!("r{}", id % 4) }).collect();
    Shop::insert_many(&db, &shops).await.unwrap();
    let sales: Vec<Sale> = (0..200).map(|id| Sale { id, shop: Ref::new(id % 50), total: id }).collect();
    Sale::insert_many(&db, &sales).await.unwrap();
    let rows = Shop::stats_of("r1").sort(ShopStats::F.revenue.desc()).limit(3).fetch_all(&db).await.unwrap();
    let mut expected: Vec<ShopStats> = shops
        .iter()
        .filter(|shop| shop.region == "r1")
        .map(|shop| ShopStats {
            id: shop.id,
            region: shop.region.clone(),
            revenue: sales.iter().filter(|sale| *sale.shop.id() == shop.id).map(|sale| sale.total).sum(),
        })
        .collect();
    expected.sort_by_key(|row| std::cmp::Reverse(row.revenue));
    assert_eq!(rows, expected[..3]);
    schema_runtime::assert_indexed(&Shop::stats_of("r2"), &db).await;
    schema_runtime::assert_queries_indexed(&schema, &db).await;
    assert!(schema.review().to_string().contains("stats_of"));
}

#[tokio::test]
async fn two_clients_read_the_same_rows() {
    let (db, stored) = filled(33, 10, 80).await;
    let (one, other) = tokio::join!(
        Host::aggregate::<HostRow>().sort(HostRow::F.id.asc()).fetch_all(&db),
        Host::aggregate::<HostRow>().sort(HostRow::F.id.asc()).fetch_all(&db)
    );
    assert_eq!(one.as_ref().unwrap(), other.as_ref().unwrap());
    assert_eq!(one.unwrap().len(), stored.hosts.len());
}
