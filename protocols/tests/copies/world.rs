//! The stored documents, and the commands of the server: each function is one command on one document, and atomic. An
//! `updateMany` is one `sweep_one` for each document. May use `protocol`.

use crate::protocol::{Protocol, Versions};

/// No version yet: `_v` is missing.
pub(crate) const NO_VERSION: u8 = 0;

/// The two fields that a path copies. A value is twice the number of the write that made the value, plus the number of
/// the source: a later write has the larger value, and each value tells the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Values {
    pub(crate) name: u8,
    pub(crate) city: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    Name,
    City,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Source {
    pub(crate) values: Values,
    /// `_v`
    pub(crate) version: u8,
    /// `_sync_<path>`
    pub(crate) mark: Option<u8>,
    /// An open transaction has written the source: concurrent writes wait, and reads see the values from before the
    /// transaction.
    pub(crate) locked: bool,
    /// The inserts under way, a bit for each insert (only for the register, which was not chosen).
    pub(crate) register: u8,
    /// The time of the mark (only for the lease, which was not chosen).
    pub(crate) marked_at: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Holder {
    /// The reference.
    pub(crate) source: usize,
    pub(crate) values: Values,
    /// The version of the copy.
    pub(crate) version: u8,
    /// The client that put the copy in, until the client has looked.
    pub(crate) mark: Option<usize>,
    pub(crate) locked: bool,
}

/// The result of a read of a source, or of a `findOneAndUpdate` of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    pub(crate) values: Values,
    pub(crate) version: u8,
    pub(crate) mark: Option<u8>,
    pub(crate) register: u8,
    pub(crate) at: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) sources: [Option<Source>; 2],
    pub(crate) holders: [Option<Holder>; 2],
    /// The holders that an intent of an insert names.
    pub(crate) intents: [bool; 2],
    /// The last tick of the logical clock.
    pub(crate) ticks: u8,
    /// The server's time of day, for `Milliseconds` and for the lease.
    pub(crate) now: u8,
    /// Writes of sources so far.
    writes: u8,
    /// An older value was written over a newer value of the same source.
    pub(crate) older_over_newer: bool,
}

impl World {
    /// Makes both sources, and the holders with the given references, in sync.
    pub(crate) fn new(references: [Option<usize>; 2]) -> World {
        let values = |source: usize| Values { name: source as u8, city: source as u8 };
        let source = |source: usize| {
            Some(Source { values: values(source), version: 1, mark: None, locked: false, register: 0, marked_at: 0 })
        };
        let holder = |source: usize| Holder { source, values: values(source), version: 1, mark: None, locked: false };
        World {
            sources: [source(0), source(1)],
            holders: references.map(|reference| reference.map(holder)),
            intents: [false; 2],
            ticks: 1,
            now: 1,
            writes: 0,
            older_over_newer: false,
        }
    }

    pub(crate) fn next_version(&mut self, old: u8, protocol: &Protocol) -> u8 {
        match protocol.versions {
            Versions::Counter => old + 1,
            Versions::Milliseconds => (old + 1).max(self.now),
            Versions::LogicalTime => {
                self.ticks += 1;
                self.ticks
            }
        }
    }

    fn next_value(&mut self, source: usize) -> u8 {
        self.writes += 1;
        self.writes * 2 + source as u8
    }

    pub(crate) fn seen(&self, source: usize) -> Option<Seen> {
        let of = self.sources[source]?;
        Some(Seen { values: of.values, version: of.version, mark: of.mark, register: of.register, at: of.marked_at })
    }

    /// Returns whether a write of this source can run without waiting for a transaction.
    pub(crate) fn source_is_free(&self, source: usize) -> bool {
        self.sources[source].is_none_or(|source| !source.locked)
    }

    /// Returns whether a `read` can run without waiting: only a read that gives a first version is a write.
    pub(crate) fn source_can_be_read(&self, source: usize) -> bool {
        self.source_is_free(source) || self.sources[source].is_some_and(|source| source.version != NO_VERSION)
    }

    pub(crate) fn holder_is_free(&self, holder: usize) -> bool {
        self.holders[holder].is_none_or(|holder| !holder.locked)
    }

    /// `findOneAndUpdate(source, the user's change, _v and the mark)`.
    pub(crate) fn write(&mut self, source: usize, field: Field, protocol: &Protocol) -> Option<Seen> {
        self.sources[source]?;
        let value = self.next_value(source);
        if let Some(of) = &mut self.sources[source] {
            match field {
                Field::Name => of.values.name = value,
                Field::City => of.values.city = value,
            }
        }
        // Only recover takes out entries that another client made in the register.
        self.touch(source, protocol).map(|seen| Seen { register: 0, ..seen })
    }

    /// `findOneAndUpdate(source, _v and the mark)`: the unchanged values get a new version.
    pub(crate) fn touch(&mut self, source: usize, protocol: &Protocol) -> Option<Seen> {
        let version = self.next_version(self.sources[source]?.version, protocol);
        let now = self.now;
        if let Some(of) = &mut self.sources[source] {
            of.version = version;
            if protocol.mark_on_source {
                of.mark = Some(version);
                of.marked_at = now;
            }
        }
        self.seen(source)
    }

