//! Recompute of a parent, what is done for one that is new, and `recover`. May use `take_over`, `refresh`, `client`.

use std::collections::BTreeSet;

use crate::{
    client::At,
    parent::{Id, Parent},
    refresh::Refresh,
    take_over::TakeOver,
    world::Child,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Recover {
    Recompute {
        parent: usize,
    },
    Correct {
        parent: usize,
        difference: i8,
        read: Option<Id>,
    },
    /// The records that have to do with a new parent are taken over.
    Adopt {
        parent: usize,
        new: Id,
    },
    /// `at_once`: it has no children.
    NotNew {
        parent: usize,
        new: Id,
        at_once: bool,
    },
    /// `late`: an hour later.
    Records {
        late: bool,
    },
    New {
        late: bool,
    },
    Stale {
        late: bool,
    },
    Marks {
        late: bool,
    },
    /// Does a child bear it?
    Mark {
        mark: Id,
        late: bool,
    },
    By,
    Forget {
        mark: Id,
        late: bool,
        parent: usize,
    },
}

impl Recover {
    pub(crate) fn step(self, at: &mut At) {
        match self {
            Recover::Recompute { parent } => {
                let Some(of) = &at.world.parents[parent] else { return };
                let difference = at.world.counted(parent, &of.applied) - of.sum;
                let read = of.corrected;
                at.push(Recover::Correct { parent, difference, read });
            }
            Recover::Correct { parent, difference, read } => {
                let (mut ids, protocol) = (at.client.ids, at.protocol);
                if difference == 0 && !protocol.correct_equal {
                    return;
                }
                let Some(of) = &mut at.world.parents[parent] else { return };
                if of.correct(read, ids.fresh(), difference, protocol) {
                    at.client.ids = ids;
                    at.push(Refresh::Begin { parent, force: false });
                } else if protocol.correct_again {
                    at.push(Recover::Recompute { parent });
                }
            }
            Recover::Adopt { parent, new } => {
                let protocol = at.protocol;
                let is_of = |child: &Child| child.parent == parent || protocol.adopt_named && child.concerns(parent);
                let at_once = !at.world.children.iter().flatten().any(is_of);
                at.push(Recover::NotNew { parent, new, at_once });
                if !at_once {
                    at.push(Recover::Recompute { parent });
                }
                if protocol.adopt {
                    for mark in at.world.marks(is_of) {
                        at.push(TakeOver::new(mark));
                    }
                }
            }
            Recover::NotNew { parent, new, at_once } => {
                let (mut ids, protocol) = (at.client.ids, at.protocol);
                let Some(of) = &mut at.world.parents[parent] else { return };
                if of.new != Some(new) && protocol.own_new {
                    return;
                }
                if at_once && of.last && protocol.adopt_touched {
                    at.push(Recover::NotNew { parent, new, at_once: false });
                    at.push(Recover::Recompute { parent });
                    return;
                }
                (of.new, of.last) = (None, false);
                if at_once && protocol.corrected_at_once {
                    of.corrected = Some(ids.fresh());
                    at.client.ids = ids;
                }
            }
            Recover::Records { late } => {
                at.push(Recover::New { late });
                for mark in at.world.marks(|_| true) {
                    at.push(TakeOver::new(mark));
                }
            }
            Recover::New { late } => {
                at.push(Recover::Stale { late });
                for parent in 0..2 {
                    let Some(new) = at.world.parents[parent].as_ref().and_then(|of| of.new) else { continue };
                    if at.protocol.recover_adopts {
                        at.push(Recover::Adopt { parent, new });
                    } else {
                        at.push(Recover::NotNew { parent, new, at_once: false });
                        at.push(Recover::Recompute { parent });
                    }
                }
            }
            Recover::Stale { late } => {
                at.push(Recover::Marks { late });
                for parent in 0..2 {
                    if at.world.parents[parent].as_ref().is_some_and(|of| of.stale) {
                        at.push(Refresh::Begin { parent, force: true });
                    }
                }
            }
            Recover::Marks { late } => {
                let marks = |of: &Parent| {
                    let revoked = of.revoked.iter().filter(|_| late).copied();
                    of.applied.iter().copied().chain(revoked).collect::<Vec<Id>>()
                };
                let marks: BTreeSet<Id> = at.world.parents.iter().flatten().flat_map(marks).collect();
                if late {
                    at.push(Recover::By);
                }
                for mark in marks {
                    at.push(Recover::Mark { mark, late });
                }
            }
            Recover::Mark { mark, late } => {
                if !at.world.is_borne(mark) {
                    at.push(Recover::Forget { mark, late, parent: 0 });
                    recheck(mark, at);
                }
            }
            Recover::By => {
                for of in at.world.children.iter_mut().flatten() {
                    of.by.clear();
                }
            }
            Recover::Forget { mark, late, parent } => {
                let Some(parent) = at.world.knower(mark, late, parent) else { return };
                if let Some(of) = &mut at.world.parents[parent] {
                    of.forget(mark, late);
                }
                if parent == 0 {
                    at.push(Recover::Forget { mark, late, parent: 1 });
                }
            }
        }
    }
}

/// The owner stopped before it could look whether it had been taken over: the young parents that have applied its mark.
fn recheck(mark: Id, at: &mut At) {
    let has_applied = |of: &Parent| of.young && of.applied.contains(&mark);
    for parent in 0..2 {
        if at.protocol.recheck && at.world.parents[parent].as_ref().is_some_and(has_applied) {
            at.push(Recover::Recompute { parent });
        }
    }
}
