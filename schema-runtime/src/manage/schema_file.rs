//! The schema of an application as a file: `schema.json` in the repository of the application. `entries` has the types
//! of the file, `describe` makes the entries from the definitions, `read` reads a file.
//!
//! The file states the effect of the models on a database, and the facts that a diagram shows people (`facts`). Only
//! the lines with its name follow a struct that is renamed.

mod describe;
mod entries;
mod facts;
mod lines;
mod read;

pub(crate) use describe::describe;
pub use entries::{
    CopyEntry, FieldEntry, FieldType, IndexEntry, ModelEntry, QueryEntry, RelationEntry, RollupEntry, SchemaFile,
    ShardKeyEntry, SilencedRule, UnknownFields, ValidationEntry, VariantsEntry,
};
pub use facts::{BucketEntry, SearchIndexEntry, WriteEntry};
pub use read::SchemaFileError;

/// The version of the format that this crate writes.
pub(crate) const FORMAT: u32 = 1;
