//! An update or a delete of a child by the child's id. May use `client`, `world`.

use crate::{client::At, migrate::Direction, world::Id};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    id: Id,
    /// The new value; `None` for a delete.
    to: Option<u8>,
    step: Step,
    /// True when the child was stored before the change began.
    was_there: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Begin,
    /// Looks among the linked documents.
    Linked {
        last: bool,
    },
    /// Finds the page of the child: the first half of an update by `items._id`.
    Find {
        last: bool,
    },
    /// Writes the child, if the child is still in the page. The server may have waited for a transaction between `Find`
    /// and `Write`.
    Write {
        last: bool,
        page: u8,
    },
}

impl Change {
    pub(crate) fn new(id: Id, to: Option<u8>) -> Change {
        Change { id, to, step: Step::Begin, was_there: false }
    }

    pub(crate) fn step(mut self, at: &mut At) -> Option<Change> {
        let next = match self.step {
            Step::Begin => {
                self.was_there = at.history.begins_change(self.id, self.to.is_none());
                Some(self.first(at))
            }
            Step::Linked { .. } if at.world.change_linked(self.id, self.to) => return self.done(at),
            Step::Linked { last } => (!last).then_some(Step::Find { last: true }),
            Step::Find { last } => match at.world.page_of(self.id) {
                Some(page) => Some(Step::Write { last, page }),
                None => (!last).then_some(Step::Linked { last: true }),
            },
            Step::Write { page, .. } if at.world.bucket(page).is_some_and(|of| of.is_refused(at.protocol)) => {
                return None;
            }
            Step::Write { page, .. } if at.world.change(page, self.id, self.to) => return self.done(at),
            Step::Write { last, .. } if at.protocol.look_again => Some(Step::Find { last }),
            Step::Write { last, .. } => (!last).then_some(Step::Linked { last: true }),
        };
        match next {
            Some(step) => self.step = step,
            None => {
                if self.was_there {
                    at.history.was_not_there(self.id, self.to.is_none());
                }
                return None;
            }
        }
        Some(self)
    }

    /// Returns the first place to look.
    fn first(self, at: &At) -> Step {
        let linked_first = match at.migrates {
            None => return Step::Find { last: true },
            Some(Direction::Into) => at.protocol.source_first,
            Some(Direction::Back) => !at.protocol.source_first,
        };
        if linked_first { Step::Linked { last: false } } else { Step::Find { last: false } }
    }

    fn done(self, at: &mut At) -> Option<Change> {
        at.history.was_changed(self.id, self.to);
        None
    }
}
