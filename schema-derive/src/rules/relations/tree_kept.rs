//! Rule: `tree_kept`. The page is `guide/pages/rules/tree_kept.md`.

use crate::{
    errors::Errors,
    model::{Model, TreeRole},
    parse::last_segment,
};

const ID: &str = "tree_kept";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let trees = || model.record.fields.iter().filter_map(|field| field.tree.as_ref());
    let has_parent = trees().any(|tree| tree.role == TreeRole::Parent);
    // A field whose attributes have a mistake may be the parent.
    let may_have_parent = has_parent || model.record.fields.iter().any(|field| field.broken);
    let keeps_chain = trees().any(|tree| matches!(tree.role, TreeRole::Ancestors | TreeRole::Path));
    for (at, tree) in trees().enumerate() {
        let word = tree.role.word();
        if trees().take(at).any(|other| other.role == tree.role) {
            let what = format!(
                "this model has a field with `#[tree({word})]` already, and the documents of a model form a single tree"
            );
            errors.rule(&tree.tokens, ID, &what, "remove one of the two");
        } else if !may_have_parent && at == 0 {
            let what = format!(
                "`#[tree({word})]` is made from the parents, and this model has no field with `#[tree(parent)]`"
            );
            let help = format!(
                "add the reference to the parent: `#[tree(parent, max_depth = 16)] parent: Option<Ref<{}>>`",
                model.record.ident
            );
            errors.rule(&tree.tokens, ID, &what, &help);
        } else if tree.role == TreeRole::Depth && !keeps_chain && has_parent {
            let what = "a move changes the depth of all documents below, and without `#[tree(ancestors)]` or `#[tree(path)]` a move finds the documents level by level";
            let help = format!(
                "add `#[tree(path)] path: TreePath<{}>` beside the depth, or remove the depth and count the ancestors at each read",
                model.record.ident
            );
            errors.rule(&tree.tokens, ID, what, &help);
        }
    }
    if has_parent {
        enforce_filled(model, errors);
    }
}

/// Refuses a path that nothing fills.
fn enforce_filled(model: &Model, errors: &Errors) {
    let is_path = |(name, _): (String, _)| name == "TreePath";
    for field in model.record.judged().filter(|field| field.tree.is_none() && field.copy.is_none()) {
        if last_segment(&field.ty).is_some_and(is_path) {
            let what = format!("`{}` is a path without `#[tree(path)]`, and no write fills the path", field.rust_name);
            errors.rule(&field.ty, ID, &what, "put `#[tree(path)]` on the field, or remove the field");
        }
    }
}
