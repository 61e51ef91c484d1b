//! Every part of the protocol is needed: without the part the model breaks.

use super::*;
use crate::model::{CHECKED, GONE, KEPT, NO_ORPHAN, OWN, QUIET, REFUSED, WHOLE};

/// H can be inserted by a relation of this rule.
fn none(rule: Rule) -> [Place; 1] {
    [Place::empty(rule)]
}

/// H refers to the parent by a relation of this rule.
fn one(rule: Rule) -> [Place; 1] {
    [Place::referring(rule)]
}

/// H refers to the parent and is deleted with the parent; K can be inserted by a relation that restricts.
fn two_rules() -> [Place; 2] {
    [Place::referring(Cascade), Place::empty(Restrict)]
}

#[test]
fn unchecked() {
    let without = Protocol { unchecked: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H)]).breaks(NO_ORPHAN);
}

#[test]
fn own_unchecked() {
    let clients = [deleter(), inserter(H), plain_deleter(H), inserter(H)];
    let without = Protocol { own_unchecked: false, ..CHOSEN };
    run(without, &none(Restrict), &clients).breaks(NO_ORPHAN);
    chosen(&none(Restrict), &clients).holds(1_022);
}

#[test]
fn read_after_insert() {
    let without = Protocol { read_after_insert: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H)]).breaks(NO_ORPHAN);
    run(without, &none(Restrict), &[deleter(), inserter(H)]).breaks(QUIET);
}

#[test]
fn look_at_clear() {
    let without = Protocol { look_at_clear: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H), recover()]).holds(612);
    run(without, &none(Restrict), &[deleter(), inserter(H), recover(), parent_again()]).breaks(KEPT);
}

#[test]
fn look_at_delete() {
    let without = Protocol { look_at_delete: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H), recover()]).breaks(REFUSED);
}

/// The part `leave_marked` is needed only when the inserter does not look.
#[test]
fn leave_marked() {
    let clients = [deleter(), deleter(), inserter(H), recover(), parent_again()];
    let without = Protocol { leave_marked: false, ..CHOSEN };
    run(without, &none(Restrict), &clients).holds(31_269);
    let without = Protocol { look_at_clear: false, ..without };
    run(without, &none(Restrict), &[deleter(), inserter(H), recover()]).breaks(KEPT);
}

#[test]
fn heed_mark() {
    let without = Protocol { heed_mark: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter_in_transaction(H)]).breaks(NO_ORPHAN);
    run(without, &[Place::alone(Cascade)], &[deleter(), updater(H)]).breaks(NO_ORPHAN);
}

#[test]
fn update_clears() {
    let without = Protocol { update_clears: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H), updater(H), parent_again()]).breaks(KEPT);
}

#[test]
fn look_after_mark() {
    let without = Protocol { look_after_mark: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H)]).breaks(NO_ORPHAN);
    run(without, &none(Restrict), &[deleter(), inserter(H)]).breaks(CHECKED);
}

#[test]
fn look_after_commit() {
    let without = Protocol { look_after_commit: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter_in_transaction(), inserter(H)]).breaks(NO_ORPHAN);
}

#[test]
fn passed() {
    let without = Protocol { passed: false, ..CHOSEN };
    run(without, &two_rules(), &[deleter(), inserter(K), recover()]).breaks(WHOLE);
    run(without, &two_rules(), &[deleter(), inserter(K), deleter()]).breaks(WHOLE);
}

#[test]
fn look_at_pass() {
    let without = Protocol { look_at_pass: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), inserter(H), recover()]).breaks(GONE);
    let without = Protocol { take: Take::Referring, ..without };
    run(without, &two_rules(), &[deleter(), inserter(K), recover()]).breaks(WHOLE);
}

#[test]
fn adopt() {
    let without = Protocol { adopt: false, ..CHOSEN };
    run(without, &two_rules(), &[deleter(), deleter(), inserter(K)]).breaks(WHOLE);
}

#[test]
fn take_checked() {
    let without = Protocol { take: Take::Referring, ..CHOSEN };
    run(without, &none(Cascade), &[deleter(), deleter(), inserter(H), parent_again()]).breaks(OWN);
    run(without, &none(Cascade), &[deleter(), inserter(H), recover(), parent_again()]).breaks(OWN);
}

#[test]
fn take_as_found() {
    let without = Protocol { take: Take::Checked, ..CHOSEN };
    run(without, &none(Cascade), &[deleter(), deleter(), inserter(H), parent_again()]).breaks(OWN);
    run(without, &none(Nullify), &[deleter(), deleter(), inserter(H), parent_again()]).breaks(OWN);
}

#[test]
fn take_in_transaction() {
    let without = Protocol { take: Take::AsFound, ..CHOSEN };
    run(without, &one(Nullify), &[deleter(), deleter(), updater(H), parent_again()]).breaks(OWN);
    run(without, &one(Cascade), &[deleter(), deleter(), inserter_in_transaction(H), parent_again()]).breaks(OWN);
}

#[test]
fn delete_marked() {
    let without = Protocol { delete_marked: false, ..CHOSEN };
    run(without, &none(Restrict), &[deleter(), deleter(), inserter(H), parent_again()]).breaks(NO_ORPHAN);
}

/// Two clients that insert a child under one `_id` are not distinguished: an inserter whose child is gone sees the
/// child of the second inserter.
#[test]
fn one_id_for_two_children_is_not_distinguished() {
    chosen(&none(Restrict), &[deleter(), inserter(H), inserter(H), recover()]).breaks(KEPT);
}
