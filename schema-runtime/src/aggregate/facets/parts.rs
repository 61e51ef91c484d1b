//! The parts of a read of facets, and the result that is made of the answers to the parts. Pure.

use mongodb::bson::{Bson, Decimal128, Document, doc};

use super::super::{
    expression::{field, fitting, key, or_null},
    order::{ordered_keys, whole},
};
use crate::{
    definition::{
        FacetKind, FacetsDefinition, FieldDefinition, Groups, KeyDefinition, KeyForm, Kind, Literal, ModelDefinition,
        Scalar, ValueKind,
    },
    document,
    page::Order,
};

/// The name of the values among the facets of a command. A field of the result is never empty.
pub(super) const VALUES: &str = "values of all";

/// The zone of periods, of which facets have none.
const UTC: &str = "UTC";

/// The stages of a facet, after the filter.
#[derive(Clone)]
pub(super) struct Part {
    /// The name of the facet in the command.
    pub(super) name: &'static str,
    pub(super) stages: Vec<Document>,
    /// True for a page whose order an index may serve.
    pub(super) is_served: bool,
}

/// The model, the fields of the result and the facets.
pub(super) struct Facetted {
    pub(super) model: &'static ModelDefinition,
    pub(super) documents: fn() -> &'static ModelDefinition,
    pub(super) fields: &'static [FieldDefinition],
    pub(super) definition: FacetsDefinition,
}

impl Facetted {
    /// Returns a part for each facet, and one part for all values. `skip`: the number of documents before the page.
    pub(super) fn parts(&self, filter: &Document, skip: u64) -> Vec<Part> {
        let facets = self.definition.facets.iter().map(|facet| {
            let (stages, is_served) = match &facet.kind {
                FacetKind::Page { limit, order, fields } => {
                    let order = whole(self.model, order);
                    (page(&order, skip, *limit, fields), self.is_served(filter, &order))
                }
                FacetKind::Counts { path, limit } => (self.counts(path, *limit), false),
                FacetKind::Ranges { path, limits } => (self.ranges(path, limits), false),
            };
            Part { name: self.fields[facet.field].name, stages, is_served }
        });
        let mut parts: Vec<Part> = facets.collect();
        if !self.definition.values.values.is_empty() {
            let stages = vec![doc! { "$group": self.group().group(UTC, false) }];
            parts.push(Part { name: VALUES, stages, is_served: false });
        }
        parts
    }

    fn group(&self) -> Groups {
        let (documents, fields, definition) = (self.documents, self.fields, self.definition.values);
        Groups { result: "", documents, of: None, fields, definition }
    }

    /// Returns whether an index has the fields that the filter compares by `eq`, then the order.
    fn is_served(&self, filter: &Document, order: &Order) -> bool {
        let is_fixed = |path: &str| match filter.get(path) {
            Some(Bson::Document(operators)) => operators.len() == 1 && operators.contains_key("$eq"),
            found => found.is_some(),
        };
        self.model.indexes().any(|index| {
            let Some(keys) = ordered_keys(self.model, index) else { return false };
            let in_order =
                |keys: &[(String, bool)]| keys.starts_with(&order.keys) || keys.starts_with(&order.reversed().keys);
            let fixed = keys.iter().take_while(|(path, _)| is_fixed(path)).count();
            (0..=fixed).any(|from| in_order(&keys[from..]))
        })
    }

