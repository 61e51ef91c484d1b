//! The chosen protocol holds, in any order, for clients that stop anywhere. The numbers are the numbers of the
//! document's table.

use super::*;

#[test]
fn inserts() {
    chosen("", &[insert(1), insert(2), insert(3)]).holds(435);
    chosen("12", &[insert(5), insert(4), insert(3)]).holds(622);
    chosen("1", &[insert(5), insert(4), insert(3)]).holds(675);
    chosen("12 3", &[insert(7), insert(6), insert(5), insert(4)]).holds(16_417);
}

#[test]
fn inserts_of_the_same_child() {
    chosen("1", &[insert(3), insert(3), insert(4)]).holds(389);
    chosen("12", &[insert(3), insert(3), insert(4), insert(5)]).holds(7054);
}

#[test]
fn inserts_that_are_not_answered() {
    unanswered(chosen("1", &[insert(4), insert(3), insert(2)])).holds(16_346);
    unanswered(chosen("12", &[insert_many(&[3, 4, 5]), insert(6)])).holds(766);
    late(chosen("1", &[insert(4), insert(3), insert(2)])).holds(64_757);
    late(chosen("12", &[insert_many(&[3, 4, 5]), insert(6)])).holds(2112);
    holes(late(chosen("12 3", &[insert(4), delete(3), compact()]))).holds(613);
}

#[test]
fn inserts_of_many() {
    chosen("1", &[insert_many(&[4, 5, 6]), insert_many(&[2, 3]), insert(7)]).holds(3231);
    chosen("", &[insert_many(&[4, 5, 6]), insert_many(&[1, 2, 3])]).holds(144);
}

#[test]
fn changes() {
    holes(chosen("12 3", &[update(2), delete(1), insert(4)])).holds(80);
    holes(chosen("12", &[delete(2), delete(2), update(2), insert(3)])).holds(460);
    holes(chosen("12 3", &[delete(3), insert(5), insert(4)])).holds(213);
    holes(chosen("12 3", &[insert(4), update(4), delete(4)])).holds(125);
}

#[test]
fn compacts() {
    holes(chosen("1 23 4", &[compact(), insert(5), insert(6)])).holds(648);
    holes(chosen("1 3", &[compact(), insert(2), insert(4), insert(5)])).holds(9547);
    holes(chosen("1 34", &[compact(), compact(), insert(2)])).holds(223);
    holes(chosen("12 34", &[compact(), delete(1), update(3), insert(5)])).holds(425);
    holes(chosen("12 34", &[compact(), delete(3), delete(4), insert(5)])).holds(386);
    holes(chosen("1 2 3", &[compact(), compact(), delete(3), update(2)])).holds(2391);
    holes(chosen("1 - 4", &[compact(), insert(2), delete(4), insert(3)])).holds(7149);
    holes(chosen("12 34 - -", &[compact(), insert(5), insert(6)])).holds(388);
}

#[test]
fn empty_pages_at_the_end() {
    holes(chosen("12", &[insert(3), delete(1), delete(2), compact()])).holds(386);
    holes(chosen("12", &[insert(3), delete(1), delete(2), compact(), compact()])).holds(1528);
    holes(chosen("1 -", &[insert(2), insert(3), delete(1), compact()])).holds(1418);
    holes(chosen("1 -", &[insert(2), insert(3), compact(), compact()])).holds(1016);
}

#[test]
fn streams() {
    holes(chosen("1 23 4", &[stream(), compact(), insert(5), delete(3)])).holds(596);
    let by_pages = Protocol { stream_snapshot: false, ..CHOSEN };
    holes(run(by_pages, "12 34", &[stream(), insert(5), delete(2), delete(3)])).holds(689);
}

#[test]
fn migrations() {
    from_linked(chosen("", &[into()]), "12345").holds(8);
    from_linked(chosen("", &[into(), into()]), "12345").holds(40);
    from_linked(chosen("", &[into(), insert(6), insert(7)]), "123").holds(682);
    holes(from_linked(chosen("", &[into(), update(2), delete(3)]), "123")).holds(109);
    holes(from_linked(chosen("45", &[into(), into(), delete(2), insert(6)]), "123")).holds(2301);
    from_linked(chosen("", &[into(), insert(6), insert_linked(3), insert_linked(5)]), "124").holds(652);
    holes(from_linked(chosen("1 -", &[into(), into(), insert_linked(4), delete(2), compact()]), "23")).holds(6149);
    to_linked(chosen("12 34 5", &[back()])).holds(8);
    to_linked(chosen("12 34 5", &[back(), back()])).holds(40);
    to_linked(chosen("12 3", &[back(), insert(4), update(2), delete(3)])).holds(1003);
    to_linked(chosen("12 - 34", &[back(), back(), insert(5), insert_many(&[6, 7]), delete(2)])).holds(30_510);
}

#[test]
fn repairs() {
    broken(chosen("12 3", &[repair(), insert(4), insert(5)]), 1).holds(168);
    broken(chosen("1", &[repair(), insert(2), insert(3)]), 2).holds(224);
    broken(chosen("12 3", &[repair(), repair(), update(1), delete(2), insert(4)]), 1).holds(1655);
    unfollowed(chosen("12 34", &[repair(), repair(), update(1), insert(5)])).holds(432);
    gap(chosen("12 - 3", &[compact(), insert(4), update(3)]), 2).holds(271);
    gap(chosen("12 - 34 5", &[compact(), compact(), insert(6), update(4)]), 2).holds(2150);
}
