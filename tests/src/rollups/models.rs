//! Hosts that keep the latest of their messages and all kinds of numbers of them, and counters that keep what plain operators
//! keep.

use schema_runtime::prelude::*;

/// A parent that keeps all kinds of things.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "hosts")]
#[inverse(messages = LogMsg::host)]
pub struct Host {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: i64,
    /// Nobody's business but its own.
    pub name: String,
    /// The latest messages.
    #[subset(of = LogMsg::host, keep = 3, order = desc(time))]
    pub recent: Vec<LogLine>,
    /// How many messages there are.
    #[computed(count(LogMsg::host))]
    pub messages: i64,
    /// The bytes of all messages.
    #[serde(rename = "totalBytes")]
    #[computed(sum(LogMsg::host, bytes))]
    pub total_bytes: i64,
    /// The bytes of a message, on average.
    #[computed(avg(LogMsg::host, bytes))]
    pub average: Option<f64>,
    /// Those of the smallest.
    #[computed(min(LogMsg::host, bytes))]
    pub least: Option<i32>,
    /// Those of the largest.
    #[computed(max(LogMsg::host, bytes))]
    pub greatest: Option<i32>,
}

/// What a host keeps of a message.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct LogLine {
    /// That of the message.
    #[serde(rename = "_id")]
    pub id: i64,
    /// That of the message.
    pub time: DateTime,
    /// That of the message.
    pub text: String,
}

/// A child.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "logmsg")]
pub struct LogMsg {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The first parent.
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub host: Ref<Host>,
    /// A second parent.
    #[relation(one_to_squillions, parent_ref)]
    pub counter: Option<Ref<Counter>>,
    /// By which the latest are known.
    pub time: DateTime,
    /// A part of what a host keeps.
    pub text: String,
    /// What is computed with.
    #[serde(rename = "size")]
    pub bytes: i32,
    /// Not kept by anybody.
    pub read: bool,
}

/// A parent that keeps what plain operators keep.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "counters")]
pub struct Counter {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: i64,
    /// How many messages there are.
    #[computed(count(LogMsg::counter))]
    pub messages: i64,
    /// The time of the latest.
    #[computed(max(LogMsg::counter, time))]
    pub last: Option<DateTime>,
    /// Those with the greatest `_id`s.
    #[subset(of = LogMsg::counter, keep = 2)]
    pub newest: Vec<IdOnly>,
}

/// What a counter keeps of a message.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct IdOnly {
    /// That of the message.
    #[serde(rename = "_id")]
    pub id: i64,
}

/// Host `id`.
pub fn host(id: i64) -> Host {
    Host {
        id,
        name: format!("host {id}"),
        // Whatever a caller puts here is not what is stored.
        recent: vec![LogLine { id: 1, time: DateTime::now(), text: "?".to_owned() }],
        messages: 7,
        total_bytes: 7,
        average: Some(7.0),
        least: Some(7),
        greatest: Some(7),
    }
}

/// Counter `id`.
pub fn counter(id: i64) -> Counter {
    Counter { id, messages: 7, last: None, newest: Vec::new() }
}

/// Message `id`, of that minute and of that many bytes.
pub fn message(id: i64, host: i64) -> LogMsg {
    LogMsg {
        id,
        host: Ref::new(host),
        counter: None,
        time: DateTime::from_millis(id * 60_000),
        text: format!("message {id}"),
        bytes: (id as i32 * 37) % 101,
        read: false,
    }
}
