//! The counts of recoveries. Pure.

use std::{fmt, ops::AddAssign};

use crate::{
    derived::maintenance::{MaintenanceKind, MaintenanceReport},
    report::counted,
};

/// The work of one recovery, or of several recoveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecoveryCounts {
    /// The number of sources whose copies were propagated again.
    pub sources: u64,
    /// The number of holders that were re-checked.
    pub holders: u64,
    /// The number of differences that the parents of rollups now count.
    pub differences: u64,
    /// The number of documents whose delete was completed, or refused by a referring document.
    pub deletes: u64,
    /// The number of inserts under a delete rule that were checked, or taken back.
    pub inserts: u64,
    /// The number of moves in trees that were completed.
    pub moves: u64,
    /// The number of documents that the server refused to write, as by a validator. The work of a refused document
    /// stays.
    pub refused: u64,
}

impl RecoveryCounts {
    pub(super) fn of(report: &MaintenanceReport) -> Self {
        let found = |kinds: &[MaintenanceKind]| kinds.iter().map(|kind| report.found(*kind)).sum();
        RecoveryCounts {
            sources: found(&[MaintenanceKind::PendingSource]),
            holders: found(&[MaintenanceKind::PendingHolder]),
            differences: found(&[MaintenanceKind::PendingDifference]),
            deletes: found(&[MaintenanceKind::PendingDelete, MaintenanceKind::RestrictedDelete]),
            inserts: found(&[MaintenanceKind::PendingInsert, MaintenanceKind::OrphanedInsert]),
            moves: found(&[MaintenanceKind::PendingMove]),
            refused: report.refused(),
        }
    }

    /// Returns whether the recovery found no work.
    pub fn is_empty(&self) -> bool {
        *self == RecoveryCounts::default()
    }
}

impl AddAssign for RecoveryCounts {
    fn add_assign(&mut self, other: Self) {
        let RecoveryCounts { sources, holders, differences, deletes, inserts, moves, refused } = other;
        self.sources += sources;
        self.holders += holders;
        self.differences += differences;
        self.deletes += deletes;
        self.inserts += inserts;
        self.moves += moves;
        self.refused += refused;
    }
}

impl fmt::Display for RecoveryCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveryCounts { sources, holders, differences, deletes, inserts, moves, refused } = *self;
        if self.is_empty() {
            return formatter.write_str("nothing to recover");
        }
        let all = [
            (sources, "source", "sources"),
            (holders, "holder", "holders"),
            (differences, "difference", "differences"),
            (deletes, "delete", "deletes"),
            (inserts, "insert", "inserts"),
            (moves, "move", "moves"),
            (refused, "refused document", "refused documents"),
        ];
        let some = all.into_iter().filter(|(count, ..)| *count > 0);
        let texts: Vec<String> = some.map(|(count, one, many)| counted(count, one, many)).collect();
        formatter.write_str(&texts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_added_and_shown_without_zeros() {
        let mut counts = RecoveryCounts::default();
        assert_eq!(counts.to_string(), "nothing to recover");
        counts += RecoveryCounts { sources: 1, differences: 2, ..RecoveryCounts::default() };
        counts += RecoveryCounts { sources: 1, refused: 1, ..RecoveryCounts::default() };
        assert_eq!(counts.to_string(), "2 sources, 2 differences, 1 refused document");
    }
}
