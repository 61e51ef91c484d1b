//! Rule: `tree_depth`. The page is `guide/pages/rules/tree_depth.md`.

use crate::{
    errors::Errors,
    model::{Model, TreeRole},
};

const ID: &str = "tree_depth";
const LEVELS: std::ops::RangeInclusive<u64> = 1..=100;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let trees = model.record.judged().filter_map(|field| field.tree.as_ref());
    for tree in trees.filter(|tree| tree.role == TreeRole::Parent) {
        let help = "write how many ancestors a document has at most: `#[tree(parent, max_depth = 16)]`";
        match &tree.max_depth {
            None => errors.rule(&tree.tokens, ID, "this tree has no `max_depth`", help),
            Some(max) if !LEVELS.contains(&max.value) => {
                let what = format!("a document of this tree may have {} ancestors, and a tree has 1 to 100", max.value);
                errors.rule(&max.tokens, ID, &what, help);
            }
            Some(_) => {}
        }
    }
}
