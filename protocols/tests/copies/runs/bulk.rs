//! A bulk that writes a holder twice under one mark.

use super::*;
use crate::{bulk::Bulk, model::CONVERGES};

fn bulk(holder: usize, source: usize) -> Actor {
    Actor::Bulk(Bulk::Read { holder, source })
}

#[test]
fn beside_a_writer_and_recover() {
    chosen(1, [writer(A), bulk(K, A), recover()]).holds(5_531);
    chosen(0, [writer(A), bulk(K, A), recover(), recover()]).holds(190_883);
}

#[test]
fn without_another_mark() {
    let without = Protocol { recover_marks_again: false, ..CHOSEN };
    one_holder(without, 0, [writer(A), bulk(K, A), recover()]).breaks(CONVERGES);
}
