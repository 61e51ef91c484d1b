//! The stored documents, and the commands: each function is one command on one document, or a read of some documents,
//! and atomic. May use `protocol`.

use crate::protocol::Protocol;

/// An `ObjectId` made by a client: the number of the client, and the number of the id among the client's ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id {
    pub(crate) of: u8,
    pub(crate) number: u8,
}

/// The effect of a delete of the parent on the children that refer to the parent.
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
    /// Not stored: the number of earlier parents under the same `_id`.
    pub(crate) number: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Child {
    pub(crate) refers: bool,
    pub(crate) unchecked: Option<Id>,
    /// Not stored: the parent that was stored when the reference of the child was checked.
    pub(crate) of: Option<u8>,
}

/// The end of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// A plain delete.
    Plain,
    /// Deleted with this parent.
    Cascade(u8),
    /// The reference named no parent, or a parent with a delete under way.
    Dangling,
}

/// Not stored: an inserted child, and the answers about the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Life {
    by: Id,
    /// The answer to the insert: a success, or an error.
    pub(crate) answer: Option<bool>,
    pub(crate) end: Option<End>,
    /// An update of the child was answered with success.
    pub(crate) updated: bool,
}

/// The place of a child: the `_id`.
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
    /// Not stored: the parents with deletes that have taken something from a child, a bit for each parent.
    pub(crate) touched: u8,
    /// Not stored: the parents whose absence a client has seen, a bit for each parent.
    pub(crate) answered_gone: u8,
    /// Not stored: a delete has taken a child that was checked against a later parent.
    pub(crate) later_taken: bool,
}

/// The inserter of the children that are stored from the start.
const FIRST: Id = Id { of: u8::MAX, number: 0 };

impl Place {
    /// Makes a child that refers to the parent.
    pub(crate) fn referring(rule: Rule) -> Place {
        let lives = vec![Life { by: FIRST, answer: Some(true), end: None, updated: false }];
        Place { rule, child: Some(Child { refers: true, unchecked: None, of: Some(0) }), lives }
    }

    /// Makes a child that refers to nothing.
    pub(crate) fn alone(rule: Rule) -> Place {
        let place = Place::referring(rule);
        Place { child: Some(Child { refers: false, unchecked: None, of: None }), ..place }
    }

    /// Makes a place without a child.
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

    /// Returns the number of the stored parent, if the parent has no mark.
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

    /// `insertOne(child)`: returns whether the place was empty.
    pub(crate) fn insert(&mut self, place: usize, by: Id, unchecked: Option<Id>, of: Option<u8>) -> bool {
        let place = &mut self.places[place];
        let is_free = place.child.is_none();
        if is_free {
            place.child = Some(Child { refers: true, unchecked, of });
            place.lives.push(Life { by, answer: None, end: None, updated: false });
        }
        is_free
    }

    /// Not stored: notes the answer to the client.
    pub(crate) fn answer(&mut self, place: usize, by: Id, answer: bool) {
        if let Some(life) = self.places[place].lives.iter_mut().find(|life| life.by == by) {
            life.answer = Some(answer);
        }
    }

    pub(crate) fn unchecked(&self, place: usize) -> Option<Id> {
        self.places[place].child.and_then(|child| child.unchecked)
    }

    /// Returns the place of the child, if the child has this mark.
    fn with_mark(&mut self, place: usize, mark: Id, protocol: &Protocol) -> Option<&mut Place> {
        let any = !protocol.own_unchecked || !protocol.unchecked;
        let is_it = |of: &Child| of.unchecked == Some(mark) || any;
        Some(&mut self.places[place]).filter(|place| place.child.as_ref().is_some_and(is_it))
    }

    /// `updateOne(child with this mark, unset it)`, after a read of this parent, or of no parent for a child that
    /// refers to nothing: returns whether the filter matched.
    pub(crate) fn clear(&mut self, place: usize, mark: Id, of: Option<u8>, protocol: &Protocol) -> bool {
        let child = self.with_mark(place, mark, protocol).and_then(|place| place.child.as_mut());
        child.map(|child| (child.unchecked, child.of) = (None, of.or(child.of))).is_some()
    }

    /// `updateOne(child, refer to the parent)` in a transaction that has read and writes this parent.
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

    /// `deleteOne(child with this mark)`: returns whether the filter matched.
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

    /// `updateOne(parent without a mark, this one)`: returns the number of the parent, if the filter matched.
    pub(crate) fn mark(&mut self, deleting: Deleting, protocol: &Protocol) -> Option<u8> {
        let parent = self.parent.as_mut().filter(|parent| parent.deleting.is_none() || !protocol.adopt)?;
        parent.deleting = Some(deleting);
        Some(parent.number)
    }

    /// Returns the parent, if the parent has this mark, and `passed` agrees.
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

    /// `updateOne(parent with this mark that has not passed, passed)`: returns whether the filter matched.
    pub(crate) fn pass(&mut self, mark: Id) -> bool {
        let passed = Some(Deleting { mark, passed: true });
        self.marked(mark, Some(false)).map(|parent| parent.deleting = passed).is_some()
    }

    /// `deleteOne(child that still refers to the parent)`, or sets the reference of the child to null: a part of a
    /// delete of this parent.
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
