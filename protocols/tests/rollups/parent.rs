//! A parent, and the commands on one: each function is one command, and atomic. May use `protocol`.

use std::collections::BTreeSet;

use crate::protocol::Protocol;

/// An `ObjectId` made by a client, a mark or another: whose it is, and which of that client's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id {
    pub(crate) of: u8,
    pub(crate) number: u8,
}

/// The ids that a client makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ids {
    of: u8,
    next: u8,
}

impl Ids {
    pub(crate) fn new(of: usize) -> Ids {
        Ids { of: of as u8, next: 0 }
    }

    pub(crate) fn unused(self) -> Ids {
        Ids { next: 0, ..self }
    }

    pub(crate) fn fresh(&mut self) -> Id {
        self.next += 1;
        Id { of: self.of, number: self.next }
    }
}

/// `_rollup_<path>.refresh`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Refresh {
    pub(crate) id: Id,
    pub(crate) dirty: bool,
    plus: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Parent {
    pub(crate) sum: i8,
    pub(crate) min: Option<u8>,
    pub(crate) applied: BTreeSet<Id>,
    pub(crate) revoked: BTreeSet<Id>,
    /// It was changed since it was inserted: there is a `last`, or another `corrected`.
    pub(crate) last: bool,
    pub(crate) corrected: Option<Id>,
    pub(crate) new: Option<Id>,
    pub(crate) stale: bool,
    pub(crate) refresh: Option<Refresh>,
    /// It was inserted a short time ago: marks may be older than it is.
    pub(crate) young: bool,
}

/// What a parent counts of one child, and what that child says now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Delta {
    pub(crate) has: Option<u8>,
    pub(crate) now: Option<u8>,
}

/// The lesser of two, where there are two.
pub(crate) fn least(one: Option<u8>, other: Option<u8>) -> Option<u8> {
    one.into_iter().chain(other).min()
}

impl Parent {
    pub(crate) const EMPTY: Parent = Parent {
        sum: 0,
        min: None,
        applied: BTreeSet::new(),
        revoked: BTreeSet::new(),
        last: false,
        corrected: None,
        new: None,
        stale: false,
        refresh: None,
        young: false,
    };

    /// `updateOne(parent that has the mark neither applied nor revoked, the delta, the mark)`: whether it matched.
    pub(crate) fn apply(&mut self, mark: Id, deltas: &[Delta], protocol: &Protocol) -> bool {
        if self.revoked.contains(&mark) && protocol.heed_revoked || !self.applied.insert(mark) {
            return false;
        }
        // Only of one that was inserted is it looked at.
        self.last = self.new.is_some();
        for delta in deltas.iter().filter(|delta| delta.has != delta.now) {
            self.sum -= delta.has.map_or(0, |value| value as i8);
            self.stale |= delta.has.is_some() && delta.has == self.min;
            if let Some(refresh) = &mut self.refresh {
                refresh.dirty |= delta.has.is_some() && protocol.dirty;
            }
        }
        for delta in deltas {
            let changed = delta.has != delta.now;
            if changed {
                self.sum += delta.now.map_or(0, |value| value as i8);
                self.min = least(self.min, delta.now);
            }
            if let Some(refresh) =
                self.refresh.as_mut().filter(|_| protocol.plus && (changed || protocol.plus_unchanged))
            {
                refresh.plus = least(refresh.plus, delta.now);
            }
        }
        true
    }

    /// `updateOne(parent that has not applied the mark, revoked)`.
    pub(crate) fn revoke(&mut self, mark: Id, protocol: &Protocol) {
        if !self.applied.contains(&mark) && protocol.revoke {
            self.revoked.insert(mark);
        }
    }

    /// `updateOne(parent, the mark out of applied)`, and out of `revoked`.
    pub(crate) fn forget(&mut self, mark: Id, revoked_too: bool) {
        self.applied.remove(&mark);
        if revoked_too {
            self.revoked.remove(&mark);
        }
    }

    /// Whether that finds it.
    pub(crate) fn knows(&self, mark: Id, revoked_too: bool) -> bool {
        self.applied.contains(&mark) || revoked_too && self.revoked.contains(&mark)
    }

    /// `findOneAndUpdate(parent that is stale, refresh)`: the marks it has applied, unless another reads already.
    pub(crate) fn begin(&mut self, id: Id, force: bool) -> Option<BTreeSet<Id>> {
        let other = self.refresh.is_some_and(|refresh| !refresh.dirty) && !force;
        if !self.stale || other {
            return None;
        }
        self.refresh = Some(Refresh { id, dirty: false, plus: None });
        Some(self.applied.clone())
    }

    /// `updateOne(parent that this one reads again and that is not dirty, the minimum)`: whether it, or another, is done.
    pub(crate) fn write(&mut self, id: Id, min: Option<u8>) -> bool {
        let Some(refresh) = self.refresh.filter(|refresh| refresh.id == id) else { return true };
        if refresh.dirty {
            return false;
        }
        self.min = least(min, refresh.plus);
        (self.stale, self.refresh) = (false, None);
        true
    }

    /// `updateOne(parent of this corrected, the difference, stale)`: whether it matched.
    pub(crate) fn correct(&mut self, read: Option<Id>, id: Id, difference: i8, protocol: &Protocol) -> bool {
        if self.corrected != read && protocol.corrected {
            return false;
        }
        self.sum += difference;
        (self.corrected, self.stale) = (Some(id), true);
        self.last = self.new.is_some();
        if let Some(refresh) = &mut self.refresh {
            refresh.dirty = true;
        }
        true
    }

    /// Nothing of the protocol is left, but perhaps what is said in `revoked`.
    pub(crate) fn is_clean(&self, of_revoked_too: bool) -> bool {
        self.applied.is_empty()
            && (self.revoked.is_empty() || !of_revoked_too)
            && self.new.is_none()
            && !self.stale
            && self.refresh.is_none()
    }
}
