//! The lines of a diagram: relations, copies, rollups, views and trees. Pure.

use serde_json::Value;

use super::{Card, End, Line, LineKind, is_list};
use crate::manage::{
    describe::{grouped, plain},
    schema_file::{FieldEntry, ModelEntry, RelationEntry},
};

/// The models with the boxes, for a search by names.
struct Drawn<'a> {
    models: &'a [&'a ModelEntry],
    cards: &'a [Card],
}

pub(super) fn lines(models: &[&ModelEntry], cards: &[Card], hides_copies: bool) -> Vec<Line> {
    let drawn = Drawn { models, cards };
    let mut lines = Vec::new();
    for (card, model) in models.iter().enumerate() {
        for field in &model.fields {
            lines.extend(drawn.relation(card, field));
            lines.extend(drawn.tree(card, field));
            lines.extend(if hides_copies { None } else { drawn.copy(card, field) });
            lines.extend(drawn.rollup(card, field));
        }
        lines.extend(drawn.view(card, model));
    }
    lines
}

impl Drawn<'_> {
    fn card(&self, collection: &str) -> Option<usize> {
        self.cards.iter().position(|card| card.collection == collection)
    }

    fn row(&self, card: usize, path: &str) -> Option<usize> {
        let rows = &self.cards[card].rows;
        rows.iter().position(|row| row.path == path).or_else(|| rows.iter().position(|row| plain(&row.path) == path))
    }

    fn relation(&self, card: usize, field: &FieldEntry) -> Option<Line> {
        let relation = field.relation.as_ref()?;
        let target = self.card(relation.to.as_ref()?)?;
        if relation.mirror && self.truth_of(card, target, relation) {
            return None;
        }
        let (near, far) = words(relation, field);
        let mirror = self.mirror_of(card, target, field);
        Some(Line {
            kind: if relation.storage == "two_way" { LineKind::TwoWay } else { LineKind::Reference },
            name: field.path.clone(),
            stored: stored(relation, field),
            from: End { card, row: self.row(card, &field.path), words: near },
            to: End { card: target, row: mirror.and_then(|path| self.row(target, path)), words: far },
            is_upward: !is_list(field) || relation.mirror,
        })
    }

    /// Returns whether the target stores the relation that this mirror follows.
    fn truth_of(&self, card: usize, target: usize, mirror: &RelationEntry) -> bool {
        let of = &self.models[card].collection;
        let is_named = |field: &FieldEntry| mirror.mirror_of.as_ref().is_none_or(|path| *path == field.path);
        self.models[target].fields.iter().filter(|field| is_named(field)).any(|field| {
            let mut relations = field.relation.iter();
            relations.any(|truth| truth.storage == "two_way" && !truth.mirror && truth.to.as_ref() == Some(of))
        })
    }

    /// Returns the field of the target that mirrors this field.
    fn mirror_of(&self, card: usize, target: usize, truth: &FieldEntry) -> Option<&str> {
        let of = &self.models[card].collection;
        let mut fields = self.models[target].fields.iter();
        let found = fields.find(|field| {
            field.relation.as_ref().is_some_and(|mirror| {
                let is_named = mirror.mirror_of.as_ref().is_none_or(|path| *path == truth.path);
                mirror.mirror && mirror.to.as_ref() == Some(of) && is_named
            })
        });
        found
            .filter(|_| truth.relation.as_ref().is_some_and(|relation| relation.storage == "two_way"))
            .map(|field| field.path.as_str())
    }

    fn tree(&self, card: usize, field: &FieldEntry) -> Option<Line> {
        if field.set_by.as_deref() != Some("tree parent") || field.relation.is_some() {
            return None;
        }
        Some(Line {
            kind: LineKind::Reference,
            name: field.path.clone(),
            stored: "parent of a tree".to_owned(),
            from: End { card, row: self.row(card, &field.path), words: "many".to_owned() },
            to: End { card, row: None, words: "zero or one".to_owned() },
            is_upward: true,
        })
    }

    fn copy(&self, card: usize, field: &FieldEntry) -> Option<Line> {
        let copy = field.copy.as_ref()?;
        let source = self.card(&copy.of)?;
        Some(Line {
            kind: LineKind::Copy,
            name: field.path.clone(),
            stored: copy.field.clone(),
            from: End { card: source, row: self.row(source, &copy.field), words: String::new() },
            to: End { card, row: self.row(card, &field.path), words: String::new() },
            is_upward: false,
        })
    }

    fn rollup(&self, card: usize, field: &FieldEntry) -> Option<Line> {
        let rollup = field.rollup.as_ref()?;
        let children = self.card(&rollup.of)?;
        let of = rollup.field.as_ref().map(|field| format!(" of {field}")).unwrap_or_default();
        let source = rollup.field.as_deref().unwrap_or(&rollup.by);
        Some(Line {
            kind: LineKind::Rollup,
            name: field.path.clone(),
            stored: format!("{}{of} by {}", rollup.kind, rollup.by),
            from: End { card: children, row: self.row(children, source), words: String::new() },
            to: End { card, row: self.row(card, &field.path), words: String::new() },
            is_upward: true,
        })
    }

    fn view(&self, card: usize, model: &ModelEntry) -> Option<Line> {
        let source = self.card(model.options.get("viewOn")?.as_str()?)?;
        Some(Line {
            kind: LineKind::View,
            name: "view".to_owned(),
            stored: model.collection.clone(),
            from: End { card: source, row: None, words: String::new() },
            to: End { card, row: None, words: String::new() },
            is_upward: false,
        })
    }
}

/// Returns the numbers of documents at the end with the field and at the far end, in the words of William Zola.
fn words(relation: &RelationEntry, field: &FieldEntry) -> (String, String) {
    let many = match relation.cardinality.as_str() {
        "one_to_one" => "one",
        "one_to_few" => "few",
        "one_to_squillions" => "squillions",
        _ => "many",
    };
    let one = if field.nullable || field.optional { "zero or one" } else { "one" };
    let near_of_many = match relation.at_most {
        Some(most) => format!("{many} <= {}", grouped(most)),
        None => many.to_owned(),
    };
    match (is_list(field), relation.cardinality.as_str()) {
        (true, "many_to_many") => ("many".to_owned(), "many".to_owned()),
        (true, _) => ("one".to_owned(), many.to_owned()),
        (false, _) => (near_of_many, one.to_owned()),
    }
}

fn stored(relation: &RelationEntry, field: &FieldEntry) -> String {
    let most = field.rules.get("max_items").and_then(Value::as_u64);
    let ids = match most {
        Some(most) => format!("ids <= {}", grouped(most)),
        None => "ids".to_owned(),
    };
    match (relation.storage.as_str(), is_list(field)) {
        ("two_way", true) => format!("{ids}, at both ends"),
        ("two_way", false) => "parent, at both ends".to_owned(),
        (_, true) => ids,
        (_, false) => "parent".to_owned(),
    }
}
