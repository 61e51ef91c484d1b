//! Hosts that keep the latest of their messages and all kinds of numbers of them, and counters that keep what plain operators
//! keep.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "hosts")]
#[inverse(messages = LogMsg::host)]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) name: String,
    #[subset(of = LogMsg::host, keep = 3, order = desc(time))]
    pub(crate) recent: Vec<LogLine>,
    #[computed(count(LogMsg::host))]
    pub(crate) messages: i64,
    #[serde(rename = "totalBytes")]
    #[computed(sum(LogMsg::host, bytes))]
    pub(crate) total_bytes: i64,
    #[computed(avg(LogMsg::host, bytes))]
    pub(crate) average: Option<f64>,
    #[computed(min(LogMsg::host, bytes))]
    pub(crate) least: Option<i32>,
    #[computed(max(LogMsg::host, bytes))]
    pub(crate) greatest: Option<i32>,
}

/// What a host keeps of a message.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(crate) struct LogLine {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) time: DateTime,
    pub(crate) text: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "logmsg")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    /// A second parent.
    #[relation(one_to_squillions, parent_ref)]
    pub(crate) counter: Option<Ref<Counter>>,
    pub(crate) time: DateTime,
    pub(crate) text: String,
    #[serde(rename = "size")]
    pub(crate) bytes: i32,
    pub(crate) read: bool,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "counters")]
pub(crate) struct Counter {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[computed(count(LogMsg::counter))]
    pub(crate) messages: i64,
    #[computed(max(LogMsg::counter, time))]
    pub(crate) last: Option<DateTime>,
    #[subset(of = LogMsg::counter, keep = 2)]
    pub(crate) newest: Vec<IdOnly>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(crate) struct IdOnly {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
}

pub(crate) fn host(id: i64) -> Host {
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

pub(crate) fn counter(id: i64) -> Counter {
    Counter { id, messages: 7, last: None, newest: Vec::new() }
}

/// Message `id`, of that minute and of that many bytes.
pub(crate) fn message(id: i64, host: i64) -> LogMsg {
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
