//! What is stored, of one parent, and the commands: each function is one command on one document, or a read, and atomic.
//! May use `protocol`.

use crate::protocol::Protocol;

/// A child's id. Its order too: a child with a smaller one comes first by the order field.
pub(crate) type Id = u8;

/// The most children of a bucket.
pub(crate) const SIZE: usize = 2;

/// Who has sent what the server does later.
const LATE: usize = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Child {
    pub(crate) id: Id,
    pub(crate) value: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bucket {
    pub(crate) page: u8,
    pub(crate) items: Vec<Child>,
    pub(crate) count: usize,
    pub(crate) first: Id,
    pub(crate) last: Id,
    /// When it was found empty: as the clients that were between a read and a write then, and are yet, a bit each.
    /// If there are none, an hour may have passed.
    pub(crate) emptied: Option<u8>,
    /// A later page was begun, or is about to be.
    pub(crate) followed: bool,
}

/// How a push puts children into a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// The server sorts them.
    Sorted,
    /// Behind the others.
    Behind,
    /// The same, by a client that has read nothing: into the page that nobody follows yet.
    Open,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct World {
    /// By page.
    pub(crate) buckets: Vec<Bucket>,
    /// The children that are documents of their own, by id.
    pub(crate) linked: Vec<Child>,
    /// Not stored: a push that its client has sent and has no answer to. The server does it later.
    pub(crate) late: Option<((u8, bool), Vec<Child>, Place)>,
    /// Not stored: the clients between a read and the write that follows it, a bit each.
    busy: u8,
}

/// Where an insert goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub(crate) page: u8,
    /// How many fit.
    pub(crate) capacity: usize,
    /// The bound of those that are there.
    pub(crate) last: Option<Id>,
    /// The full page before it, if that does not say yet that it is followed.
    pub(crate) full: Option<u8>,
}

/// What the server answers to a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Done,
    /// There is no such page, of those that are open.
    NoMatch,
    DuplicateKey,
    /// By the validator.
    Refused,
}

impl Bucket {
    pub(crate) fn new(page: u8, items: Vec<Child>) -> Bucket {
        let mut bucket =
            Bucket { page, items: Vec::new(), count: 0, first: Id::MAX, last: 0, emptied: None, followed: false };
        bucket.add(&items, true);
        bucket
    }

    /// `$push` with `$each` and `$sort`, `$inc`, `$min`, `$max`.
    pub(crate) fn add(&mut self, children: &[Child], sort: bool) {
        self.items.extend(children);
        self.count += children.len();
        if sort {
            self.items.sort();
        }
        self.widen(children);
    }

    /// By the validator, whatever is written, but where it is repaired.
    pub(crate) fn is_refused(&self, protocol: &Protocol) -> bool {
        protocol.validator && self.count != self.items.len()
    }

    pub(crate) fn widen(&mut self, children: &[Child]) {
        for child in children {
            (self.first, self.last) = (self.first.min(child.id), self.last.max(child.id));
        }
    }

    pub(crate) fn has(&self, id: Id) -> bool {
        self.items.iter().any(|child| child.id == id)
    }

    /// The same document. How old its mark is does not count.
    pub(crate) fn is(&self, other: &Bucket) -> bool {
        let without = |of: &Bucket| Bucket { emptied: of.emptied.map(|_| 0), ..of.clone() };
        without(self) == without(other)
    }
}

impl World {
    pub(crate) fn new(buckets: Vec<Bucket>) -> World {
        World { buckets, ..World::default() }
    }

    pub(crate) fn bucket(&self, page: u8) -> Option<&Bucket> {
        self.buckets.iter().find(|of| of.page == page)
    }

    pub(crate) fn bucket_mut(&mut self, page: u8) -> Option<&mut Bucket> {
        self.buckets.iter_mut().find(|of| of.page == page)
    }

