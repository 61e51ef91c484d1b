//! A stream of all children. May use `client`, `world`.

use crate::{
    client::At,
    world::{Id, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stream {
    /// The children that were stored when the stream began.
    there: Vec<Id>,
    read: Vec<Id>,
    /// The last page that was read.
    page: Option<u8>,
}

fn ids(world: &World) -> Vec<Id> {
    world.in_buckets().map(|child| child.id).collect()
}

impl Stream {
    pub(crate) const BEGIN: Stream = Stream { there: Vec::new(), read: Vec::new(), page: None };

    pub(crate) fn step(mut self, at: &mut At) -> Option<Stream> {
        if self.page.is_none() {
            self.there = ids(at.world);
        }
        if at.protocol.stream_snapshot {
            self.read.clone_from(&self.there);
            return self.done(at);
        }
        let after = self.page.unwrap_or(0);
        let Some(bucket) = at.world.buckets.iter().find(|of| of.page > after) else { return self.done(at) };
        self.read.extend(bucket.items.iter().map(|child| child.id));
        self.page = Some(bucket.page);
        Some(self)
    }

    /// Checks the read: every child that was stored all the time was read, and no child twice.
    fn done(self, at: &mut At) -> Option<Stream> {
        let now = ids(at.world);
        let is_missed = self.there.iter().any(|id| now.contains(id) && !self.read.contains(id));
        let is_twice = self.read.iter().enumerate().any(|(place, id)| self.read[..place].contains(id));
        at.history.misread |= is_missed || is_twice;
        None
    }
}