    /// `find(source)`; a source without a version gets a version: `findOneAndUpdate(source without _v, _v)`.
    pub(crate) fn read(&mut self, source: usize, protocol: &Protocol) -> Option<Seen> {
        if self.sources[source]?.version == NO_VERSION {
            let version = self.next_version(NO_VERSION, protocol);
            self.sources[source].as_mut()?.version = version;
        }
        self.seen(source)
    }

    /// `deleteOne(source)`.
    pub(crate) fn delete(&mut self, source: usize) {
        self.sources[source] = None;
    }

    /// `insertOne(source)`, marked. `version` is missing, unless the insert itself gives a version.
    pub(crate) fn insert_source(&mut self, source: usize, version: u8, protocol: &Protocol) {
        let value = self.next_value(source);
        self.sources[source] = Some(Source {
            values: Values { name: value, city: value },
            version,
            mark: (protocol.insert_marks && protocol.mark_on_source).then_some(version),
            locked: false,
            register: 0,
            marked_at: self.now,
        });
    }

    /// `updateOne(source with this mark, unset the mark)`, and the entries of the register that were seen.
    pub(crate) fn clear(&mut self, source: usize, seen: Seen, protocol: &Protocol) {
        let Some(of) = &mut self.sources[source] else { return };
        of.register &= !seen.register;
        if of.mark == seen.mark || !protocol.clear_own_mark {
            of.mark = None;
        }
    }

    /// Sweeps one document of `updateMany(holders with this reference and a smaller version, values and version)`.
    pub(crate) fn sweep_one(
        &mut self,
        holder: usize,
        source: usize,
        seen: Seen,
        only: Option<Field>,
        protocol: &Protocol,
    ) {
        let Some(of) = &mut self.holders[holder] else { return };
        if of.source != source || protocol.guard && of.version >= seen.version {
            return;
        }
        let values = match only {
            None => seen.values,
            Some(Field::Name) => Values { name: seen.values.name, ..of.values },
            Some(Field::City) => Values { city: seen.values.city, ..of.values },
        };
        self.older_over_newer |= values.name < of.values.name || values.city < of.values.city;
        *of = Holder { values, version: seen.version, ..*of };
    }

    /// `insertOne(holder)`, with the holder's mark.
    pub(crate) fn insert_holder(&mut self, holder: usize, source: usize, seen: Seen, mark: Option<usize>) {
        self.holders[holder] = Some(Holder { source, values: seen.values, version: seen.version, mark, locked: false });
    }

    /// `updateOne(holder but not with this reference and a newer version, reference, values, version and the mark)`:
    /// returns whether the filter matched.
    pub(crate) fn reassign(
        &mut self,
        holder: usize,
        source: usize,
        seen: Seen,
        mark: Option<usize>,
        protocol: &Protocol,
    ) -> bool {
        let Some(of) = &mut self.holders[holder] else { return false };
        if of.source == source {
            if protocol.reassign_guard && of.version > seen.version {
                return false;
            }
            self.older_over_newer |= seen.values.name < of.values.name;
        }
        *of = Holder { source, values: seen.values, version: seen.version, mark, locked: false };
        true
    }

    /// `updateOne(holder with this reference and a smaller version, values and version)`, after a look.
    pub(crate) fn repair(&mut self, holder: usize, source: usize, seen: Seen, protocol: &Protocol) {
        let reference = self.holders[holder].map_or(source, |holder| holder.source);
        let pinned = if protocol.repair_pins_reference { source } else { reference };
        self.sweep_one(holder, pinned, seen, None, protocol);
    }

    /// `updateOne(holder with this mark, unset the mark)`.
    pub(crate) fn clear_holder(&mut self, holder: usize, mark: Option<usize>, protocol: &Protocol) {
        let Some(of) = &mut self.holders[holder] else { return };
        if of.mark == mark || !protocol.clear_own_holder_mark {
            of.mark = None;
        }
    }

    /// Returns whether every copy of a stored source has the source's values.
    pub(crate) fn in_sync(&self) -> bool {
        self.holders.iter().flatten().all(|of| self.sources[of.source].is_none_or(|source| source.values == of.values))
    }

    /// Returns whether each copy has current or earlier values of the copy's own source.
    pub(crate) fn copies_are_of_their_sources(&self) -> bool {
        let is_of = |value: u8, source: usize| usize::from(value % 2) == source;
        self.holders.iter().flatten().all(|of| is_of(of.values.name, of.source) && is_of(of.values.city, of.source))
    }

    pub(crate) fn has_no_mark(&self) -> bool {
        self.sources.iter().flatten().all(|source| source.mark.is_none() && source.register == 0)
            && self.holders.iter().flatten().all(|holder| holder.mark.is_none())
            // The intent of a holder that never came stays, until no insert can be slow enough to come.
            && (0..2).all(|holder| !self.intents[holder] || self.holders[holder].is_none())
    }
}
