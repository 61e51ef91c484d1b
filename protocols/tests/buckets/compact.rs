//! Compact: children of later pages fill those before, and empty pages at the end go. And the repair of a bucket. May use `client`,
//! `transaction`, `world`.

use crate::{
    client::At,
    protocol::Protocol,
    transaction::Transaction,
    world::{Bucket, Child, Place, SIZE, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Compact {
    Pour,
    /// What it writes is known before it begins: only where reads are not in it.
    Chosen(Transaction),
    Open(Transaction),
    /// Out of one page, and not in the other one: only where it is no transaction.
    Carry {
        page: u8,
        children: Vec<Child>,
    },
    /// Empty pages.
    Mark,
    Trim,
    /// The last one.
    TrimPage(u8),
}

impl Compact {
    pub(crate) fn step(self, at: &mut At) -> Option<Compact> {
        match self {
            Compact::Pour => Some(Compact::pour(at)),
            Compact::Chosen(of) => Some(Compact::Open(of.begun_late(at.world))),
            // A conflict: it begins again.
            Compact::Open(of) => {
                of.commit(at.world);
                Some(Compact::Pour)
            }
            Compact::Carry { page, children } => {
                at.world.push((page, true), &children, Place::Sorted, false, at.protocol);
                Some(Compact::Pour)
            }
            Compact::Mark if at.world.mark() => Some(Compact::Mark),
            Compact::Mark | Compact::Trim => {
                at.world.has_written(at.number);
                let page = at.world.to_trim(at.protocol)?;
                at.world.has_read(at.number);
                Some(Compact::TrimPage(page))
            }
            Compact::TrimPage(page) => {
                at.world.trim(page, at.protocol);
                Some(Compact::Trim)
            }
        }
    }

    /// The first page with capacity, and the next one that has children: as many as fit.
    fn pour(at: &mut At) -> Compact {
        let Some((to, from)) = pair(at.world) else { return Compact::Mark };
        let mut to = at.world.bucket(to).cloned().unwrap_or(Bucket::new(to, Vec::new()));
        let mut from = from.clone();
        let number = (SIZE - to.items.len()).min(from.items.len());
        let place = if at.protocol.pour_first { 0 } else { from.items.len() - number };
        let children: Vec<Child> = from.items.drain(place..place + number).collect();
        if !at.protocol.pour_transaction {
            for child in &children {
                at.world.change(from.page, child.id, None);
            }
            return Compact::Carry { page: to.page, children };
        }
        from.count = from.items.len();
        let bounds = (to.first, to.last);
        to.add(&children, true);
        to.emptied = None;
        to.followed |= at.protocol.pour_follows;
        if !at.protocol.pour_bounds {
            (to.first, to.last) = bounds;
        }
        let transaction = Transaction::default().write(to, at.world).write(from, at.world);
        if at.protocol.read_in_transaction { Compact::Open(transaction) } else { Compact::Chosen(transaction) }
    }
}

fn pair(world: &World) -> Option<(u8, &Bucket)> {
    let is_full = |page: &u8| world.bucket(*page).is_some_and(|of| of.items.len() >= SIZE);
    let to = (1..).find(|page| !is_full(page))?;
    let from = world.buckets.iter().find(|of| of.page > to && !of.items.is_empty())?;
    Some((to, from))
}

/// Of every bucket, one after the other: the count is that of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Repair {
    Page(u8),
    /// Only where it reads by one command and writes by another.
    Write {
        page: u8,
        count: usize,
    },
}

impl Repair {
    pub(crate) fn step(self, at: &mut At) -> Option<Repair> {
        match self {
            Repair::Page(page) => {
                let protocol: &Protocol = at.protocol;
                let bucket = at.world.bucket_mut(page)?;
                let count = bucket.items.len();
                if !protocol.repair_at_once {
                    return Some(Repair::Write { page, count });
                }
                (bucket.count, bucket.followed) = (count, true);
                Some(Repair::Page(page + 1))
            }
            Repair::Write { page, count } => {
                if let Some(bucket) = at.world.bucket_mut(page) {
                    (bucket.count, bucket.followed) = (count, true);
                }
                Some(Repair::Page(page + 1))
            }
        }
    }
}
