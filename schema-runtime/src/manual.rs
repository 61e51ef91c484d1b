//! The manual: a page for each thing that the crate does. Every example is compiled.
//!
//! The rules of thumb and their samples, in code: [`rules_of_thumb`]. From another library: [`coming_from`]. Models and what is stored in them: [`Model`](macro@crate::Model), [`Embed`](macro@crate::Embed),
//! [`Projection`](macro@crate::Projection). Planning and applying a schema: [`schema!`](crate::prelude::schema). Reading and
//! writing: [`filters`], [`updates`], [`bulk`], [`pages`], [`relations`], [`transactions`]. How an application reads, said on its models: [`queries`]. Relations with two ends, and what a delete does: [`links`]. Documents that form trees: [`trees`]. Many children in one document: [`buckets`]. Copies of fields: [`copies`], and how a change of them is deployed: [`deploying`]. What a parent keeps of its children: [`rollups`]. Values and documents of several shapes: [`enums`].
//! What may stand beside what: [`combinations`]. Clusters and shard keys: [`sharding`]. What can fail, and what to do then: [`errors`]. What
//! operations tell a log: [`tracing`]. For the tests of an application: [`testing`].

#[doc = include_str!("../docs/rules_of_thumb.md")]
pub mod rules_of_thumb {}

#[doc = include_str!("../docs/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("../docs/filters.md")]
pub mod filters {}

#[doc = include_str!("../docs/updates.md")]
pub mod updates {}

#[doc = include_str!("../docs/pages.md")]
pub mod pages {}

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

#[doc = include_str!("../docs/transactions.md")]
pub mod transactions {}

#[doc = include_str!("../docs/errors.md")]
pub mod errors {}

#[doc = include_str!("../docs/tracing.md")]
pub mod tracing {}

#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
