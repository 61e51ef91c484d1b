//! One handle for each kind of relation, made by derived code: constants (`Product::PARTS`) for many parents, accessors
//! (`product.parts()`) for one.

mod child;
mod child_refs;
mod children;
mod embedded;
mod link;
mod lookup;
mod one_by_one;
mod parent_ref;
mod relations;

pub use child::{Child, ChildOf};
pub use child_refs::{ChildRefs, ChildRefsOf};
pub use children::{Children, ChildrenOf, Latest, LatestEach, PageOf};
pub use embedded::{ArrayField, ElementsPage, Embedded, FindElements, FoundElement};
pub use lookup::Lookup;
pub use parent_ref::{ParentRef, ParentRefOf};
pub use relations::{LoadedWith, Relations, WholeDocuments, With};
