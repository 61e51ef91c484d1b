//! Hosts that keep the latest messages and all kinds of numbers, and counters that keep the values of plain operators.

use schema_runtime::prelude::*;

/// A parent that keeps all kinds of values.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "hosts")]
#[inverse(messages = LogMsg::host)]
pub struct Host {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: i64,
    /// A name that nothing else depends on.
    pub name: String,
    /// The latest messages.
    #[subset(of = LogMsg::host, keep = 3, order = desc(time))]
    pub recent: Vec<LogLine>,
    /// The number of messages.
    #[computed(count(LogMsg::host))]
    pub messages: i64,
    /// The bytes of all messages.
    #[serde(rename = "totalBytes")]
    #[computed(sum(LogMsg::host, bytes))]
    pub total_bytes: i64,
    /// The average of the bytes of a message.
    #[computed(avg(LogMsg::host, bytes))]
    pub average: Option<f64>,
    /// The bytes of the smallest message.
    #[computed(min(LogMsg::host, bytes))]
    pub least: Option<i32>,
    /// The bytes of the largest message.
    #[computed(max(LogMsg::host, bytes))]
    pub greatest: Option<i32>,
}

/// The part of a message that a host keeps.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct LogLine {
    /// The `_id` of the message.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The time of the message.
    pub time: DateTime,
    /// The text of the message.
    pub text: String,
}

/// A message: a child of a host and of a counter.
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
    /// The sort key of the latest messages.
    pub time: DateTime,
    /// A part of the values that a host keeps.
    pub text: String,
    /// The number that the parents compute with.
    #[serde(rename = "size")]
    pub bytes: i32,
    /// A field that no parent keeps.
    pub read: bool,
}

/// A parent that keeps the values of plain operators.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "counters")]
pub struct Counter {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The number of messages.
    #[computed(count(LogMsg::counter))]
    pub messages: i64,
    /// The time of the latest message.
    #[computed(max(LogMsg::counter, time))]
    pub last: Option<DateTime>,
    /// The messages with the greatest `_id`s.
    #[subset(of = LogMsg::counter, keep = 2)]
    pub newest: Vec<IdOnly>,
}

/// The part of a message that a counter keeps.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct IdOnly {
    /// The `_id` of the message.
    #[serde(rename = "_id")]
    pub id: i64,
}

/// Returns the host `id`.
pub fn host(id: i64) -> Host {
    Host {
        id,
        name: format!("host {id}"),
        // The values of a caller are wrong on purpose: the crate does not store these values.
        recent: vec![LogLine { id: 1, time: DateTime::now(), text: "?".to_owned() }],
        messages: 7,
        total_bytes: 7,
        average: Some(7.0),
        least: Some(7),
        greatest: Some(7),
    }
}

/// Returns the counter `id`.
pub fn counter(id: i64) -> Counter {
    Counter { id, messages: 7, last: None, newest: Vec::new() }
}

/// Returns the message `id`, at the minute `id` and with bytes that depend on `id`.
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
