//! The queries of a join, and the places of the answers. Pure: reaches no server.

mod children;
mod chunk;
mod first;
mod groups;
mod lookup;
mod orphans;
mod wanted;

pub(crate) use children::{ChildrenQuery, children_of_many, order_of};
pub(crate) use chunk::chunks;
pub(crate) use first::first_each;
pub(crate) use groups::Groups;
pub(crate) use lookup::{Selection, lookup_referred, lookup_referring};
pub(crate) use orphans::orphans;
pub(crate) use wanted::{Places, Wanted};
