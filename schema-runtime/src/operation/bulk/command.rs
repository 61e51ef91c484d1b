//! The grouping of the writes of a bulk into commands. Pure.

use mongodb::bson::Bson;

use super::statement::{Kind, Sending, Write};
use crate::{
    definition::ModelDefinition,
    key::Key,
    limits::{INSERT_BYTES, TRANSACTION_BYTES, TRANSACTION_DOCUMENTS, UPDATE_BYTES, WRITE_ENTRY_BYTES},
};

/// The order of the writes of a bulk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::operation) enum Order {
    /// The writes are done in order, and the first failure ends the bulk.
    Ordered,
    /// All writes are tried, a kind after the other.
    Unordered,
}

/// Writes of one kind that are sent as a single command.
#[derive(Debug, PartialEq)]
pub(super) struct Batch {
    pub(super) kind: Kind,
    /// The positions of the writes in the bulk.
    pub(super) positions: Vec<usize>,
    pub(super) sending: Sending,
}

/// The properties of a write that decide the command of the write.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) kind: Kind,
    pub(super) bytes: usize,
    pub(super) sending: Sending,
    /// True when the write must be the first write of a command.
    pub(super) is_first: bool,
}

/// Returns the positions of the writes in the order of sending. Unordered inserts of children are sorted by parent, so
/// that few transactions write each parent. The sort applies only to parents of another model, since these parents
/// exist already.
pub(super) fn positions(definition: &'static ModelDefinition, writes: &[Write], order: Order) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..writes.len()).collect();
    let Some(reference) = definition.rolled_up_relation() else { return positions };
    let of_own = reference.target.is_some_and(|target| (target.definition)().collection == definition.collection);
    if order == Order::Unordered && !of_own {
        let parent = |write: &Write| {
            let parent = write.document()?.get(reference.name).ok().flatten()?;
            Some(Key::of(&Bson::try_from(parent).ok()?))
        };
        positions.sort_by_cached_key(|at| (writes[*at].kind == Kind::Insert).then(|| parent(&writes[*at])));
    }
    positions
}

/// Groups the writes into batches. In an ordered bulk each run of a kind is a command; in an unordered bulk all writes
/// of a kind are a command. More commands are used only where the writes do not fit, are more than `most`, or are sent
/// in different ways.
pub(super) fn batches(writes: impl Iterator<Item = Size> + Clone, order: Order, most: usize) -> Vec<Batch> {
    let mut batches = Vec::new();
    if order == Order::Ordered {
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
        let size = size + WRITE_ENTRY_BYTES;
        let most_bytes = match (sending, kind) {
            (Sending::Shared, _) => TRANSACTION_BYTES,
            (_, Kind::Insert) => INSERT_BYTES,
            (_, Kind::Update | Kind::Delete) => UPDATE_BYTES,
        };
        bytes += size;
        match batches.last_mut() {
            Some(batch)
                if !is_first
                    && sending == batch.sending
                    && sending != Sending::Alone
                    && batch.kind == kind
                    && bytes <= most_bytes
                    && batch.positions.len()
                        < if sending == Sending::Shared { most.min(TRANSACTION_DOCUMENTS) } else { most } =>
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
    use super::{Batch, Kind, Order, Sending, Size, batches};
    use crate::limits::{COMMAND_WRITES, UPDATE_BYTES};
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
            batches(writes.into_iter().map(size), Order::Ordered, COMMAND_WRITES),
            [of(Update, &[0]), of(Insert, &[1, 2]), of(Delete, &[3]), of(Update, &[4]), of(Insert, &[5])]
        );
        assert_eq!(
            batches(writes.into_iter().map(size), Order::Unordered, COMMAND_WRITES),
            [of(Insert, &[1, 2, 5]), of(Update, &[0, 4]), of(Delete, &[3])]
        );
        assert_eq!(batches([].into_iter(), Order::Unordered, COMMAND_WRITES), []);
    }

    #[test]
    fn at_most_so_many() {
        let writes = [Update, Insert, Insert, Insert, Delete, Update].map(|kind| (kind, 100));
        let expected = [of(Insert, &[1, 2]), of(Insert, &[3]), of(Update, &[0, 5]), of(Delete, &[4])];
        assert_eq!(batches(writes.into_iter().map(size), Order::Unordered, 2), expected);
    }

    #[test]
    fn more_only_where_they_do_not_fit() {
        let half = UPDATE_BYTES / 2;
        let writes = [(Update, half), (Update, half - 100), (Update, UPDATE_BYTES + 100), (Update, 1)]
            .map(|(kind, bytes)| (kind, bytes));
        let expected = [of(Update, &[0, 1]), of(Update, &[2]), of(Update, &[3])];
        assert_eq!(batches(writes.into_iter().map(size), Order::Ordered, COMMAND_WRITES), expected);
        let inserts = [half, half, half, half * 3].map(|bytes| (Insert, bytes));
        assert_eq!(
            batches(inserts.into_iter().map(size), Order::Unordered, COMMAND_WRITES),
            [of(Insert, &[0, 1, 2]), of(Insert, &[3])]
        );
        let many = std::iter::repeat_n((Delete, 40), COMMAND_WRITES + 1);
        let lengths: Vec<_> = batches(many.map(size), Order::Unordered, COMMAND_WRITES)
            .iter()
            .map(|batch| batch.positions.len())
            .collect();
        assert_eq!(lengths, [COMMAND_WRITES, 1]);
    }
}
