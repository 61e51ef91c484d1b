//! One handle for each kind of relation, made by derived code: constants (`Product::PARTS`) for many parents, accessors
//! (`product.parts()`) for one.

mod child_refs;
mod children;
mod embedded;
mod parent_ref;

pub use child_refs::{ChildRefs, ChildRefsOf};
pub use children::{Children, ChildrenOf, Latest, LatestEach, PageOf};
pub use embedded::{ArrayField, Embedded};
pub use parent_ref::{ParentRef, ParentRefOf};
