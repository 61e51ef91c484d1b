//! What was chosen holds, in any order, wherever clients stop. The numbers are those of the document's table.

use super::*;

#[test]
fn inserts() {
    chosen("", &[insert(1), insert(2), insert(3)]).holds(257);
    chosen("12", &[insert(5), insert(4), insert(3)]).holds(257);
    chosen("1", &[insert(5), insert(4), insert(3)]).holds(272);
    chosen("12 3", &[insert(7), insert(6), insert(5), insert(4)]).holds(6040);
}

#[test]
fn inserts_of_the_same_child() {
    chosen("1", &[insert(3), insert(3), insert(4)]).holds(134);
    chosen("12", &[insert(3), insert(3), insert(4), insert(5)]).holds(2087);
}

#[test]
fn inserts_that_are_not_answered() {
    unanswered(chosen("1", &[insert(4), insert(3), insert(2)])).holds(5786);
    unanswered(chosen("12", &[insert_many(&[3, 4, 5]), insert(6)])).holds(500);
    late(chosen("1", &[insert(4), insert(3), insert(2)])).holds(14_162);
    late(chosen("12", &[insert_many(&[3, 4, 5]), insert(6)])).holds(1130);
    holes(late(chosen("12 3", &[insert(4), delete(3), compact()]))).holds(226);
}

#[test]
fn inserts_of_many() {
    chosen("1", &[insert_many(&[4, 5, 6]), insert_many(&[2, 3]), insert(7)]).holds(2728);
    chosen("", &[insert_many(&[4, 5, 6]), insert_many(&[1, 2, 3])]).holds(140);
}

#[test]
fn changes() {
    holes(chosen("12 3", &[update(2), delete(1), insert(4)])).holds(48);
    holes(chosen("12", &[delete(2), delete(2), update(2), insert(3)])).holds(283);
    holes(chosen("12 3", &[delete(3), insert(5), insert(4)])).holds(108);
    holes(chosen("12 3", &[insert(4), update(4), delete(4)])).holds(67);
}

#[test]
fn compacts() {
    holes(chosen("1 23 4", &[compact(), insert(5), insert(6)])).holds(414);
    holes(chosen("1 3", &[compact(), insert(2), insert(4), insert(5)])).holds(5601);
    holes(chosen("1 34", &[compact(), compact(), insert(2)])).holds(149);
    holes(chosen("12 34", &[compact(), delete(1), update(3), insert(5)])).holds(264);
    holes(chosen("12 34", &[compact(), delete(3), delete(4), insert(5)])).holds(269);
    holes(chosen("1 2 3", &[compact(), compact(), delete(3), update(2)])).holds(2391);
    holes(chosen("1 - 4", &[compact(), insert(2), delete(4), insert(3)])).holds(6589);
    holes(chosen("12 34 - -", &[compact(), insert(5), insert(6)])).holds(340);
}

#[test]
fn empty_pages_at_the_end() {
    holes(chosen("12", &[insert(3), delete(1), delete(2), compact()])).holds(269);
    holes(chosen("12", &[insert(3), delete(1), delete(2), compact(), compact()])).holds(1171);
    holes(chosen("1 -", &[insert(2), insert(3), delete(1), compact()])).holds(1288);
    holes(chosen("1 -", &[insert(2), insert(3), compact(), compact()])).holds(860);
}

#[test]
fn streams() {
    holes(chosen("1 23 4", &[stream(), compact(), insert(5), delete(3)])).holds(480);
    let by_pages = Protocol { stream_snapshot: false, ..CHOSEN };
    holes(run(by_pages, "12 34", &[stream(), insert(5), delete(2), delete(3)])).holds(462);
}

#[test]
fn migrations() {
    from_linked(chosen("", &[into()]), "12345").holds(8);
    from_linked(chosen("", &[into(), into()]), "12345").holds(40);
    from_linked(chosen("", &[into(), insert(6), insert(7)]), "123").holds(428);
    holes(from_linked(chosen("", &[into(), update(2), delete(3)]), "123")).holds(106);
    holes(from_linked(chosen("45", &[into(), into(), delete(2), insert(6)]), "123")).holds(1190);
    from_linked(chosen("", &[into(), insert(6), insert_linked(3), insert_linked(5)]), "124").holds(525);
    holes(from_linked(chosen("1 -", &[into(), into(), insert_linked(4), delete(2), compact()]), "23")).holds(6149);
    to_linked(chosen("12 34 5", &[back()])).holds(8);
    to_linked(chosen("12 34 5", &[back(), back()])).holds(40);
    to_linked(chosen("12 3", &[back(), insert(4), update(2), delete(3)])).holds(790);
    to_linked(chosen("12 - 34", &[back(), back(), insert(5), insert_many(&[6, 7]), delete(2)])).holds(23_321);
}

#[test]
fn repairs() {
    broken(chosen("12 3", &[repair(), insert(4), insert(5)]), 1).holds(84);
    broken(chosen("1", &[repair(), insert(2), insert(3)]), 2).holds(124);
    broken(chosen("12 3", &[repair(), repair(), update(1), delete(2), insert(4)]), 1).holds(1173);
    gap(chosen("12 - 3", &[compact(), insert(4), update(3)]), 2).holds(198);
    gap(chosen("12 - 34 5", &[compact(), compact(), insert(6), update(4)]), 2).holds(1813);
}
