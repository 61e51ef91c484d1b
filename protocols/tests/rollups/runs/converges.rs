//! The protocol holds, in any order, for clients that stop anywhere. The document's table has the numbers.

use super::*;

#[test]
fn a_writer_alone() {
    chosen(NONE, &[write(inserts(H, A, 1))]).holds(5);
    chosen(NONE, &[group(&[&[inserts(H, A, 1), inserts(K, B, 2)]])]).holds(7);
    chosen(EACH, &[group(&[&[deletes(H), deletes(K)]])]).holds(9);
    unanswered(chosen(ONE, &[folding(leaving(write(moves(H, B))))])).holds(58);
}

#[test]
fn two_writers() {
    chosen(NONE, &[write(inserts(H, A, 1)), write(inserts(K, A, 2))]).holds(90);
    chosen(TWO, &[write(sets(H, 3)), folding(write(deletes(K)))]).holds(169);
    chosen(ONE, &[write(moves(H, B)), write(deletes(H))]).holds(139);
    chosen(EACH, &[folding(write(moves(H, B))), folding(write(moves(K, A)))]).holds(2171);
    chosen(TWO, &[leaving(write(deletes(H))), write(deletes(K))]).holds(34);
    chosen(TWO, &[folding(leaving(write(deletes(H)))), folding(leaving(write(moves(K, B))))]).holds(380);
}

#[test]
fn three_writers() {
    chosen(ONE, &[write(moves(H, B)), leaving(write(inserts(K, A, 2))), write(inserts(M, B, 3))]).holds(943);
    chosen(TWO, &[write(deletes(H)), write(sets(K, 3)), leaving(write(inserts(M, A, 1)))]).holds(857);
}

#[test]
fn groups() {
    chosen(ONE, &[group(&[&[inserts(H, A, 3)], &[inserts(K, A, 2)]])]).holds(10);
    let groups =
        [group(&[&[inserts(H, A, 1)], &[inserts(K, A, 2)]]), group(&[&[inserts(K, A, 3)], &[inserts(M, B, 1)]])];
    chosen(NONE, &groups).holds(167);
    let groups = [group(&[&[sets(H, 3)], &[deletes(K)]]), group(&[&[moves(K, B)], &[inserts(M, A, 1)]])];
    chosen(TWO, &groups).holds(193);
    let groups =
        [group(&[&[inserts(K, B, 1), inserts(M, A, 2)], &[deletes(H)]]), folding(leaving(write(inserts(M, A, 3))))];
    chosen(ONE, &groups).holds(415);
}

#[test]
fn folders() {
    chosen(TWO, &[leaving(write(deletes(H))), fold(A), fold(A)]).holds(131);
    chosen(TWO, &[leaving(write(deletes(H))), write(deletes(K)), fold(A)]).holds(201);
    chosen(ONE, &[folding(leaving(write(inserts(K, A, 2)))), folding(leaving(write(deletes(H)))), fold(A)]).holds(4277);
    chosen(TWO, &[leaving(write(moves(H, B))), leaving(write(sets(K, 3))), recover()]).holds(499);
    chosen(TWO, &[leaving(write(deletes(H))), leaving(write(sets(K, 3))), fold_one(A), fold_one(A)]).holds(1889);
}

#[test]
fn foreign_writers() {
    chosen(TWO, &[write(deletes(H)), foreign(A)]).holds(24);
    chosen(TWO, &[folding(write(deletes(H))), write(inserts(M, A, 1)), foreign(A)]).holds(613);
    chosen(ONE, &[folding(leaving(write(moves(H, B)))), foreign(A), fold(A)]).holds(683);
}

#[test]
fn lost_sums() {
    chosen(TWO, &[losing(write(deletes(H))), leaving(write(deletes(K)))]).holds(41);
    chosen(TWO, &[losing(write(deletes(H))), leaving(write(sets(K, 3))), fold(A)]).holds(235);
    chosen(TWO, &[leaving(write(deletes(H))), write(deletes(K)), losing_fold(A)]).holds(191);
    wrong(chosen(TWO, &[losing(write(sets(H, 3))), leaving(write(deletes(K))), recompute(A)]), A).holds(1132);
}

#[test]
fn parents_come_and_go() {
    missing(chosen(NONE, &[write(inserts(H, A, 1)), insert_parent(A)]), A).holds(42);
    missing(chosen(ONE, &[write(moves(H, B)), insert_parent(A), leaving(write(inserts(K, A, 2)))]), A).holds(409);
    missing(chosen(ONE, &[write(deletes(H)), insert_parent(A), insert_parent(A)]), A).holds(862);
    missing(chosen(ONE, &[write(inserts(K, A, 2)), insert_parent(A), recover()]), A).holds(229);
    missing(chosen(ONE, &[write(deletes(H)), write(inserts(K, A, 2)), recover()]), A).holds(238);
    chosen(ONE, &[write(inserts(K, A, 2)), delete_parent(A), fold(A)]).holds(69);
    chosen(ONE, &[write(deletes(H)), parent_again(A)]).holds(99);
    chosen(ONE, &[folding(leaving(write(deletes(H)))), parent_again(A), recover()]).holds(3222);
    chosen(EACH, &[write(moves(H, B)), parent_again(A), parent_again(B)]).holds(2803);
    chosen(ONE, &[parent_again(A), parent_again(A), leaving(write(sets(H, 3)))]).holds(1306);
}

#[test]
fn recomputes() {
    chosen(ONE, &[recompute(A), write(inserts(K, A, 2)), leaving(write(deletes(H)))]).holds(210);
    wrong(chosen(TWO, &[recompute(A), recompute(A), write(deletes(H))]), A).holds(3295);
    wrong(chosen(TWO, &[recompute(A), leaving(write(deletes(H))), fold(A)]), A).holds(290);
    wrong(chosen(TWO, &[recompute(A), write(moves(H, B)), foreign(A)]), A).holds(487);
    wrong(chosen(ONE, &[recompute(A), parent_again(A), write(deletes(H))]), A).holds(1260);
    wrong(chosen(ONE, &[recompute(A), parent_again(A), recover()]), A).holds(320);
}

#[test]
fn answers_that_are_lost() {
    unanswered(chosen(NONE, &[write(inserts(H, A, 1)), write(inserts(H, A, 2))])).holds(1378);
    unanswered(chosen(ONE, &[write(increments(H)), write(increments(H))])).holds(1815);
    unanswered(chosen(ONE, &[group(&[&[inserts(H, A, 3)], &[inserts(K, A, 2)]]), write(deletes(H))])).holds(1376);
    unanswered(chosen(TWO, &[folding(leaving(write(deletes(H)))), fold(A)])).holds(1214);
    missing(unanswered(chosen(ONE, &[leaving(write(moves(H, B))), insert_parent(A)])), A).holds(442);
    unanswered(chosen(TWO, &[losing(write(deletes(H))), leaving(write(deletes(K)))])).holds(364);
}

#[test]
fn children_that_may_not_dangle() {
    chosen(NONE, &[strict(write(inserts(H, A, 1))), delete_childless(A)]).holds(89);
    chosen(EACH, &[strict(leaving(write(moves(H, B)))), write(deletes(K)), delete_childless(B)]).holds(862);
    missing(chosen(NONE, &[strict(write(inserts(H, A, 1))), insert_parent(A)]), A).holds(33);
}
