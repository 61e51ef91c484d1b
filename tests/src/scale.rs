//! How much of a long proof runs: a part of each proof in `cargo test`, and more with `SCHEMA_TESTS_LONG`, the
//! percentage of the complete proofs.

use std::env;

/// The environment variable with the percentage of the complete proofs, from 1 to 100.
const LONG: &str = "SCHEMA_TESTS_LONG";

/// The number of trials of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The subject of the trials, for the table in CONTRIBUTING.md.
    pub what: &'static str,
    /// The number of trials in `cargo test`.
    pub short: u32,
    /// The number of trials with `SCHEMA_TESTS_LONG=100`.
    pub long: u32,
}

macro_rules! scales {
    ($($(#[$words:meta])* $name:ident: $what:literal, $short:literal, $long:literal;)*) => {
        $(
            $(#[$words])*
            pub const $name: Scale = Scale { what: $what, short: $short, long: $long };
        )*

        /// All scales, in the order of the table.
        pub const ALL: &[Scale] = &[$($name),*];
    };
}

scales! {
    /// `convergence/property.rs`
    PROGRAMS: "random programs of four clients that write copies, on a replica set", 60, 500;
    /// `convergence/property.rs`
    STANDALONE_PROGRAMS: "the same on a standalone server", 12, 60;
    /// `server/rollup/programs.rs`
    ROLLUP_PROGRAMS: "random programs of four clients that write children of parents with rollups", 25, 120;
    /// `convergence/domain/programs.rs`
    DOMAIN_PROGRAMS: "random programs of four clients that write a domain in which everything is derived from everything", 8, 100;
    /// `convergence/domain/faults.rs`
    DOMAIN_FAULTS: "the same while commands fail at random", 2, 20;
    /// `convergence/domain/stopped.rs`
    DOMAIN_STOPS: "recovers of that domain that fail or stop at one of their commands, after clients that stopped", 6, 120;
    /// `convergence/domain/kill.rs`
    DOMAIN_KILLS: "kills of two clients at once that write that domain", 3, 30;
    /// `convergence/domain/beside.rs`
    DOMAIN_BESIDE: "at how many of its commands a write of that domain is held, while another one of the same document begins", 2, 11;
    /// `convergence/domain/together.rs`
    DOMAIN_TOGETHER: "pairs of writes in one transaction whose parent is inserted again meanwhile", 4, 16;
    /// `convergence/domain/refused.rs`
    DOMAIN_REFUSED: "sets of writes of that domain that leave differences, after which one parent refuses what recover writes", 3, 8;
    /// `convergence/domain/restart.rs`
    DOMAIN_RESTARTS: "kills of a server while that domain is written", 1, 5;
    /// `convergence/domain/restart.rs`
    DOMAIN_ELECTIONS: "kills of the primary of three while that domain is written", 1, 3;
    /// `convergence/domain/each.rs`
    DOMAIN_FAULTS_OF_EACH: "of a thousand cases of one of the five faults at one command of one write of that domain, how many are tried", 40, 250;
    /// `convergence/domain/stopped.rs`
    DOMAIN_STOPS_OF_EACH: "of a hundred cases of one of the five faults at one command of recover, how many are tried", 5, 40;
    /// `server/sharding/random.rs`
    SHARD_KEYS: "random models, keys and indexes that the rules, a plan and a real shard judge", 60, 500;
    /// `server/aggregate/random.rs`
    RANDOM_AGGREGATES: "random aggregations of random documents with indexes of each kind", 300, 10_000;
    /// `server/collections/property.rs`
    COLLECTIONS: "random collections of each kind with random indexes, judged by the rules and by a server", 150, 3_000;
    /// `server/collections/property.rs`
    PLANNED_COLLECTIONS: "pairs of such collections that a plan makes and then changes", 25, 500;
    /// The files of `server` with a property that a server judges.
    PROPERTY_CASES: "of a hundred random cases of each property that a server judges, how many are tried", 40, 100;
    /// `server/tree/programs.rs`
    TREE_PROGRAMS: "random programs of four clients that insert, move and delete documents of a tree, of whom some stop", 30, 300;
    /// `convergence/kill_trees.rs`
    TREE_KILLS: "kills of a client that inserts, moves and deletes documents of a tree, as four at once", 8, 60;
    /// `server/buckets/programs.rs`
    BUCKET_PROGRAMS: "random programs that write children in buckets and read them in every way", 12, 100;
    /// `convergence/kill_buckets.rs`
    BUCKET_KILLS: "kills of a client that writes children into buckets, eight at once", 5, 100;
    /// `convergence/kill_buckets.rs`
    MIGRATION_KILLS: "kills of a client that moves documents into buckets or back", 4, 20;
    /// `server/buckets/memory.rs`
    MIGRATED_CHILDREN: "children that are moved into buckets in little memory", 100_000, 400_000;
    /// `server/tree/stopped.rs`
    TREE_STOPS: "of a hundred cases of a fault at one command of a large move or of its recover, how many are tried", 12, 96;
    /// `convergence/ends/programs.rs`
    ENDS_PROGRAMS: "random programs of four clients that write both ends of links and what has delete rules, half of them with faults", 40, 500;
    /// `convergence/ends/kill.rs`
    ENDS_KILLS: "kills of two clients at once that write that", 5, 100;
    /// `convergence/workers.rs`
    WORKERS: "of a hundred cases of a fault at one command of repair, backfill or a worker, or of others that write there, how many are tried", 10, 100;
    /// `convergence/faults.rs`
    FAULTS: "of the six faults, how many are tried at each command of each write of copies", 1, 6;
    /// `convergence/kill.rs`
    HOLDERS: "copies in a large propagation whose client is killed", 20_000, 100_000;
    /// `convergence/kill.rs`
    LARGE_PROPAGATIONS: "kills of a client in such a propagation", 4, 10;
    /// `convergence/kill.rs`
    PROPAGATIONS: "kills of a client in a propagation to 5,000 copies", 10, 90;
    /// `convergence/kill.rs`
    INSERTERS: "kills of a client that inserts holders", 5, 20;
    /// `convergence/kill_rollups.rs`
    CHILDREN: "kills of a client that writes children", 8, 40;
    /// `convergence/outage.rs`
    RESTARTS: "kills of a replica set of one server under writing clients", 1, 3;
    /// `convergence/outage.rs`
    STANDALONE_RESTARTS: "kills of a standalone server under writing clients", 1, 2;
    /// `convergence/outage.rs`
    ELECTIONS: "kills of the primary of three under writing clients", 1, 2;
    /// `server/copies/memory.rs`
    VERIFIED_COPIES: "copies that are verified and repaired in little memory", 100_000, 400_000;
    /// `server/links/memory.rs`
    VERIFIED_LINKS: "links that are verified and repaired in little memory", 30_000, 100_000;
    /// `server/rollup/memory.rs`
    RECOVERED_CHILDREN: "children, each of a parent of its own, whose left differences are recovered in little memory", 20_000, 50_000;
    /// `server/latest/memory.rs`
    STREAMED_CHILDREN: "children that are streamed in little memory", 250_000, 1_000_000;
    /// `server/aggregate/memory.rs`
    GROUPED_DOCUMENTS: "documents that are grouped in little memory", 200_000, 1_000_000;
    /// `random_queries.rs`
    RANDOM_MODELS: "random models with random declared queries, each with 20,000 documents", 4, 12;
}

impl Scale {
    /// Returns the number of tried cases in this run, for a scale of a hundred cases.
    pub fn of(self, cases: u32) -> u32 {
        cases * self.now() / 100
    }

    /// Returns the number of trials in this run.
    pub fn now(self) -> u32 {
        self.at(percentage())
    }

    /// Returns the most memory, in KiB, that a process may hold in addition to an idle client: 64 MiB for more trials
    /// than in `cargo test`, and half of that otherwise. All documents at once are too many in any case.
    pub fn most_memory(self) -> u64 {
        if self.now() > self.short { 64 * 1024 } else { 32 * 1024 }
    }

    /// Returns the number of trials for a percentage of the complete proof: at least the number in `cargo test`.
    fn at(self, percentage: u32) -> u32 {
        let part = u64::from(self.long) * u64::from(percentage) / 100;
        self.short.max(part.try_into().unwrap_or(self.long))
    }
}

/// Returns true when more runs than in `cargo test`.
pub fn is_long() -> bool {
    percentage() > 0
}

/// Returns the percentage of the complete proofs in this run; 0 without the variable.
///
/// # Panics
/// If the variable has another value than a whole number up to 100.
fn percentage() -> u32 {
    let Some(value) = env::var_os(LONG).filter(|value| !value.is_empty()) else { return 0 };
    let percentage = value.to_str().and_then(|value| value.parse().ok()).filter(|percentage| *percentage <= 100);
    percentage.unwrap_or_else(|| panic!("{LONG} is a percentage from 0 to 100, not {value:?}"))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// The text before the table and the text after the table.
    const TABLE: [&str; 2] = ["| what is tried | `cargo test` | `SCHEMA_TESTS_LONG=100` |\n|---|---|---|\n", "\n\n"];

    fn with_commas(number: u32) -> String {
        let digits = number.to_string();
        let first = (digits.len() - 1) % 3 + 1;
        let thousands = digits.as_bytes()[first..].chunks(3).map(|three| String::from_utf8_lossy(three).into_owned());
        [digits[..first].to_owned()].into_iter().chain(thousands).collect::<Vec<_>>().join(",")
    }

    /// Compares the table with the constants. `SCHEMA_TESTS_BLESS=1 cargo test -p schema-tests --lib` writes the table
    /// again.
    #[test]
    fn the_table_in_contributing_is_that_of_the_constants() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../CONTRIBUTING.md");
        let text = fs::read_to_string(&path).expect("CONTRIBUTING.md");
        let (before, rest) = text.split_once(TABLE[0]).expect("the head of the table");
        let (written, after) = rest.split_once(TABLE[1]).expect("the end of the table");
        let row =
            |scale: &Scale| format!("| {} | {} | {} |", scale.what, with_commas(scale.short), with_commas(scale.long));
        let table = ALL.iter().map(row).collect::<Vec<_>>().join("\n");
        if env::var_os("SCHEMA_TESTS_BLESS").is_some() {
            fs::write(&path, [before, TABLE[0], &table, TABLE[1], after].concat()).expect("it can be written");
        } else {
            assert!(written == table, "bless the table in CONTRIBUTING.md as this test's words say:\n{table}");
        }
    }

    #[test]
    fn all_of_a_proof_is_more_than_some_of_it() {
        for scale in ALL {
            assert!(0 < scale.short && scale.short < scale.long, "{scale:?}");
        }
    }

    #[test]
    fn a_percentage_of_a_proof_is_between_the_two() {
        let scale = Scale { what: "", short: 20, long: 500 };
        assert_eq!([0, 1, 4, 5, 30, 100].map(|percentage| scale.at(percentage)), [20, 20, 20, 25, 150, 500]);
    }
}
