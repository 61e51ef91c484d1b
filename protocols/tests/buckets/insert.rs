//! An insert of one child or of many. May use `client`, `world`.

use crate::{
    client::{At, Way},
    world::{Answer, Child, Id, SIZE},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Insert {
    /// Those that are not inserted yet, in order.
    left: Vec<Id>,
    step: Step,
    /// A push was not answered, and is asked again.
    asked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Begin,
    Read,
    /// Into this page, as many as fit. `opens`: it was not there, or empty.
    Push {
        page: u8,
        capacity: usize,
        opens: bool,
    },
    /// After a duplicate key: which are there?
    Look,
}

impl Insert {
    pub(crate) fn new(children: &[Id]) -> Insert {
        Insert { left: children.to_vec(), step: Step::Begin, asked: false }
    }

    /// How the next command may go, but as it is sent.
    pub(crate) fn other_ways(&self, faults: Option<Way>) -> Vec<Way> {
        let Step::Push { opens, .. } = self.step else { return Vec::new() };
        let raced = opens.then_some(Way::Raced);
        raced.into_iter().chain(faults.filter(|_| !self.asked)).collect()
    }

    /// None: it is done.
    pub(crate) fn step(mut self, at: &mut At) -> Option<Insert> {
        match self.step {
            Step::Begin => {
                self.left.iter().for_each(|id| at.history.begins_insert(*id));
                self.read(at);
            }
            Step::Read => self.read(at),
            Step::Push { page, capacity, .. } => return self.push(page, capacity, at),
            Step::Look => {
                let is_there = |id: &Id| at.world.page_of(*id).is_some();
                let there: Vec<Id> = self.left.iter().copied().filter(is_there).collect();
                if !there.is_empty() && !self.asked && at.protocol.asked {
                    // It is another one with the same id: an error.
                    return None;
                }
                for id in &there {
                    if self.asked { at.history.was_found(*id) } else { at.history.was_inserted(*id) }
                }
                return self.without(&there);
            }
        }
        Some(self)
    }

    fn read(&mut self, at: &mut At) {
        let (page, capacity) = at.world.target();
        self.step = Step::Push { page, capacity, opens: capacity == SIZE };
        at.world.has_read(at.number);
    }

    fn push(mut self, page: u8, capacity: usize, at: &mut At) -> Option<Insert> {
        let chunk: Vec<Id> = self.left.iter().copied().take(capacity).collect();
        let children: Vec<Child> = chunk.iter().map(|id| Child { id: *id, value: 0 }).collect();
        if at.way == Way::Late && at.world.late.is_none() {
            at.world.be_late(at.number, page, children);
            return self.ask_again();
        }
        let raced = at.way == Way::Raced && at.world.bucket(page).is_some();
        let answer = at.world.push(page, &children, raced, at.protocol);
        at.world.has_written(at.number);
        match answer {
            _ if at.way == Way::Unanswered => self.ask_again(),
            Answer::Done => self.done(&chunk, at),
            Answer::DuplicateKey if !at.protocol.look => self.done(&chunk, at),
            Answer::DuplicateKey => {
                self.step = Step::Look;
                Some(self)
            }
            Answer::Refused => None,
        }
    }

    fn ask_again(mut self) -> Option<Insert> {
        (self.step, self.asked) = (Step::Read, true);
        Some(self)
    }

    /// These are inserted.
    fn done(self, ids: &[Id], at: &mut At) -> Option<Insert> {
        ids.iter().for_each(|id| at.history.was_inserted(*id));
        self.without(ids)
    }

    fn without(mut self, ids: &[Id]) -> Option<Insert> {
        self.left.retain(|id| !ids.contains(id));
        self.step = Step::Read;
        (!self.left.is_empty()).then_some(self)
    }
}
