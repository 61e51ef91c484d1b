//! Writes of children, then the difference of each parent. May use `operation`, `world`, `fold`.

use crate::{
    fold::recount,
    operation::{COMMIT, Context, Difference, Group, Stage, Then, Write},
    world::{Child, Delta, PARENTS, Parent, World},
};

impl Group {
    pub(crate) fn step(&self, stage: Stage, world: &mut World, context: Context) -> Then {
        match stage {
            Stage::Begin if context.protocol.ask_inside => self.write(0, [Difference::default(); PARENTS], world),
            Stage::Begin => {
                let asked =
                    world.parents.map(|of| Difference { asked: of.and_then(|of| of.min), ..Difference::default() });
                Then::Step(Stage::Write { next: 0, differences: asked })
            }
            Stage::Write { next, differences } => self.write(usize::from(next), differences, world),
            Stage::Differ { parent, differences, left } => self.differ(parent, differences, left, world, context),
            Stage::Reread { parent, differences, left } => {
                let min = world.count(usize::from(parent)).min;
                if let Some(of) = &mut world.parents[usize::from(parent)] {
                    of.min = min;
                }
                next_parent(parent + 1, differences, left)
            }
            _ => unreachable!("a stage of another task"),
        }
    }

    fn write(&self, next: usize, mut differences: [Difference; PARENTS], world: &mut World) -> Then {
        let mut writes = self.members.iter().flat_map(|of| of.writes.iter().map(|write| (of.number, *write)));
        let Some((number, write)) = writes.nth(next) else { return COMMIT };
        let child = write.child();
        let was = world.children[child];
        let is = match (write, was) {
            (Write::Insert { .. }, Some(_)) => return Then::Failed,
            (Write::Insert { parent, value, .. }, None) => Some(Child { parent, value }),
            (Write::Set { value, .. }, Some(was)) => Some(Child { value, ..was }),
            (Write::Increment { .. }, Some(was)) => Some(Child { value: was.value + 1, ..was }),
            (Write::Move { to, .. }, Some(was)) => Some(Child { parent: to, ..was }),
            (Write::Delete { .. }, _) | (_, None) => None,
        };
        world.children[child] = is;
        if was != is {
            world.done[number] += 1;
            if let Some(was) = was {
                differences[was.parent].remove(was.value);
            }
            if let Some(is) = is {
                differences[is.parent].add(is.value);
            }
        }
        if writes.next().is_some() {
            return Then::Step(Stage::Write { next: next as u8 + 1, differences });
        }
        next_parent(0, differences, 0)
    }

    fn differ(
        &self,
        number: u8,
        differences: [Difference; PARENTS],
        left: u8,
        world: &mut World,
        mut context: Context,
    ) -> Then {
        let parent = usize::from(number);
        let difference = differences[parent];
        let (is_there, leaves) = (world.parents[parent].is_some(), context.leaves);
        if !is_there && self.strict && difference.count > 0 {
            return Then::Failed;
        }
        if let Some(of) = world.parents[parent].as_mut().filter(|_| leaves && self.strict && context.protocol.touch) {
            of.last = context.new_id();
        }
        if !is_there || leaves {
            let is_kept = if difference.count < 0 { context.protocol.leave_minus } else { context.protocol.leave_plus };
            if is_there || is_kept {
                let extremes = context.protocol.leave_extremes;
                let Difference { count, sum, .. } = difference;
                world.leave(Delta { id: context.new_id(), parent, count, sum, extremes });
            }
            return next_parent(number + 1, differences, left | 1 << number);
        }
        if self.lost {
            recount(parent, world, &mut context);
            return next_parent(number + 1, differences, left);
        }
        let Some(of) = &mut world.parents[parent] else { unreachable!("the parent is there") };
        let min = if context.protocol.ask_inside { of.min } else { difference.asked };
        let has_lost = difference.removed.is_some_and(|removed| min.is_some_and(|min| removed <= min));
        let was = *of;
        of.apply(&difference);
        if *of == was && context.protocol.apply_writes {
            of.last = context.new_id();
        }
        if has_lost && context.protocol.reread_inside {
            return Then::Step(Stage::Reread { parent: number, differences, left });
        }
        next_parent(number + 1, differences, left)
    }

    /// Returns whether a member may take a minimum away.
    pub(crate) fn removes(&self) -> bool {
        self.members.iter().flat_map(|of| &of.writes).any(|write| !matches!(write, Write::Insert { .. }))
    }
}

fn next_parent(from: u8, differences: [Difference; PARENTS], left: u8) -> Then {
    let parent = (from..PARENTS as u8).find(|parent| differences[usize::from(*parent)].is_some());
    parent.map_or(Then::Commit { left }, |parent| Then::Step(Stage::Differ { parent, differences, left }))
}

impl Write {
    pub(crate) fn child(&self) -> usize {
        match *self {
            Write::Insert { child, .. } | Write::Set { child, .. } => child,
            Write::Increment { child } | Write::Move { child, .. } | Write::Delete { child } => child,
        }
    }
}

impl Difference {
    fn is_some(&self) -> bool {
        self.added.is_some() || self.removed.is_some()
    }

    fn add(&mut self, value: u8) {
        self.count += 1;
        self.sum += value as i8;
        self.added = Some(self.added.map_or(value, |added| added.min(value)));
    }

    fn remove(&mut self, value: u8) {
        self.count -= 1;
        self.sum -= value as i8;
        self.removed = Some(self.removed.map_or(value, |removed| removed.min(value)));
    }
}

impl Parent {
    /// Applies a difference as the server does: an added value may be the minimum.
    fn apply(&mut self, difference: &Difference) {
        self.count += difference.count;
        self.sum += difference.sum;
        self.min = match (self.min, difference.added) {
            (Some(min), Some(added)) => Some(min.min(added)),
            (min, added) => min.or(added),
        };
    }
}