    /// Returns the stages that count the documents with each value; of an array, the documents with each element.
    fn counts(&self, path: &[&str], limit: u64) -> Vec<Document> {
        let mut stages = Vec::new();
        let resolved = self.model.resolve(path);
        let is_array = resolved.as_ref().is_some_and(|found| found.array_at > 0);
        let value: Bson = if is_array {
            let elements = doc! { "$ifNull": [field(self.model, path), []] };
            stages.push(doc! { "$project": { "_id": 0, "value": { "$setUnion": [elements, []] } } });
            stages.push(doc! { "$unwind": "$value" });
            stages.push(doc! { "$match": { "value": { "$ne": null } } });
            "$value".into()
        } else if resolved.is_some_and(|found| found.optional) {
            or_null(self.model, path)
        } else {
            field(self.model, path)
        };
        stages.push(doc! { "$group": { "_id": value, "count": { "$sum": 1 } } });
        stages.push(doc! { "$sort": { "count": -1, "_id": 1 } });
        stages.extend((limit > 0).then(|| doc! { "$limit": limit as i64 }));
        stages.push(doc! { "$project": { "_id": 0, "value": "$_id", "count": 1 } });
        stages
    }

    fn ranges(&self, path: &'static [&'static str], limits: &'static [Literal]) -> Vec<Document> {
        let of = KeyDefinition { field: 0, path, form: KeyForm::Ranges(limits) };
        vec![
            doc! { "$group": { "_id": key(self.model, &of, UTC), "count": { "$sum": 1 } } },
            doc! { "$match": { "_id": { "$ne": null } } },
            doc! { "$project": { "_id": 0, "value": "$_id", "count": 1 } },
        ]
    }

    /// Returns the result, made of the rows of each part.
    pub(super) fn result(&self, mut rows_of: impl FnMut(&str) -> Vec<Bson>) -> Document {
        let mut result = Document::new();
        for facet in self.definition.facets {
            let name = self.fields[facet.field].name;
            let rows = rows_of(name);
            let rows = match facet.kind {
                FacetKind::Ranges { path, limits } => self.every_range(path, limits, &rows),
                FacetKind::Page { .. } | FacetKind::Counts { .. } => rows,
            };
            result.insert(name, rows);
        }
        if !self.definition.values.values.is_empty() {
            let group = match rows_of(VALUES).pop() {
                Some(Bson::Document(group)) => group,
                _ => self.group().empty_group(),
            };
            self.add_values(&group, &mut result);
        }
        result
    }

    /// Returns the ranges in ascending order, with 0 for a range without documents.
    fn every_range(&self, path: &[&str], limits: &[Literal], rows: &[Bson]) -> Vec<Bson> {
        let shape = self.model.resolve(path).map(|found| found.shape);
        let count = |begin: &Bson| {
            let of_range = |row: &&Document| row.get("value") == Some(begin);
            let row = rows.iter().filter_map(Bson::as_document).find(of_range);
            document::count(row.and_then(|row| row.get("count"))) as i64
        };
        let range = |limit: &Literal| {
            let begin = fitting(*limit, shape.as_ref());
            let count = count(&begin);
            doc! { "value": begin, "count": count }.into()
        };
        limits.iter().map(range).collect()
    }

    fn add_values(&self, group: &Document, result: &mut Document) {
        for (name, value) in self.group().values() {
            let of = &self.fields[value.field];
            let is_decimal = matches!(of.shape.kind, Kind::Scalar(Scalar::Decimal128));
            let stored = match (group.get(&name).cloned().unwrap_or(Bson::Null), value.kind) {
                // Of no decimals the server answers an integer.
                (Bson::Int32(sum), ValueKind::Sum(_)) if is_decimal => {
                    sum.to_string().parse::<Decimal128>().map_or(Bson::Int32(sum), Bson::Decimal128)
                }
                (stored, _) => stored,
            };
            result.insert(of.name, stored);
        }
    }
}

fn page(order: &Order, skip: u64, limit: u64, fields: &[FieldDefinition]) -> Vec<Document> {
    let mut stages = vec![doc! { "$sort": order.sort() }];
    stages.extend((skip > 0).then(|| doc! { "$skip": skip as i64 }));
    stages.push(doc! { "$limit": limit as i64 });
    let mut shown = doc! { "_id": 1 };
    shown.extend(fields.iter().map(|field| (field.name.to_owned(), Bson::Int32(1))));
    stages.push(doc! { "$project": shown });
    stages
}
