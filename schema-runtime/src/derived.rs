//! Data that this crate derives from written documents: copies, rollups, links, slugs, trees, and the effects of delete
//! rules. `effect` defines an effect of a write, and `effects` lists the effects.

pub mod copies;
pub mod delete_rules;
pub(crate) mod effect;
pub(crate) mod effect_list;
pub mod links;
pub(crate) mod maintenance;
mod marks;
mod presence;
mod refused;
pub mod rollup;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod slug;
mod statements;
pub(crate) mod throttle;
mod touch;
pub mod tree;
mod updated;
