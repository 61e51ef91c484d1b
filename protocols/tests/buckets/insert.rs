//! An insert of one child or of many children. May use `client`, `world`.

use crate::{
    client::{Answered, At, Way},
    world::{Answer, Child, Id, Place, Target},
};

/// The pages that a client may take for open, without a read.
const PAGES: std::ops::RangeInclusive<u8> = 1..=3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Insert {
    /// The children that are not inserted yet, in order.
    left: Vec<Id>,
    step: Step,
    /// A push was not answered, and the insert is repeated.
    asked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Begin,
    Read,
    /// Sets `followed` in the full page before the target.
    Follow(Target),
    /// Pushes as many children as fit.
    Push(Target),
    /// Looks for stored children, after a duplicate key.
    Look,
}

impl Insert {
    pub(crate) fn new(children: &[Id]) -> Insert {
        Insert { left: children.to_vec(), step: Step::Begin, asked: false }
    }

    /// Returns the ways that the next command may go, without the plain way. Only one child goes to a page that was not
    /// read.
    pub(crate) fn other_ways(&self, faults: Option<Way>) -> Vec<Way> {
        let faults = faults.filter(|_| !self.asked);
        match self.step {
            Step::Begin if self.left.len() == 1 => {
                let unanswered = match faults {
                    Some(Way::Late) => Some(Answered::Late),
                    Some(_) => Some(Answered::No),
                    None => None,
                };
                let answers = [Answered::Yes].into_iter().chain(unanswered);
                answers.flat_map(|answered| PAGES.map(move |page| Way::Open(page, answered))).collect()
            }
            Step::Push(target) => {
                let raced = target.last.is_none().then_some(Way::Raced);
                raced.into_iter().chain(faults).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Does the next step; returns `None` when the insert is done.
    pub(crate) fn step(mut self, at: &mut At) -> Option<Insert> {
        match self.step {
            Step::Begin => {
                self.left.iter().for_each(|id| at.history.begins_insert(*id));
                if let Way::Open(page, answered) = at.way {
                    return self.push_open(page, answered, at);
                }
                self.read(at);
            }
            Step::Read => self.read(at),
            Step::Follow(target) => {
                target.full.into_iter().for_each(|page| at.world.follow(page, at.protocol));
                self.step = Step::Push(target);
            }
            Step::Push(target) => return self.push(target, at),
            Step::Look => {
                let is_there = |id: &Id| at.world.page_of(*id).is_some();
                let there: Vec<Id> = self.left.iter().copied().filter(is_there).collect();
                if !there.is_empty() && !self.asked && at.protocol.asked {
                    // The stored child is another child with the same id: an error.
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
        let target = at.world.target();
        self.step = match target.full {
            Some(_) if at.protocol.follow => Step::Follow(target),
            _ => Step::Push(target),
        };
        at.world.has_read(at.number);
    }

    fn push(mut self, target: Target, at: &mut At) -> Option<Insert> {
        let Target { page, capacity, last, .. } = target;
        let chunk: Vec<Id> = self.left.iter().copied().take(capacity).collect();
        let children: Vec<Child> = chunk.iter().map(|id| Child { id: *id, value: 0 }).collect();
        let is_behind = last.is_some_and(|last| chunk.iter().all(|id| last < *id)) && chunk.is_sorted();
        let place = if is_behind { Place::Behind } else { Place::Sorted };
        let to = (page, chunk.len() == capacity);
        if at.way == Way::Late && at.world.late.is_none() {
            at.world.be_late(at.number, to, children, place);
            return self.ask_again();
        }
        let raced = at.way == Way::Raced && at.world.bucket(page).is_some();
        let answer = at.world.push(to, &children, place, raced, at.protocol);
        at.world.has_written(at.number);
        let is_answered = at.way != Way::Unanswered;
        self.step = Step::Push(target);
        self.answered(answer, is_answered, &chunk, at)
    }

    /// Sends the first command: a push to a page that was not read.
    fn push_open(self, page: u8, answered: Answered, at: &mut At) -> Option<Insert> {
        let chunk = self.left.clone();
        let children: Vec<Child> = chunk.iter().map(|id| Child { id: *id, value: 0 }).collect();
        if answered == Answered::Late && at.world.late.is_none() {
            at.world.be_late(at.number, (page, false), children, Place::Open);
            return self.ask_again();
        }
        let answer = at.world.push((page, false), &children, Place::Open, false, at.protocol);
        self.answered(answer, answered != Answered::No, &chunk, at)
    }

    fn answered(mut self, answer: Answer, is_answered: bool, chunk: &[Id], at: &mut At) -> Option<Insert> {
        match answer {
            _ if !is_answered => self.ask_again(),
            Answer::Done => self.done(chunk, at),
            Answer::NoMatch => {
                self.step = Step::Read;
                Some(self)
            }
            Answer::DuplicateKey if !at.protocol.look => self.done(chunk, at),
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

    /// Notes the inserted children.
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
