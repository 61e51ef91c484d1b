//! Runs with any group of operations. The numbers are the numbers of the document's table.

use super::*;

/// Inserts of 5, of 3, and of 6 and 7; an update and a delete of each of `children`; compact, and a stream.
fn operations(children: &[Id]) -> Vec<Task> {
    let changes = children.iter().flat_map(|id| [update(*id), delete(*id)]);
    let others = [insert(5), insert(3), insert_many(&[6, 7]), compact(), stream()];
    others.into_iter().chain(changes).collect()
}

#[test]
fn any_three() {
    any(3, "", &operations(&[])).holds(2736);
    any(3, "12", &operations(&[1, 2])).holds(14_176);
    any(3, "1 24", &operations(&[1, 2, 4])).holds(30_841);
    any(3, "12 - 4", &operations(&[1, 2, 4])).holds(43_522);
    any(3, "1 4 -", &operations(&[1, 4])).holds(31_007);
}

#[test]
fn any_four() {
    any(4, "1 24", &operations(&[2])).holds(294_646);
    any(4, "1 2", &operations(&[1])).holds(355_009);
    any(4, "12 -", &[insert(3), insert(4), delete(1), delete(2), compact()]).holds(53_365);
}

#[test]
fn any_three_not_answered() {
    unanswered(any(3, "1 24", &[insert(5), insert_many(&[3, 6]), delete(1), delete(2), update(4), compact()]))
        .holds(48_762);
    late(any(3, "1 24", &[insert(5), insert_many(&[3, 6]), delete(1), delete(2), update(4), compact()])).holds(140_641);
}

#[test]
fn any_migrations() {
    let all = [into(), insert(5), insert_many(&[6, 7]), update(1), delete(2), update(4), compact()];
    from_linked(any(3, "", &all), "124").holds(8141);
    from_linked(any(4, "", &[into(), insert(5), update(1), delete(2)]), "124").holds(31_943);
    unanswered(from_linked(any(3, "1 - 4", &[into(), insert(5), update(2), delete(3), compact()]), "23")).holds(35_843);
    let back = [back(), update(1), delete(2), update(3), delete(4)];
    to_linked(any(3, "12 - 34", &back)).holds(3281);
    to_linked(any(3, "1 23 - 4", &back)).holds(4039);
}
