//! The manual: a page for each topic. The examples are compiled.
//!
//! # Start
//!
//! - [`connect`]: the connection string, the pool, replica sets, TLS, secrets
//! - [`http`]: a service with axum, from the router to the shutdown
//! - [`web`]: extractors and answers for axum
//! - [`coming_from`]: the same calls in Mongoose, Beanie and sea-orm
//!
//! # Models
//!
//! - [`Model`](macro@crate::Model): the attributes of a struct with a collection of its own, versions, timestamps,
//!   slugs
//! - [`Embed`](macro@crate::Embed): structs and enums that are stored inside a model
//! - [`enums`]: fields and documents of several shapes
//! - [`Projection`](macro@crate::Projection): structs that read a part of a document
//! - [`new_values`]: structs of new values, ids, defaults and sequences
//! - [`json`]: JSON for clients, from the same structs
//! - [`raw_values`]: fields of any BSON, entries of maps, unknown fields
//! - [`hidden_fields`]: fields that a read gets only by name
//! - [`value_rules`]: the allowed values of a field, and rules about several fields, for the crate and the
//!   validator
//! - [`types`]: the types of fields, also of `chrono`, `jiff`, `time`, `uuid`, `rust_decimal` and `url`
//! - [`collection_kinds`]: capped and clustered collections, time series, views
//! - [`rules_of_thumb`]: how to choose between embedding, references and copies
//!
//! # Reads and writes
//!
//! - [`filters`]: the conditions of a read, an update or a delete
//! - [`updates`]: the operators of an update, upserts, histories, capped lists
//! - [`partial_updates`]: structs of optional changes, conditions of an update, the changed document
//! - [`bulk`]: many writes in one call
//! - [`pages`]: sorts, pages by tokens, streams, counts
//! - [`aggregation`]: sums, averages, counts and groups of many documents
//! - [`facets`]: a page of documents with counts by values and ranges beside the page
//! - [`indexes`]: the kinds of indexes, text search, hidden indexes, search and vector indexes of Atlas
//! - [`queries`]: reads that a model declares, and the indexes that serve them
//! - [`transactions`]: several operations that happen all or not at all
//! - [`collations`]: comparison of texts by a language, without case, with digits as numbers
//! - [`options`]: hints, time limits, comments, collations and concerns of an operation
//! - [`errors`]: causes, repeated calls, texts for logs
//!
//! # Relations
//!
//! - [`relations`]: references, parents and children, loads and lookups
//! - [`links`]: relations with two ends, and the effects of a delete
//! - [`trees`]: documents with a parent in the same collection
//! - [`buckets`]: many children in one document
//!
//! # Derived data
//!
//! - [`copies`]: fields that are stored in other documents too, and follow their source
//! - [`rollups`]: counts, sums and the newest children in a parent
//! - [`deploying`]: how a change of copied fields is deployed
//! - [`combinations`]: the features that may stand beside each other
//!
//! # Operation
//!
//! - [`schema_file`]: the schema as a file, and the effects of a change on a deploy
//! - [`worker`]: the background process of production
//! - [`schema!`](macro@crate::prelude::schema): planning and applying validators and indexes
//! - [`sharding`]: shard keys and clusters
//! - [`versions`]: the supported versions of MongoDB, and the differences between the versions
//! - [`tracing`](mod@tracing): the spans of commands
//! - [`visibility`]: commands as lines for `mongosh`
//! - [`testing`]: a server for tests, and assertions about indexes and commands

#[doc = include_str!("../docs/connect.md")]
pub mod connect {}

// The code of this page is the example `http_service`; the tests of the example compile and test the code.
#[cfg_attr(not(doctest), doc = include_str!("../docs/http.md"))]
pub mod http {}

#[cfg_attr(any(not(doctest), feature = "axum"), doc = include_str!("../docs/web.md"))]
pub mod web {}

#[doc = include_str!("../docs/collations.md")]
pub mod collations {}

#[doc = include_str!("../docs/versions.md")]
pub mod versions {}

#[doc = include_str!("../docs/types.md")]
pub mod types {}

#[doc = include_str!("../docs/collection_kinds.md")]
pub mod collection_kinds {}

#[doc = include_str!("../docs/raw_values.md")]
pub mod raw_values {}

#[doc = include_str!("../docs/rules_of_thumb.md")]
pub mod rules_of_thumb {}

#[doc = include_str!("../docs/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("../docs/filters.md")]
pub mod filters {}

#[doc = include_str!("../docs/updates.md")]
pub mod updates {}

#[doc = include_str!("../docs/partial_updates.md")]
pub mod partial_updates {}

#[doc = include_str!("../docs/pages.md")]
pub mod pages {}

#[doc = include_str!("../docs/aggregation.md")]
pub mod aggregation {}

#[doc = include_str!("../docs/facets.md")]
pub mod facets {}

#[doc = include_str!("../docs/indexes.md")]
pub mod indexes {}

#[doc = include_str!("../docs/queries.md")]
pub mod queries {}

#[doc = include_str!("../docs/relations.md")]
pub mod relations {}

#[doc = include_str!("../docs/trees.md")]
pub mod trees {}

#[doc = include_str!("../docs/buckets.md")]
pub mod buckets {}

#[doc = include_str!("../docs/enums.md")]
pub mod enums {}

#[doc = include_str!("../docs/new_values.md")]
pub mod new_values {}

// The examples need the feature `json`.
#[cfg_attr(any(not(doctest), feature = "json"), doc = include_str!("../docs/json.md"))]
pub mod json {}

#[doc = include_str!("../docs/hidden_fields.md")]
pub mod hidden_fields {}

#[doc = include_str!("../docs/value_rules.md")]
pub mod value_rules {}

#[doc = include_str!("../docs/links.md")]
pub mod links {}

#[doc = include_str!("../docs/bulk.md")]
pub mod bulk {}

#[doc = include_str!("../docs/copies.md")]
pub mod copies {}

#[doc = include_str!("../docs/deploying.md")]
pub mod deploying {}

#[doc = include_str!("../docs/rollups.md")]
pub mod rollups {}

#[doc = include_str!("../docs/combinations.md")]
pub mod combinations {}

#[doc = include_str!("../docs/sharding.md")]
pub mod sharding {}

#[doc = include_str!("../docs/options.md")]
pub mod options {}

#[doc = include_str!("../docs/transactions.md")]
pub mod transactions {}

#[doc = include_str!("../docs/errors.md")]
pub mod errors {}

#[cfg_attr(any(not(doctest), feature = "schema-file"), doc = include_str!("../docs/schema_file.md"))]
pub mod schema_file {}

#[doc = include_str!("../docs/worker.md")]
pub mod worker {}

#[doc = include_str!("../docs/tracing.md")]
pub mod tracing {}

#[doc = include_str!("../docs/visibility.md")]
pub mod visibility {}

#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
