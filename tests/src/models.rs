//! The hosts and their messages of MongoDB's own guidance, for tests that need no more of a model than that.

use schema_runtime::prelude::*;

/// The one side of squillions.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
pub struct Host {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// Not indexed.
    pub name: String,
    /// Indexed by itself.
    #[index(unique)]
    pub ipaddr: String,
}

/// One of squillions.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
pub struct LogMsg {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// Its parent.
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub host: Ref<Host>,
    /// By which the messages of a host are in order.
    pub time: DateTime,
    /// Not indexed.
    pub message: String,
}
