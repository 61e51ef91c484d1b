//! Every part of the protocol is needed: without it the model breaks.

use super::*;
use crate::model::{CONVERGES, DELETED_ONCE, INVARIANT, NOTHING_LEFT, QUIET, REACHED_ONCE};

/// H is of A.
const ONE: &[Option<usize>] = &[Some(A)];
/// H and K are of A.
const TWO: &[Option<usize>] = &[Some(A), Some(A)];
/// H is of A, K is of B.
const EACH: &[Option<usize>] = &[Some(A), Some(B)];
const NONE: &[Option<usize>] = &[None, None];

#[test]
fn take_over() {
    let without = Protocol { take_over: false, ..CHOSEN };
    run(without, ONE, &[changer(H, 7), changer(H, 9)]).breaks(QUIET);
}

#[test]
fn revoke() {
    let without = Protocol { revoke: false, ..CHOSEN };
    run(without, ONE, &[changer(H, 7), recover()]).breaks(QUIET);
}

#[test]
fn heed_revoked() {
    let without = Protocol { heed_revoked: false, ..CHOSEN };
    run(without, ONE, &[changer(H, 7), recover()]).breaks(QUIET);
}

#[test]
fn pin_reference() {
    let without = Protocol { pin_reference: false, ..CHOSEN };
    run(without, ONE, &[mover(H, B), recover()]).breaks(QUIET);
}

#[test]
fn pin_at() {
    let without = Protocol { pin_at: false, ..CHOSEN };
    run(without, EACH, &[move_many(&[H, K], A), recover()]).breaks(QUIET);
}

#[test]
fn revoked_stays() {
    let without = Protocol { revoked_stays: false, ..CHOSEN };
    run(without, ONE, &[changer(H, 7), recover()]).breaks(QUIET);
}

#[test]
fn take_over_then_forget() {
    let without = Protocol { take_over_then_forget: false, ..CHOSEN };
    run(without, ONE, &[mover(H, B), recover()]).breaks(QUIET);
}

#[test]
fn taker_forgets_nothing() {
    let without = Protocol { taker_forgets_nothing: false, ..CHOSEN };
    run(without, NONE, &[inserter(&[(H, A), (K, B)]), recover()]).breaks(CONVERGES);
}

#[test]
fn clear_own() {
    let without = Protocol { clear_own: false, ..CHOSEN };
    run(without, ONE, &[changer(H, 7), changer(H, 9)]).breaks(CONVERGES);
}

#[test]
fn clear_majority() {
    let without = Protocol { clear_majority: false, ..CHOSEN };
    failover(run(without, ONE, &[changer(H, 7)])).breaks(CONVERGES);
}

#[test]
fn gone_majority() {
    let without = Protocol { gone_majority: false, ..CHOSEN };
    failover(run(without, ONE, &[deleter(H)])).breaks(DELETED_ONCE);
}

#[test]
fn writes_first() {
    let without = Protocol { writes_first: false, ..CHOSEN };
    run(without, NONE, &[inserter(&[(H, A), (K, A)])]).breaks(CONVERGES);
}

#[test]
fn by() {
    let without = Protocol { by: false, ..CHOSEN };
    run(without, ONE, &[incrementer(&[H]), recover()]).breaks(REACHED_ONCE);
}

#[test]
fn by_outlives() {
    let without = Protocol { by_outlives: false, ..CHOSEN };
    run(without, ONE, &[incrementer(&[H]), recover()]).breaks(REACHED_ONCE);
}

#[test]
fn dirty() {
    let without = Protocol { dirty: false, ..CHOSEN };
    run(without, TWO, &[changer(H, 7), deleter(K)]).breaks(QUIET);
}

#[test]
fn plus() {
    let without = Protocol { plus: false, ..CHOSEN };
    run(without, &[Some(A), None], &[changer(H, 7), inserter(&[(K, A)])]).breaks(QUIET);
}

