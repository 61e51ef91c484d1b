//! Moves linked children into buckets, and back. The place of a child tells the remaining work: nothing else is stored,
//! so a migration goes on after a killed migration. May use `client`, `transaction`, `world`.

use crate::{
    client::At,
    transaction::Transaction,
    world::{Answer, Bucket, Child, Place, Target, World},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Into,
    Back,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Migrate {
    pub(crate) direction: Direction,
    step: Step,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    Begin,
    Open(Transaction),
    /// Copies the children, then deletes the linked documents of the children that are in a bucket; used without a
    /// transaction.
    Copy {
        page: u8,
        children: Vec<Child>,
    },
    Unlink(Vec<Child>),
}

impl Migrate {
    pub(crate) fn new(direction: Direction) -> Migrate {
        Migrate { direction, step: Step::Begin }
    }

    pub(crate) fn step(mut self, at: &mut At) -> Option<Migrate> {
        self.step = match self.step {
            Step::Begin => {
                let step = match self.direction {
                    Direction::Into => into(at),
                    Direction::Back => back(at.world),
                }?;
                at.world.has_read(at.number);
                step
            }
            Step::Open(of) => {
                of.commit(at.world);
                at.world.has_written(at.number);
                Step::Begin
            }
            Step::Copy { page, mut children } => {
                if at.world.push((page, true), &children, Place::Sorted, false, at.protocol) != Answer::Done {
                    children.retain(|child| at.world.page_of(child.id).is_some());
                }
                at.world.has_written(at.number);
                Step::Unlink(children)
            }
            Step::Unlink(children) => {
                for child in children {
                    at.world.change_linked(child.id, None);
                }
                Step::Begin
            }
        };
        Some(self)
    }
}

/// Moves the next children in order, as many as fit in the page that an insert would go to.
fn into(at: &At) -> Option<Step> {
    let Target { page, capacity, full, .. } = at.world.target();
    let children: Vec<Child> = at.world.linked.iter().copied().take(capacity).collect();
    if children.is_empty() {
        return None;
    }
    if !at.protocol.migrate_transaction {
        return Some(Step::Copy { page, children });
    }
    let mut bucket = at.world.bucket(page).cloned().unwrap_or(Bucket::new(page, Vec::new()));
    bucket.add(&children, true);
    bucket.emptied = None;
    let mut transaction = Transaction::default().write(bucket, at.world).unlink(&children);
    if let Some(full) = full.and_then(|page| at.world.bucket(page)).filter(|_| at.protocol.migrate_follows) {
        transaction = transaction.write(Bucket { followed: true, ..full.clone() }, at.world);
    }
    Some(Step::Open(transaction))
}

/// Empties the first bucket with children. The bucket stays, empty.
fn back(world: &World) -> Option<Step> {
    let mut bucket = world.buckets.iter().find(|of| !of.items.is_empty())?.clone();
    let children = std::mem::take(&mut bucket.items);
    bucket.count = 0;
    Some(Step::Open(Transaction::default().write(bucket, world).link(&children)))
}
