//! Stand-ins until the joins land.
#![allow(missing_docs)]
use crate::model::Model;
use std::marker::PhantomData;
pub type Visit<P, C> = for<'a> fn(&'a P, &mut dyn FnMut(&'a <C as Model>::Id));
pub struct ChildRefs<P, C: Model>(Visit<P, C>);
impl<P, C: Model> ChildRefs<P, C> {
    pub const fn new(_: &'static str, v: Visit<P, C>) -> Self {
        Self(v)
    }
    pub fn of(self, p: &P) -> ChildRefsOf<'_, P, C> {
        ChildRefsOf(p, PhantomData)
    }
}
pub struct ChildRefsOf<'a, P, C>(&'a P, PhantomData<C>);
pub struct ParentRef<P, C: Model>(Visit<P, C>);
impl<P, C: Model> ParentRef<P, C> {
    pub const fn new(_: &'static str, v: Visit<P, C>) -> Self {
        Self(v)
    }
    pub fn of(self, p: &P) -> ParentRefOf<'_, P, C> {
        ParentRefOf(p, PhantomData)
    }
    pub fn children(self, p: &C) -> ChildrenOf<'_, C, P> {
        ChildrenOf(p, PhantomData)
    }
}
pub struct ParentRefOf<'a, P, C>(&'a P, PhantomData<C>);
pub struct Children<P, C>(PhantomData<(P, C)>);
impl<P, C> Children<P, C> {
    pub const fn new(_: &'static str) -> Self {
        Self(PhantomData)
    }
    pub fn of(self, p: &P) -> ChildrenOf<'_, P, C> {
        ChildrenOf(p, PhantomData)
    }
}
pub struct ChildrenOf<'a, P, C>(&'a P, PhantomData<C>);
pub struct Embedded<M, T>(PhantomData<(M, T)>);
impl<M, T> Embedded<M, T> {
    pub const fn new(_: &'static str) -> Self {
        Self(PhantomData)
    }
}
