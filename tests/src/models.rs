//! The hosts and messages of MongoDB's own guidance, for tests that need no more of a model.

use schema_runtime::prelude::*;

/// A host: the parent of a one-to-squillions relation.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
pub struct Host {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// Not indexed.
    pub name: String,
    /// Indexed in its own index.
    #[index(unique)]
    pub ipaddr: String,
}

/// A message: the child of a one-to-squillions relation.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
pub struct LogMsg {
    /// Chosen by the test.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The parent of the message.
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub host: Ref<Host>,
    /// The sort key of the messages of a host.
    pub time: DateTime,
    /// Not indexed.
    pub message: String,
}
