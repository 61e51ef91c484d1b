//! A transaction: the writes, computed from the snapshot. A transaction commits if the written documents are unchanged
//! since the snapshot. May use `world`.

use crate::world::{Bucket, Child, World};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Transaction {
    /// The buckets before and after the transaction.
    buckets: Vec<(Option<Bucket>, Bucket)>,
    /// The linked documents that the transaction deletes.
    unlinked: Vec<Child>,
    /// The linked documents that the transaction inserts.
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

    /// Returns the same writes, computed from reads before the begin of the transaction.
    pub(crate) fn begun_late(mut self, world: &World) -> Transaction {
        for (before, after) in &mut self.buckets {
            *before = world.bucket(after.page).cloned();
        }
        self
    }

    /// Commits the transaction. Returns whether the commit succeeded: no other client has written the same documents.
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
