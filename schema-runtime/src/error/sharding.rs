//! The errors of shard keys.

use super::text;

/// Why a write or a plan failed because of a shard key (`#[shard_key(..)]`).
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardingError {
    /// A write of one document does not name the shard, so a router cannot route the write. Nothing was sent.
    #[error("a write of a single document of `{collection}` gives no value of {}", text::missing_key(model, fields))]
    KeyMissing {
        /// The model.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
        /// The stored paths without a value.
        fields: Vec<String>,
    },

    /// The stored document has another shard key than the value. Nothing was written; see `change_shard_key`.
    #[error("a document of `{collection}` has this `_id` and another shard key: write `{model}::change_shard_key`")]
    KeyDiffers {
        /// The model.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
    },

    /// A cluster refused to set or to change the shard key of a collection. Nothing was changed.
    #[error("`{command}` of `{collection}` was refused: {message}; a new plan lists the obstacles")]
    Refused {
        /// The collection.
        collection: String,
        /// The command.
        command: &'static str,
        /// The server's message.
        message: String,
    },
}
