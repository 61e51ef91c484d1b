//! The manual: a page for each thing that the crate does. Every example is compiled.

#[doc = include_str!("../docs/filters.md")]
pub mod filters {}

#[doc = include_str!("../docs/updates.md")]
pub mod updates {}

#[doc = include_str!("../docs/pages.md")]
pub mod pages {}

#[doc = include_str!("../docs/transactions.md")]
pub mod transactions {}
