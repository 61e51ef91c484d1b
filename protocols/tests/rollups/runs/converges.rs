//! What was chosen converges: all of it, in any order, with any two crashes. The numbers are those of the document's table.

use super::*;

#[test]
fn two_inserters_and_recover() {
    chosen(2, 3, &[&inserter(K, A), &inserter(M, A), &recover()]).holds(10_308);
}

#[test]
fn two_inserters_and_changer() {
    chosen(2, 3, &[&inserter(K, A), &inserter(M, A), &changer(H)]).holds(10_747);
    hasty(chosen(0, 3, &[&inserter(K, A), &inserter(M, A), &changer(H)])).holds(144_262);
}

#[test]
fn inserter_and_changer_of_one_child() {
    hasty(chosen(2, 2, &[&inserter(K, A), &changer(K), &recover()])).holds(127_246);
}

#[test]
fn two_changers() {
    hasty(chosen(2, 2, &[&inserter(K, A), &changer(H), &changer(H)])).holds(201_750);
}

#[test]
fn changers_of_two_children() {
    chosen(2, 2, &[&inserter(K, A), &changer(K), &changer(H)]).holds(12_041);
}

#[test]
fn inserter_changer_deleter() {
    chosen(2, 2, &[&inserter(K, A), &changer(H), &deleter(H)]).holds(67_336);
    hasty(chosen(2, 2, &[&inserter(K, A), &changer(K), &deleter(K)])).holds(165_807);
}

#[test]
fn inserter_deleter_recover() {
    chosen(2, 2, &[&inserter(K, A), &deleter(H), &recover()]).holds(74_210);
}

#[test]
fn two_deleters() {
    hasty(chosen(2, 1, &[&deleter(H), &deleter(H)])).holds(4_989);
    chosen(2, 1, &[&deleter(H), &deleter(H), &recover()]).holds(467_895);
}

#[test]
fn inserter_mover_deleter() {
    chosen(2, 2, &[&inserter(K, A), &mover(K, B), &deleter(K)]).holds(110_301);
}

#[test]
fn inserter_mover_recover() {
    chosen(2, 2, &[&inserter(K, A), &mover(K, B), &recover()]).holds(56_380);
}

#[test]
fn movers_there_and_back() {
    hasty(chosen(2, 1, &[&mover(H, B), &mover(H, A), &changer(H)])).holds(177_171);
    chosen(2, 1, &[&mover(H, B), &mover(H, A), &recover()]).holds(474_237);
}

#[test]
fn a_parent_deleted_and_inserted_again() {
    hasty(chosen(2, 2, &[&bearer(A), &inserter(K, A), &recover()])).holds(142_349);
    chosen(2, 2, &[&bearer(A), &inserter(K, A), &changer(H)]).holds(30_510);
    chosen(2, 2, &[&bearer(A), &inserter(K, A), &deleter(H)]).holds(28_265);
    chosen(2, 2, &[&bearer(B), &inserter(K, A), &mover(H, B)]).holds(23_315);
    chosen(2, 1, &[&bearer(A), &mover(H, B), &mover(H, A)]).holds(32_167);
}

#[test]
fn recover_beside_recover() {
    hasty(chosen(2, 2, &[&inserter(K, A), &recover(), &recover()])).holds(158_729);
}

/// A mark that stays longer is never wrong.
#[test]
fn cleared_later() {
    let later = Protocol { clear_at_once: false, ..CHOSEN };
    run(later, 2, 3, &[&inserter(K, A), &inserter(M, A), &recover()]).holds(6_914);
    run(later, 2, 2, &[&inserter(K, A), &changer(K), &deleter(K)]).holds(15_404);
}
