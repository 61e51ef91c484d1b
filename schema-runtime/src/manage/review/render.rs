//! Writes a review as a text for people.

use std::fmt;

use super::{
    CopyReview, DeleteStep, IndexAsker, IndexReview, ModelReview, ReadReview, Review, StoredReview, TransactionReview,
    WriteReview,
};
use crate::report::{bytes, counted};

impl fmt::Display for Review {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for model in &self.models {
            writeln!(formatter, "{model}")?;
        }
        self.write_sums(formatter)?;
        let notes = self.notes();
        if notes.is_empty() {
            return formatter.write_str("Nothing stands out.");
        }
        formatter.write_str("Look at:")?;
        notes.iter().try_for_each(|note| write!(formatter, "\n  {note}"))
    }
}

impl Review {
    fn write_sums(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reads: u64 = self.models.iter().flat_map(|model| &model.reads).filter_map(|read| read.per_day).sum();
        let silent = self.models.iter().flat_map(|model| &model.reads);
        let silent = silent.filter(|read| read.per_day.is_none()).count() as u64;
        let writes = || self.models.iter().flat_map(|model| &model.writes);
        let written: u64 = writes().filter_map(|write| write.per_day).sum();
        let commands: u64 = writes().filter_map(WriteReview::commands_per_day).sum();
        write!(formatter, "A day: {} reads", grouped(reads))?;
        if silent > 0 {
            let reads = counted(silent, "declared read that does", "declared reads that do");
            write!(formatter, ", and {reads} not say how often")?;
        }
        writeln!(formatter, "; {} writes of declared fields, by {} commands.", grouped(written), grouped(commands))?;
        if let Some(set) = self.working_set() {
            write!(formatter, "Working set of a day's reads: {}", bytes(set))?;
            match self.memory {
                Some(memory) => writeln!(formatter, ", of {} of memory.", bytes(memory))?,
                None => writeln!(formatter, ".")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for ModelReview {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (`{}`)", self.model, self.collection)?;
        if let Some(stored) = &self.stored {
            write!(formatter, ": {stored}")?;
        }
        writeln!(formatter)?;
        table(formatter, ["reads", "a day", "documents", "index", ""], self.reads.iter().map(read))?;
        table(formatter, ["writes", "a day", "commands", "documents", ""], self.writes.iter().map(write))?;
        table(formatter, ["copies", "read a day", "written", "holders", ""], self.copies.iter().map(copy))?;
        table(formatter, ["indexes", "asked by", "used", "size", ""], indexes(&self.indexes))?;
        if !self.transactions.is_empty() {
            let all: Vec<String> = self.transactions.iter().map(ToString::to_string).collect();
            writeln!(formatter, "  in a transaction: {}", all.join(", "))?;
        }
        for chain in &self.deletes {
            let steps: Vec<String> = chain.iter().map(ToString::to_string).collect();
            writeln!(formatter, "  a delete: {}", steps.join(", then "))?;
        }
        Ok(())
    }
}

impl fmt::Display for StoredReview {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = if self.documents == 1 { "document" } else { "documents" };
        write!(formatter, "{} {documents} of {}", grouped(self.documents), bytes(self.bytes))?;
        if self.documents > 0 {
            write!(formatter, ", the largest of a sample {}", bytes(self.largest_sampled))?;
        }
        write!(formatter, "; indexes of {}", bytes(self.index_bytes))
    }
}

fn read(read: &ReadReview) -> [String; 5] {
    let of = match read.groups {
        Some(result) => format!("grouped as `{result}`"),
        None if read.is_lookup => format!("of `{}`", read.collection),
        None => String::new(),
    };
    let index = read.index.clone().unwrap_or_else(|| "none".to_owned());
    [read.name.to_owned(), said(read.per_day), said(read.documents), index, of]
}

fn write(write: &WriteReview) -> [String; 5] {
    let cost = &write.cost;
    [cost.field.clone(), said(write.per_day), grouped(cost.commands(0)), said(cost.documents()), String::new()]
}

fn copy(copy: &CopyReview) -> [String; 5] {
    let of = format!("of {}.{}", copy.source, copy.from);
    [copy.path.clone(), said(copy.reads), said(copy.writes), said(copy.fan_out), of]
}

/// Returns a row for each index. Indexes that only derived data asks for are many, and share a single row.
fn indexes(all: &[IndexReview]) -> impl Iterator<Item = [String; 5]> {
    let (derived, others): (Vec<_>, Vec<_>) = all.iter().partition(|index| index.asked_by == [IndexAsker::DerivedData]);
    let row = |name: String, asked: String, stored: Option<(u64, u64)>| {
        let (used, size) = stored.map(|(used, size)| (grouped(used), bytes(size))).unwrap_or_default();
        [name, asked, used, size, String::new()]
    };
    let figures = |index: &IndexReview| index.stored.map(|stored| (stored.used, stored.bytes));
    let sum = derived.iter().filter_map(|index| figures(index)).reduce(|one, other| (one.0 + other.0, one.1 + other.1));
    let rest = counted(derived.len() as u64, "more", "more");
    let rest = (!derived.is_empty()).then(|| row(rest, IndexAsker::DerivedData.to_string(), sum));
    let others = others.into_iter().map(move |index| {
        let asked: Vec<String> = index.asked_by.iter().map(ToString::to_string).collect();
        row(index.name.clone(), asked.join(", "), figures(index))
    });
    others.collect::<Vec<_>>().into_iter().chain(rest)
}

impl fmt::Display for IndexAsker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexAsker::Declared => formatter.write_str("declared"),
            IndexAsker::Unique => formatter.write_str("unique"),
            IndexAsker::Expiry => formatter.write_str("expiry"),
            IndexAsker::Query(name) => formatter.write_str(name),
            IndexAsker::Relation(field) => write!(formatter, "the relation {field}"),
            IndexAsker::ShardKey => formatter.write_str("the shard key"),
            IndexAsker::DerivedData => formatter.write_str("derived data"),
        }
    }
}

