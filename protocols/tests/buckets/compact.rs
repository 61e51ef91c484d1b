//! Compact: moves children of later pages into earlier pages, and trims empty pages at the end. The file also has the
//! repair of a bucket. May use `client`, `transaction`, `world`.

use crate::{
    client::At,
    protocol::Protocol,
    transaction::Transaction,
    world::{Bucket, Child, Place, SIZE, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Compact {
    Pour,
    /// The writes are chosen before the transaction begins: only when reads are outside of the transaction.
    Chosen(Transaction),
    Open(Transaction),
    /// The children are out of the later page, and not yet in the earlier page: only without a transaction.
    Carry {
        page: u8,
        children: Vec<Child>,
    },
    /// Marks empty pages.
    Mark,
    Trim,
    /// Trims the last page.
    TrimPage(u8),
}

impl Compact {
    pub(crate) fn step(self, at: &mut At) -> Option<Compact> {
        match self {
            Compact::Pour => Some(Compact::pour(at)),
            Compact::Chosen(of) => Some(Compact::Open(of.begun_late(at.world))),
            // After a conflict the pour begins again.
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

    /// Finds the first page with capacity, and the next page with children, and moves as many children as fit.
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

/// Repairs every bucket, one after the other: sets the count to the number of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Repair {
    Page(u8),
    /// Writes the count; used when the repair reads by one command and writes by another.
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
