//! Makes the entries of fields, with the fields inside.

use std::collections::BTreeMap;

use mongodb::bson::Bson;
use serde_json::Value;

use super::{
    super::{CopyEntry, FieldEntry, FieldType, RelationEntry, RollupEntry},
    describe_variants, to_json,
};
use crate::definition::{
    CopyDefinition, CopyMode, FieldDefinition, Kind, ManagedAs, ModelDefinition, Raw, RelationDefinition,
    RollupDefinition, Scalar, Shape, TreeField, ValueRule, Variants,
};

/// Returns the entries of the fields of a model, in the order of the struct.
pub(super) fn of_model(model: &ModelDefinition) -> Vec<FieldEntry> {
    let mut fields = Fields { entries: Vec::new(), variant: None };
    match model.variants {
        Some(variants) => fields.add_variants("", variants, model.copies),
        None => fields.add("", model.fields, model.copies),
    }
    let mut entries = fields.entries;
    for entry in &mut entries {
        let relation = model.relations.iter().find(|relation| relation.name == entry.path);
        entry.relation = relation.map(|relation| describe_relation(model, relation));
        let rollup = model.rollups.iter().find(|rollup| rollup.name == entry.path);
        entry.rollup = rollup.map(describe_rollup);
    }
    entries
}

/// The entries so far.
struct Fields {
    entries: Vec<FieldEntry>,
    variant: Option<&'static str>,
}

impl Fields {
    fn add_variants(&mut self, prefix: &str, variants: &Variants, copies: &[CopyDefinition]) {
        let outer = self.variant;
        for variant in variants.list {
            self.variant = Some(variant.name);
            self.add(prefix, variant.fields, copies);
        }
        self.variant = outer;
    }

    fn add(&mut self, prefix: &str, fields: &[FieldDefinition], copies: &[CopyDefinition]) {
        for field in fields {
            let path = format!("{prefix}{}", field.name);
            let mut entry = self.describe(path, &field.shape);
            entry.optional = !field.required && (!field.shape.nullable || field.skippable);
            entry.set_by = set_by(field);
            entry.immutable = field.immutable;
            entry.copy = copies.iter().find(|copy| copy.name == field.name).map(|copy| describe_copy(prefix, copy));
            self.push(entry, &field.shape);
        }
    }

    /// Adds an entry, and the entries of the fields inside.
    fn push(&mut self, entry: FieldEntry, shape: &Shape) {
        let path = entry.path.clone();
        self.entries.push(entry);
        match shape.kind {
            Kind::Array { items, .. } => self.push_items(format!("{path}[]"), items),
            Kind::Map { values, .. } => self.push_items(format!("{path}{{}}"), values),
            Kind::Document { fields, copies, .. } => match shape.variants {
                Some(variants) => self.add_variants(&format!("{path}."), variants, copies),
                None => self.add(&format!("{path}."), fields, copies),
            },
            _ => {}
        }
    }

    fn push_items(&mut self, path: String, shape: &Shape) {
        let entry = self.describe(path, shape);
        self.push(entry, shape);
    }

    fn describe(&self, path: String, shape: &Shape) -> FieldEntry {
        FieldEntry {
            path,
            variant: self.variant.map(str::to_owned),
            stored_type: stored_type(&shape.kind),
            nullable: shape.nullable,
            optional: false,
            rules: rules(shape),
            values: match shape.kind {
                Kind::Enum(values) => values.iter().map(|value| (*value).to_owned()).collect(),
                _ => Vec::new(),
            },
            variants: shape.variants.map(describe_variants),
            strict: shape.strict,
            set_by: None,
            immutable: false,
            relation: None,
            copy: None,
            rollup: None,
            write: None,
        }
    }
}

fn stored_type(kind: &Kind) -> FieldType {
    match kind {
        Kind::Scalar(scalar) => match scalar {
            Scalar::ObjectId => FieldType::ObjectId,
            Scalar::DateTime => FieldType::Date,
            Scalar::Decimal128 => FieldType::Decimal,
            Scalar::Binary => FieldType::BinData,
            Scalar::Uuid => FieldType::Uuid,
            Scalar::Timestamp => FieldType::Timestamp,
            Scalar::Integer => FieldType::Int,
            Scalar::Double => FieldType::Double,
            Scalar::Single => FieldType::Float,
            Scalar::Bool => FieldType::Bool,
        },
        Kind::String { .. } | Kind::Enum(_) => FieldType::String,
        Kind::Array { .. } => FieldType::Array,
        Kind::Map { .. } => FieldType::Map,
        Kind::Document { .. } | Kind::Model { .. } | Kind::Opaque { raw: Some(Raw::Document), .. } => FieldType::Object,
        Kind::Opaque { .. } => FieldType::Any,
    }
}

