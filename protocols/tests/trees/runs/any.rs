//! The chosen protocol holds for any group of clients: each client has any of the possible operations on a tree. The
//! numbers are the numbers of the document's table.

use super::*;

const BOTH: &[Size] = &[Size::Small, Size::Large];
const LARGE: &[Size] = &[Size::Large];

fn any_two(tree: Tree, states: usize) {
    any(2, tree, &operations(tree, BOTH), CHOSEN).holds(states);
}

fn any_three(tree: Tree, sizes: &[Size], states: usize) {
    any(3, tree, &operations(tree, sizes), CHOSEN).holds(states);
}

#[test]
fn two() {
    any_two("A AB BC D", 15_462);
    any_two("A AB BC CD E", 46_983);
    any_two("A AB AC BD E EF", 98_347);
    any_two("A AB BC D DE EF", 96_311);
    any_two("A AB BC CD DE F", 143_868);
}

#[test]
fn three() {
    any_three("A AB AC", BOTH, 165_938);
    any_three("A AB BC", BOTH, 159_221);
}

#[test]
fn three_large_moves() {
    any(3, "A AB BC D", &moves("A AB BC D", LARGE), CHOSEN).holds(200_856);
}

#[test]
fn three_without_paths() {
    let tree = "A AB BC D DE EF";
    any(3, tree, &moves(tree, &[Size::Small]), PARENT_ALONE).holds(167_420);
    let tree = "A AB BC D DE";
    any(3, tree, &operations(tree, &[Size::Small]), PARENT_ALONE).holds(240_340);
}
