//! Every part of the protocol is needed: without the part the model breaks.

use super::*;
use crate::model::{ANSWERS, BACK, COUNTS, FULL, LOST, ONCE, ORDER, PAGES, READ, SIZES, SORTED};

#[test]
fn count_guard() {
    let without = Protocol { count_guard: false, ..CHOSEN };
    run(without, "1", &[insert(2), insert(3)]).breaks(SIZES);
}

#[test]
fn own_guard() {
    let without = Protocol { own_guard: false, ..CHOSEN };
    unanswered(run(without, "", &[insert(1)])).breaks(ONCE);
}

#[test]
fn unique_page() {
    let without = Protocol { unique_page: false, ..CHOSEN };
    run(without, "12", &[insert(3), insert(4)]).breaks(PAGES);
    run(without, "12", &[insert(3), insert(4)]).breaks(FULL);
}

#[test]
fn unique_child() {
    let without = Protocol { unique_child: false, ..CHOSEN };
    unanswered(run(without, "1", &[insert(2)])).breaks(ONCE);
}

#[test]
fn look() {
    let without = Protocol { look: false, ..CHOSEN };
    run(without, "1", &[insert(2), insert(3)]).breaks(LOST);
}

#[test]
fn asked() {
    let without = Protocol { asked: false, ..CHOSEN };
    run(without, "1", &[insert(2), insert(2)]).breaks(ANSWERS);
}

#[test]
fn sort() {
    let without = Protocol { sort: false, ..CHOSEN };
    run(without, "2", &[insert(1)]).breaks(SORTED);
}

#[test]
fn last_guard() {
    let without = Protocol { last_guard: false, ..CHOSEN };
    holes(run(without, "1", &[insert(2), insert(3), delete(1)])).breaks(SORTED);
}

#[test]
fn follow() {
    let without = Protocol { follow: false, ..CHOSEN };
    holes(run(without, "12", &[insert(3), insert(5), delete(1)])).breaks(ORDER);
}

#[test]
fn pour_follows() {
    let without = Protocol { pour_follows: false, ..CHOSEN };
    gap(run(without, "12 - 3 4", &[compact(), insert(5)]), 2).breaks(ORDER);
}

#[test]
fn migrate_follows() {
    let without = Protocol { migrate_follows: false, ..CHOSEN };
    holes(from_linked(run(without, "", &[into(), insert(5), insert(7), delete(1)]), "123")).breaks(ORDER);
}

#[test]
fn validator() {
    let without = Protocol { validator: false, ..CHOSEN };
    broken(run(without, "12", &[insert(3)]), 1).breaks(SIZES);
}

#[test]
fn look_again() {
    let without = Protocol { look_again: false, ..CHOSEN };
    holes(run(without, "1 2", &[delete(2), compact()])).breaks(ANSWERS);
    holes(run(without, "1 2", &[update(2), compact()])).breaks(ANSWERS);
}

#[test]
fn pour_transaction() {
    let without = Protocol { pour_transaction: false, ..CHOSEN };
    holes(run(without, "1 2", &[compact()])).breaks(LOST);
}

#[test]
fn read_in_transaction() {
    let without = Protocol { read_in_transaction: false, ..CHOSEN };
    holes(run(without, "1 2", &[compact(), insert(3)])).breaks(LOST);
    holes(run(without, "1 2", &[compact(), update(2)])).breaks(LOST);
    holes(run(without, "1 2", &[compact(), delete(2)])).breaks(BACK);
}

#[test]
fn pour_first() {
    let without = Protocol { pour_first: false, ..CHOSEN };
    holes(run(without, "1 23", &[compact()])).breaks(ORDER);
}

#[test]
fn pour_bounds() {
    let without = Protocol { pour_bounds: false, ..CHOSEN };
    holes(run(without, "1 2", &[compact()])).breaks(COUNTS);
}

#[test]
fn trim_late() {
    let without = Protocol { trim_late: false, ..CHOSEN };
    holes(run(without, "12", &[insert(3), delete(1), delete(2), compact()])).breaks(PAGES);
}

#[test]
fn trim_guard() {
    let without = Protocol { trim_guard: false, ..CHOSEN };
    holes(run(without, "12 -", &[insert(3), compact()])).breaks(LOST);
}

#[test]
fn unmark() {
    let without = Protocol { unmark: false, ..CHOSEN };
    let clients = [compact(), insert(1), insert(2), insert(3), delete(1), delete(2)];
    holes(run(without, "-", &clients)).breaks(PAGES);
}

#[test]
fn stream_snapshot() {
    let without = Protocol { stream_snapshot: false, ..CHOSEN };
    holes(run(without, "1 2", &[stream(), compact()])).breaks(READ);
}

#[test]
fn migrate_transaction() {
    let without = Protocol { migrate_transaction: false, ..CHOSEN };
    from_linked(run(without, "", &[into()]), "1").breaks(ONCE);
    holes(from_linked(run(without, "", &[into(), into(), delete(1)]), "1")).breaks(BACK);
    from_linked(run(without, "", &[into(), update(1)]), "1").breaks(LOST);
}

#[test]
fn source_first() {
    let without = Protocol { source_first: false, ..CHOSEN };
    from_linked(run(without, "", &[into(), update(1)]), "1").breaks(ANSWERS);
    to_linked(run(without, "1", &[back(), update(1)])).breaks(ANSWERS);
}

#[test]
fn repair_at_once() {
    let without = Protocol { repair_at_once: false, ..CHOSEN };
    broken(run(without, "1", &[repair(), insert(2)]), 1).breaks(COUNTS);
}

/// On the way back, a child stays unique only if nobody repeats an insert: the unique index of one collection knows
/// nothing of the other collection.
#[test]
fn nobody_inserts_on_the_way_back() {
    to_linked(unanswered(chosen("", &[insert(1), back()]))).breaks(ONCE);
}

/// A deleted child stays deleted only if nobody repeats an insert after the delete, as with any insert.
#[test]
fn nobody_asks_again_after_a_delete() {
    holes(unanswered(chosen("1", &[insert(2), delete(2)]))).breaks(BACK);
}
