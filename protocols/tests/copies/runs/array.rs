//! Two pushes into one array share a mark: the look reads the whole array, and the whole read is needed.

use super::*;
use crate::array::{Actor, Array, LookAt, MARKED, WITHOUT_A_CRASH};

fn write(source: usize) -> Actor {
    Actor::Write { source }
}

fn push(source: usize) -> Actor {
    Actor::Read { source }
}

#[test]
fn two_pushes_and_two_writers() {
    let actors = vec![push(A), push(B), write(A), write(B)];
    Array { look_at: LookAt::Array, actors, crashes: 2 }.holds(25_519);
    let actors = vec![push(A), push(B), write(A), write(A)];
    Array { look_at: LookAt::Array, actors, crashes: 2 }.holds(27_955);
}

#[test]
fn a_look_at_the_own_reference_alone() {
    let own = |crashes| Array { look_at: LookAt::Own, actors: vec![push(A), push(B), write(A)], crashes };
    own(0).breaks(WITHOUT_A_CRASH);
    own(1).breaks(MARKED);
}
