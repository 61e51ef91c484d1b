//! A minimum is read again. May use `client`, `world`.

use std::collections::BTreeSet;

use crate::{
    client::At,
    parent::{Id, least},
    world::Child,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Refresh {
    /// `force`: also if another reads already, who may have stopped.
    Begin {
        parent: usize,
        force: bool,
    },
    Read(Read),
    Write {
        parent: usize,
        id: Id,
        min: Option<u8>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Read {
    parent: usize,
    id: Id,
    applied: BTreeSet<Id>,
    min: Option<u8>,
    /// How many of the reads are done.
    reads: usize,
}

impl Refresh {
    pub(crate) fn step(self, at: &mut At) {
        match self {
            Refresh::Begin { parent, force } => {
                let mut ids = at.client.ids;
                let id = ids.fresh();
                let Some(applied) = at.world.parents[parent].as_mut().and_then(|of| of.begin(id, force)) else {
                    return;
                };
                at.client.ids = ids;
                let reads = usize::from(applied.is_empty() || !at.protocol.read_applied_first);
                at.push(Refresh::Read(Read { parent, id, applied, min: None, reads }));
            }
            Refresh::Read(mut of) => {
                let read = |matches: &dyn Fn(&Child) -> bool| at.world.least(of.parent, &of.applied, matches);
                let min = match (of.reads, at.protocol.read_plain_first) {
                    (0, _) => read(&|child| child.mark().is_some_and(|mark| of.applied.contains(&mark))),
                    (1, true) | (2, false) => read(&|child| child.record.is_none()),
                    _ => read(&|child| child.record.is_some()),
                };
                of.min = least(of.min, min);
                of.reads += 1;
                at.push(match of.reads {
                    3 => Refresh::Write { parent: of.parent, id: of.id, min: of.min },
                    _ => Refresh::Read(of),
                });
            }
            Refresh::Write { parent, id, min } => {
                let done = at.world.parents[parent].as_mut().is_none_or(|of| of.write(id, min));
                if !done {
                    at.push(Refresh::Begin { parent, force: false });
                }
            }
        }
    }
}
