//! The answers that clients got to their writes, and what must be stored then.

use std::collections::BTreeMap;

use schema_runtime::Error;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// By how much the weight of a parcel that stays was incremented.
    Weight(i64),
    /// The same of what no parent keeps.
    Hits(i64),
    /// How often a parcel was inserted more than it was deleted.
    Parcel(i64),
    /// The same of all parcels that are deleted by the many.
    Several,
    /// The same of a child of parcels.
    Scan(i64),
    /// The same of a node.
    Node(i64),
}

/// The least and the most that may be stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    facts: BTreeMap<Fact, (i64, i64)>,
    /// An answer that cannot be.
    pub wrong: Vec<String>,
    /// How many writes were acknowledged.
    pub acknowledged: u64,
    /// How many may be done or not, as far as the answer says.
    pub unknown: u64,
    /// How many were refused by what the database holds.
    pub refused: u64,
}

/// What a client knows of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is there.
    Done,
    /// It is not.
    NotDone,
    /// Nobody knows.
    Unknown,
}

impl Answer {
    /// What an error says of the one write that failed with it.
    pub fn by(error: &Error) -> Self {
        match error {
            Error::CopiesPending { .. } => Answer::Done,
            Error::InsertMany { source, .. } | Error::Bulk { source, .. } => Answer::by(source),
            _ if is_refused(error) => Answer::NotDone,
            _ => Answer::Unknown,
        }
    }
}

/// Whether it was refused by what the database holds.
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
    /// Takes in the answer to a client.
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

    /// Takes in those of another.
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

    /// Takes in those of a transaction of which nobody knows whether it was committed.
    pub fn join_unknown(&mut self, other: Ledger) {
        for (fact, (least, most)) in other.facts {
            let own = self.facts.entry(fact).or_default();
            *own = (own.0 + least.min(0), own.1 + most.max(0));
        }
        self.wrong.extend(other.wrong);
    }

    /// As a line of text.
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

    /// Takes in what [`line`](Ledger::line) gives.
    ///
    /// # Panics
    /// Where it is something else.
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

    /// The least and the most of each.
    pub fn facts(&self) -> impl Iterator<Item = (Fact, (i64, i64))> {
        self.facts.iter().map(|(fact, range)| (*fact, *range))
    }
}
