//! Lists the writes of a model, and the further documents that a write changes. Pure.

use super::{
    CopyReview, DeleteStep, TransactionReview, WriteReview,
    reads::{documents_behind, documents_of_mirror},
};
use crate::{
    definition::{DeleteRule, FieldDefinition, ModelDefinition},
    derived::{copies::paths_into, links},
    manage::cost::{self, Cost, CostMode},
};

pub(super) fn of(model: &'static ModelDefinition) -> Vec<WriteReview> {
    let mut costs: Vec<Cost> = cost::of_derived(model);
    for field in model.fields.iter().filter(|field| field.changes_per_day.is_some()) {
        if !costs.iter().any(|cost| cost.field.split('.').next() == Some(field.name)) {
            costs.push(cost::of(model, field.name.to_owned()));
        }
    }
    let per_day = |cost: &Cost| field_of(model, &cost.field).and_then(|field| field.changes_per_day);
    costs.into_iter().map(|cost| WriteReview { per_day: per_day(&cost), cost }).collect()
}

/// Returns the field of the struct at the beginning of a stored path.
fn field_of(model: &ModelDefinition, path: &str) -> Option<&'static FieldDefinition> {
    let first = path.split('.').next()?;
    model.fields.iter().find(|field| field.name == first)
}

pub(super) fn copies_of(model: &'static ModelDefinition) -> Vec<CopyReview> {
    let mut copies = Vec::new();
    for path in paths_into(model) {
        for field in &path.fields {
            let steps = path.steps.iter().map(|step| step.name).chain([field.name]);
            let stored = steps.collect::<Vec<_>>().join(".");
            let held = field_of(model, &stored);
            copies.push(CopyReview {
                reads: held.and_then(|held| model.reads_per_day(held.rust_name, held.name)),
                writes: field_of(path.source, &field.from).and_then(|field| field.changes_per_day),
                path: stored,
                source: path.source.model,
                from: field.from.clone(),
                fan_out: path.fan_out,
            });
        }
    }
    copies
}

pub(super) fn transactions_of(model: &'static ModelDefinition) -> Vec<TransactionReview> {
    let costs = cost::of_derived(model).into_iter().filter(|cost| cost.mode == CostMode::Transaction);
    let mut all: Vec<TransactionReview> = costs.map(|cost| TransactionReview::Copies(cost.field)).collect();
    let ends = model.relations.iter().filter(|relation| relation.storage.is_mirrored());
    all.extend(ends.map(|relation| TransactionReview::BothEnds(relation.field)));
    let ruled = model
        .relations
        .iter()
        .filter(|relation| !relation.storage.is_mirrored() && relation.on_delete.is_some_and(DeleteRule::acts));
    all.extend(ruled.map(|relation| TransactionReview::Parent(relation.field)));
    if !steps_of(model).is_empty() {
        all.push(TransactionReview::Delete);
    }
    for parent in cost::of_derived(model).into_iter().flat_map(|cost| cost.parents) {
        let kept = TransactionReview::Kept(parent.reference);
        if !all.contains(&kept) {
            all.push(kept);
        }
    }
    if !model.rollups.is_empty() {
        all.push(TransactionReview::Insert);
    }
    all
}

/// Returns each chain of collections that a delete follows.
pub(super) fn deletes_of(model: &'static ModelDefinition) -> Vec<Vec<DeleteStep>> {
    let mut chains = Vec::new();
    follow(model, &mut vec![model.name], &mut Vec::new(), &mut chains);
    chains
}

fn follow(
    model: &'static ModelDefinition,
    models: &mut Vec<&'static str>,
    chain: &mut Vec<DeleteStep>,
    chains: &mut Vec<Vec<DeleteStep>>,
) {
    let steps = steps_of(model);
    if steps.is_empty() && !chain.is_empty() {
        chains.push(chain.clone());
    }
    for (child, step) in steps {
        chain.push(step);
        if step.rule == DeleteRule::Cascade && !models.contains(&child.name) {
            models.push(child.name);
            follow(child, models, chain, chains);
            models.pop();
        } else {
            chains.push(chain.clone());
        }
        chain.pop();
    }
}

/// Returns the effect of a delete on the documents that refer to the deleted document directly.
fn steps_of(model: &'static ModelDefinition) -> Vec<(&'static ModelDefinition, DeleteStep)> {
    let of_inverses = model.inverses.iter().map(|inverse| {
        let child = (inverse.child.definition)();
        let rule = inverse.on_delete.or_else(|| links::default_rule(child.relation(inverse.field)?));
        (child, inverse.field, rule, documents_behind(inverse))
    });
    let of_mirrors = model.mirrors.iter().map(|mirror| {
        let child = mirror.child();
        let rule = mirror.on_delete.or_else(|| links::default_rule(child.relation(mirror.child_field)?));
        (child, mirror.child_field, rule, documents_of_mirror(model, mirror))
    });
    let all = of_inverses.chain(of_mirrors).filter_map(|(child, field, rule, documents)| {
        let rule = rule.filter(|rule| rule.acts())?;
        Some((child, DeleteStep { collection: child.collection, field, rule, documents }))
    });
    all.collect()
}