/// Returns the bounds of a shape and the rules about its values, by the names of the attributes. Several rules of one
/// name have numbers behind the name.
fn rules(shape: &Shape) -> BTreeMap<String, Value> {
    let mut rules = BTreeMap::new();
    let mut bound = |name: &str, bound: Option<u64>| {
        rules.extend(bound.map(|bound| (name.to_owned(), Value::from(bound))));
    };
    match shape.kind {
        Kind::String { max_len } => bound("max_len", max_len),
        Kind::Array { min, max, .. } => {
            bound("least_items", (min > 0).then_some(min));
            bound("max_items", max);
        }
        Kind::Map { max, .. } => bound("max_items", max),
        Kind::Opaque { max_bytes, .. } => bound("max_bytes", Some(max_bytes)),
        Kind::Scalar(_) | Kind::Enum(_) | Kind::Document { .. } | Kind::Model { .. } => {}
    }
    if let Some(integer) = shape.integer {
        let mut end = |name: &str, end: i64, of_bson: i64| {
            rules.extend((end != of_bson).then(|| (name.to_owned(), Value::from(end))));
        };
        end("least", integer.least, i64::MIN);
        end("greatest", integer.greatest, i64::MAX);
    }
    for rule in shape.rules.iter() {
        let name = rule.name();
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !rules.contains_key(name));
        rules.extend(free.map(|name| (name, limit(rule))));
    }
    rules
}

/// Returns the limit of a rule; true for a rule without a limit.
fn limit(rule: &ValueRule) -> Value {
    match rule {
        ValueRule::OneOf(values) => values.iter().map(|value| to_json(&Bson::from(*value))).collect(),
        _ => rule.limit().map_or(Value::Bool(true), |limit| to_json(&Bson::from(limit))),
    }
}

fn set_by(field: &FieldDefinition) -> Option<String> {
    let managed = field.managed.map(|managed| match managed {
        ManagedAs::Version => "version".to_owned(),
        ManagedAs::CreatedAt => "created_at".to_owned(),
        ManagedAs::UpdatedAt => "updated_at".to_owned(),
    });
    let tree = |(part, _): (TreeField, u64)| match part {
        TreeField::Parent => "tree parent".to_owned(),
        TreeField::Ancestors => "tree ancestors".to_owned(),
        TreeField::Path => "tree path".to_owned(),
        TreeField::Depth => "tree depth".to_owned(),
    };
    managed
        .or_else(|| field.sequence.map(|name| format!("sequence {name}")))
        .or_else(|| field.slug.map(|slug| format!("slug of {}", slug.from)))
        .or_else(|| field.history.map(|history| format!("history of {}", history.keep)))
        .or_else(|| field.tree.map(tree))
}

fn describe_relation(model: &ModelDefinition, relation: &RelationDefinition) -> RelationEntry {
    let target = relation.target.map(|target| (target.definition)());
    let inverse = target.and_then(|target| {
        let is_of_relation = |child: &ModelDefinition| child.collection == model.collection;
        let mut inverses = target.inverses.iter();
        inverses.find(|inverse| inverse.field == relation.field && is_of_relation((inverse.child.definition)()))
    });
    let mirror = model.mirrors.iter().find(|mirror| relation.is_mirror && mirror.field == relation.field);
    RelationEntry {
        cardinality: relation.cardinality.word().to_owned(),
        storage: relation.storage.word().to_owned(),
        to: target.map(|target| target.collection.to_owned()),
        on_delete: relation.on_delete.map(|rule| rule.word().to_owned()),
        mirror: relation.is_mirror,
        mirror_of: mirror.map(|mirror| mirror.child().stored_path(&[mirror.child_field])),
        inverse: inverse.map(|inverse| inverse.accessor.to_owned()),
        at_most: inverse.and_then(|inverse| inverse.at_most),
    }
}

fn describe_copy(prefix: &str, copy: &CopyDefinition) -> CopyEntry {
    let source = copy.source();
    let mode = match copy.mode {
        CopyMode::Synced => "synced",
        CopyMode::Snapshot => "snapshot",
        CopyMode::External => "external",
    };
    CopyEntry {
        of: source.collection.to_owned(),
        field: source.stored_path(copy.from),
        by: format!("{prefix}{}", copy.reference_name),
        mode: mode.to_owned(),
    }
}

fn describe_rollup(rollup: &RollupDefinition) -> RollupEntry {
    let child = rollup.child();
    RollupEntry {
        kind: rollup.kind.word().to_owned(),
        of: child.collection.to_owned(),
        by: child.stored_path(&[rollup.reference]),
        field: rollup.kind.of().map(|field| child.stored_path(&[field])),
    }
}
