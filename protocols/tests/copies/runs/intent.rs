//! Inserts of many holders, with an intent instead of a mark in each holder.

use super::*;
use crate::{intent::IntentInserter, model::CONVERGES};

fn inserter_by_intent(holder: usize, source: usize) -> Actor {
    Actor::IntentInserter(IntentInserter::Read { holder, source })
}

#[test]
fn two_writers_and_recover() {
    chosen(2, [writer(A), writer(A), inserter_by_intent(K, A), recover()]).holds(127_426);
}

#[test]
fn a_source_that_comes_again() {
    chosen(2, [writer(A), deleter(A), inserter_by_intent(K, A), recover()]).holds(477_996);
}

#[test]
fn a_re_assignment() {
    chosen(2, [writer(B), inserter_by_intent(K, A), reassigner(K, B), recover()]).holds(25_386);
    chosen(2, [writer(A), inserter_by_intent(K, A), reassigner(K, A), deleter(A)]).holds(119_612);
}

#[test]
fn two_recovers() {
    chosen(2, [writer(A), inserter_by_intent(K, A), recover(), recover()]).holds(153_632);
}

#[test]
fn a_transaction_writer() {
    chosen(2, [transaction_writer(A), inserter_by_intent(K, A), recover()]).holds(4_132);
}

/// A recover that takes a slow inserter for a dead inserter.
#[test]
fn an_intent_that_is_deleted_before_its_insert() {
    let deletes = Protocol { keeps_open_intents: false, ..CHOSEN };
    one_holder(deletes, 1, [writer(A), inserter_by_intent(K, A), recover()]).breaks(CONVERGES);
}

#[test]
fn without_an_intent() {
    let without = Protocol { intent_before_insert: false, ..CHOSEN };
    one_holder(without, 1, [writer(A), inserter_by_intent(K, A)]).breaks(CONVERGES);
}
