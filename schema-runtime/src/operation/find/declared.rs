//! The reads that a model declares, in the form that is sent.

use super::Find;
use crate::{
    definition::QuerySize,
    executor::Configurable,
    field::Filter,
    indexes::filter_of_query,
    model::{Model, Projection},
    operation::FindPage,
    page::Request,
};

/// Returns query number `at` of `M`, with the conditions on the fields of the query.
pub fn declared<M: Model, const N: usize>(at: usize, conditions: [Filter<M>; N]) -> Find<M> {
    let query = &M::QUERIES[at];
    let filter = Filter::all_of(conditions);
    let filter = match filter_of_query(M::DEFINITION, query) {
        Some(of_index) => filter.and(Filter::raw(of_index)),
        None => filter,
    };
    let find = Find::<M>::new(filter);
    let keys = query.sort_keys(M::DEFINITION);
    let search = if keys.is_empty() { find.search } else { find.search.sort(keys) };
    let search = match query.size {
        QuerySize::First => search.limit(1),
        QuerySize::Limit(limit) => search.limit(limit),
        QuerySize::All | QuerySize::Page(_) => search,
    };
    let find = Find { search, ..find };
    let find = match query.collation {
        Some(collation) => find.collation(collation),
        None => find,
    };
    match query.hint {
        Some(index) => find.hint(index),
        None => find,
    }
}

/// Returns query number `at` of `M`, read into `P`.
pub fn declared_as<M: Model, P: Projection<Of = M>, const N: usize>(
    at: usize,
    conditions: [Filter<M>; N],
) -> Find<M, P> {
    declared(at, conditions).select()
}

/// Returns the pages of a declared read.
pub fn pages_of<'a, M: Model, T>(at: usize, find: Find<M, T>) -> FindPage<'a, M, T> {
    let size = match M::QUERIES[at].size {
        QuerySize::Page(size) => size,
        QuerySize::All | QuerySize::First | QuerySize::Limit(_) => 1,
    };
    FindPage::new(find, Request::first(size))
}
