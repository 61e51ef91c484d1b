//! The boxes and the lines of a diagram, found in a schema file. Pure.

mod lines;

use serde_json::Value;

use super::DiagramOptions;
use crate::manage::describe::{kind_of, plain, type_text, wide_indexes};
use crate::manage::schema_file::{FieldEntry, FieldType, IndexEntry, ModelEntry, SchemaFile};

/// The boxes and the lines.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) cards: Vec<Card>,
    pub(super) lines: Vec<Line>,
}

/// A box: one collection.
#[derive(Clone, Debug)]
pub(super) struct Card {
    pub(super) collection: String,
    pub(super) model: String,
    pub(super) module: String,
    /// The texts under the name: the struct, the kind, the shard key.
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// The indexes over several fields.
    pub(super) indexes: Vec<String>,
}

/// One field.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The stored path.
    pub(super) path: String,
    /// The last name of the path.
    pub(super) name: String,
    /// The number of structs around the field.
    pub(super) depth: usize,
    pub(super) type_text: String,
    /// `PK`, `UK`, `FK`, `IX`, `TTL`, `SK`, and the words for values that this crate keeps.
    pub(super) marks: Vec<String>,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// A relation that one end stores.
    Reference,
    /// A relation that both ends store. The line starts at the truth.
    TwoWay,
    /// From the source to the copy.
    Copy,
    /// From the children to the field of the parent.
    Rollup,
    /// From the source to the view.
    View,
}

impl LineKind {
    pub(super) fn word(self) -> &'static str {
        match self {
            LineKind::Reference => "reference",
            LineKind::TwoWay => "two_way",
            LineKind::Copy => "copy",
            LineKind::Rollup => "rollup",
            LineKind::View => "view",
        }
    }
}

/// A line between two boxes, or from a box to the same box.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    /// The stored field that names the line.
    pub(super) name: String,
    /// The stored form: `parent`, `ids <= 2,000`.
    pub(super) stored: String,
    pub(super) from: End,
    pub(super) to: End,
    /// True when the box at the end stands before the box at the start: a parent before its children.
    pub(super) is_upward: bool,
}

/// An end of a line.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// The number of the box.
    pub(super) card: usize,
    /// The number of the row.
    pub(super) row: Option<usize>,
    /// The number of documents at the end, in words: `one`, `squillions`.
    pub(super) words: String,
}

impl Line {
    /// Returns the line in words, for readers of the page and for lists.
    pub(super) fn sentence(&self, cards: &[Card]) -> String {
        let (from, to) = (&cards[self.from.card].collection, &cards[self.to.card].collection);
        match self.kind {
            LineKind::Reference | LineKind::TwoWay => format!(
                "{from}.{}: {} of {from} to {} of {to}, stored as {}",
                self.name, self.from.words, self.to.words, self.stored
            ),
            LineKind::Copy => format!("{to}.{} is a copy of {from}.{}", self.name, self.stored),
            LineKind::Rollup => format!("{to}.{} is kept of {from}: {}", self.name, self.stored),
            LineKind::View => format!("{to} is a view of {from}"),
        }
    }
}

pub(super) fn picture(file: &SchemaFile, options: &DiagramOptions) -> Picture {
    let mut models: Vec<&ModelEntry> = file.models.iter().collect();
    if options.by_module {
        models.sort_by(|one, other| (&one.module, &one.collection).cmp(&(&other.module, &other.collection)));
    }
    let cards: Vec<Card> = models.iter().map(|model| card(model, options)).collect();
    let lines = lines::lines(&models, &cards, options.hides_copies);
    Picture { cards, lines }
}

fn card(model: &ModelEntry, options: &DiagramOptions) -> Card {
    let is_drawn = |field: &&FieldEntry| !field.path.ends_with([']', '}']);
    let rows = model.fields.iter().filter(is_drawn).map(|field| row(field, model, options.hides_indexes));
    let mut heads = vec![model.model.clone()];
    if options.by_module && !model.module.is_empty() {
        heads.push(format!("in {}", model.module));
    }
    heads.extend(kind_of(model));
    Card {
        collection: model.collection.clone(),
        model: model.model.clone(),
        module: model.module.clone(),
        heads,
        rows: rows.collect(),
        indexes: if options.hides_indexes { Vec::new() } else { wide_indexes(model) },
    }
}

fn row(field: &FieldEntry, model: &ModelEntry, hides_indexes: bool) -> Row {
    let name = field.path.rsplit('.').next().unwrap_or_default();
    let name = match &field.variant {
        Some(variant) => format!("{variant}: {name}"),
        None => name.to_owned(),
    };
    Row {
        path: field.path.clone(),
        name,
        depth: field.path.matches('.').count(),
        type_text: type_text(field, &model.fields),
        marks: marks(field, model, hides_indexes),
    }
}

fn marks(field: &FieldEntry, model: &ModelEntry, hides_indexes: bool) -> Vec<String> {
    let path = plain(&field.path);
    let mut marks = Vec::new();
    let mut add = |mark: &str| marks.push(mark.to_owned());
    if path == "_id" {
        add("PK");
    }
    if model.shard_key.iter().flat_map(|key| &key.keys).any(|key| key_path(key) == path) {
        add("SK");
    }
    if field.relation.as_ref().is_some_and(|relation| relation.to.is_some()) {
        add("FK");
    }
    if !hides_indexes {
        let of_field = || model.indexes.iter().filter(|index| index.keys.iter().any(|key| key_path(key) == path));
        let is_unique = |index: &IndexEntry| index.keys.len() == 1 && has(index, "unique");
        match of_field().any(is_unique) {
            true => add("UK"),
            false if of_field().next().is_some() => add("IX"),
            false => {}
        }
        if of_field().any(|index| index.options.contains_key("expireAfterSeconds")) {
            add("TTL");
        }
    }
    if let Some(set_by) = &field.set_by {
        add(set_by);
    }
    if let Some(copy) = &field.copy {
        add(if copy.mode == "synced" { "copy" } else { &copy.mode });
    }
    if let Some(rollup) = &field.rollup {
        add(&rollup.kind);
    }
    marks
}

fn key_path(key: &str) -> &str {
    key.rsplit_once(": ").map_or(key, |(path, _)| path)
}

fn has(index: &IndexEntry, option: &str) -> bool {
    index.options.get(option) == Some(&Value::Bool(true))
}

/// Returns whether a field holds several values.
fn is_list(field: &FieldEntry) -> bool {
    field.stored_type == FieldType::Array
}
