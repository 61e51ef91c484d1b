//! The facts of a schema file for people, shown by diagrams and descriptions.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The buckets of a collection: each document holds many values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BucketEntry {
    /// The most values of a bucket.
    pub size: u64,
    /// The stored reference to the parent.
    pub parent: String,
    /// The span of time that has separate buckets: `day`, `hour`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// One search index or vector index of MongoDB Atlas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SearchIndexEntry {
    /// The name.
    pub name: String,
    /// The type: `search`, `vectorSearch`.
    pub kind: String,
    /// The definition, in the notation of the server.
    pub definition: Value,
}

/// The cost of a write of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WriteEntry {
    /// The number of writes of the field a day, in all documents together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u64>,
    /// The way in which copies follow the write: `alone`, `transaction`, `chunks`.
    pub mode: String,
    /// The least number of commands.
    pub commands: u64,
    /// The most documents that a write changes; absent without a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<u64>,
    /// The number of collections that a write changes.
    pub collections: u64,
    /// The places that follow the write, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
}
