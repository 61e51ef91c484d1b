//! Writes in transactions agree in every state, whichever transaction the server ends.

use super::*;

/// P owns T, nobody owns U.
const ONE: Tasks = [Some(Some(P)), Some(None)];
/// P owns T, Q owns U.
const EACH: Tasks = [Some(Some(P)), Some(Some(Q))];
/// P owns T, U is not stored.
const SPARE: Tasks = [Some(Some(P)), None];
/// P owns both tasks.
const BOTH: Tasks = [Some(Some(P)), Some(Some(P))];

#[test]
fn reassigners_of_one_task() {
    together(2, ONE, &[reassign(T, Q), reassign(T, Q)]).holds(114);
    together(2, [Some(None), None], &[reassign(T, P), reassign(T, Q), reassign(T, P)]).holds(1_730);
}

#[test]
fn reassigners_to_a_person_with_room_for_one() {
    together(1, [Some(None), Some(None)], &[reassign(T, P), reassign(U, P)]).holds(115);
    together(1, ONE, &[reassign(T, Q), reassign(U, Q), reassign(U, P)]).holds(1_683);
    together(1, EACH, &[reassign(T, Q), reassign(U, P), delete(T)]).holds(495);
}

#[test]
fn inserters() {
    together(1, [None, None], &[insert(T, P), insert(U, P)]).holds(84);
    together(1, SPARE, &[insert(U, P), reassign(T, Q), delete(T)]).holds(509);
    together(2, SPARE, &[insert(U, P), reassign(U, Q), delete(U)]).holds(154);
}

#[test]
fn deleters_of_a_person() {
    together(2, BOTH, &[delete_person(P), reassign(T, Q), delete(U)]).holds(2_020);
    together(2, ONE, &[delete_person(P), reassign(U, P), reassign(T, Q)]).holds(2_200);
    together(2, SPARE, &[delete_person(P), insert(U, P), delete(T)]).holds(1_466);
    together(2, EACH, &[delete_person(P), delete_person(Q), reassign(T, Q)]).holds(1_571);
    together(2, EACH, &[delete_person(P), delete_person(P), reassign(U, P)]).holds(1_794);
}
