//! The cost of a write of a field, computed from the definitions alone. Pure.

use std::fmt;

use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{CopyPath, fan_out_of, paths_from},
        rollup::{Kept, kept_fields, kept_of},
    },
    field::{Path, Token},
    indexes::wanted_indexes,
    limits::{SWEEP_HOLDERS, TRANSACTION_COPIES},
    model::Model,
    report::counted,
};

/// The cost of an update of one document that changes a field, including the copies of the field: see
/// [`CostOperators::cost`]. Data; `Display` for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// The model.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored path of the field.
    pub field: String,
    /// The way in which the copies follow the write.
    pub mode: CostMode,
    /// The places that hold copies of the field and follow the writes of the field.
    pub paths: Vec<PathCost>,
    /// The parents that keep a value computed from the field.
    pub parents: Vec<ParentCost>,
    /// True when a command reads the document before the change, for the parents: the write also concerns copies, or
    /// the collection is sharded. Otherwise the command of the write returns the document.
    pub reads_before: bool,
}

/// The parents of one relation that keep a value computed from a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParentCost {
    /// The collection of the parents.
    pub parent: &'static str,
    /// The stored reference to the parent.
    pub reference: &'static str,
    /// The stored fields of the parent that a write changes.
    pub fields: Vec<&'static str>,
    /// The number of `fields` that are read again, by an index, when the held value goes: subsets, minima and maxima.
    pub read_again: u64,
    /// The number of parents that a write changes: two when the field is the reference to the parent.
    pub documents: u64,
}

/// The way in which the copies follow a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostMode {
    /// The field has no copies: the write is a single command.
    Alone,
    /// The copies follow in the transaction of the write on a replica set, and after the write on a standalone.
    Transaction,
    /// The copies follow after the write: in a single command when the number of copies has a bound, in chunks
    /// otherwise.
    Chunks,
}

/// A place that holds copies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathCost {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references beside the copies.
    pub reference: String,
    /// The most documents that hold copies of a source (`fan_out`); `None` without a bound.
    pub documents: Option<u64>,
    /// The index that finds the copies.
    pub index: Option<String>,
}

/// The cost of a field, on every token of a model's field: `Part::F.name.cost()`.
pub trait CostOperators: Token {
    /// Returns the cost of an update of one document that changes this field. `external` copies do not count, since the
    /// writes of the source do not propagate `external` copies.
    fn cost(self) -> Cost
    where
        Self::Model: Model,
    {
        of(<Self::Model as Model>::DEFINITION, Self::Path::NODE.join())
    }
}

impl<T: Token> CostOperators for T {}

/// Returns the cost of the field at a stored path.
pub(crate) fn of(model: &'static ModelDefinition, field: String) -> Cost {
    let propagated: Vec<CopyPath> = paths_from(model).into_iter().filter(|path| path.copies_from(&field)).collect();
    let paths: Vec<PathCost> = propagated.iter().map(of_path).collect();
    let parents: Vec<ParentCost> = kept_of(model, &field).into_iter().map(of_parent).collect();
    let is_returned = model.shard_key.is_none() && !model.has_copies_at(field.split('.').next().unwrap_or(&field));
    let reads_before = !parents.is_empty() && !is_returned;
    let mode = match fan_out_of(&propagated) {
        _ if paths.is_empty() => CostMode::Alone,
        Some(documents) if documents <= TRANSACTION_COPIES => CostMode::Transaction,
        _ => CostMode::Chunks,
    };
    Cost { model: model.model, collection: model.collection, field, mode, paths, parents, reads_before }
}

fn of_path(path: &CopyPath) -> PathCost {
    let reference = path.reference_path();
    let indexes = wanted_indexes(path.holder).unwrap_or_default();
    let serves = indexes.into_iter().find(|index| {
        let first = index.keys.iter().next();
        first.is_some_and(|(key, _)| *key == reference) && index.partial.is_none() && !index.sparse
    });
    PathCost {
        holder: path.holder.collection,
        reference,
        documents: path.fan_out,
        index: serves.map(|index| index.name),
    }
}

fn of_parent(Kept { parent, reference, fields, read_again, is_reference }: Kept) -> ParentCost {
    ParentCost { parent, reference, fields, read_again: read_again as u64, documents: if is_reference { 2 } else { 1 } }
}

