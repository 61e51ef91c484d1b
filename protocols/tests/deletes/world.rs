//! What is stored, and the commands: each function is one command on one document, or a read of one or some, and atomic.
//! May use `protocol`.

use crate::protocol::Protocol;

/// An `ObjectId` made by a client: whose it is, and which of that client's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id {
    pub(crate) of: u8,
    pub(crate) number: u8,
}

/// What a delete of the parent does to those that refer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    Restrict,
    Cascade,
    /// A pull is the same.
    Nullify,
}

/// `_deleting`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Deleting {
    pub(crate) mark: Id,
    pub(crate) passed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Parent {
    pub(crate) deleting: Option<Deleting>,
    /// Not stored: how many were there under its `_id` before it.
    pub(crate) number: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Child {
    pub(crate) refers: bool,
    pub(crate) unchecked: Option<Id>,
    /// Not stored: the parent that was there when its reference was checked.
    pub(crate) of: Option<u8>,
}

/// How a child went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// Somebody deleted it.
    Plain,
    /// With this parent.
    Cascade(u8),
    /// Its reference was to no parent, or to one that was being deleted.
    Dangling,
}

/// Not stored: a child that was inserted, and what was said of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Life {
    by: Id,
    /// A success, or an error.
    pub(crate) answer: Option<bool>,
    pub(crate) end: Option<End>,
    /// An update of it was answered with success.
    pub(crate) updated: bool,
}

/// Where a child is stored: its `_id`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) rule: Rule,
    pub(crate) child: Option<Child>,
    pub(crate) lives: Vec<Life>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) parent: Option<Parent>,
    pub(crate) places: Vec<Place>,
    /// Not stored: how many parents were inserted.
    pub(crate) parents: u8,
    /// Not stored: the parents, a bit each, whose deletes have taken something from their children.
    pub(crate) touched: u8,
    /// Not stored: those of which a client got the answer that it is gone.
    pub(crate) answered_gone: u8,
    /// Not stored: a delete has taken a child that was checked against a later parent.
    pub(crate) later_taken: bool,
}

/// Whose the children are that are there from the start.
const FIRST: Id = Id { of: u8::MAX, number: 0 };

impl Place {
    /// A child that refers to the parent.
    pub(crate) fn referring(rule: Rule) -> Place {
        let lives = vec![Life { by: FIRST, answer: Some(true), end: None, updated: false }];
        Place { rule, child: Some(Child { refers: true, unchecked: None, of: Some(0) }), lives }
    }

    /// One that refers to nothing.
    pub(crate) fn alone(rule: Rule) -> Place {
        let place = Place::referring(rule);
        Place { child: Some(Child { refers: false, unchecked: None, of: None }), ..place }
    }

    /// None.
    pub(crate) fn empty(rule: Rule) -> Place {
        Place { rule, child: None, lives: vec![] }
    }

    fn refers(&self) -> bool {
        self.child.is_some_and(|child| child.refers)
    }

    fn end(&mut self, end: End) {
        self.child = None;
        if let Some(life) = self.lives.last_mut() {
            life.end = Some(end);
        }
    }
}

impl World {
    pub(crate) fn new(places: &[Place]) -> World {
        let parent = Some(Parent { deleting: None, number: 0 });
        World { parent, places: places.to_vec(), parents: 1, touched: 0, answered_gone: 0, later_taken: false }
    }

    pub(crate) fn deleting(&self) -> Option<Deleting> {
        self.parent.and_then(|parent| parent.deleting)
    }

    /// Which parent is there, if it has no mark.
    pub(crate) fn unmarked(&self) -> Option<u8> {
        self.parent.filter(|parent| parent.deleting.is_none()).map(|parent| parent.number)
    }

    /// `insertOne(parent)`
    pub(crate) fn insert_parent(&mut self) {
        if self.parent.is_none() {
            self.parent = Some(Parent { deleting: None, number: self.parents });
            self.parents += 1;
        }
    }

    /// `insertOne(child)`: whether there was none.
    pub(crate) fn insert(&mut self, place: usize, by: Id, unchecked: Option<Id>, of: Option<u8>) -> bool {
        let place = &mut self.places[place];
        let is_free = place.child.is_none();
        if is_free {
            place.child = Some(Child { refers: true, unchecked, of });
            place.lives.push(Life { by, answer: None, end: None, updated: false });
        }
        is_free
    }

    /// Not stored: what the client gets as the answer.
    pub(crate) fn answer(&mut self, place: usize, by: Id, answer: bool) {
        if let Some(life) = self.places[place].lives.iter_mut().find(|life| life.by == by) {
            life.answer = Some(answer);
        }
    }

