//! Writes a plan as text. Leaves out data of the user's documents. Pure.

mod figures;
mod rule;

use std::fmt;

use mongodb::bson::{Bson, Document};

use super::{Change, Clash, Duplicates, Index, Needs, Note, Plan, Step, Validator, collations::usual_options};
use crate::{
    manage::{
        cost,
        sharding::{Sharding, ShardingKind},
    },
    report::{counted, printable},
};

impl fmt::Display for Plan {
    /// Writes the steps by collection: `+` is made, `~` is changed, `-` is dropped, `!` cannot be done without a
    /// decision. Then writes the cost of a write of each field that is copied, or that a parent keeps a value of.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            writeln!(formatter, "nothing to change")?;
        }
        let mut collection = "";
        for step in &self.steps {
            if step.collection != collection {
                writeln!(formatter, "{} ({})", step.collection, step.model)?;
                collection = &step.collection;
            }
            for line in step.lines() {
                writeln!(formatter, "  {line}")?;
            }
        }
        for note in &self.notes {
            writeln!(formatter, "note: {}", printable(&note.to_string()))?;
        }
        for cost in self.models.iter().flat_map(|model| cost::of_derived(model)) {
            writeln!(formatter, "cost: {cost}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    /// Writes a line, with the collection.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.collection, printable(&self.headline()))
    }
}

impl Step {
    /// Returns the step as lines for people: the sign and the change, then the details, indented.
    pub fn lines(&self) -> Vec<String> {
        self.raw_lines().iter().map(|line| printable(line)).collect()
    }

    fn raw_lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{} {}{}", self.sign(), self.headline(), self.needed_option())];
        let mut more = Vec::new();
        match &self.change {
            Change::SetValidator { old, new, refused, .. } => {
                more.extend(refused_text(*refused));
                more.extend(old.iter().flat_map(|old| rule::changes(&old.rule, &new.rule)));
            }
            Change::CreateIndex { index, duplicates } => more.extend(duplicates_text(index, duplicates.as_ref())),
            Change::ChangeIndex { old, new, duplicates } => {
                more.extend([format!("- {}", old.options()), format!("+ {}", new.options())]);
                more.extend(duplicates_text(new, duplicates.as_ref()));
            }
            Change::RebuildIndex { old, new, duplicates, .. } | Change::IndexNameTaken { old, new, duplicates, .. } => {
                more.extend([format!("- {old}"), format!("+ {new}")]);
                more.extend(duplicates_text(new, duplicates.as_ref()));
                more.extend(self.change.figures());
            }
            Change::Shard(sharding) => more.extend(sharding.lines()),
            Change::Search(change) => more.extend(change.lines()),
            Change::SetOption { old, new, shrinks } => {
                more.extend([format!("- {}", options(old)), format!("+ {}", options(new))]);
                more.extend(shrinks.then(|| lost_text(new).to_owned()));
            }
            Change::ConvertToCapped { indexes, lost, .. } => {
                more.push("the oldest documents that have no place are deleted".to_owned());
                more.extend(indexes.iter().map(|index| format!("~ index {index}, dropped and made again")));
                more.extend(lost.iter().map(|index| format!("- index {index}, dropped")));
            }
            Change::CollectionClash { clash } => more.push(clash.remedy().to_owned()),
            Change::DropIndex { .. } => more.extend(self.change.figures()),
            Change::CreateCollection { .. } => {}
        }
        lines.extend(more.into_iter().map(|line| format!("    {line}")));
        lines
    }

    fn needed_option(&self) -> String {
        match (self.needs(), &self.change) {
            (Needs::Nothing, _) => String::new(),
            (Needs::Decision, _) => " (change the definition or the database)".to_owned(),
            (needs, Change::DropIndex { index, .. }) if !index.hidden => {
                format!(" (only with `{}`; `hide_undeclared` hides the index)", needs.option())
            }
            (needs, _) => format!(" (only with `{}`)", needs.option()),
        }
    }

    fn sign(&self) -> char {
        match &self.change {
            Change::CreateCollection { .. } | Change::CreateIndex { .. } => '+',
            Change::SetValidator { old: None, .. } => '+',
            Change::SetValidator { .. }
            | Change::ChangeIndex { .. }
            | Change::RebuildIndex { .. }
            | Change::SetOption { .. }
            | Change::ConvertToCapped { .. } => '~',
            Change::Shard(Sharding { kind: ShardingKind::Shard, .. }) => '+',
            Change::Shard(_) => '~',
            Change::Search(change) => change.sign(),
            Change::DropIndex { .. } => '-',
            Change::IndexNameTaken { .. } | Change::CollectionClash { .. } => '!',
        }
    }

    /// Returns the change of the step in a single line.
    fn headline(&self) -> String {
        match &self.change {
            Change::CreateCollection { validator, options } => {
                let kind = if options.is_empty() { String::new() } else { format!(" {}", self::options(options)) };
                let word = if options.contains_key("viewOn") { "view" } else { "collection" };
                let judged = validator.as_ref().map(|validator| format!(", validator {}", judged(validator)));
                format!("{word}{kind}{}", judged.unwrap_or_default())
            }
            Change::SetOption { new, .. } => match new.keys().next() {
                Some(option) => format!("option {option}"),
                None => "option".to_owned(),
            },
            Change::ConvertToCapped { bytes, documents, .. } => {
                let most =
                    documents.map(|most| format!(" and {}", counted(most.unsigned_abs(), "document", "documents")));
                format!("the collection becomes capped, of {bytes} bytes{}", most.unwrap_or_default())
            }
            Change::SetValidator { old: None, new, .. } => format!("validator {}", judged(new)),
            Change::SetValidator { old: Some(old), new, foreign, .. } => {
                let whose = if *foreign { " that this crate did not write" } else { "" };
                match (judged(old), judged(new)) {
                    (old, new) if old == new => format!("validator{whose}, {new}"),
                    (old, new) => format!("validator{whose}, {old} becomes {new}"),
                }
            }
            Change::CreateIndex { index, .. } => format!("index {index}"),
            Change::ChangeIndex { old, .. } => format!("index {} {}", old.name, keys(&old.keys)),
            Change::RebuildIndex { old, .. } => {
                format!("index {} has different options: drop the index and create the index again", old.name)
            }
            Change::DropIndex { index, .. } => format!("index {index}, asked for by no model"),
            Change::Shard(sharding) => sharding.to_string(),
            Change::Search(change) => change.to_string(),
            Change::IndexNameTaken { old, declared, .. } => {
                let whose = if *declared { "another declared index" } else { "an index that no model asks for" };
                format!("the index name {} belongs to {whose}", old.name)
            }
            Change::CollectionClash { clash } => format!("the name belongs to {clash}: nothing here is touched"),
        }
    }
}

