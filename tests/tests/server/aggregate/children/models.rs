//! Hosts with their messages and alerts, and random documents.

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "child_hosts")]
#[index(name, name = "by_name")]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[serde(rename = "hostName")]
    pub(crate) name: String,
    pub(crate) rack: Option<i32>,
    #[relation(one_to_one, embed)]
    pub(crate) place: Site,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Site {
    pub(crate) city: String,
    pub(crate) floor: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "child_messages")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[serde(rename = "hostId")]
    #[relation(one_to_squillions, parent_ref, order = desc(at))]
    pub(crate) host: Ref<Host>,
    pub(crate) at: DateTime,
    pub(crate) bytes: i64,
    pub(crate) cost: Option<f64>,
    pub(crate) fee: Decimal128,
    pub(crate) user: Option<String>,
    #[serde(rename = "warnLevel")]
    pub(crate) level: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "child_alerts")]
pub(crate) struct Alert {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_many, parent_ref)]
    pub(crate) host: Option<Ref<Host>>,
    pub(crate) weight: i32,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = LogMsg)]
pub(crate) struct LogLine {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) bytes: i64,
    pub(crate) user: Option<String>,
}

/// All values of the children.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Host)]
pub(crate) struct HostStats {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) rack: Option<i32>,
    pub(crate) place: Site,
    #[count(LogMsg::host)]
    pub(crate) messages: i64,
    #[count(LogMsg::host, where(gte(level, 3), not(is_null(user))))]
    pub(crate) warned: i64,
    #[count_distinct(LogMsg::host, user, max = 3)]
    pub(crate) users: i64,
    #[sum(LogMsg::host, bytes)]
    pub(crate) bytes: i64,
    #[sum(LogMsg::host, bytes * 2 - level)]
    pub(crate) term: i64,
    #[sum(LogMsg::host, cost)]
    pub(crate) cost: f64,
    #[sum(LogMsg::host, fee)]
    pub(crate) fees: Decimal128,
    #[avg(LogMsg::host, bytes)]
    pub(crate) mean: Option<f64>,
    #[min(LogMsg::host, bytes)]
    pub(crate) least: Option<i64>,
    #[max(LogMsg::host, at)]
    pub(crate) last: Option<DateTime>,
    #[std_dev(LogMsg::host, bytes)]
    pub(crate) deviation: Option<f64>,
    #[any(LogMsg::host, gte(level, 4))]
    pub(crate) any: bool,
    #[all(LogMsg::host, gte(level, 1))]
    pub(crate) all: bool,
    #[collect(LogMsg::host, level, max = 100)]
    pub(crate) levels: Vec<i32>,
    #[first(LogMsg::host, user, order = desc(bytes))]
    pub(crate) largest: Option<String>,
    #[last(LogMsg::host, bytes, order = desc(at))]
    pub(crate) oldest: Option<i64>,
    #[top(3, of = LogMsg::host, order = desc(at))]
    pub(crate) recent: Vec<LogLine>,
    #[count(Alert::host)]
    pub(crate) alerts: i64,
    #[max(Alert::host, weight)]
    pub(crate) heaviest: Option<i32>,
}

pub(crate) fn host(id: i64) -> Host {
    let place = Site { city: ["Oslo", "Bergen"][(id % 2) as usize].to_owned(), floor: (id % 5) as i32 };
    Host { id, name: format!("h{:04}", (id * 7) % 1_000), rack: (id % 3 > 0).then_some((id % 4) as i32), place }
}

pub(crate) fn message(rng: &mut fastrand::Rng, id: i64, host: i64) -> LogMsg {
    LogMsg {
        id,
        host: Ref::new(host),
        at: DateTime::from_millis(1_700_000_000_000 + rng.i64(0..50) * 1_000),
        bytes: rng.i64(-5..300),
        cost: rng.bool().then(|| f64::from(rng.i32(0..40)) / 4.0),
        fee: format!("{}.{:02}", rng.u32(0..9), rng.u32(0..100)).parse().unwrap(),
        user: [None, Some("ada".to_owned()), Some("tim".to_owned()), Some("eve".to_owned()), Some("bob".to_owned())]
            [rng.usize(0..5)]
        .clone(),
        level: rng.i32(0..5),
    }
}

/// The stored documents.
pub(crate) struct Stored {
    pub(crate) hosts: Vec<Host>,
    pub(crate) messages: Vec<LogMsg>,
    pub(crate) alerts: Vec<Alert>,
}

