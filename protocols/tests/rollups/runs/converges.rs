//! What was chosen converges, in any order, wherever clients stop. The numbers are those of the document's table.

use super::*;

/// H is of A.
const ONE: &[Option<usize>] = &[Some(A)];
/// H and K are of A.
const TWO: &[Option<usize>] = &[Some(A), Some(A)];
/// H is of A, K is of B.
const EACH: &[Option<usize>] = &[Some(A), Some(B)];
/// H is of A, K is not there.
const SPARE: &[Option<usize>] = &[Some(A), None];
const NONE: &[Option<usize>] = &[None, None];

#[test]
fn nobody_is_taken_over() {
    leaves_nothing(chosen(TWO, &[changer(H, 9), changer(K, 9)])).holds(326);
    leaves_nothing(chosen(&[Some(A), Some(A), Some(A)], &[changer(H, 9), changer(K, 9), deleter(M)])).holds(15_238);
    leaves_nothing(chosen(&[Some(A), Some(B), None], &[changer(H, 9), mover(K, A), inserter(&[(M, A)])])).holds(9_433);
}

#[test]
fn inserter_of_two_parents() {
    chosen(NONE, &[inserter(&[(H, A), (K, B)]), changer(H, 9)]).holds(23_770);
    chosen(NONE, &[inserter(&[(H, A), (K, B)]), recover()]).holds(3_743);
    once(chosen(&[None], &[inserter(&[(H, A)]), recover(), recover()])).holds(37_732);
}

#[test]
fn inserter_and_mover() {
    chosen(NONE, &[inserter(&[(H, A), (K, A)]), mover(K, B)]).holds(4_467);
    takes(chosen(NONE, &[inserter(&[(H, A), (K, A)]), mover(K, B), deleter(H)]), &[1, 1, 0]).holds(88_208);
}

#[test]
fn inserted_again_after_a_delete() {
    once(chosen(SPARE, &[inserter(&[(K, A)]), deleter(K), inserter(&[(K, B)])])).holds(7_384);
}

#[test]
fn two_changers() {
    chosen(ONE, &[changer(H, 7), changer(H, 9)]).holds(77_173);
}

#[test]
fn changer_and_recover() {
    chosen(TWO, &[changer(H, 9), recover()]).holds(6_040);
}

#[test]
fn changer_and_two_recovers() {
    once(chosen(ONE, &[changer(H, 9), recover(), recover()])).holds(372_448);
}

#[test]
fn mover_and_changer() {
    chosen(ONE, &[mover(H, B), changer(H, 9)]).holds(129_047);
}

#[test]
fn movers_there_and_back() {
    chosen(ONE, &[mover(H, B), mover(H, A)]).holds(133_573);
    takes(chosen(ONE, &[mover(H, B), mover(H, A), recover()]), &[0, 0, 1]).holds(198_571);
}

#[test]
fn deleters() {
    chosen(ONE, &[deleter(H), deleter(H), recover()]).holds(11_935);
    takes(chosen(ONE, &[deleter(H), changer(H, 9), recover()]), &[1, 0, 1]).holds(305_990);
}

#[test]
fn increment_of_many() {
    chosen(TWO, &[incrementer(&[H, K]), recover()]).holds(45_339);
    once(chosen(EACH, &[incrementer(&[H, K]), changer(H, 9)])).holds(63_699);
    once(chosen(EACH, &[incrementer(&[H, K]), deleter(H)])).holds(41_888);
}

#[test]
fn two_increments_of_many() {
    once(chosen(EACH, &[incrementer(&[H, K]), incrementer(&[H, K])])).holds(306_984);
}

#[test]
fn move_and_delete_of_many() {
    chosen(EACH, &[move_many(&[H, K], A), recover()]).holds(97_998);
    chosen(EACH, &[delete_many(&[H, K]), changer(H, 9)]).holds(28_723);
    chosen(EACH, &[delete_many(&[H, K]), recover()]).holds(9_443);
}

#[test]
fn recomputes() {
    leaves_nothing(chosen(&[Some(A), Some(A), None], &[recompute(A), changer(H, 9), inserter(&[(M, A)])])).holds(6_191);
    wrong(chosen(TWO, &[recompute(A), recompute(A), changer(H, 9)]), A).holds(9_030);
    wrong(chosen(TWO, &[recompute(A), changer(H, 9), mover(K, B)]), A).holds(13_732);
    wrong(chosen(ONE, &[recompute(A), parent_again(A), deleter(H)]), A).holds(118_255);
}

#[test]
fn parent_inserted_late() {
    missing(chosen(&[None], &[parent_inserter(A), inserter(&[(H, A)])]), A).holds(1_703);
    missing(chosen(&[None], &[parent_inserter(A), inserter(&[(H, A)]), recompute(A)]), A).holds(68_875);
    missing(chosen(ONE, &[parent_inserter(A), mover(H, B)]), A).holds(25_427);
}

#[test]
fn parent_inserted_late_and_recover() {
    takes(missing(chosen(&[None], &[parent_inserter(A), inserter(&[(H, A)]), recover()]), A), &[0, 0, 1])
        .holds(422_798);
}

#[test]
fn parent_inserted_again() {
    chosen(ONE, &[parent_again(A), changer(H, 9)]).holds(13_881);
    chosen(ONE, &[parent_again(A), mover(H, B)]).holds(28_753);
    chosen(ONE, &[parent_again(A), deleter(H)]).holds(2_888);
    chosen(ONE, &[parent_again(A), recompute(A)]).holds(226);
}

#[test]
fn parent_inserted_twice_again() {
    chosen(ONE, &[parent_again(A), parent_again(A)]).holds(558);
}

#[test]
fn parent_inserted_late_changer_deleter() {
    takes(missing(chosen(ONE, &[parent_inserter(A), changer(H, 9), deleter(H)]), A), &[0, 0, 1]).holds(520_940);
}

#[test]
fn late_commands() {
    once(late(chosen(NONE, &[inserter(&[(H, A), (K, B)])]))).holds(849);
    once(late(chosen(ONE, &[changer(H, 9), recover()]))).holds(17_755);
    once(late(chosen(ONE, &[mover(H, B), recover()]))).holds(142_783);
    once(late(chosen(EACH, &[incrementer(&[H, K])]))).holds(946);
    takes(late(chosen(ONE, &[mover(H, B), changer(H, 9)])), &[0, 1]).holds(26_004);
    takes(late(chosen(ONE, &[incrementer(&[H]), recover()])), &[1, 1]).holds(18_683);
    takes(late(chosen(ONE, &[deleter(H), changer(H, 9)])), &[0, 1]).holds(3_708);
}

#[test]
fn failovers() {
    once(failover(chosen(NONE, &[inserter(&[(H, A), (K, B)])]))).holds(304);
    once(failover(chosen(ONE, &[changer(H, 9), recover()]))).holds(18_385);
    once(failover(chosen(ONE, &[mover(H, B), recover()]))).holds(81_581);
    takes(failover(chosen(ONE, &[deleter(H), deleter(H), recover()])), &[0, 1, 1]).holds(41_216);
    once(failover(chosen(EACH, &[incrementer(&[H, K])]))).holds(489);
    takes(failover(chosen(ONE, &[incrementer(&[H]), recover()])), &[1, 1]).holds(19_755);
}