fn judged(validator: &Validator) -> String {
    format!("{} {}", validator.level, validator.action)
}

fn refused_text(refused: Option<u64>) -> Option<String> {
    match refused {
        Some(0) => None,
        Some(1) => Some("1 document does not pass the new validator".to_owned()),
        Some(count) => Some(format!("{count} documents do not pass the new validator")),
        None => Some("documents that do not pass were not counted: the user may not read the documents".to_owned()),
    }
}

fn duplicates_text(index: &Index, duplicates: Option<&Duplicates>) -> Option<String> {
    if !index.unique {
        return None;
    }
    match duplicates.map(|duplicates| duplicates.groups) {
        Some(0) => None,
        Some(1) => Some("1 key is in several documents: the index cannot be unique".to_owned()),
        Some(groups) => Some(format!("{groups} keys are each in several documents: the index cannot be unique")),
        None => Some("duplicates were not counted: the user may not read the documents".to_owned()),
    }
}

impl fmt::Display for Index {
    /// Writes name, keys and options on a single line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.name, keys(&self.keys))?;
        let options = self.options();
        if options == PLAIN { Ok(()) } else { write!(formatter, " {options}") }
    }
}

const PLAIN: &str = "no options";

impl Index {
    fn options(&self) -> String {
        let mut options = Vec::new();
        for (word, given) in [("unique", self.unique), ("sparse", self.sparse), ("hidden", self.hidden)] {
            if given {
                options.push(word.to_owned());
            }
        }
        if let Some(partial) = &self.partial {
            options.push(format!("partial {}", compact(&Bson::Document(partial.clone()))));
        }
        if let Some(seconds) = self.expire_after_seconds {
            options.push(format!("expires after {seconds} s"));
        }
        if let Some(collation) = &self.collation {
            options.push(format!("collation {}", collation_text(collation)));
        }
        for (setting, value) in &self.settings {
            options.push(format!("{setting} {}", compact(value)));
        }
        if options.is_empty() { PLAIN.to_owned() } else { options.join(", ") }
    }
}

