use super::*;
const BOTH: &[Size] = &[Size::Small, Size::Large];
const LARGE: &[Size] = &[Size::Large];
fn all(tree: Tree, sizes: &[Size]) -> Vec<Operation> { [moves(tree, sizes), inserts_and_deletes(tree), vec![recover()]].concat() }
#[test] fn any4_large() {
  let tree = "A AB C";
    any(4, tree, &[moves(tree, LARGE), vec![recover()]].concat(), CHOSEN).holds(0);
}
#[test] fn any3_fork() {
  let tree = "A AB AC";
    any(3, tree, &all(tree, BOTH), CHOSEN).holds(0);
  let tree = "A AB BC";
    any(3, tree, &all(tree, BOTH), CHOSEN).holds(0);
  let tree = "A AB C CD";
    any(3, tree, &all(tree, LARGE), CHOSEN).holds(0);
}
#[test] fn any2_six() {
  for tree in ["A AB BC D", "A AB BC CD E", "A AB AC BD E EF"] {
    any(2, tree, &all(tree, BOTH), CHOSEN).holds(0);
  }
  let tree = "A AB BC CD DE F";
    any(2, tree, &all(tree, BOTH), CHOSEN).holds(0);
}
