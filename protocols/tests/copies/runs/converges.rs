//! The chosen protocol converges: the whole protocol, in any order, with any two crashes. The numbers are the numbers
//! of the document's table.

use super::*;

#[test]
fn two_writers_and_recover() {
    two_holders(CHOSEN, 2, [writer(A), writer(A), recover()]).holds(2_941);
}

#[test]
fn two_writers_inserter_and_recover() {
    chosen(2, [writer(A), writer(A), inserter(K, A), recover()]).holds(141_680);
}

#[test]
fn two_writers_reassigner_and_inserter() {
    chosen(2, [writer(A), writer(B), reassigner(H, B), inserter(K, A)]).holds(18_102);
}

#[test]
fn writers_and_reassigners_there_and_back() {
    chosen(2, [writer(A), reassigner(H, B), reassigner(H, A), recover()]).holds(32_918);
}

#[test]
fn writer_deleter_inserter() {
    chosen(2, [writer(A), deleter(A), inserter(K, A)]).holds(8_423);
}

#[test]
fn writer_deleter_reassigner_recover() {
    chosen(2, [writer(A), deleter(A), reassigner(H, B), recover()]).holds(45_058);
}

#[test]
fn two_deleters() {
    chosen(2, [writer(A), deleter(A), deleter(A)]).holds(8_346);
}

#[test]
fn transaction_writer_and_inserter() {
    chosen(2, [transaction_writer(A), writer(A), inserter(K, A), recover()]).holds(146_433);
}

#[test]
fn transaction_writer_deleter_reassigner() {
    chosen(2, [transaction_writer(A), deleter(A), reassigner(H, B)]).holds(1_630);
}

#[test]
fn writers_of_two_fields() {
    chosen(2, [writer(A), writer_of_city(A), inserter(K, A), recover()]).holds(151_495);
}

#[test]
fn recover_beside_recover() {
    chosen(2, [writer(A), inserter(K, A), recover(), recover()]).holds(207_723);
}

#[test]
fn writer_inserter_reassigner_deleter() {
    chosen(2, [writer(A), inserter(K, A), reassigner(H, B), deleter(A)]).holds(46_602);
}

#[test]
fn writer_inserter_deleter_recover() {
    chosen(2, [writer(A), inserter(K, A), deleter(A), recover()]).holds(533_060);
}

#[test]
fn writer_inserter_reassigner_recover() {
    chosen(2, [writer(B), inserter(K, B), reassigner(H, B), recover()]).holds(124_477);
}

#[test]
fn two_writers_inserter_reassigner_deleter() {
    chosen(2, [writer(A), writer(A), inserter(K, A), reassigner(H, B), deleter(A)]).holds(1_399_283);
}
