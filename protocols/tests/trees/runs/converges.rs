//! The chosen protocol holds, in any order, for clients that stop anywhere. The numbers are the numbers of the
//! document's table.

use super::*;

#[test]
fn movers_that_would_make_a_cycle() {
    chosen("A AB C CD", &[small(A, D), small(C, B)]).holds(8);
    chosen("A AB C CD", &[large(A, D), large(C, B)]).holds(50);
    chosen("A AB C CD", &[large(A, D), small(C, B)]).holds(29);
    chosen("A AB BC D DE EF", &[large(B, F), large(E, C), recover()]).holds(210);
    chosen("A AB BC D DE EF", &[large(B, F), small(E, C), recover()]).holds(113);
    chosen("A AB C CD E EF", &[small(A, D), small(C, F), small(E, B)]).holds(26);
    chosen("A AB C CD E EF", &[large(A, D), large(C, F), large(E, B)]).holds(1_673);
    chosen("A AB C CD E EF", &[large(A, D), small(C, F), large(E, B), recover()]).holds(5_588);
    chosen("A AB BC CD", &[large(B, A), large(C, A), large(B, D), recover()]).holds(839);
}

#[test]
fn movers_of_one_node() {
    chosen("A AB BC D E", &[small(B, D), small(B, E), large(B, D)]).holds(136);
    chosen("A AB BC BD E", &[large(B, E), large(B, A), recover()]).holds(822);
    chosen("A AB BC CD E", &[large(B, E), large_to_root(B), large(B, A), recover()]).holds(19_901);
}

#[test]
fn mover_and_inserter() {
    chosen("A AB BC D", &[small(B, D), insert(E, C), insert(F, B)]).holds(27);
    chosen("A AB BC D", &[small(B, D), insert(E, C), insert(F, E), delete(F)]).holds(69);
    chosen("A AB BC D", &[large(B, D), insert(E, C), recover()]).holds(146);
    chosen("A AB BC D", &[large(B, D), insert(E, C), insert(F, E), insert(G, B), recover()]).holds(2_693);
}

#[test]
fn nested_large_movers() {
    chosen("A AB BC CD E F", &[large(B, E), large(C, F), recover()]).holds(570);
    chosen("A AB BC CD E F", &[large(A, E), large(C, F), recover()]).holds(1_422);
    chosen("A AB BC CD E F", &[large(B, E), large(C, F), recover(), recover()]).holds(3_160);
    chosen("A AB BC CD E F FG", &[large(B, E), large(C, G), large(F, A), recover()]).holds(11_072);
    chosen("A AB BC CD E F", &[large(A, E), large(B, F), large(C, F), recover()]).holds(11_644);
}

#[test]
fn large_mover_into_what_is_moved() {
    chosen("A AB BC D DE F", &[large(A, F), large(D, B), recover()]).holds(1_766);
    chosen("A AB BC D DE F", &[large(A, F), small(D, C), recover()]).holds(972);
    chosen("A AB BC D DE F FG", &[large(A, F), large(D, C), large(F, E), recover()]).holds(25_227);
}

#[test]
fn large_mover_and_small_mover() {
    chosen("A AB BC CD E F", &[large(B, E), small(C, F), recover()]).holds(432);
    chosen("A AB BC CD E F", &[large(B, E), small(A, F), recover()]).holds(462);
    chosen("A AB BC BD E", &[large(B, E), small(C, D), recover()]).holds(497);
    chosen("A AB BC BD E F", &[large(B, E), small(C, D), small(A, F), insert(G, D)]).holds(2_530);
    chosen("A AB BC CD E F", &[large(B, E), small(E, F), small(C, A), recover()]).holds(2_329);
}

#[test]
fn mover_and_deleter() {
    chosen("A AB C", &[small(A, C), delete(C), delete(B)]).holds(225);
    chosen("A AB BC D", &[large(B, D), delete(D), delete(C), insert(E, C)]).holds(1_850);
    chosen("A AB BC D", &[large(B, D), delete(C), delete(B), insert(E, B), recover()]).holds(8_397);
    chosen("A AB BC D", &[large(B, D), small(C, A), delete(B), insert(B, D), recover()]).holds(1_146);
}

#[test]
fn parents_alone() {
    parent_alone("A AB C CD", &[small(A, D), small(C, B)]).holds(8);
    parent_alone("A AB BC D DE EF", &[small(B, F), small(E, C)]).holds(8);
    parent_alone("A AB BC D DE EF", &[small(A, F), small(D, C), small(B, E)]).holds(22);
    parent_alone("A AB C CD E EF", &[small(A, D), small(C, F), small(E, B)]).holds(26);
    parent_alone("A AB C CD", &[small(A, D), small(C, B), insert(E, B), delete(D), delete(B)]).holds(1_664);
}
