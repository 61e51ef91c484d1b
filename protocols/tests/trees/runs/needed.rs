//! Every part of the protocol is needed: without the part the model breaks.

use super::*;
use crate::model::{CONVERGES, INVARIANT, NO_CYCLE, NO_ORPHAN, QUIET};

#[test]
fn insert_touches_parent() {
    let without = Protocol { insert_touches_parent: false, ..CHOSEN };
    run(without, "A AB C", &[insert(D, B), small(B, C)]).breaks(QUIET);
    run(without, "A AB BC D", &[insert(E, C), large(B, D)]).breaks(QUIET);
    run(without, "A", &[insert(B, A), delete(A)]).breaks(NO_ORPHAN);
    run(Protocol { insert_touches_parent: false, ..PARENT_ALONE }, "A", &[insert(B, A), delete(A)]).breaks(NO_ORPHAN);
}

#[test]
fn touch_target() {
    let without = Protocol { touch_target: false, ..CHOSEN };
    run(without, "A B", &[small(A, B), small(B, A)]).breaks(NO_CYCLE);
    run(without, "A B C", &[small(A, B), small(B, C)]).breaks(QUIET);
    run(without, "A B", &[small(A, B), delete(B)]).breaks(NO_ORPHAN);
}

#[test]
fn touch_above_target() {
    let without = Protocol { touch_above_target: false, ..CHOSEN };
    run(without, "A AB C D DE", &[large(A, C), large(D, B)]).breaks(QUIET);
    let without = Protocol { touch_above_source: false, ..without };
    run(without, "A AB BC D DE EF", &[large(B, F), large(E, C)]).breaks(NO_CYCLE);
    let without = Protocol { touch_above_target: false, ..PARENT_ALONE };
    run(without, "A AB BC D DE EF", &[small(B, F), small(E, C)]).breaks(NO_CYCLE);
}

#[test]
fn touch_above_source() {
    let without = Protocol { touch_above_source: false, ..CHOSEN };
    run(without, "A AB BC D E", &[large(A, D), large(B, E)]).breaks(QUIET);
}

#[test]
fn touch_all_above() {
    let without = Protocol { touch_all_above: false, ..CASCADE };
    run(without, "A AB BC CD AE EF FG", &[delete(A), large(C, G), large(F, D)]).breaks(NO_CYCLE);
    run(without, "A AB BC CD E F", &[delete(A), large(B, E), large(C, F)]).breaks(CONVERGES);
}

#[test]
fn heed_own() {
    let without = Protocol { heed_own: false, ..CHOSEN };
    run(without, "A AB C D", &[large(A, C), large(A, D)]).breaks(CONVERGES);
}

#[test]
fn heed_above_source() {
    let without = Protocol { heed_above_source: false, ..CHOSEN };
    run(without, "A AB BC D E", &[large(A, D), small(B, E)]).breaks(CONVERGES);
}

#[test]
fn heed_above_target() {
    let without = Protocol { heed_above_target: false, ..CHOSEN };
    run(without, "A AB C D DE", &[large(A, C), large(D, B)]).breaks(QUIET);
}

#[test]
fn heed_below() {
    let without = Protocol { heed_below: false, ..CHOSEN };
    run(without, "A AB C D", &[large(A, C), small(C, D)]).breaks(QUIET);
}

#[test]
fn heed_left() {
    let without = Protocol { heed_left: false, ..CHOSEN };
    run(without, "A AB BC D E", &[large(B, D), small(A, E)]).breaks(CONVERGES);
}

#[test]
fn read_again() {
    let without = Protocol { read_again: false, ..CHOSEN };
    run(without, "A AB BC D", &[large(B, D), large(B, A), recover()]).breaks(INVARIANT);
}

#[test]
fn old_prefix() {
    let without = Protocol { old_prefix: false, ..CHOSEN };
    run(without, "A AB BC D E", &[large(B, D), small(C, E)]).breaks(INVARIANT);
    run(without, "A AB BC D DE", &[large(B, E), recover()]).breaks(INVARIANT);
}

#[test]
fn until_none() {
    let without = Protocol { until_none: false, ..CHOSEN };
    run(without, "A AB BC D", &[large(B, D), insert(E, C)]).breaks(QUIET);
}

#[test]
fn end_together() {
    let without = Protocol { end_together: false, ..CHOSEN };
    run(without, "A AB BC D", &[large(B, D), large(B, A)]).breaks(CONVERGES);
}

#[test]
fn heed_mark() {
    let without = Protocol { heed_mark: false, ..CHOSEN };
    run(without, "A", &[delete(A), insert(B, A)]).breaks(NO_ORPHAN);
    run(without, "A B", &[delete(A), small(B, A)]).breaks(NO_ORPHAN);
    let without = Protocol { heed_mark: false, ..CASCADE };
    run(without, "A B", &[delete(A), small(B, A)]).breaks(NO_ORPHAN);
}

#[test]
fn look_after_mark() {
    let without = Protocol { look_after_mark: false, ..CHOSEN };
    run(without, "A", &[delete(A), insert(B, A)]).breaks(NO_ORPHAN);
    run(without, "A B", &[delete(A), small(B, A)]).breaks(NO_ORPHAN);
}

#[test]
fn mark_children() {
    let without = Protocol { mark_children: false, ..CASCADE };
    run(without, "A AB", &[delete(A)]).breaks(NO_ORPHAN);
}

#[test]
fn rewrite_before_delete() {
    let without = Protocol { rewrite_before_delete: false, ..CASCADE };
    run(without, "A AB BC CD DE F", &[large(B, F), delete(B), small(D, A)]).breaks(CONVERGES);
}
