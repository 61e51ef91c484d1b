//! Every part of the protocol is needed: without the part the model breaks.

use super::*;
use crate::model::{ANSWERS, CONVERGES, COUNTS, EXTREMES, GOES_ON, THERE, WHOLE};

#[test]
fn one_transaction() {
    let without = Protocol { one_transaction: false, ..CHOSEN };
    run(without, NONE, &[write(inserts(H, A, 1))]).breaks(COUNTS);
    run(without, ONE, &[write(moves(H, B))]).breaks(CONVERGES);
    run(without, NONE, &[group(&[&[inserts(H, A, 1), inserts(K, B, 2)]])]).breaks(WHOLE);
}

#[test]
fn leave_plus() {
    let without = Protocol { leave_plus: false, ..CHOSEN };
    missing(run(without, NONE, &[write(inserts(H, A, 1)), insert_parent(A)]), A).breaks(COUNTS);
}

#[test]
fn leave_minus() {
    let without = Protocol { leave_minus: false, ..CHOSEN };
    missing(run(without, ONE, &[write(deletes(H)), insert_parent(A)]), A).breaks(COUNTS);
    missing(run(without, ONE, &[write(moves(H, B)), insert_parent(A)]), A).breaks(COUNTS);
}

#[test]
fn leave_after_conflicts() {
    let without = Protocol { leave_after_conflicts: false, ..CHOSEN };
    run(without, NONE, &[write(inserts(H, A, 1)), write(inserts(K, A, 2))]).breaks(GOES_ON);
}

#[test]
fn touch() {
    let without = Protocol { touch: false, ..CHOSEN };
    run(without, NONE, &[strict(leaving(write(inserts(H, A, 1)))), delete_childless(A)]).breaks(THERE);
}

#[test]
fn leave_extremes() {
    let without = Protocol { leave_extremes: false, ..CHOSEN };
    run(without, TWO, &[leaving(write(deletes(H)))]).breaks(EXTREMES);
    run(without, NONE, &[leaving(write(inserts(H, A, 1)))]).breaks(EXTREMES);
}

#[test]
fn reread_inside() {
    let without = Protocol { reread_inside: false, ..CHOSEN };
    run(without, TWO, &[write(deletes(H))]).breaks(CONVERGES);
}

#[test]
fn ask_inside() {
    let without = Protocol { ask_inside: false, ..CHOSEN };
    run(without, TWO, &[write(deletes(H)), write(deletes(K))]).breaks(EXTREMES);
}

#[test]
fn apply_writes() {
    let without = Protocol { apply_writes: false, ..CHOSEN };
    let children: Children = &[Some((A, 1)), Some((A, 4)), Some((A, 4))];
    run(without, children, &[write(deletes(H)), group(&[&[sets(K, 3)], &[sets(M, 5)]])]).breaks(EXTREMES);
}

#[test]
fn fold_writes() {
    let without = Protocol { fold_writes: false, ..CHOSEN };
    let writers = [leaving(write(deletes(H))), leaving(write(inserts(M, A, 1)))];
    let clients = [writers.to_vec(), vec![fold(A), recompute(A)]].concat();
    run(without, TWO, &clients).breaks(EXTREMES);
}

#[test]
fn fold_at_once() {
    let without = Protocol { fold_at_once: false, ..CHOSEN };
    run(without, NONE, &[leaving(write(inserts(H, A, 1))), fold(A)]).breaks(COUNTS);
    run(without, NONE, &[leaving(write(inserts(H, A, 1))), fold(A)]).breaks(CONVERGES);
}

#[test]
fn fold_reread() {
    let without = Protocol { fold_reread: false, ..CHOSEN };
    run(without, TWO, &[leaving(write(deletes(H)))]).breaks(CONVERGES);
    run(without, TWO, &[folding(leaving(write(deletes(H))))]).breaks(EXTREMES);
}

#[test]
fn fold_merges() {
    let without = Protocol { fold_merges: false, ..CHOSEN };
    missing(run(without, NONE, &[write(inserts(H, A, 1)), insert_parent(A), fold(A)]), A).breaks(COUNTS);
}

#[test]
fn recount_deletes() {
    let without = Protocol { recount_deletes: false, ..CHOSEN };
    run(without, ONE, &[leaving(write(inserts(K, A, 2))), losing(write(deletes(H)))]).breaks(COUNTS);
}

#[test]
fn recount_whole() {
    let without = Protocol { recount_whole: false, ..CHOSEN };
    run(without, ONE, &[leaving(write(inserts(K, A, 2))), losing(write(sets(H, 3)))]).breaks(COUNTS);
}

#[test]
fn recount_corrects() {
    let without = Protocol { recount_corrects: false, ..CHOSEN };
    wrong(run(without, TWO, &[recompute(A), losing(write(sets(H, 3)))]), A).breaks(COUNTS);
}

#[test]
fn insert_counts() {
    let without = Protocol { insert_counts: false, ..CHOSEN };
    missing(run(without, NONE, &[write(inserts(H, A, 1)), insert_parent(A)]), A).breaks(COUNTS);
}

#[test]
fn insert_deletes() {
    let without = Protocol { insert_deletes: false, ..CHOSEN };
    missing(run(without, NONE, &[write(inserts(H, A, 1)), insert_parent(A)]), A).breaks(COUNTS);
}

#[test]
fn insert_corrects() {
    let without = Protocol { insert_corrects: false, ..CHOSEN };
    wrong(run(without, ONE, &[recompute(A), parent_again(A)]), A).breaks(COUNTS);
}

#[test]
fn drop_old() {
    let without = Protocol { drop_old: false, ..CHOSEN };
    missing(run(without, NONE, &[write(inserts(H, A, 1)), insert_parent(A), recover()]), A).breaks(COUNTS);
}

#[test]
fn corrected() {
    let without = Protocol { corrected: false, ..CHOSEN };
    wrong(run(without, ONE, &[recompute(A), recompute(A)]), A).breaks(COUNTS);
}

#[test]
fn by_difference() {
    let without = Protocol { by_difference: false, ..CHOSEN };
    wrong(run(without, ONE, &[recompute(A), write(inserts(K, A, 2))]), A).breaks(COUNTS);
}

#[test]
fn with_deltas() {
    let without = Protocol { with_deltas: false, ..CHOSEN };
    run(without, NONE, &[recompute(A), leaving(write(inserts(H, A, 1)))]).breaks(COUNTS);
}

#[test]
fn one_snapshot() {
    let without = Protocol { one_snapshot: false, ..CHOSEN };
    run(without, NONE, &[recompute(A), write(inserts(H, A, 1))]).breaks(COUNTS);
    run(without, NONE, &[recompute(A), leaving(write(inserts(H, A, 1))), fold(A)]).breaks(COUNTS);
}

#[test]
fn reread_transaction() {
    let without = Protocol { reread_transaction: false, ..CHOSEN };
    wrong(run(without, ONE, &[recompute(A), write(deletes(H))]), A).breaks(EXTREMES);
}

#[test]
fn ask_same() {
    let without = Protocol { ask_same: false, ..CHOSEN };
    unanswered(run(without, NONE, &[write(inserts(H, A, 1))])).breaks(ANSWERS);
    unanswered(run(without, ONE, &[write(increments(H))])).breaks(WHOLE);
}

#[test]
fn one_by_one() {
    let without = Protocol { one_by_one: false, ..CHOSEN };
    run(without, ONE, &[group(&[&[inserts(H, A, 1)], &[inserts(K, A, 2)]])]).breaks(ANSWERS);
}
