//! Which writes go together in one command. Pure.

use super::statement::{Kind, Sending};
use crate::{operation::write::MAX_BATCH_BYTES, transaction::MOST_IN_TRANSACTION};

/// The most bytes of the writes of an `update` or a `delete`, which are one document: 16 MiB. The server allows 16 KiB more
/// for the rest of the command.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What a write takes in a command beside its own bytes: its position as a name, with its type.
const ENTRY_BYTES: usize = 8;

/// Writes of one kind that are sent as one command.
#[derive(Debug, PartialEq)]
pub(super) struct Batch {
    pub(super) kind: Kind,
    /// Where the writes are in the bulk.
    pub(super) positions: Vec<usize>,
    pub(super) sending: Sending,
}

/// A write, as far as it decides what it is sent with.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) kind: Kind,
    pub(super) bytes: usize,
    pub(super) sending: Sending,
    /// Whether it is the first of its command.
    pub(super) is_first: bool,
}

/// Ordered, each run of a kind is one command; unordered, all of a kind are. More only where they do not fit, or are more than `most`.
pub(super) fn batches(writes: impl Iterator<Item = Size> + Clone, ordered: bool, most: usize) -> Vec<Batch> {
    let mut batches = Vec::new();
    if ordered {
        split(writes.enumerate(), most, &mut batches);
    } else {
        for only in [Kind::Insert, Kind::Update, Kind::Delete] {
            split(writes.clone().enumerate().filter(|(_, size)| size.kind == only), most, &mut batches);
        }
    }
    batches
}

fn split(writes: impl Iterator<Item = (usize, Size)>, most: usize, batches: &mut Vec<Batch>) {
    let mut bytes = 0;
    for (position, Size { kind, bytes: size, sending, is_first }) in writes {
        let size = size + ENTRY_BYTES;
        let most_bytes = if kind == Kind::Insert { MAX_BATCH_BYTES } else { MAX_BYTES };
        bytes += size;
        match batches.last_mut() {
            Some(batch)
                if !is_first
                    && sending == batch.sending
                    && sending != Sending::Alone
                    && batch.kind == kind
                    && bytes <= most_bytes
                    && batch.positions.len()
                        < if sending == Sending::Shared { most.min(MOST_IN_TRANSACTION) } else { most } =>
            {
                batch.positions.push(position);
            }
            _ => {
                bytes = size;
                batches.push(Batch { kind, positions: vec![position], sending });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, Kind, MAX_BYTES, Sending, Size, batches};
    use crate::operation::write::MAX_BATCH_DOCUMENTS;
    use Kind::{Delete, Insert, Update};

    fn size((kind, bytes): (Kind, usize)) -> Size {
        Size { kind, bytes, sending: Sending::Together, is_first: false }
    }

    fn of(kind: Kind, positions: &[usize]) -> Batch {
        Batch { kind, positions: positions.to_vec(), sending: Sending::Together }
    }

    #[test]
    fn one_command_for_each_kind_or_run() {
        let writes = [Update, Insert, Insert, Delete, Update, Insert].map(|kind| (kind, 100));
        assert_eq!(
            batches(writes.into_iter().map(size), true, MAX_BATCH_DOCUMENTS),
            [of(Update, &[0]), of(Insert, &[1, 2]), of(Delete, &[3]), of(Update, &[4]), of(Insert, &[5])]
        );
        assert_eq!(
            batches(writes.into_iter().map(size), false, MAX_BATCH_DOCUMENTS),
            [of(Insert, &[1, 2, 5]), of(Update, &[0, 4]), of(Delete, &[3])]
        );
        assert_eq!(batches([].into_iter(), false, MAX_BATCH_DOCUMENTS), []);
    }

    #[test]
    fn at_most_so_many() {
        let writes = [Update, Insert, Insert, Insert, Delete, Update].map(|kind| (kind, 100));
        let expected = [of(Insert, &[1, 2]), of(Insert, &[3]), of(Update, &[0, 5]), of(Delete, &[4])];
        assert_eq!(batches(writes.into_iter().map(size), false, 2), expected);
    }

    #[test]
    fn more_only_where_they_do_not_fit() {
        let half = MAX_BYTES / 2;
        let writes = [(Update, half), (Update, half - 100), (Update, MAX_BYTES + 100), (Update, 1)]
            .map(|(kind, bytes)| (kind, bytes));
        let expected = [of(Update, &[0, 1]), of(Update, &[2]), of(Update, &[3])];
        assert_eq!(batches(writes.into_iter().map(size), true, MAX_BATCH_DOCUMENTS), expected);
        let inserts = [half, half, half, half * 3].map(|bytes| (Insert, bytes));
        assert_eq!(
            batches(inserts.into_iter().map(size), false, MAX_BATCH_DOCUMENTS),
            [of(Insert, &[0, 1, 2]), of(Insert, &[3])]
        );
        let many = std::iter::repeat_n((Delete, 40), MAX_BATCH_DOCUMENTS + 1);
        let lengths: Vec<_> =
            batches(many.map(size), false, MAX_BATCH_DOCUMENTS).iter().map(|batch| batch.positions.len()).collect();
        assert_eq!(lengths, [MAX_BATCH_DOCUMENTS, 1]);
    }
}
