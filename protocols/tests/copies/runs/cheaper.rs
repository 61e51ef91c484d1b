//! The cost of the holder's mark, a second write of each inserted document, and alternatives that might keep the
//! contract.

use super::*;
use crate::{
    cheaper::{Fence, LeaseInserter, RegisterInserter, TransactionInserter},
    model::CONVERGES,
};

/// Chosen: the mark is left, and cleared together with more marks in a batch. A mark that stays longer is never wrong.
#[test]
fn clearing_the_holders_mark_later() {
    let later = Protocol { clear_holder_at_once: false, ..CHOSEN };
    one_holder(later, 2, [writer(A), writer(A), inserter(K, A), recover()]).holds(116_245);
    one_holder(later, 2, [writer(A), deleter(A), inserter(K, A), reassigner(K, B)]).holds(29_555);
}

/// The insert in a transaction that writes the source too is also right. No mark and no look.
#[test]
fn insert_in_a_transaction_with_the_source() {
    let insert = Actor::TransactionInserter(TransactionInserter::Begin { holder: K, source: A });
    chosen(2, [writer(A), writer(A), insert.clone(), recover()]).holds(10_178);
    chosen(2, [writer(A), deleter(A), insert.clone()]).holds(1_950);
    // A transactional writer then needs no second sweep for inserts in a transaction.
    let once = Protocol { sweep_after_commit: false, ..CHOSEN };
    one_holder(once, 2, [transaction_writer(A), writer(A), insert]).holds(214);
}

/// A register of inserts in the source: right until a recover takes out the entry of an insert that is slow, not dead.
#[test]
fn register_of_inserts_in_the_source() {
    let insert = Actor::RegisterInserter(RegisterInserter::Enter { holder: K, source: A });
    chosen(2, [writer(A), writer(A), insert.clone()]).holds(2_218);
    chosen(1, [writer(A), insert, recover()]).breaks(CONVERGES);
}

/// A lease: right only if the time is compared in the moment of the insert. No server does: `$$NOW` is the time of the
/// command's start.
#[test]
fn lease_by_the_servers_clock() {
    let lease = Protocol { lease: Some(1), ..CHOSEN };
    let run = |fence, crashes| Copies {
        end_of_time: 4,
        ..one_holder(
            lease,
            crashes,
            [writer(A), Actor::LeaseInserter(LeaseInserter::Read { holder: K, source: A, fence })],
        )
    };
    run(Fence::AtTheInsert, 2).holds(995);
    run(Fence::AtTheStartOfTheCommand, 0).breaks(CONVERGES);
}
