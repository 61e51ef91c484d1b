//! Deletes of the whole subtree hold too, in any order, for clients that stop anywhere. The numbers are the numbers of
//! the document's table.

use super::*;

#[test]
fn cascade_and_small_movers() {
    cascade("A AB BC CD E", &[delete(A), small(C, E)]).holds(204);
    cascade("A AB BC CD E", &[delete(B), small(C, A), insert(F, D)]).holds(343);
    cascade("A AB BC D DE", &[delete(A), small(D, C), recover()]).holds(15_988);
    cascade("A AB BC D DE", &[delete(B), small(A, E), recover()]).holds(498);
}

#[test]
fn cascade_and_large_movers() {
    cascade("A AB BC CD E", &[delete(B), large(E, C), insert(F, D)]).holds(692);
    cascade("A AB BC AD DE", &[delete(A), large(B, E), large(D, C)]).holds(6_549);
    cascade("A AB BC AD DE", &[delete(A), large(B, E), large(D, C), insert_root(A)]).holds(20_439);
    cascade("A AB BC CD AE EF FG", &[delete(A), large(C, G), large(F, D)]).holds(13_674);
    cascade("A AB BC CD DE F G", &[delete(A), large(C, F), large(D, G)]).holds(8_766);
}

#[test]
fn cascade_from_what_is_moved() {
    cascade("A AB BC CD DE F", &[large(B, F), delete(B), small(D, A)]).holds(4_622);
    cascade("A AB BC CD E", &[large(B, E), delete(B), large(C, A)]).holds(2_030);
    cascade("A AB BC CD E", &[large(B, E), delete(E), insert(F, C)]).holds(2_158);
    cascade("A AB BC CD E F", &[large(B, E), delete(C), small(A, F)]).holds(1_011);
}

#[test]
fn two_cascades() {
    cascade("A AB BC D", &[delete(A), delete(B), insert(E, C)]).holds(1_734);
    cascade("A AB BC D", &[delete(A), delete(D), small(B, D)]).holds(1_284);
    cascade("A AB BC D", &[delete(A), delete(D), large(B, D)]).holds(3_524);
}

#[test]
fn two_cascades_and_movers() {
    cascade("A AB BC D", &[delete(A), delete(B), large(C, D), large(B, D), insert(E, C)]).holds(76_605);
}

#[test]
fn any_two() {
    let tree = "A AB BC D";
    any(2, tree, &operations(tree, &[Size::Small, Size::Large]), CASCADE).holds(23_738);
    let tree = "A AB BC D DE";
    any(2, tree, &operations(tree, &[Size::Small, Size::Large]), CASCADE).holds(59_082);
    any(2, "A AB BC CD", &operations("A AB BC CD", &[Size::Large]), CASCADE).holds(24_234);
}

#[test]
fn parents_alone() {
    let run = |tree, operations: &[Operation]| run(CASCADE_PARENT_ALONE, tree, operations);
    run("A AB BC AD DE", &[delete(A), small(B, E), small(D, C)]).holds(1_085);
    run("A AB BC AD DE", &[delete(A), small(B, E), small(D, C), insert_root(A)]).holds(3_393);
}