    pub(crate) fn unchecked(&self, place: usize) -> Option<Id> {
        self.places[place].child.and_then(|child| child.unchecked)
    }

    /// The child, if it has this mark.
    fn with_mark(&mut self, place: usize, mark: Id, protocol: &Protocol) -> Option<&mut Place> {
        let any = !protocol.own_unchecked || !protocol.unchecked;
        let is_it = |of: &Child| of.unchecked == Some(mark) || any;
        Some(&mut self.places[place]).filter(|place| place.child.as_ref().is_some_and(is_it))
    }

    /// `updateOne(child with this mark, unset it)`, after this parent was read, or none where it referred to nothing: whether
    /// it matched.
    pub(crate) fn clear(&mut self, place: usize, mark: Id, of: Option<u8>, protocol: &Protocol) -> bool {
        let child = self.with_mark(place, mark, protocol).and_then(|place| place.child.as_mut());
        child.map(|child| (child.unchecked, child.of) = (None, of.or(child.of))).is_some()
    }

    /// `updateOne(child, refer to the parent)` in a transaction that has this parent and writes it.
    pub(crate) fn refer(&mut self, place: usize, of: u8, protocol: &Protocol) {
        let Place { child: Some(child), lives, .. } = &mut self.places[place] else { return };
        (child.refers, child.of) = (true, Some(of));
        if protocol.update_clears {
            child.unchecked = None;
        }
        if let Some(life) = lives.last_mut() {
            life.updated = true;
        }
    }

    /// `deleteOne(child with this mark)`: whether it matched.
    pub(crate) fn delete_unchecked(&mut self, place: usize, mark: Id, protocol: &Protocol) -> bool {
        self.with_mark(place, mark, protocol).map(|place| place.end(End::Dangling)).is_some()
    }

    /// `deleteOne(child)`, of a client that has nothing to do with the parent.
    pub(crate) fn delete_plainly(&mut self, place: usize) {
        if self.places[place].child.is_some() {
            self.places[place].end(End::Plain);
        }
    }

    /// `findOne(children that refer to the parent, of these rules)`
    pub(crate) fn find(&self, is_of: impl Fn(Rule) -> bool) -> Option<usize> {
        self.places.iter().position(|place| place.refers() && is_of(place.rule))
    }

    pub(crate) fn has_rule(&self, is_of: impl Fn(Rule) -> bool) -> bool {
        self.places.iter().any(|place| is_of(place.rule))
    }

    /// `updateOne(parent without a mark, this one)`: which parent, if it matched.
    pub(crate) fn mark(&mut self, deleting: Deleting, protocol: &Protocol) -> Option<u8> {
        let parent = self.parent.as_mut().filter(|parent| parent.deleting.is_none() || !protocol.adopt)?;
        parent.deleting = Some(deleting);
        Some(parent.number)
    }

    /// The parent, if it has this mark and has or has not passed.
    fn marked(&mut self, mark: Id, passed: Option<bool>) -> Option<&mut Parent> {
        let is_it = |deleting: Deleting| deleting.mark == mark && passed.is_none_or(|passed| passed == deleting.passed);
        self.parent.as_mut().filter(|parent| parent.deleting.is_some_and(is_it))
    }

    /// `updateOne(parent with this mark that has not passed, unset it)`
    pub(crate) fn unmark(&mut self, mark: Id, protocol: &Protocol) {
        if let Some(parent) = self.marked(mark, protocol.passed.then_some(false)) {
            parent.deleting = None;
        }
    }

    /// `updateOne(parent with this mark that has not passed, passed)`: whether it matched.
    pub(crate) fn pass(&mut self, mark: Id) -> bool {
        let passed = Some(Deleting { mark, passed: true });
        self.marked(mark, Some(false)).map(|parent| parent.deleting = passed).is_some()
    }

    /// `deleteOne(child that still refers to the parent)`, or its reference becomes null: as a part of a delete of this parent.
    pub(crate) fn take(&mut self, place: usize, of: u8) {
        let place = &mut self.places[place];
        let Some(child) = place.child.as_mut().filter(|child| child.refers) else { return };
        self.later_taken |= child.of.is_some_and(|later| later > of);
        self.touched |= 1 << of;
        match place.rule {
            Rule::Cascade => place.end(End::Cascade(of)),
            Rule::Nullify => (child.refers, child.of) = (false, None),
            Rule::Restrict => unreachable!("it is not looked for"),
        }
    }

    /// `deleteOne(parent with this mark that has passed)`
    pub(crate) fn remove(&mut self, mark: Id, protocol: &Protocol) {
        if !protocol.delete_marked || self.marked(mark, protocol.passed.then_some(true)).is_some() {
            self.parent = None;
        }
    }
}
