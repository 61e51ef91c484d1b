//! Each choice of clients holds, also with a client more than once. The document's table has the numbers.

use stateright::{Checker, Model};

use super::*;
use crate::model::ALWAYS;

/// Clients that write children.
fn writers() -> Vec<Tasks> {
    let writes = [moves(H, B), deletes(H), inserts(M, A, 2)];
    let writers = writes.iter().flat_map(|of| [write(*of), folding(leaving(write(*of)))]);
    writers.chain([losing(write(increments(K))), group(&[&[sets(K, 3)], &[inserts(H, A, 1)]])]).collect()
}

/// Clients with further tasks: folds, recover, and writes of parents.
fn others() -> Vec<Tasks> {
    let of_parents = [foreign(A), parent_again(A), delete_parent(A), insert_parent(A)];
    [fold_one(A), losing_fold(A), recover()].into_iter().chain(of_parents).collect()
}

fn all() -> Vec<Tasks> {
    [writers(), others(), vec![recompute(A)]].concat()
}

/// Explores each choice of `number` clients beside the given clients. Returns the number of states of all choices.
fn each(given: &[Tasks], number: usize, clients: &[Tasks], run: impl Fn(&[Tasks]) -> Rollups) -> usize {
    let mut states = 0;
    let mut choice = vec![0; number];
    loop {
        let chosen = choice.iter().map(|client| clients[*client].clone());
        let these: Vec<Tasks> = given.iter().cloned().chain(chosen).collect();
        states += explore(run(&these));
        let Some(last) = choice.iter().rposition(|client| client + 1 < clients.len()) else { return states };
        let next = choice[last] + 1;
        choice[last..].fill(next);
    }
}

/// All promises hold. Returns the number of states.
fn explore(run: Rollups) -> usize {
    let run = run.checker().spawn_bfs().join();
    ALWAYS.iter().for_each(|promise| run.assert_no_discovery(promise));
    run.unique_state_count()
}

#[test]
fn any_three() {
    let clients = [&writers()[..7], &others()].concat();
    assert_eq!(each(&[], 3, &clients, |of| chosen(TWO, of)), 1_250_423);
}

#[test]
fn any_three_without_the_parent() {
    assert_eq!(each(&[], 3, &all(), |of| missing(chosen(TWO, of), A)), 1_108_701);
}

#[test]
fn a_recompute_and_any_two() {
    assert_eq!(each(&[recompute(A)], 2, &all(), |of| chosen(TWO, of)), 121_014);
    assert_eq!(each(&[recompute(A)], 2, &all(), |of| wrong(chosen(TWO, of), A)), 387_802);
}

#[test]
fn any_two_without_an_answer() {
    assert_eq!(each(&[], 2, &all(), |of| unanswered(chosen(TWO, of))), 145_661);
    assert_eq!(each(&[], 2, &all(), |of| missing(unanswered(chosen(TWO, of)), A)), 88_652);
}