    pub(crate) fn put(&mut self, bucket: Bucket) {
        self.buckets.retain(|of| of.page != bucket.page);
        self.insert(bucket);
    }

    fn insert(&mut self, bucket: Bucket) {
        let at = self.buckets.partition_point(|of| of.page <= bucket.page);
        self.buckets.insert(at, bucket);
    }

    /// `find({post, count: {$gt: 0}})`, the last page: where an insert goes, and the capacity there.
    pub(crate) fn target(&self) -> Target {
        match self.buckets.iter().rev().find(|of| of.count > 0) {
            None => Target { page: 1, capacity: SIZE, last: None, full: None },
            Some(of) if of.count < SIZE => {
                Target { page: of.page, capacity: SIZE - of.count, last: Some(of.last), full: None }
            }
            Some(of) => {
                let full = Some(of.page).filter(|_| !of.followed);
                Target { page: of.page + 1, capacity: SIZE, last: None, full }
            }
        }
    }

    /// This page is followed. Of one that the server refuses to write, a repair says it.
    pub(crate) fn follow(&mut self, page: u8, protocol: &Protocol) {
        if let Some(bucket) = self.bucket_mut(page).filter(|of| !of.is_refused(protocol)) {
            bucket.followed = true;
        }
    }

    /// The guarded upsert; into an open page an update. With the page, whether its client takes it for full then: it says so, as if a next one was begun.
    /// `raced`: when it looked for the page, it was not there.
    pub(crate) fn push(
        &mut self,
        page: (u8, bool),
        children: &[Child],
        place: Place,
        raced: bool,
        protocol: &Protocol,
    ) -> Answer {
        let has_one = |of: &Bucket| children.iter().any(|child| of.has(child.id));
        let (page, fills) = page;
        let is_behind = |of: &Bucket| children.iter().all(|child| of.last < child.id);
        let matches = |of: &Bucket| {
            let has_room = of.count + children.len() <= SIZE || !protocol.count_guard;
            let is_place = place == Place::Sorted || is_behind(of) || !protocol.last_guard;
            of.page == page
                && has_room
                && is_place
                && (place != Place::Open || !of.followed && of.count > 0)
                && !(protocol.own_guard && has_one(of))
        };
        let at = self.buckets.iter().position(|of| !raced && matches(of));
        if at.is_none() && place == Place::Open {
            return Answer::NoMatch;
        }
        let others = |(number, of): (usize, &Bucket)| Some(number) != at && has_one(of);
        if protocol.unique_child && self.buckets.iter().enumerate().any(others) {
            return Answer::DuplicateKey;
        }
        let Some(at) = at else {
            if protocol.unique_page && self.bucket(page).is_some() {
                return Answer::DuplicateKey;
            }
            self.insert(Bucket { followed: fills, ..Bucket::new(page, children.to_vec()) });
            return Answer::Done;
        };
        let bucket = &mut self.buckets[at];
        if bucket.is_refused(protocol) {
            return Answer::Refused;
        }
        bucket.add(children, place == Place::Sorted && protocol.sort);
        bucket.emptied = bucket.emptied.filter(|_| !protocol.unmark);
        bucket.followed |= fills;
        Answer::Done
    }

    /// Finds the page of a child, by the index of their ids.
    pub(crate) fn page_of(&self, id: Id) -> Option<u8> {
        self.buckets.iter().find(|of| of.has(id)).map(|of| of.page)
    }

    /// Sets a value of a child, or takes it out (`$pull` and `$inc: -1`), if it is in this page: whether it is.
    pub(crate) fn change(&mut self, page: u8, id: Id, to: Option<u8>) -> bool {
        let Some(bucket) = self.bucket_mut(page).filter(|of| of.has(id)) else { return false };
        if to.is_none() {
            bucket.count -= 1;
        }
        write(&mut bucket.items, id, to);
        true
    }

