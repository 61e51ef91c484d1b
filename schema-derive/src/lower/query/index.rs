//! The indexes that queries bring. A query that another index serves brings no index, and each index serves as many
//! queries as possible.

use crate::model::{Index, Need, Query, Record};

/// Returns the indexes that the queries need beside `others`.
pub(crate) fn needed_by_queries(queries: &[Query], record: &Record, others: &[&Index]) -> Vec<Index> {
    let needs: Vec<Need<'_>> = queries.iter().filter_map(|query| Need::of(query, record)).collect();
    // The longest needs come first: a shorter need may be the beginning of a longer need.
    let mut longest: Vec<usize> = (0..needs.len()).collect();
    longest.sort_by_key(|at| std::cmp::Reverse(needs[*at].len()));
    let mut emitted: Vec<(usize, Index)> = Vec::new();
    for at in longest {
        let need = &needs[at];
        let partial = need.query.partial_index(others.iter().copied(), record).map(|at| others[at]);
        if partial.is_some_and(|index| need.fits(index)) {
            continue;
        }
        if others.iter().copied().chain(emitted.iter().map(|(_, index)| index)).any(|index| need.is_served_by(index)) {
            continue;
        }
        let serves = |index: &Index| needs.iter().filter(|need| need.is_served_by(index)).count();
        let mut best: Option<(usize, Index)> = None;
        for equal in orders(&need.equal) {
            let index = need.index(&equal);
            let count = serves(&index);
            if best.as_ref().is_none_or(|(most, _)| count > *most) {
                best = Some((count, index));
            }
        }
        emitted.extend(best.map(|(_, index)| (at, index)));
    }
    emitted.sort_by_key(|(at, _)| *at);
    emitted.into_iter().map(|(_, index)| index).collect()
}

/// The most fields that are tried in every order.
const MOST_TRIED: usize = 5;

/// Returns every order of the paths, the given order first.
fn orders<'a>(paths: &[&'a [String]]) -> Vec<Vec<&'a [String]>> {
    if paths.len() > MOST_TRIED {
        return vec![paths.to_vec()];
    }
    let Some((at, _)) = paths.iter().enumerate().next() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for first in at..paths.len() {
        let mut rest = paths.to_vec();
        let path = rest.remove(first);
        for mut order in orders(&rest) {
            order.insert(0, path);
            all.push(order);
        }
    }
    all
}
