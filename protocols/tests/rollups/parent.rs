//! Writes of a parent: by the application, and by the children. May use `operation`, `world`.

use crate::{
    operation::{COMMIT, Context, Stage, Then},
    world::{Parent, World},
};

/// A plain write of the application's own field.
pub(crate) fn write_own(parent: usize, world: &mut World) -> Then {
    if let Some(of) = &mut world.parents[parent] {
        of.own += 1;
    }
    COMMIT
}

pub(crate) fn delete(parent: usize, world: &mut World) -> Then {
    world.parents[parent] = None;
    COMMIT
}

pub(crate) fn delete_childless(parent: usize, world: &mut World) -> Then {
    if world.count(parent).count > 0 {
        return Then::Failed;
    }
    delete(parent, world)
}

pub(crate) fn insert(parent: usize, stage: Stage, world: &mut World, mut context: Context) -> Then {
    let counted = match stage {
        Stage::Begin if context.protocol.insert_counts => world.count(parent),
        Stage::Begin => return Then::Step(Stage::InsertParent(world.count(parent))),
        Stage::InsertParent(counted) => counted,
        Stage::DeleteDeltas => {
            world.delete_deltas(parent);
            return COMMIT;
        }
        _ => unreachable!("a stage of another task"),
    };
    if world.parents[parent].is_some() {
        return Then::Failed;
    }
    let corrected = if context.protocol.insert_corrects { context.new_id() } else { 0 };
    world.parents[parent] = Some(Parent { corrected, ..counted });
    if context.protocol.insert_deletes { Then::Step(Stage::DeleteDeltas) } else { COMMIT }
}

pub(crate) fn recompute(number: usize, stage: Stage, world: &mut World, mut context: Context) -> Then {
    let protocol = context.protocol;
    match stage {
        Stage::Begin => match world.parents[number] {
            None => COMMIT,
            Some(parent) if protocol.one_snapshot => correct(parent, left(number, world), number, world, &context),
            Some(parent) => Then::Step(Stage::ReadLeft { parent }),
        },
        Stage::ReadLeft { parent } => Then::Step(Stage::ReadChildren { parent, left: left(number, world) }),
        Stage::ReadChildren { parent, left } => correct(parent, left, number, world, &context),
        Stage::Correct { count, sum, corrected } => {
            let Some(of) = &mut world.parents[number] else { return COMMIT };
            if protocol.corrected && of.corrected != corrected {
                return Then::Again;
            }
            if protocol.by_difference {
                (of.count, of.sum) = (of.count + count, of.sum + sum);
            } else {
                (of.count, of.sum) = (count, sum);
            }
            of.corrected = context.new_id();
            COMMIT
        }
        _ => unreachable!("a stage of another task"),
    }
}

fn left(parent: usize, world: &World) -> (i8, i8) {
    let left = world.left(parent);
    (left.count, left.sum)
}

/// Returns the step after the correction of a parent: the children, less the parent, less the deltas.
fn correct(parent: Parent, left: (i8, i8), number: usize, world: &World, context: &Context) -> Then {
    let children = world.count(number);
    let corrected = parent.corrected;
    let left = if context.protocol.with_deltas { left } else { (0, 0) };
    let (count, sum) = (children.count - left.0, children.sum - left.1);
    match (count - parent.count, sum - parent.sum) {
        (0, 0) => COMMIT,
        _ if !context.protocol.by_difference => Then::Step(Stage::Correct { count, sum, corrected }),
        (count, sum) => Then::Step(Stage::Correct { count, sum, corrected }),
    }
}

/// Reads the extremes again, in a transaction.
pub(crate) fn reread(parent: usize, stage: Stage, world: &mut World, context: Context) -> Then {
    let min = match stage {
        Stage::Begin if !context.protocol.reread_transaction => {
            return Then::Step(Stage::SetMin(world.count(parent).min));
        }
        Stage::SetMin(min) => min,
        _ => world.count(parent).min,
    };
    if let Some(of) = &mut world.parents[parent] {
        of.min = min;
    }
    COMMIT
}
