//! The chosen protocol converges, in any order, for clients that stop anywhere. The numbers are the numbers of the
//! document's table.

use super::*;

/// H and K can be inserted.
fn none(rule: Rule) -> [Place; 2] {
    [Place::empty(rule), Place::empty(rule)]
}

/// H can be inserted, K refers to nothing.
fn alone(rule: Rule) -> [Place; 2] {
    [Place::empty(rule), Place::alone(rule)]
}

/// H refers to the parent.
fn one(rule: Rule) -> [Place; 1] {
    [Place::referring(rule)]
}

/// H refers to the parent by a relation of this rule, K can be inserted by a relation that restricts.
fn and_restrict(rule: Rule) -> [Place; 2] {
    [Place::referring(rule), Place::empty(Restrict)]
}

#[test]
fn inserters() {
    let clients = [deleter(), deleter(), inserter(H), inserter(K), recover()];
    chosen(&none(Restrict), &clients).holds(114_027);
    chosen(&none(Cascade), &clients).holds(118_319);
    chosen(&none(Nullify), &clients).holds(146_655);
}

#[test]
fn inserters_and_parent_inserted_again() {
    let clients = [deleter(), deleter(), inserter(H), inserter_in_transaction(K), recover(), parent_again()];
    chosen(&none(Restrict), &clients).holds(72_524);
    chosen(&none(Cascade), &clients).holds(57_762);
    chosen(&none(Nullify), &clients).holds(67_401);
}

#[test]
fn updater_and_parent_inserted_again() {
    let clients = [deleter(), deleter(), inserter(H), updater(K), recover(), parent_again()];
    chosen(&alone(Restrict), &clients).holds(72_524);
    chosen(&alone(Cascade), &clients).holds(57_762);
    chosen(&alone(Nullify), &clients).holds(67_401);
}

#[test]
fn updater_of_what_is_inserted() {
    let clients = [deleter(), deleter(), inserter(H), updater(H), recover(), parent_again()];
    chosen(&none(Restrict)[..1], &clients).holds(68_619);
    chosen(&none(Cascade)[..1], &clients).holds(35_902);
    chosen(&none(Nullify)[..1], &clients).holds(44_576);
}

#[test]
fn deleter_in_a_transaction() {
    let clients = [deleter(), deleter_in_transaction(), inserter(H), updater(K), recover(), parent_again()];
    chosen(&alone(Restrict), &clients).holds(81_410);
    chosen(&alone(Cascade), &clients).holds(67_421);
    chosen(&alone(Nullify), &clients).holds(78_644);
}

#[test]
fn two_recovers() {
    let clients = [deleter(), deleter(), inserter(H), recover(), recover(), parent_again()];
    chosen(&none(Restrict)[..1], &clients).holds(645_077);
    chosen(&none(Cascade)[..1], &clients).holds(170_577);
    chosen(&none(Nullify)[..1], &clients).holds(235_955);
}

#[test]
fn plain_deleter_of_a_child() {
    let clients = [deleter(), deleter(), plain_deleter(H), inserter_in_transaction(H), recover(), parent_again()];
    chosen(&one(Restrict), &clients).holds(4_826);
    chosen(&one(Cascade), &clients).holds(5_858);
    chosen(&one(Nullify), &clients).holds(5_192);
}

#[test]
fn two_rules() {
    let clients = [deleter(), deleter(), inserter(K), recover(), recover()];
    chosen(&and_restrict(Cascade), &clients).holds(259_639);
    chosen(&and_restrict(Nullify), &clients).holds(259_639);
    let clients = [deleter(), deleter_in_transaction(), deleter(), inserter(K)];
    chosen(&and_restrict(Cascade), &clients).holds(18_290);
    let clients = [deleter(), deleter_in_transaction(), inserter(K), recover(), parent_again()];
    chosen(&and_restrict(Cascade), &clients).holds(38_900);
    let clients = [deleter(), deleter(), inserter_in_transaction(K), recover(), parent_again()];
    chosen(&and_restrict(Cascade), &clients).holds(6_324);
}

#[test]
fn two_rules_and_inserters() {
    let children = [Place::empty(Cascade), Place::empty(Restrict)];
    let clients = [deleter(), deleter(), inserter(H), inserter(K), recover(), parent_again()];
    chosen(&children, &clients).holds(676_636);
}

/// A standalone server has no transactions. The promises hold on a standalone server too, except when the same child
/// refers to the parent again.
#[test]
fn taking_as_found_without_transactions() {
    let as_found = Protocol { take: Take::AsFound, ..CHOSEN };
    let clients = [deleter(), deleter(), inserter(H), inserter(K), recover(), parent_again()];
    run(as_found, &none(Cascade), &clients).holds(784_399);
    run(as_found, &none(Nullify), &clients).holds(1_080_599);
    let clients = [deleter(), deleter(), inserter(K), recover(), parent_again()];
    run(as_found, &and_restrict(Cascade), &clients).holds(41_251);
    run(as_found, &and_restrict(Nullify), &clients).holds(41_251);
}
