//! Taking over the records with the mark of another, or with one's own that was revoked. May use `own`, `client`.

use crate::{client::At, own::Own, parent::Id};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TakeOver {
    mark: Id,
    /// The mark that is put in its place.
    mine: Option<Id>,
    stage: Stage,
}

/// Parents are a bit each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Read,
    Revoke {
        parents: u8,
        to_do: u8,
    },
    ReadApplied {
        parents: u8,
    },
    Replace {
        parents: u8,
        applied: u8,
        child: usize,
    },
    /// Without the parts `revoked_stays` or `taker_forgets_nothing`.
    Forget {
        parent: usize,
    },
}

impl TakeOver {
    pub(crate) fn new(mark: Id) -> TakeOver {
        TakeOver { mark, mine: None, stage: Stage::Read }
    }

    pub(crate) fn step(mut self, at: &mut At) {
        let (mark, protocol) = (self.mark, at.protocol);
        self.stage = match self.stage {
            Stage::Read => match at.world.concerned(mark) {
                Some(parents) => Stage::Revoke { parents, to_do: parents },
                None if !protocol.revoked_stays || !protocol.taker_forgets_nothing => Stage::Forget { parent: 0 },
                None => return self.go_on(at),
            },
            Stage::Revoke { parents, to_do } => {
                let parent = to_do.trailing_zeros() as usize;
                if let Some(of) = &mut at.world.parents[parent] {
                    of.revoke(mark, protocol);
                }
                match to_do & !(1 << parent) {
                    0 => Stage::ReadApplied { parents },
                    to_do => Stage::Revoke { parents, to_do },
                }
            }
            Stage::ReadApplied { parents } => {
                let has_applied =
                    |parent: &usize| at.world.parents[*parent].as_ref().is_some_and(|of| of.applied.contains(&mark));
                let applied = (0..2).filter(has_applied).fold(0, |all, parent| all | 1 << parent);
                Stage::Replace { parents, applied, child: 0 }
            }
            Stage::Replace { parents, applied, child } => {
                let Some(mine) = self.mine.or_else(|| at.take()) else { return };
                self.mine = Some(mine);
                if let Some(child) = at.world.bearer(mark, child) {
                    at.world.replace(child, mark, mine, parents, applied, protocol);
                    self.stage = Stage::Replace { parents, applied, child: child + 1 };
                    return at.push(self);
                }
                Stage::Read
            }
            Stage::Forget { parent } => {
                if let Some(of) = &mut at.world.parents[parent] {
                    of.forget(mark, !protocol.revoked_stays);
                }
                match parent {
                    0 => Stage::Forget { parent: 1 },
                    _ => return self.go_on(at),
                }
            }
        };
        at.push(self);
    }

    /// As the owner of the new mark.
    fn go_on(self, at: &mut At) {
        if let Some(mine) = self.mine {
            at.push(Own::new(mine));
        }
    }
}