    /// The same of one that is a document.
    pub(crate) fn change_linked(&mut self, id: Id, to: Option<u8>) -> bool {
        let is_there = self.linked.iter().any(|child| child.id == id);
        write(&mut self.linked, id, to);
        is_there
    }

    /// Of a document of its own: whether there was none.
    pub(crate) fn insert_linked(&mut self, id: Id) -> bool {
        let is_free = self.linked.iter().all(|child| child.id != id);
        if is_free {
            self.linked.push(Child { id, value: 0 });
            self.linked.sort();
        }
        is_free
    }

    /// Marks a page that is empty and has no mark: whether there was one.
    pub(crate) fn mark(&mut self) -> bool {
        let busy = self.busy;
        let page = self.buckets.iter_mut().find(|of| of.count == 0 && of.emptied.is_none());
        page.map(|of| of.emptied = Some(busy)).is_some()
    }

    /// The last page, if it may go.
    pub(crate) fn to_trim(&self, protocol: &Protocol) -> Option<u8> {
        self.buckets.last().filter(|of| may_go(of, protocol)).map(|of| of.page)
    }

    pub(crate) fn trim(&mut self, page: u8, protocol: &Protocol) {
        self.buckets.retain(|of| of.page != page || protocol.trim_guard && !may_go(of, protocol));
    }

    /// This client has read, and will write by what it has read.
    pub(crate) fn has_read(&mut self, client: usize) {
        self.busy |= 1 << client;
    }

    pub(crate) fn has_written(&mut self, client: usize) {
        let others = !(1 << client);
        self.busy &= others;
        self.buckets.iter_mut().for_each(|of| of.emptied = of.emptied.map(|marked| marked & others));
    }

    /// The server will do what this client has sent.
    pub(crate) fn be_late(&mut self, client: usize, page: (u8, bool), children: Vec<Child>, place: Place) {
        self.late = Some((page, children, place));
        self.busy |= 1 << LATE;
        for marked in self.buckets.iter_mut().filter_map(|of| of.emptied.as_mut()) {
            *marked |= (*marked >> client & 1) << LATE;
        }
        self.has_written(client);
    }

    pub(crate) fn land(&mut self, protocol: &Protocol) {
        if let Some((page, children, place)) = self.late.take() {
            self.push(page, &children, place, false, protocol);
            self.has_written(LATE);
        }
    }

    /// The children of the buckets, as they are read.
    pub(crate) fn in_buckets(&self) -> impl Iterator<Item = &Child> {
        self.buckets.iter().flat_map(|of| &of.items)
    }

    /// All children, wherever they are.
    pub(crate) fn children(&self) -> Vec<Child> {
        let mut all: Vec<Child> = self.in_buckets().chain(&self.linked).copied().collect();
        all.sort();
        all
    }

    /// The pages from 1 on, each there once.
    pub(crate) fn has_no_gap(&self) -> bool {
        self.buckets.iter().map(|of| of.page).eq((1..).take(self.buckets.len()))
    }

    /// Each page with children before another one with children says so.
    pub(crate) fn is_followed(&self) -> bool {
        let mut with_children = self.buckets.iter().rev().filter(|of| !of.items.is_empty());
        with_children.next();
        with_children.all(|of| of.followed)
    }

    /// Full pages, one that may have capacity, and empty ones.
    pub(crate) fn is_compact(&self) -> bool {
        let counts = || self.buckets.iter().map(|of| of.items.len()).skip_while(|count| *count == SIZE);
        counts().skip(1).all(|count| count == 0)
    }
}

fn write(children: &mut Vec<Child>, id: Id, to: Option<u8>) {
    match to {
        Some(value) => children.iter_mut().filter(|child| child.id == id).for_each(|child| child.value = value),
        None => children.retain(|child| child.id != id),
    }
}

fn may_go(bucket: &Bucket, protocol: &Protocol) -> bool {
    bucket.count == 0 && bucket.emptied.is_some_and(|marked| marked == 0 || !protocol.trim_late)
}