/// Stores random documents. Some references dangle, some hosts have no children, and some nulls are absent.
pub(crate) async fn fill(db: &Database, seed: u64, hosts: i64, children: i64) -> Stored {
    let mut rng = fastrand::Rng::with_seed(seed);
    let hosts: Vec<Host> = (0..hosts).map(host).collect();
    let most = (hosts.len() as i64 * 3 / 2).max(1);
    let messages: Vec<LogMsg> = (0..children)
        .map(|id| {
            let host = rng.i64(0..most);
            message(&mut rng, id, host)
        })
        .collect();
    let alerts: Vec<Alert> = (0..children / 3)
        .map(|id| Alert { id, host: rng.bool().then(|| Ref::new(rng.i64(0..most))), weight: rng.i32(-9..9) })
        .collect();
    schema![Host, LogMsg, Alert].plan(db).await.unwrap().apply(db).await.unwrap();
    Host::insert_many(db, &hosts).await.unwrap();
    LogMsg::insert_many(db, &messages).await.unwrap();
    Alert::insert_many(db, &alerts).await.unwrap();
    let odd = doc! { "_id": { "$mod": [2, 1] } };
    for (collection, path) in
        [("child_messages", "user"), ("child_messages", "cost"), ("child_alerts", "host"), ("child_hosts", "rack")]
    {
        let mut filter = odd.clone();
        filter.insert(path, mongodb::bson::Bson::Null);
        db.collection::<Document>(collection).update_many(filter, doc! { "$unset": { path: "" } }).await.unwrap();
    }
    Stored { hosts, messages, alerts }
}

pub(crate) async fn filled(seed: u64, hosts: i64, children: i64) -> (Database, Stored) {
    let db = database().await;
    let stored = fill(&db, seed, hosts, children).await;
    (db, stored)
}

impl Stored {
    /// Returns the row of a host, computed in Rust.
    pub(crate) fn row(&self, host: &Host) -> HostStats {
        let mut messages: Vec<&LogMsg> = self.messages.iter().filter(|message| *message.host.id() == host.id).collect();
        let alerts: Vec<&Alert> =
            self.alerts.iter().filter(|alert| alert.host.as_ref().is_some_and(|of| *of.id() == host.id)).collect();
        let count = messages.len() as f64;
        let bytes: i64 = messages.iter().map(|message| message.bytes).sum();
        let mean = (!messages.is_empty()).then(|| bytes as f64 / count);
        let square = |message: &&LogMsg| (message.bytes as f64 - mean.unwrap_or(0.0)).powi(2);
        let mut users: Vec<&String> = messages.iter().filter_map(|message| message.user.as_ref()).collect();
        users.sort();
        users.dedup();
        let cents = |fee: &Decimal128| (fee.to_string().parse::<f64>().unwrap() * 100.0).round() as i64;
        let fees: i64 = messages.iter().map(|message| cents(&message.fee)).sum();
        let mut levels: Vec<i32> = messages.iter().map(|message| message.level).collect();
        levels.sort_unstable();
        let largest = messages.iter().max_by_key(|message| (message.bytes, message.id));
        let largest = largest.and_then(|message| message.user.clone());
        messages.sort_by_key(|message| std::cmp::Reverse((message.at, message.id)));
        let line = |message: &&LogMsg| LogLine { id: message.id, bytes: message.bytes, user: message.user.clone() };
        HostStats {
            id: host.id,
            name: host.name.clone(),
            rack: host.rack,
            place: host.place.clone(),
            messages: messages.len() as i64,
            warned: messages.iter().filter(|message| message.level >= 3 && message.user.is_some()).count() as i64,
            users: users.len().min(3) as i64,
            bytes,
            term: messages.iter().map(|message| message.bytes * 2 - i64::from(message.level)).sum(),
            cost: messages.iter().filter_map(|message| message.cost).sum(),
            fees: if messages.is_empty() {
                "0".parse().unwrap()
            } else {
                format!("{}.{:02}", fees / 100, fees % 100).parse().unwrap()
            },
            mean,
            least: messages.iter().map(|message| message.bytes).min(),
            last: messages.iter().map(|message| message.at).max(),
            deviation: mean.map(|_| (messages.iter().map(square).sum::<f64>() / count).sqrt()),
            any: messages.iter().any(|message| message.level >= 4),
            all: messages.iter().all(|message| message.level >= 1),
            levels,
            largest,
            oldest: messages.last().map(|message| message.bytes),
            recent: messages.iter().take(3).map(line).collect(),
            alerts: alerts.len() as i64,
            heaviest: alerts.iter().map(|alert| alert.weight).max(),
        }
    }

    pub(crate) fn rows(&self) -> Vec<HostStats> {
        self.hosts.iter().map(|host| self.row(host)).collect()
    }
}

/// Puts the collected levels in order, and cuts fractions to nine digits.
pub(crate) fn rounded(mut rows: Vec<HostStats>) -> Vec<HostStats> {
    let nine = |number: f64| (number * 1e6).round() / 1e6;
    for row in &mut rows {
        row.levels.sort_unstable();
        row.mean = row.mean.map(nine);
        row.deviation = row.deviation.map(nine);
        row.cost = nine(row.cost);
    }
    rows
}
