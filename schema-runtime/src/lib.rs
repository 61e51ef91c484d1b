//! Structs in, a real MongoDB out: collections, validators, indexes and joins from annotated Rust structs, and a compile
//! error for a schema that MongoDB's own guidance calls wrong.
//!
//! Start with the [`prelude`], derive [`Model`] for what has a collection of its own and [`Embed`] for what is stored
//! inside a model, and hand the models to [`schema!`](macro@prelude::schema) to plan and apply them to a database.
//!
//! What is awaited reaches the database; nothing else does.

pub use mongodb::{self, bson};

#[doc(hidden)]
pub mod __private;
pub mod apply;
pub mod bounds;
mod checks;
mod codec;
mod connect;
pub mod copies;
pub mod cost;
pub mod definition;
mod document;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod error;
pub mod executor;
pub mod explain;
pub mod field;
pub mod join;
mod key;
pub mod manual;
pub mod model;
pub mod operation;
pub mod page;
pub mod plan;
mod read;
pub mod relation;
mod report;
pub mod rollup;
pub mod schema;
pub mod transaction;
pub mod verify;

pub use connect::connect;
pub use copies::{Pace, Progress};
pub use error::{Error, Result};
pub use executor::Executor;
pub use explain::{assert_indexed, check_indexed};
pub use field::Projection;
pub use model::{Embed, Model};
pub use rollup::RecoveredRollup;
pub use schema::Schema;
pub use transaction::{Transaction, transaction, transaction_within};

#[doc = include_str!("../docs/embed.md")]
pub use schema_derive::Embed;
#[doc = include_str!("../docs/model.md")]
pub use schema_derive::Model;
#[doc = include_str!("../docs/projection.md")]
pub use schema_derive::Projection;
#[doc = include_str!("../docs/schema.md")]
pub use schema_derive::schema;

/// Everything a file with models needs: the derives and their traits, `Ref`, `Few`, the driver's scalar types and serde's
/// derives.
pub mod prelude {
    pub use crate::{Embed, Model, Projection};
    pub use crate::{
        bounds::{Few, Point, Ref},
        cost::CostOperators,
        error::{Error, Result},
        executor::Executor,
        explain::Explain,
        field::{Area, Filter, Pattern, QueryOperators, SortOperators, UpdateOperators},
        join::{Joined, Loaded, Rows},
        operation::Operations,
        page::{Cursor, Page},
        read::Documents,
    };
    pub use mongodb::Database;
    pub use mongodb::bson::{Binary, DateTime, Decimal128, Timestamp, Uuid, doc, oid::ObjectId};
    pub use schema_derive::schema;
    pub use serde::{Deserialize, Serialize};
}
