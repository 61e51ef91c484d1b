//! A transaction: what it writes, computed from its snapshot. It is committed if these documents are as it has read them. May use `world`.

use crate::world::{Bucket, Child, World};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Transaction {
    /// As they were, and as they will be.
    buckets: Vec<(Option<Bucket>, Bucket)>,
    /// Documents of their own that go.
    unlinked: Vec<Child>,
    /// Documents of their own that come.
    linked: Vec<Child>,
}

impl Transaction {
    pub(crate) fn write(mut self, bucket: Bucket, world: &World) -> Transaction {
        self.buckets.push((world.bucket(bucket.page).cloned(), bucket));
        self
    }

    pub(crate) fn unlink(mut self, children: &[Child]) -> Transaction {
        self.unlinked = children.to_vec();
        self
    }

    pub(crate) fn link(mut self, children: &[Child]) -> Transaction {
        self.linked = children.to_vec();
        self
    }

    /// The same writes, whose reads were done before it began.
    pub(crate) fn begun_late(mut self, world: &World) -> Transaction {
        for (before, after) in &mut self.buckets {
            *before = world.bucket(after.page).cloned();
        }
        self
    }

    /// Whether it was: nobody has written what it writes.
    pub(crate) fn commit(self, world: &mut World) -> bool {
        let is_same = |(before, after): &(Option<Bucket>, Bucket)| match (before, world.bucket(after.page)) {
            (Some(before), Some(now)) => now.is(before),
            (before, now) => before.is_none() && now.is_none(),
        };
        let is_there = |child: &Child| world.linked.contains(child);
        let is_free = |child: &Child| world.linked.iter().all(|other| other.id != child.id);
        let is_committed =
            self.buckets.iter().all(is_same) && self.unlinked.iter().all(is_there) && self.linked.iter().all(is_free);
        if is_committed {
            self.buckets.into_iter().for_each(|(_, after)| world.put(after));
            world.linked.retain(|child| !self.unlinked.contains(child));
            world.linked.extend(self.linked);
            world.linked.sort();
        }
        is_committed
    }
}