#[test]
fn plus_unchanged() {
    let without = Protocol { plus_unchanged: false, ..CHOSEN };
    run(without, TWO, &[changer(H, 7), changer(K, 3)]).breaks(INVARIANT);
}

#[test]
fn read_applied_first() {
    let without = Protocol { read_applied_first: false, ..CHOSEN };
    run(without, &[Some(A), None], &[changer(H, 7), inserter(&[(K, A)])]).breaks(QUIET);
}

#[test]
fn read_plain_first() {
    let without = Protocol { read_plain_first: false, ..CHOSEN };
    run(without, TWO, &[changer(H, 7), changer(K, 9)]).breaks(INVARIANT);
}

#[test]
fn corrected() {
    let without = Protocol { corrected: false, ..CHOSEN };
    wrong(run(without, ONE, &[recompute(A), recompute(A)]), A).breaks(QUIET);
}

#[test]
fn correct_equal() {
    let without = Protocol { correct_equal: false, ..CHOSEN };
    missing(run(without, ONE, &[parent_inserter(A), mover(H, B), recompute(A)]), A).breaks(QUIET);
}

#[test]
fn correct_again() {
    let without = Protocol { correct_again: false, ..CHOSEN };
    missing(run(without, &[None], &[parent_inserter(A), inserter(&[(H, A)]), recompute(A)]), A).breaks(QUIET);
}

#[test]
fn adopt() {
    let without = Protocol { adopt: false, ..CHOSEN };
    missing(run(without, &[None], &[parent_inserter(A), inserter(&[(H, A)])]), A).breaks(QUIET);
}

#[test]
fn adopt_named() {
    let without = Protocol { adopt_named: false, ..CHOSEN };
    missing(run(without, ONE, &[parent_inserter(A), mover(H, B)]), A).breaks(QUIET);
}

#[test]
fn adopt_touched() {
    let without = Protocol { adopt_touched: false, ..CHOSEN };
    missing(run(without, ONE, &[parent_inserter(A), mover(H, B)]), A).breaks(QUIET);
}

#[test]
fn corrected_at_once() {
    let without = Protocol { corrected_at_once: false, ..CHOSEN };
    run(without, ONE, &[parent_again(A), changer(H, 9), deleter(H)]).breaks(CONVERGES);
}

#[test]
fn recover_adopts() {
    let without = Protocol { recover_adopts: false, ..CHOSEN };
    missing(run(without, &[None], &[parent_inserter(A), inserter(&[(H, A)]), recover()]), A).breaks(CONVERGES);
}

#[test]
fn own_new() {
    let without = Protocol { own_new: false, ..CHOSEN };
    run(without, ONE, &[parent_again(A), parent_again(A)]).breaks(CONVERGES);
}

#[test]
fn recheck() {
    let without = Protocol { recheck: false, ..CHOSEN };
    missing(run(without, &[None], &[parent_inserter(A), inserter(&[(H, A)]), recover()]), A).breaks(QUIET);
}

#[test]
fn recheck_revoked() {
    let without = Protocol { recheck_revoked: false, ..CHOSEN };
    let inserts = [parent_inserter(A), inserter(&[(H, A), (K, B)]), recover()];
    missing(run(without, NONE, &inserts), A).breaks(QUIET);
}

#[test]
fn unanswered_stays() {
    let without = Protocol { unanswered_stays: false, ..CHOSEN };
    late(run(without, ONE, &[changer(H, 7)])).breaks(QUIET);
}

#[test]
fn unanswered_stops() {
    let without = Protocol { unanswered_stops: false, ..CHOSEN };
    late(run(without, ONE, &[changer(H, 7)])).breaks(QUIET);
}

/// That nothing is left holds only where no client was taken over late: a mark may be revoked after its owner has forgotten it.
#[test]
fn revoked_marks_are_left() {
    leaves_nothing(chosen(ONE, &[changer(H, 7), recover()])).breaks(NOTHING_LEFT);
}