/// Returns the locale, and each option that differs from the usual value of the option.
fn collation_text(collation: &Document) -> String {
    let usual = usual_options();
    let mut text = collation.get_str("locale").unwrap_or("of its own").to_owned();
    for (name, value) in collation.iter().filter(|(name, value)| *name != "locale" && usual.get(*name) != Some(*value))
    {
        text.push_str(&format!(" {name} {}", compact(value)));
    }
    text
}

fn keys(keys: &Document) -> String {
    compact(&Bson::Document(keys.clone()))
}

/// Returns a small document on a single line, without quotes around the names.
fn compact(value: &Bson) -> String {
    match value {
        Bson::Document(document) => {
            let members: Vec<String> =
                document.iter().map(|(name, value)| format!("{name}: {}", compact(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        Bson::Array(list) => {
            let elements: Vec<String> = list.iter().map(compact).collect();
            format!("[{}]", elements.join(", "))
        }
        Bson::DateTime(date) => format!("date {} ms", date.timestamp_millis()),
        Bson::Binary(binary) => format!("binary of {} bytes", binary.bytes.len()),
        other => other.to_string(),
    }
}

/// Returns the options of a collection on a single line.
fn options(options: &Document) -> String {
    compact(&Bson::Document(options.clone()))
}

fn lost_text(option: &Document) -> &'static str {
    if option.contains_key("changeStreamPreAndPostImages") {
        "the stored images are deleted"
    } else {
        "the oldest documents that have no place are deleted by the next insert"
    }
}

impl Clash {
    /// Returns the ways to a collection that matches the model.
    const fn remedy(self) -> &'static str {
        match self {
            Clash::View => "drop the view, or declare `view(..)`, or name another collection",
            Clash::Collation => {
                "MongoDB sets the collation of a collection once, when the collection is made: declare the collation as \
                 found, or drop the empty collection, or name another collection and copy the documents"
            }
            Clash::Plain
            | Clash::Capped
            | Clash::Clustered
            | Clash::TimeSeries
            | Clash::TimeSeriesFields
            | Clash::Granularity
            | Clash::Compression => {
                "no command changes this: declare the collection as found, or drop the empty collection, or name \
                 another collection and copy the documents"
            }
        }
    }
}

impl fmt::Display for Clash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Clash::View => "a view without stored documents",
            Clash::TimeSeries => "a time series",
            Clash::Capped => "a capped collection with automatic deletes of the oldest documents",
            Clash::Plain => "a plain collection",
            Clash::Clustered => "a clustered collection",
            Clash::TimeSeriesFields => "a time series with another time field or another meta field",
            Clash::Granularity => "a time series with a coarser granularity",
            Clash::Compression => "a collection with another compression",
            Clash::Collation => "a collection with another collation",
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::HiddenIndex { collection, index } => {
                write!(formatter, "the index {index} of {collection} is hidden: no read uses the index")
            }
            Note::NoCluster { collection } => {
                write!(
                    formatter,
                    "{collection} has a shard key, and this server is no sharded cluster (no `mongos`): the collection \
                     is not sharded"
                )
            }
            Note::ShardKeysUnknown => formatter.write_str(
                "the user may not read `config.collections`: the sharded collections are unknown, and no sharding is \
                 planned",
            ),
            Note::ShardKeyUndeclared { collection, key } => {
                write!(formatter, "{collection} is sharded by {key}, and the model declares no shard key")
            }
            Note::SearchUnavailable { collection, index, definition } => {
                write!(
                    formatter,
                    "search is not available on this server: the index {index} of {collection} is not made: {definition}"
                )
            }
            Note::SearchIndexesUnknown { collection } => {
                write!(
                    formatter,
                    "the user has no right to `listSearchIndexes`: the search indexes of {collection} are unknown"
                )
            }
            Note::SearchIndexBuilding { collection, index } => {
                write!(formatter, "the server is building the search index {index} of {collection}")
            }
            Note::IndexUseUnknown { collection } => write!(
                formatter,
                "the user may not read the use of the indexes of {collection} (`indexStats`): reads may use an index \
                 that no model asks for"
            ),
            Note::Moderate { collection, documents } => {
                let documents = counted(*documents, "document does", "documents do");
                write!(
                    formatter,
                    "{documents} not pass the validator of {collection}: the validator is `moderate` until all documents pass, \
                     since copies and rollups are written to the documents"
                )
            }
        }
    }
}
