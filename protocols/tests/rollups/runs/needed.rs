//! Each part of the protocol is needed: without it the model breaks, and shows the shortest way there (`--nocapture`).

use super::*;
use crate::model::{CONVERGES, MARKED, NO_MARKS, WITHOUT_RECOVER};

#[test]
fn epoch() {
    let without = Protocol { epoch: false, ..CHOSEN };
    run(without, 0, 2, &[&inserter(K, A), &changer(H)]).breaks(CONVERGES);
}

#[test]
fn open_epoch_only() {
    let without = Protocol { open_epoch_only: false, ..CHOSEN };
    run(without, 0, 2, &[&inserter(K, A), &changer(H)]).breaks(CONVERGES);
}

#[test]
fn mark_of_insert() {
    let without = Protocol { mark_of_insert: false, ..CHOSEN };
    run(without, 1, 2, &[&inserter(K, A)]).breaks(CONVERGES);
}

#[test]
fn mark_of_change() {
    let without = Protocol { mark_of_change: false, ..CHOSEN };
    run(without, 1, 1, &[&changer(H)]).breaks(CONVERGES);
}

#[test]
fn left() {
    let without = Protocol { left: false, ..CHOSEN };
    run(without, 1, 1, &[&mover(H, B)]).breaks(CONVERGES);
}

#[test]
fn own_left() {
    let without = Protocol { own_left: false, ..CHOSEN };
    run(without, 1, 1, &[&mover(H, B), &mover(H, A), &mover(H, B)]).breaks(MARKED);
}

#[test]
fn gone() {
    let without = Protocol { gone: false, ..CHOSEN };
    run(without, 1, 1, &[&deleter(H)]).breaks(CONVERGES);
}

#[test]
fn delete_uncounted_only() {
    let without = Protocol { delete_uncounted_only: false, ..CHOSEN };
    run(without, 1, 1, &[&deleter(H), &changer(H), &changer(H)]).breaks(MARKED);
}

#[test]
fn clear_own_mark() {
    let without = Protocol { clear_own_mark: false, ..CHOSEN };
    run(without, 1, 2, &[&inserter(K, A), &changer(K)]).breaks(CONVERGES);
}

#[test]
fn look() {
    let without = Protocol { look: false, ..CHOSEN };
    run(without, 0, 2, &[&inserter(K, A), &changer(H)]).breaks(CONVERGES);
}

#[test]
fn look_after_epoch() {
    let without = Protocol { look_after_epoch: false, ..CHOSEN };
    run(without, 0, 2, &[&inserter(K, A), &changer(H), &changer(H)]).breaks(CONVERGES);
}

#[test]
fn claim() {
    let without = Protocol { claim: false, ..CHOSEN };
    run(without, 1, 2, &[&inserter(K, A), &recover()]).breaks(NO_MARKS);
}

#[test]
fn claimed_only() {
    let without = Protocol { claimed_only: false, ..CHOSEN };
    run(without, 0, 2, &[&inserter(K, A), &changer(H)]).breaks(CONVERGES);
}

#[test]
fn write_own() {
    let without = Protocol { write_own: false, ..CHOSEN };
    hasty(run(without, 1, 2, &[&changer(H), &changer(H)])).breaks(CONVERGES);
}

#[test]
fn again() {
    let without = Protocol { again: false, ..CHOSEN };
    hasty(run(without, 1, 2, &[&inserter(K, A), &changer(H), &changer(H)])).breaks(WITHOUT_RECOVER);
}

#[test]
fn closed_at_birth() {
    let without = Protocol { closed_at_birth: false, ..CHOSEN };
    run(without, 0, 1, &[&bearer(A)]).breaks(CONVERGES);
}
