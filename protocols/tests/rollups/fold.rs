//! The end of deltas: a fold, a recount, or a drop. May use `operation`, `world`.

use crate::{
    operation::{COMMIT, Context, Stage, Then},
    world::{Delta, World, delta_bit},
};

pub(crate) fn fold(parent: usize, bound: usize, stage: Stage, world: &mut World, mut context: Context) -> Then {
    match stage {
        Stage::Begin => {
            let folded: Vec<Delta> = world.deltas_of(parent).take(bound).copied().collect();
            let is_one = folded.len() == 1 && world.parents[parent].is_none() && context.protocol.fold_merges;
            if folded.is_empty() || is_one {
                return COMMIT;
            }
            world.deltas.retain(|delta| !folded.contains(delta));
            let Delta { count, sum, extremes, .. } = Delta::sum(&folded, parent);
            Then::Step(Stage::Apply { count, sum, extremes })
        }
        Stage::Apply { count, sum, extremes } => {
            let min = world.count(parent).min;
            match &mut world.parents[parent] {
                Some(of) => {
                    let was = *of;
                    (of.count, of.sum) = (of.count + count, of.sum + sum);
                    if extremes && context.protocol.fold_reread {
                        of.min = min;
                    }
                    if *of == was && context.protocol.fold_writes {
                        of.last = context.new_id();
                    }
                }
                None if context.protocol.fold_merges => {
                    world.leave(Delta { id: context.new_id(), parent, count, sum, extremes });
                }
                None => {}
            }
            COMMIT
        }
        _ => unreachable!("a stage of another task"),
    }
}

/// Recounts a parent after a fold that finds a sum with lost digits.
pub(crate) fn recount_if_left(parent: usize, world: &mut World, mut context: Context) -> Then {
    if world.parents[parent].is_some() && world.deltas_of(parent).next().is_some() {
        recount(parent, world, &mut context);
    }
    COMMIT
}

/// Sets a parent by the children.
pub(crate) fn recount(parent: usize, world: &mut World, context: &mut Context) {
    let children = world.count(parent);
    let protocol = context.protocol;
    let corrected = protocol.recount_corrects.then(|| context.new_id());
    if let Some(of) = &mut world.parents[parent] {
        (of.sum, of.min) = (children.sum, children.min);
        if protocol.recount_whole {
            of.count = children.count;
        }
        of.corrected = corrected.unwrap_or(of.corrected);
    }
    if protocol.recount_deletes {
        world.delete_deltas(parent);
    }
}

/// Reads the old deltas of missing parents, then deletes the same deltas.
pub(crate) fn drop(stage: Stage, world: &mut World, context: Context) -> Then {
    match stage {
        Stage::Begin => {
            let is_old = |delta: &&Delta| !context.protocol.drop_old || context.old & delta_bit(delta.id) != 0;
            let orphans = world.deltas.iter().filter(|delta| world.parents[delta.parent].is_none()).filter(is_old);
            match orphans.fold(0, |all, delta| all | delta_bit(delta.id)) {
                0 => COMMIT,
                old => Then::Step(Stage::Drop(old)),
            }
        }
        Stage::Drop(old) => {
            world.deltas.retain(|delta| old & delta_bit(delta.id) == 0);
            COMMIT
        }
        _ => unreachable!("a stage of another task"),
    }
}