/// Returns the costs of the fields of a model that are copied, or that a parent keeps a value of.
pub(crate) fn of_derived(model: &'static ModelDefinition) -> Vec<Cost> {
    let mut fields: Vec<String> = kept_fields(model);
    for from in paths_from(model).iter().flat_map(CopyPath::from) {
        if !fields.iter().any(|field| field == from) {
            fields.push(from.to_owned());
        }
    }
    fields.into_iter().map(|field| of(model, field)).collect()
}

impl Cost {
    /// Returns the number of collections that a write changes.
    pub fn collections(&self) -> usize {
        let parents = self.parents.iter().map(|parent| parent.parent);
        let mut collections: Vec<&str> =
            self.paths.iter().map(|path| path.holder).chain([self.collection]).chain(parents).collect();
        collections.sort_unstable();
        collections.dedup();
        collections.len()
    }

    /// Returns the most documents that a write changes; `None` without a bound.
    pub fn documents(&self) -> Option<u64> {
        let parents = 1 + self.parents.iter().map(|parent| parent.documents).sum::<u64>();
        self.paths.iter().try_fold(parents, |sum, path| Some(sum.saturating_add(path.documents?)))
    }

    /// Returns the number of commands, each a round trip, when each place holds at most `holders` copies, or as many
    /// copies as the bound of the place allows. A transaction that is tried again sends the commands of the transaction
    /// again.
    ///
    /// The write is one command. In a transaction, each place takes an update, and another update after the commit.
    /// Without a transaction, each place with a bound takes an update; each place without a bound takes a read and an
    /// update for each 5,000 holders. The last command clears the marks.
    ///
    /// When parents keep a value of the field, the write is a transaction: the command of the write returns the
    /// document before the change, each relation takes an update of the parents, and the commit is the last command.
    /// When parents keep a subset, a minimum or a maximum of the field, another command asks whether a parent holds the
    /// old value. The command reads the children of such a parent by an index. With
    /// [`reads_before`](Cost::reads_before) another command reads the document before the change.
    pub fn commands(&self, holders: u64) -> u64 {
        let of_parent = |parent: &ParentCost| if parent.read_again > 0 { 2 } else { 1 };
        let commit = u64::from(!self.parents.is_empty() && self.mode != CostMode::Transaction);
        self.copying(holders) + u64::from(self.reads_before) + commit + self.parents.iter().map(of_parent).sum::<u64>()
    }

    fn copying(&self, holders: u64) -> u64 {
        let paths = self.paths.len() as u64;
        match self.mode {
            CostMode::Alone => 1,
            CostMode::Transaction => 3 + 2 * paths,
            CostMode::Chunks => {
                let chunks = holders.div_ceil(u64::from(SWEEP_HOLDERS)).max(1);
                2 + self.paths.iter().map(|path| if path.documents.is_some() { 1 } else { 2 * chunks }).sum::<u64>()
            }
        }
    }
}

impl fmt::Display for Cost {
    /// Writes a line for the field, and a line for each place.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { model, field, .. } = self;
        let collections = counted(self.collections() as u64, "collection", "collections");
        write!(formatter, "{model}.{field}: a write of the field changes ")?;
        match self.documents() {
            Some(documents) => {
                write!(formatter, "at most {} in {collections}", counted(documents, "document", "documents"))?
            }
            None => write!(formatter, "any number of documents in {collections}")?,
        }
        let commands = counted(self.commands(0), "command", "commands");
        match self.mode {
            CostMode::Alone => write!(formatter, ", by {commands}")?,
            CostMode::Transaction => write!(formatter, ", in a transaction, by {commands}")?,
            CostMode::Chunks if self.documents().is_some() => write!(formatter, ", by {commands}")?,
            CostMode::Chunks => write!(formatter, ", by {commands} and more for each {SWEEP_HOLDERS} holders")?,
        }
        for ParentCost { parent, reference, fields, read_again, .. } in &self.parents {
            write!(formatter, "\n  {parent}, by `{reference}`: {}", fields.join(", "))?;
            if *read_again > 0 {
                let again = counted(*read_again, "field", "fields");
                write!(formatter, "; {again} read again by an index when the held value goes")?;
            }
        }
        for path in &self.paths {
            write!(formatter, "\n  {}.{}: ", path.holder, path.reference)?;
            match path.documents {
                Some(documents) => write!(formatter, "at most {}", counted(documents, "document", "documents"))?,
                None => formatter.write_str("any number of documents")?,
            }
            match &path.index {
                Some(index) => write!(formatter, ", by the index {index}")?,
                None => formatter.write_str(", by no index")?,
            }
        }
        Ok(())
    }
}