impl fmt::Display for TransactionReview {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransactionReview::Copies(field) => write!(formatter, "an update of {field} and its copies"),
            TransactionReview::BothEnds(field) => write!(formatter, "each write of {field} and the far side"),
            TransactionReview::Delete => formatter.write_str("a delete and the work of the delete rules"),
            TransactionReview::Parent(field) => write!(formatter, "an update of {field} and the parent there"),
            TransactionReview::Kept(reference) => {
                write!(formatter, "a write of fields that the parent by {reference} keeps")
            }
            TransactionReview::Insert => formatter.write_str("an insert and the children that are there"),
        }
    }
}

impl fmt::Display for DeleteStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeleteStep { collection, field, rule, documents } = self;
        write!(formatter, "{} on {collection}.{field} (", rule.word())?;
        match documents {
            Some(documents) => write!(formatter, "at most {})", grouped(*documents)),
            None => formatter.write_str("any number)"),
        }
    }
}

/// Returns a declared number, or a question mark.
fn said(number: Option<u64>) -> String {
    number.map_or_else(|| "?".to_owned(), grouped)
}

/// Returns a number as written in an attribute: `20_000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("_")
}

/// Writes rows under a header, each column as wide as the widest cell; numbers are at the right. Writes nothing without
/// rows.
fn table(
    formatter: &mut fmt::Formatter<'_>,
    header: [&str; 5],
    rows: impl Iterator<Item = [String; 5]>,
) -> fmt::Result {
    let rows: Vec<[String; 5]> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    let is_empty = |column: usize| column > 1 && rows.iter().all(|row| row[column].is_empty());
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].len()]).max().unwrap_or_default()
    };
    let is_number = |column: usize| {
        let mut cells = rows.iter().map(|row| &row[column]).filter(|cell| !cell.is_empty());
        column > 0 && cells.all(|cell| cell.starts_with(|first: char| first.is_ascii_digit() || first == '?'))
    };
    let mut line = |cells: [&str; 5], indent: &str| {
        let mut text = format!("  {indent}");
        for column in (0..5).filter(|column| !is_empty(*column)) {
            let width = width(column) + if column == 0 { 2 - indent.len() } else { 0 };
            match is_number(column) {
                true => text += &format!("{:>width$}  ", cells[column]),
                false => text += &format!("{:<width$}  ", cells[column]),
            }
        }
        writeln!(formatter, "{}", text.trim_end())
    };
    line(header, "")?;
    rows.iter().try_for_each(|row| line(row.each_ref().map(String::as_str), "  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1_000, 20_000, 1_234_567].map(grouped), ["0", "999", "1_000", "20_000", "1_234_567"]);
    }
}
