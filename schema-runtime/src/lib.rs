//! Structs in, a real MongoDB out: collections, validators, indexes and joins from annotated Rust structs, and a compile
//! error for a schema that MongoDB's own guidance calls wrong.
//!
//! Start with the [`prelude`], derive [`Model`] for what has a collection of its own and [`Embed`] for what is stored
//! inside a model, and hand the models to [`schema!`](macro@prelude::schema) to plan and apply them to a database.
//!
//! What is awaited reaches the database; nothing else does.

pub use mongodb::{self, bson};

// What a derive says: `const` data, and the traits and types of fields that it is made with.
pub mod bounds;
mod checks;
pub mod definition;
pub mod field;
pub mod geo;
pub mod model;

// What every part that reads or writes shares.
mod codec;
mod document;
pub mod error;
mod key;
mod report;

// The server: one way to send a command, transactions on it, one way to read.
pub mod executor;
pub mod explain;
pub mod page;
mod read;
pub mod transaction;

// What a user does with documents: read and write one model, follow relations to others.
pub mod join;
pub mod operation;
pub mod relation;

// Many values in one document.
pub mod bucket;

// Data that is derived from what is written.
pub mod derived;

// A whole database with its models.
pub mod manage;

// Where a database comes from.
mod connect;
#[cfg(feature = "embedded")]
pub mod embedded;

#[doc(hidden)]
pub mod __private;
pub mod manual;

pub use bounds::{Few, Ref, TreePath};
pub use connect::connect;
pub use derived::{
    Recovered, Repaired, copies, delete_rules, links, rollup,
    throttle::{Progress, Throttle},
};
pub use error::{Error, ErrorKind, Result};
pub use executor::Executor;
pub use explain::{assert_indexed, check_indexed};
pub use field::{Filter, Pattern};
pub use geo::{Area, Point};
pub use join::{Joined, Loaded, Rows};
pub use manage::queries::{assert_queries_indexed, check_queries};
pub use manage::{apply, cost, plan, queries, review, schema, schema::Schema, sharding, verify};
pub use model::{Embed, Model, Projection};
pub use operation::assert_targeted;
pub use page::{Page, PageToken};
pub use read::Documents;
pub use transaction::{Transaction, transaction, transaction_within};

#[doc = include_str!("../docs/embed.md")]
pub use schema_derive::Embed;
#[doc = include_str!("../docs/model.md")]
pub use schema_derive::Model;
#[doc = include_str!("../docs/projection.md")]
pub use schema_derive::Projection;
#[doc = include_str!("../docs/schema.md")]
pub use schema_derive::schema;

/// What a file with models needs: the derives and their traits, the methods that read, write and ask, `Ref`, the driver's scalar
/// types and serde's derives. What fewer files name is at the root of the crate, as `schema_runtime::PageToken`.
pub mod prelude {
    pub use crate::{Embed, Model, Projection};
    pub use crate::{
        bounds::{Ref, TreePath},
        bucket::{Bucketed, ChildrenInBuckets, OfDocuments},
        cost::CostOperators,
        error::{Error, Result},
        executor::Executor,
        explain::Explain,
        field::{Filter, HistoryOperators, QueryOperators, SortOperators, UpdateOperators},
        model::OwnDocument,
        operation::{Operations, Tree},
        relation::Relations,
    };
    pub use mongodb::Database;
    pub use mongodb::bson::{Binary, DateTime, Decimal128, Timestamp, Uuid, doc, oid::ObjectId};
    pub use schema_derive::schema;
    pub use serde::{Deserialize, Serialize};
}
