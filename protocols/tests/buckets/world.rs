//! The stored documents of one parent, and the commands: each function is one command on one document, or a read, and
//! atomic. May use `protocol`.

use crate::protocol::Protocol;

/// A child's id. The id is the order too: a child with a smaller id comes first by the order field.
pub(crate) type Id = u8;

/// The most children of a bucket.
pub(crate) const SIZE: usize = 2;

/// The number that stands for the client of a late command.
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
    /// The time of the mark: a bit for each client that was between a read and a write at the time of the mark, and is
    /// still. Without any client left, an hour may have passed.
    pub(crate) emptied: Option<u8>,
    /// A later page was begun, or is about to be.
    pub(crate) followed: bool,
}

/// The way that a push puts children into a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// The server sorts the children.
    Sorted,
    /// Behind the stored children.
    Behind,
    /// Behind the stored children, by a client that has read nothing: into the page that is not followed yet.
    Open,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct World {
    /// The buckets, by page.
    pub(crate) buckets: Vec<Bucket>,
    /// The linked children, by id.
    pub(crate) linked: Vec<Child>,
    /// Not stored: a push that a client has sent without an answer. The server does the push later.
    pub(crate) late: Option<((u8, bool), Vec<Child>, Place)>,
    /// Not stored: the clients between a read and the write after the read, a bit for each client.
    busy: u8,
}

/// The target of an insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub(crate) page: u8,
    /// The number of children that fit.
    pub(crate) capacity: usize,
    /// The upper bound of the stored children.
    pub(crate) last: Option<Id>,
    /// The full page before the target, if the full page is not marked as followed yet.
    pub(crate) full: Option<u8>,
}

/// The server's answer to a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Done,
    /// No open page with the number exists.
    NoMatch,
    DuplicateKey,
    /// The validator refuses the write.
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

    /// Returns whether the validator refuses a write of the bucket, except a repair.
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

    /// Compares the documents. The age of the mark does not count.
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

    /// `find({post, count: {$gt: 0}})`, the last page: returns the target of an insert, and the capacity of the target.
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

    /// Marks this page as followed. For a page that the server refuses to write, a repair sets the mark.
    pub(crate) fn follow(&mut self, page: u8, protocol: &Protocol) {
        if let Some(bucket) = self.bucket_mut(page).filter(|of| !of.is_refused(protocol)) {
            bucket.followed = true;
        }
    }

    /// Does the guarded upsert; into an open page an update. `page` holds the number, and whether the client takes the
    /// page for full afterwards: a full page is marked as followed, as if a next page was begun. `raced`: the server
    /// looked for the page before the page was made.
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

    /// Finds the page of a child, by the index of the children's ids.
    pub(crate) fn page_of(&self, id: Id) -> Option<u8> {
        self.buckets.iter().find(|of| of.has(id)).map(|of| of.page)
    }

    /// Sets a value of a child, or takes the child out (`$pull` and `$inc: -1`), if the child is in this page. Returns
    /// whether the child is in this page.
    pub(crate) fn change(&mut self, page: u8, id: Id, to: Option<u8>) -> bool {
        let Some(bucket) = self.bucket_mut(page).filter(|of| of.has(id)) else { return false };
        if to.is_none() {
            bucket.count -= 1;
        }
        write(&mut bucket.items, id, to);
        true
    }

    /// Sets the value of a linked child, or deletes the child. Returns whether the child is stored.
    pub(crate) fn change_linked(&mut self, id: Id, to: Option<u8>) -> bool {
        let is_there = self.linked.iter().any(|child| child.id == id);
        write(&mut self.linked, id, to);
        is_there
    }

    /// Inserts a linked document. Returns whether the id was free.
    pub(crate) fn insert_linked(&mut self, id: Id) -> bool {
        let is_free = self.linked.iter().all(|child| child.id != id);
        if is_free {
            self.linked.push(Child { id, value: 0 });
            self.linked.sort();
        }
        is_free
    }

    /// Marks an empty page without a mark. Returns whether a page was marked.
    pub(crate) fn mark(&mut self) -> bool {
        let busy = self.busy;
        let page = self.buckets.iter_mut().find(|of| of.count == 0 && of.emptied.is_none());
        page.map(|of| of.emptied = Some(busy)).is_some()
    }

    /// Returns the last page, if the page may be trimmed.
    pub(crate) fn to_trim(&self, protocol: &Protocol) -> Option<u8> {
        self.buckets.last().filter(|of| may_go(of, protocol)).map(|of| of.page)
    }

    pub(crate) fn trim(&mut self, page: u8, protocol: &Protocol) {
        self.buckets.retain(|of| of.page != page || protocol.trim_guard && !may_go(of, protocol));
    }

    /// Notes that this client has read, and will write by the read.
    pub(crate) fn has_read(&mut self, client: usize) {
        self.busy |= 1 << client;
    }

    pub(crate) fn has_written(&mut self, client: usize) {
        let others = !(1 << client);
        self.busy &= others;
        self.buckets.iter_mut().for_each(|of| of.emptied = of.emptied.map(|marked| marked & others));
    }

    /// Keeps the command of this client for later.
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

    /// Returns the children of the buckets, in reading order.
    pub(crate) fn in_buckets(&self) -> impl Iterator<Item = &Child> {
        self.buckets.iter().flat_map(|of| &of.items)
    }

    /// Returns all children, in buckets and linked.
    pub(crate) fn children(&self) -> Vec<Child> {
        let mut all: Vec<Child> = self.in_buckets().chain(&self.linked).copied().collect();
        all.sort();
        all
    }

    /// Returns whether the pages are numbered from 1 on, without a gap and without a repeat.
    pub(crate) fn has_no_gap(&self) -> bool {
        self.buckets.iter().map(|of| of.page).eq((1..).take(self.buckets.len()))
    }

    /// Returns whether each page with children before a further page with children is marked as followed.
    pub(crate) fn is_followed(&self) -> bool {
        let mut with_children = self.buckets.iter().rev().filter(|of| !of.items.is_empty());
        with_children.next();
        with_children.all(|of| of.followed)
    }

    /// Returns whether the pages are compact: full pages, then one page that may have capacity, then empty pages.
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
