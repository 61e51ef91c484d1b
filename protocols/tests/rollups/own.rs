//! The owner of a mark applies it, clears it, forgets it. May use `take_over`, `refresh`, `recover`, `client`.

use crate::{
    client::{At, Faults, Way},
    parent::{Delta, Id},
    protocol::Protocol,
    recover::Recover,
    refresh::Refresh,
    take_over::TakeOver,
    world::Late,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Own {
    mark: Id,
    stage: Stage,
    /// The parents that have applied it, and those of them that are stale: a bit each.
    applied: u8,
    stale: u8,
    /// An apply was not answered.
    unanswered: bool,
    /// It is applied before all its writes, and nothing else: without the part `writes_first`.
    early: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Aggregate,
    /// `bearers`: how many children bear the mark.
    Apply {
        to_do: Vec<(usize, Vec<Delta>)>,
        bearers: u8,
    },
    Clear {
        child: usize,
        bearers: u8,
    },
    Forget {
        parent: usize,
    },
}

impl Own {
    pub(crate) fn new(mark: Id) -> Own {
        Own { mark, stage: Stage::Aggregate, applied: 0, stale: 0, unanswered: false, early: false }
    }

    pub(crate) fn early(mark: Id) -> Own {
        Own { early: true, ..Own::new(mark) }
    }

    pub(crate) fn ways(&self, protocol: &Protocol, faults: Faults) -> Vec<Way> {
        let mut ways = match &self.stage {
            Stage::Apply { to_do, .. } => to_do.iter().map(|(parent, _)| Way::To(*parent)).collect(),
            _ => vec![Way::Plain],
        };
        let failover = faults == Faults::Failover;
        match &self.stage {
            Stage::Apply { to_do, .. } if faults == Faults::Late => {
                ways.extend(to_do.iter().map(|(parent, _)| Way::Late(*parent)))
            }
            Stage::Apply { to_do, .. } if failover => {
                ways.extend(to_do.iter().map(|(parent, _)| Way::Unanswered(*parent)))
            }
            Stage::Forget { .. } if failover => ways.push(Way::Lost),
            Stage::Clear { .. } if failover && !protocol.clear_majority => ways.push(Way::Lost),
            _ => {}
        }
        ways
    }

    pub(crate) fn step(mut self, at: &mut At) {
        let mark = self.mark;
        match self.stage {
            Stage::Aggregate => {
                let (to_do, bearers) = at.world.deltas(mark);
                self.stage = match to_do.is_empty() {
                    true => Stage::Clear { child: 0, bearers },
                    false => Stage::Apply { to_do, bearers },
                };
                at.push(self);
            }
            Stage::Apply { mut to_do, bearers } => {
                let (Way::To(parent) | Way::Unanswered(parent) | Way::Late(parent)) = at.way else {
                    unreachable!("an apply is to a parent")
                };
                let index = to_do.iter().position(|(of, _)| *of == parent).unwrap_or_default();
                let (_, deltas) = to_do.remove(index);
                let protocol = at.protocol;
                let is_late = matches!(at.way, Way::Late(_)) && at.world.late.is_none();
                let applied = match &mut at.world.parents[parent] {
                    _ if is_late => {
                        at.world.late = Some(Late::Apply { parent, mark, deltas });
                        None
                    }
                    Some(of) => of.apply(mark, &deltas, protocol).then_some(of.stale),
                    // Nobody counts.
                    None => Some(false),
                };
                if let Some(stale) = applied {
                    self.applied |= 1 << parent;
                    self.stale |= u8::from(stale) << parent;
                }
                let is_unanswered = matches!(at.way, Way::Unanswered(_) | Way::Late(_));
                self.stale |= u8::from(is_unanswered) << parent;
                self.unanswered |= is_unanswered;
                if applied.is_none() || is_unanswered {
                    let bearers = if at.protocol.recheck_revoked { bearers } else { 0 };
                    self.stage = Stage::Clear { child: 0, bearers };
                    give_up(self, at);
                    return;
                }
                let is_done = to_do.is_empty();
                if is_done && self.early {
                    return;
                }
                self.stage = match is_done {
                    true => Stage::Clear { child: 0, bearers },
                    false => Stage::Apply { to_do, bearers },
                };
                at.push(self);
            }
            Stage::Clear { child, mut bearers } => {
                let own = at.protocol.clear_own;
                let any = |child: &usize| at.world.children[*child].as_ref().is_some_and(|of| of.record.is_some());
                let next = if own { at.world.bearer(mark, child) } else { (child..at.world.children.len()).find(any) };
                if let Some(child) = next {
                    let matched = at.is_lost() || at.world.clear(child, mark, at.protocol);
                    bearers -= u8::from(matched && bearers > 0);
                    if child + 1 < at.world.children.len() {
                        self.stage = Stage::Clear { child: child + 1, bearers };
                        return at.push(self);
                    }
                }
                self.stage = Stage::Forget { parent: 0 };
                let applied = self.applied;
                at.push(self);
                if bearers > 0 && at.protocol.recheck {
                    recheck(applied, at);
                }
            }
            Stage::Forget { parent } => {
                let revoked_too = !self.unanswered || !at.protocol.unanswered_stays;
                if let Some(parent) = at.world.knower(mark, revoked_too, parent) {
                    if let Some(of) = at.world.parents[parent].as_mut().filter(|_| !matches!(at.way, Way::Lost)) {
                        of.forget(mark, revoked_too);
                    }
                    if parent == 0 {
                        self.stage = Stage::Forget { parent: 1 };
                        return at.push(self);
                    }
                }
                for parent in (0..2).filter(|parent| self.stale & 1 << parent != 0) {
                    at.push(Refresh::Begin { parent, force: false });
                }
            }
        }
    }
}

/// The mark is revoked, or it is not known what came of an apply: what still bears it is taken over, before it is forgotten.
fn give_up(own: Own, at: &mut At) {
    let rest = TakeOver::new(own.mark);
    if at.protocol.take_over_then_forget {
        at.push(own);
        at.push(rest);
    } else {
        at.push(rest);
        at.push(Own { stage: Stage::Forget { parent: 0 }, ..own });
    }
}

/// Somebody took over children whose mark was applied here. At a parent that is younger than the mark he may not have seen that.
fn recheck(applied: u8, at: &mut At) {
    let is_young = |parent: &usize| at.world.parents[*parent].as_ref().is_some_and(|of| of.young);
    let young: Vec<usize> = (0..2).filter(|parent| applied & 1 << parent != 0).filter(is_young).collect();
    for parent in young {
        at.push(Recover::Recompute { parent });
    }
}
