//! Each part of the protocol is needed: without the part the model breaks, and shows the shortest path to the broken
//! state (`--nocapture`).

use super::*;
use crate::{
    model::{CONVERGES, NEVER_BACK, OWN_SOURCE, WITHOUT_RECOVER},
    protocol::Versions,
};

#[test]
fn guard() {
    let without = Protocol { guard: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), writer(A)]).breaks(CONVERGES);
    one_holder(without, 0, [writer(A), writer(A)]).breaks(NEVER_BACK);
}

#[test]
fn mark_on_source() {
    let without = Protocol { mark_on_source: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), writer(A)]).holds(64);
    one_holder(without, 1, [writer(A)]).breaks(CONVERGES);
}

#[test]
fn clear_after_sweep() {
    let without = Protocol { clear_after_sweep: false, ..CHOSEN };
    one_holder(without, 1, [writer(A)]).breaks(CONVERGES);
}

#[test]
fn clear_own_mark() {
    let without = Protocol { clear_own_mark: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), writer(A)]).holds(72);
    one_holder(without, 1, [writer(A), writer(A)]).breaks(CONVERGES);
}

#[test]
fn whole_path() {
    let without = Protocol { whole_path: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), writer_of_city(A)]).breaks(CONVERGES);
}

#[test]
fn look() {
    let mark_only = Protocol { look: false, ..CHOSEN };
    one_holder(mark_only, 0, [writer(A), inserter(K, A)]).breaks(WITHOUT_RECOVER);
    one_holder(mark_only, 0, [writer(B), reassigner(H, B)]).breaks(WITHOUT_RECOVER);
    let without = Protocol { look: false, mark_in_holder: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), inserter(K, A)]).breaks(CONVERGES);
    one_holder(without, 0, [writer(B), reassigner(H, B)]).breaks(CONVERGES);
}

#[test]
fn mark_in_holder() {
    let without = Protocol { mark_in_holder: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), inserter(K, A)]).holds(54);
    one_holder(without, 1, [writer(A), inserter(K, A)]).breaks(CONVERGES);
    one_holder(without, 1, [writer(B), reassigner(H, B)]).breaks(CONVERGES);
}

#[test]
fn clear_own_holder_mark() {
    let without = Protocol { clear_own_holder_mark: false, ..CHOSEN };
    let actors = [inserter(K, A), writer(A), reassigner(K, B), reassigner(K, A)];
    one_holder(without, 1, actors.clone()).breaks(CONVERGES);
    one_holder(CHOSEN, 1, actors).holds(5_825);
}

#[test]
fn repair_pins_reference() {
    let without = Protocol { repair_pins_reference: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), inserter(K, A), reassigner(K, B), recover()]).breaks(OWN_SOURCE);
}

#[test]
fn reassign_guard() {
    let without = Protocol { reassign_guard: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), reassigner(H, A)]).breaks(NEVER_BACK);
}

#[test]
fn sweep_after_commit() {
    let without = Protocol { sweep_after_commit: false, ..CHOSEN };
    one_holder(without, 0, [transaction_writer(A), inserter(K, A)]).breaks(CONVERGES);
    one_holder(without, 2, [transaction_writer(A), transaction_writer(A), writer(A)]).holds(184);
}

#[test]
fn insert_marks() {
    let without = Protocol { insert_marks: false, ..CHOSEN };
    one_holder(without, 0, [deleter(A)]).breaks(CONVERGES);
}

#[test]
fn versions_of_a_counter() {
    let without = Protocol { versions: Versions::Counter, ..CHOSEN };
    one_holder(without, 2, [writer(A), writer(A), inserter(K, A)]).holds(2_491);
    one_holder(without, 0, [writer(A), deleter(A)]).breaks(CONVERGES);
}

/// Two writes in one millisecond put the version ahead of the clock, and an insert after a delete starts behind the
/// version.
#[test]
fn versions_of_milliseconds() {
    let without = Protocol { versions: Versions::Milliseconds, ..CHOSEN };
    let run = one_holder(without, 0, [writer(A), deleter(A)]);
    Copies { end_of_time: 3, ..run }.breaks(CONVERGES);
}

#[test]
fn version_after_insert() {
    let without = Protocol { version_after_insert: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), stamping_deleter(A)]).holds(164);
    one_holder(without, 0, [writer(A), stamping_deleter(A), inserter(K, A)]).breaks(NEVER_BACK);
}
