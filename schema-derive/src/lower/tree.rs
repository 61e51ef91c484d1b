//! `#[tree(..)]`: the fields that arrange the documents of a model in trees.

use quote::ToTokens;
use syn::{Expr, Ident, spanned::Spanned};

use super::{given::Given, number, order::lower_order, relation::lower_on_delete};
use crate::{
    attributes::{Attribute, words::OF_PARENT},
    errors::Errors,
    model::{
        DeleteRule, Direction, Index, IndexKey, Inverse, Number, OnDelete, Origin, Record, Relation, Stored, Tree,
        TreeRole,
    },
    parse::{Argument, Arguments},
};

const EXAMPLE: &str = "write `#[tree(parent, max_depth = 16)]` on the reference to the parent, `#[tree(ancestors)]`, `#[tree(path)]` or `#[tree(depth)]` on a field that the tree maintains";

/// Reads the role of a field in a tree. The parent and the ancestors are relations.
pub(super) fn lower_tree(given: &Given<'_>, storage: &mut Stored, errors: &Errors) -> Option<Tree> {
    let attribute = given.get(Attribute::Tree)?;
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Tree.words(), errors);
    let mut roles = TreeRole::ALL.iter().filter_map(|role| Some((*role, arguments.get(role.word())?)));
    let (Some((role, word)), None) = (roles.next(), roles.next()) else {
        if errors.count() == before {
            let many = if arguments.list.is_empty() {
                "needs the role of the field"
            } else {
                "needs a single role of the field"
            };
            errors.at(attribute.path(), format!("`#[tree(..)]` {many} in a tree\nhelp: {EXAMPLE}"));
        }
        return None;
    };
    if role != TreeRole::Parent
        && let Some(option) =
            arguments.list.iter().find(|argument| OF_PARENT.iter().any(|word| word.name == argument.word))
    {
        errors.at(
            &option.tokens,
            format!("`{0}` is an option of the parent\nhelp: write `#[tree(parent, {0} = ..)]`", option.word),
        );
    }
    let by = match arguments.get("by") {
        Some(by) if role != TreeRole::Ancestors => {
            errors.at(&by.tokens, "`by` names the reference inside of the ancestors\nhelp: write `#[tree(ancestors, by = id)]`, or remove `by`");
            None
        }
        by => by.and_then(Argument::name),
    };
    let max_depth = number(arguments.get("max_depth"));
    let order = arguments.get("order").map(|order| lower_order(order, errors)).unwrap_or_default();
    let on_delete = arguments.get("on_delete").and_then(|argument| lower_rule(argument, errors));
    let tokens = word.tokens.clone();
    match role {
        TreeRole::Parent => *storage = Stored::Relation(Relation { order, ..Relation::to_parent(&tokens) }),
        TreeRole::Ancestors => *storage = Stored::Relation(Relation { by, ..Relation::to_ancestors(&tokens) }),
        TreeRole::Path | TreeRole::Depth => {}
    }
    Some(Tree { role, tokens, max_depth, on_delete })
}

/// Reads the effect of a delete on the children. Each node has a parent, so the children refuse the delete or are
/// deleted too.
fn lower_rule(argument: &Argument, errors: &Errors) -> Option<OnDelete> {
    let on_delete = lower_on_delete(argument, errors)?;
    match on_delete.rule {
        DeleteRule::Restrict | DeleteRule::Cascade => Some(on_delete),
        DeleteRule::NoAction | DeleteRule::Nullify | DeleteRule::Pull => {
            errors.at(
                &on_delete.tokens,
                format!("`{}` would leave children without ancestors\nhelp: write `restrict` or `cascade`; `promote_children` moves the children up before the delete", on_delete.tokens),
            );
            None
        }
    }
}

/// The factor between `max_depth` and the number of ancestors that the server accepts: inserts and moves that meet a
/// move of many documents may add up to twice as many ancestors.
const HEADROOM: u64 = 2;

/// Completes the fields of a tree: sets the bound of the ancestors, and adds the accessor `children`.
pub(super) fn complete(record: &mut Record, inverses: &mut Vec<Inverse>, deletes: bool) {
    let ident = record.ident.clone();
    let is_parent = |tree: &&mut Tree| tree.role == TreeRole::Parent;
    let mut fields = record.fields.iter_mut();
    let parent = fields.find_map(|field| Some((field.ident.clone(), field.tree.as_mut().filter(is_parent)?)));
    let Some((field, tree)) = parent else { return bound(record, None) };
    let span = tree.tokens.span();
    let restrict = || OnDelete { rule: DeleteRule::Restrict, tokens: Ident::new("parent", span) };
    inverses.push(Inverse {
        accessor: Ident::new("children", span),
        child: ident.into(),
        field: Ident::new(&field.to_string(), span),
        is_one: false,
        on_delete: tree.on_delete.take().or_else(|| deletes.then(restrict)),
        at_most: None,
        per_day: None,
        allows: Vec::new(),
    });
    let max_depth = tree.max_depth.as_ref().map(|number| (number.value, number.tokens.clone()));
    bound(record, max_depth);
}

/// Sets the most ancestors that a document holds.
fn bound(record: &mut Record, max_depth: Option<(u64, Expr)>) {
    for field in &mut record.fields {
        let Some(Tree { role: TreeRole::Ancestors, tokens, .. }) = &field.tree else { continue };
        if let Stored::Relation(relation) = &mut field.storage {
            let (value, tokens) = max_depth.clone().unwrap_or_else(|| (1, tokens.clone()));
            relation.max = Some(Number { value: value.clamp(1, 100) * HEADROOM, tokens });
        }
    }
}

/// Returns the indexes that find subtrees, by the ancestors or by the path. The `_id` is the last key, since a page
/// goes on behind a document.
pub(super) fn needed_indexes(record: &Record) -> impl Iterator<Item = Index> + '_ {
    let id = record.fields.iter().find(|field| field.name == "_id");
    record.fields.iter().filter_map(move |field| {
        let tree = field.tree.as_ref()?;
        let ident = &field.ident;
        let mut path = vec![field.rust_name.clone()];
        match tree.role {
            TreeRole::Parent | TreeRole::Depth => return None,
            TreeRole::Path => {}
            TreeRole::Ancestors => path.extend(field.relation()?.by.as_ref().map(crate::parse::identifier)),
        }
        let key = |path| IndexKey { path, direction: Direction::Ascending, tokens: ident.to_token_stream() };
        let keys = [path].into_iter().chain(id.map(|id| vec![id.rust_name.clone()])).map(key).collect();
        Some(Index::plain(keys, Origin::Tree(ident.clone())))
    })
}
