//! The answers that clients got to their writes, and the stored values that must follow.

use std::collections::BTreeMap;

use schema_runtime::Error;

/// A counted fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// By how much the weight of a parcel in `STAYING` was incremented.
    Weight(i64),
    /// By how much the hits of a parcel were incremented. No parent keeps the hits.
    Hits(i64),
    /// The number of inserts of a parcel minus the number of deletes.
    Parcel(i64),
    /// The number of inserts minus the number of deletes of all parcels that are deleted in batches.
    Several,
    /// The number of inserts minus the number of deletes of a child of parcels.
    Scan(i64),
    /// The number of inserts minus the number of deletes of a node.
    Node(i64),
}

/// The least and the greatest possible stored values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    facts: BTreeMap<Fact, (i64, i64)>,
    /// The impossible answers.
    pub wrong: Vec<String>,
    /// The number of acknowledged writes.
    pub acknowledged: u64,
    /// The number of writes with an unknown outcome.
    pub unknown: u64,
    /// The number of writes that the stored documents refused.
    pub refused: u64,
}

/// The knowledge of a client about a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The write is done.
    Done,
    /// The write is not done.
    NotDone,
    /// The outcome is unknown.
    Unknown,
}

impl Answer {
    /// Returns the answer that an error gives for the single write that failed.
    pub fn by(error: &Error) -> Self {
        match error {
            Error::CopiesPending { .. } => Answer::Done,
            Error::InsertMany { source, .. } | Error::Bulk { source, .. } => Answer::by(source),
            _ if is_refused(error) => Answer::NotDone,
            _ => Answer::Unknown,
        }
    }
}

/// Returns true when the stored documents refused the write.
pub fn is_refused(error: &Error) -> bool {
    match error {
        Error::NotFound { .. }
        | Error::DuplicateKey { .. }
        | Error::DanglingReference { .. }
        | Error::VersionConflict { .. } => true,
        Error::InsertMany { source, .. } | Error::Bulk { source, .. } => is_refused(source),
        _ => false,
    }
}

impl Ledger {
    /// Adds the answer to a client.
    pub fn add(&mut self, answered: Answer, facts: impl IntoIterator<Item = (Fact, i64)>) {
        for (fact, by) in facts {
            let (least, most) = self.facts.entry(fact).or_default();
            match answered {
                Answer::Done => (*least, *most) = (*least + by, *most + by),
                Answer::Unknown => (*least, *most) = (*least + by.min(0), *most + by.max(0)),
                Answer::NotDone => {}
            }
        }
    }

    /// Adds the facts of another ledger.
    pub fn join(&mut self, other: Ledger) {
        for (fact, (least, most)) in other.facts {
            let own = self.facts.entry(fact).or_default();
            *own = (own.0 + least, own.1 + most);
        }
        self.wrong.extend(other.wrong);
        self.acknowledged += other.acknowledged;
        self.unknown += other.unknown;
        self.refused += other.refused;
    }

    /// Adds the facts of a transaction with an unknown commit.
    pub fn join_unknown(&mut self, other: Ledger) {
        for (fact, (least, most)) in other.facts {
            let own = self.facts.entry(fact).or_default();
            *own = (own.0 + least.min(0), own.1 + most.max(0));
        }
        self.wrong.extend(other.wrong);
    }

    /// Returns the ledger as a line of text.
    pub fn line(&self) -> String {
        let fact = |fact: &Fact| match fact {
            Fact::Weight(id) => ["weight".to_owned(), id.to_string()],
            Fact::Hits(id) => ["hits".to_owned(), id.to_string()],
            Fact::Parcel(id) => ["parcel".to_owned(), id.to_string()],
            Fact::Several => ["several".to_owned(), "0".to_owned()],
            Fact::Scan(id) => ["scan".to_owned(), id.to_string()],
            Fact::Node(id) => ["node".to_owned(), id.to_string()],
        };
        let answered = |(of, (least, most)): (&Fact, &(i64, i64))| format!("{} {least} {most}", fact(of).join(" "));
        self.facts.iter().map(answered).collect::<Vec<_>>().join(",")
    }

    /// Adds the facts of a [`line`](Ledger::line).
    ///
    /// # Panics
    /// If the line is something else.
    pub fn read(&mut self, line: &str) {
        for answered in line.split(',').filter(|answered| !answered.is_empty()) {
            let words: Vec<&str> = answered.split(' ').collect();
            let number = |at: usize| words[at].parse::<i64>().expect("a number");
            let fact = match words[0] {
                "weight" => Fact::Weight(number(1)),
                "hits" => Fact::Hits(number(1)),
                "parcel" => Fact::Parcel(number(1)),
                "several" => Fact::Several,
                "scan" => Fact::Scan(number(1)),
                "node" => Fact::Node(number(1)),
                other => panic!("`{other}` is not counted"),
            };
            let own = self.facts.entry(fact).or_default();
            *own = (own.0 + number(2), own.1 + number(3));
        }
    }

    /// Returns the least and the greatest value of each fact.
    pub fn facts(&self) -> impl Iterator<Item = (Fact, (i64, i64))> {
        self.facts.iter().map(|(fact, range)| (*fact, *range))
    }
}
