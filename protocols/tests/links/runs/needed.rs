//! Transactions are needed: with the same writes in separate commands each promise breaks, also without a crash.

use super::*;
use crate::model::{BOTH_ENDS, BOUND, QUIET, THERE};

/// P owns T, nobody owns U.
const ONE: Tasks = [Some(Some(P)), Some(None)];

#[test]
fn both_ends_agree() {
    plain(2, ONE, &[reassign(T, Q)]).breaks(BOTH_ENDS);
    plain(2, [None, None], &[insert(T, P)]).breaks(BOTH_ENDS);
    plain(2, ONE, &[delete(T)]).breaks(BOTH_ENDS);
}

#[test]
fn no_mirror_is_over_its_bound() {
    plain(1, [Some(None), Some(None)], &[reassign(T, P), reassign(U, P)]).breaks(BOUND);
    plain(1, [None, None], &[insert(T, P), insert(U, P)]).breaks(BOUND);
}

#[test]
fn owners_are_there() {
    plain(2, ONE, &[delete_person(P), reassign(U, P)]).breaks(THERE);
    plain(2, [None, None], &[delete_person(P), insert(T, P)]).breaks(THERE);
}

#[test]
fn without_a_crash() {
    plain(2, ONE, &[reassign(U, P), reassign(U, Q)]).breaks(QUIET);
    plain(2, ONE, &[delete(U), reassign(U, P)]).breaks(QUIET);
    plain(2, ONE, &[delete_person(P), reassign(U, P)]).breaks(QUIET);
    plain(1, [None, None], &[insert(T, P), insert(U, P)]).breaks(QUIET);
}
