//! Translates declared indexes into the notation of the server. Pure.

use mongodb::bson::{Binary, Bson, DateTime, Document, Timestamp, doc, oid::ObjectId, spec::BinarySubtype};

use super::{
    Index,
    compare::{begins_with, same_index, same_keys, same_signature},
    settings::{self, WILDCARD, excludes},
};
use crate::{
    definition::{
        CollationDefinition, Direction, FieldDefinition, HintIndex, IndexDefinition, IndexKey, IndexKind, IndexOrigin,
        Kind, ModelDefinition, PartialClause, PartialOperator, QueryDefinition, ResolvedPath, Scalar, Shape,
        WildcardPaths, default_index_name, find_stored,
    },
    derived::{effect::NeededIndex, effect_list::EFFECTS},
    error::{Error, Result},
};

/// Returns the indexes that a model's collection needs besides the index of `_id`, each structure once.
///
/// # Errors
/// When two of the indexes cannot be in the same collection.
pub(crate) fn wanted_indexes(model: &'static ModelDefinition) -> Result<Vec<Index>> {
    let conflict = |message| Err(Error::DefinitionConflict { collection: model.collection.to_owned(), message });
    let mut indexes: Vec<Index> = Vec::new();
    let of_effects = of_effects(model);
    // The comparisons of effects are by bytes.
    let by_bytes = model.options.collation.map(|_| CollationDefinition::SIMPLE.to_document());
    for definition in model.indexes() {
        let mut index = wanted_index(model, definition);
        if is_id_index(&index.keys) {
            continue;
        }
        // An index that the user did not declare is left out when a longer index of an effect serves the same keys.
        let serves = |NeededIndex { keys, partial, .. }: &NeededIndex| {
            partial.is_none()
                && index.collation == by_bytes
                && keys.len() > index.keys.len()
                && begins_with(keys, &index.keys)
        };
        let may_be_left_out = !matches!(
            definition.origin,
            IndexOrigin::Declared | IndexOrigin::ShardKey | IndexOrigin::Slug | IndexOrigin::Bucket
        );
        if may_be_left_out && of_effects.iter().any(serves) {
            continue;
        }
        match indexes.iter().find(|other| same_signature(other, &index)) {
            Some(other) if same_index(other, &index) => continue,
            Some(other) => {
                let names = format!("`{}` and `{}`", other.name, index.name);
                let option = if other.hidden == index.hidden { "ttl" } else { "hidden" };
                return conflict(format!("the indexes {names} of `{}` differ in `{option}` only", model.name));
            }
            None => {}
        }
        if let Some(other) = indexes.iter().find(|other| excludes(other, &index)) {
            let names = format!("`{}` and `{}`", other.name, index.name);
            return conflict(format!("MongoDB takes one of the indexes {names} of `{}` only", model.name));
        }
        // An index of the same name leaves documents out and does not serve the query. The index of the query gets a
        // longer name.
        if let IndexOrigin::Query(query) = definition.origin
            && indexes.iter().any(|other| other.name == index.name)
        {
            index.name = format!("{}_{query}", index.name);
        }
        if definition.collation.is_none() && index.collation.is_some() {
            rename_by_bytes(&mut index, &indexes);
        }
        if indexes.iter().any(|other| other.name == index.name) {
            return conflict(format!("two indexes of `{}` have the name `{}`", model.name, index.name));
        }
        indexes.push(index);
    }
    for NeededIndex { keys, partial, unique } in of_effects {
        let serves = |other: &Index| {
            !unique
                && begins_with(&other.keys, &keys)
                && other.partial == partial
                && !other.sparse
                && !other.hidden
                && other.collation == by_bytes
        };
        if indexes.iter().any(serves) {
            continue;
        }
        let collation = by_bytes.clone();
        let mut index = Index { name: default_name(&keys), keys, unique, partial, collation, ..Index::default() };
        if by_bytes.is_some() {
            rename_by_bytes(&mut index, &indexes);
        }
        if let Some(other) = indexes.iter().find(|other| other.hidden && same_signature(other, &index)) {
            let (name, model) = (&other.name, model.name);
            return conflict(format!("the index `{name}` of `{model}` is hidden, and derived data needs the index"));
        }
        indexes.push(index);
    }
    Ok(indexes)
}

/// Gives an index of this crate's own comparisons a longer name, when a declared index with the same keys compares by
/// the collation of the collection.
fn rename_by_bytes(index: &mut Index, others: &[Index]) {
    if others.iter().any(|other| other.name == index.name) {
        index.name = format!("{}_{}", index.name, CollationDefinition::SIMPLE.locale);
    }
}

/// Returns the indexes of a model's collection that a read may name as a hint, in order, with the index of `_id`. The
/// server takes no hint of a hidden index, and no hint in a search of a text index.
///
/// # Errors
/// The error of [`wanted_indexes`].
pub(crate) fn for_hints(model: &'static ModelDefinition) -> Result<Vec<HintIndex>> {
    let may_be_hint = |index: &Index| !index.hidden && !settings::has_words(&index.keys);
    let visible = wanted_indexes(model)?.into_iter().filter(may_be_hint);
    let id = Index { name: "_id_".to_owned(), keys: doc! { "_id": 1 }, ..Index::default() };
    let of_collection = || model.options.collation.map(|collation| collation.to_document());
    let indexes = std::iter::once(id).chain(visible).map(|index| HintIndex {
        begins_with_text: index.keys.keys().next().is_some_and(|path| holds_text(model.fields, path)),
        collation: index.collation.or_else(of_collection).filter(|collation| {
            collation.get_str("locale").is_ok_and(|locale| locale != CollationDefinition::SIMPLE.locale)
        }),
        name: index.name,
    });
    Ok(indexes.collect())
}

/// Returns whether the field at a stored path is a text, an enum, or an array of these.
fn holds_text(fields: &'static [FieldDefinition], path: &str) -> bool {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(field) = find_stored(fields, name) else { return false };
    match rest {
        Some(rest) => holds_text(innermost(&field.shape).fields(), rest),
        None => matches!(innermost(&field.shape).kind, Kind::String { .. } | Kind::Enum(_)),
    }
}

fn innermost(shape: &Shape) -> &Shape {
    match shape.kind {
        Kind::Array { items, .. } => innermost(items),
        _ => shape,
    }
}

/// Returns the indexes by which the effects find data derived from a model, and derived data that the model holds.
pub(crate) fn of_effects(model: &'static ModelDefinition) -> Vec<NeededIndex> {
    EFFECTS.iter().flat_map(|effect| effect.indexes(model)).collect()
}

/// Returns the keys of a declared index, by stored paths. The fields of a text index are in the order of their names.
pub(crate) fn index_keys(model: &ModelDefinition, definition: &IndexDefinition) -> Document {
    settings::in_order(declared_keys(model, definition))
}

/// Returns the keys of a declared index in the order of the declaration.
fn declared_keys(model: &ModelDefinition, definition: &IndexDefinition) -> Document {
    definition.keys.iter().map(|key| (key_path(model, definition, key), direction(key.direction))).collect()
}

/// Returns the stored path of a key. A key without a path stands for the whole document.
fn key_path(model: &ModelDefinition, definition: &IndexDefinition, key: &IndexKey) -> String {
    match (key.path, key.direction) {
        ([], _) => WILDCARD.to_owned(),
        (path, Direction::Wildcard) => format!("{}.{WILDCARD}", model.stored_path_of(definition, path)),
        (path, _) => model.stored_path_of(definition, path),
    }
}

fn wanted_index(model: &ModelDefinition, definition: &IndexDefinition) -> Index {
    let keys = declared_keys(model, definition);
    let partial = partial_filter(model, definition);
    Index {
        name: definition.name.map_or_else(|| name_of(&keys, model, definition), str::to_owned),
        settings: settings::declared(model, definition),
        keys: settings::in_order(keys),
        unique: definition.unique,
        sparse: definition.sparse,
        partial: (!partial.is_empty()).then_some(partial),
        expire_after_seconds: definition.expire_after_seconds.map(i64::from),
        hidden: definition.hidden,
        collation: model.index_collation(definition).map(|collation| collation.to_document()),
        ..Index::default()
    }
}

/// Returns whether the keys are those of the `_id` index, present in every collection.
pub(crate) fn is_id_index(keys: &Document) -> bool {
    same_keys(keys, &doc! { "_id": 1 })
}

fn direction(direction: Direction) -> Bson {
    match direction {
        Direction::Ascending | Direction::Wildcard => Bson::Int32(1),
        Direction::Descending => Bson::Int32(-1),
        Direction::Hashed | Direction::Sphere | Direction::Text | Direction::Plane => Bson::from(direction.in_name()),
    }
}

/// Returns the default name of an index, the same name that every driver gives.
fn default_name(keys: &Document) -> String {
    default_index_name(keys.iter().map(|(path, direction)| match direction {
        Bson::String(kind) => (path, kind.clone()),
        other => (path, other.to_string()),
    }))
}

/// Returns the driver's name. A collation and a variant are in the name, since two collations or two variants may have
/// indexes with the same keys. A changed collation is built beside the old index. The index of some paths has the paths
/// in the name.
fn name_of(keys: &Document, model: &ModelDefinition, definition: &IndexDefinition) -> String {
    let mut parts = vec![default_name(keys)];
    if let IndexKind::Wildcard(WildcardPaths::Only(paths) | WildcardPaths::Except(paths)) = definition.kind {
        let is_only = matches!(definition.kind, IndexKind::Wildcard(WildcardPaths::Only(_)));
        parts.push(if is_only { "only" } else { "except" }.to_owned());
        parts.extend(paths.iter().map(|path| model.stored_path_of(definition, path)));
    }
    parts.extend(definition.collation.map(|collation| collation.in_name()));
    parts.extend(definition.variant.map(str::to_owned));
    parts.join("_")
}

/// Returns the filter of the declared clauses. Without declared clauses, the filter leaves nulls out of a unique index.
fn partial_filter(model: &ModelDefinition, definition: &IndexDefinition) -> Document {
    let mut filter = Document::new();
    for clause in definition.partial {
        let operator = operator(model.resolve_of(definition, clause.path), clause);
        add_clause(&mut filter, model.stored_path_of(definition, clause.path), operator);
    }
    if definition.unique && !definition.sparse && definition.written_clauses() == 0 {
        for key in definition.keys {
            if let Some(path) = model.resolve_of(definition, key.path)
                && path.optional
                && let Some(smallest) = smallest_value(&path.shape)
            {
                add_clause(&mut filter, model.stored_path_of(definition, key.path), ("$gte", smallest));
            }
        }
    }
    filter
}

/// Returns the filter of the partial index whose documents a query is about; `None` for a query about all documents.
/// The server uses a partial index only for a read that repeats the filter of the index.
pub(crate) fn filter_of_query(model: &ModelDefinition, query: &QueryDefinition) -> Option<Document> {
    query.over.map(|index| partial_filter(model, &model.all_indexes[index]))
}

/// Returns the filter of clauses over the documents of a model.
pub(crate) fn filter_of(model: &ModelDefinition, clauses: &[PartialClause]) -> Document {
    let mut filter = Document::new();
    for clause in clauses {
        add_clause(&mut filter, model.stored_path(clause.path), operator(model.resolve(clause.path), clause));
    }
    filter
}

/// Adds a clause to the filter. A second clause with the same operator on the same path needs an `$and`.
fn add_clause(filter: &mut Document, path: String, (operator, value): (&str, Bson)) {
    match filter.get_mut(&path) {
        Some(Bson::Document(clauses)) if !clauses.contains_key(operator) => {
            clauses.insert(operator, value);
        }
        Some(_) => {
            let clause = Bson::Document(doc! { path: { operator: value } });
            match filter.get_mut("$and") {
                Some(Bson::Array(clauses)) => clauses.push(clause),
                _ => {
                    filter.insert("$and", vec![clause]);
                }
            }
        }
        None => {
            filter.insert(path, doc! { operator: value });
        }
    }
}

fn operator(path: Option<ResolvedPath>, clause: &PartialClause) -> (&'static str, Bson) {
    let value = Bson::from(clause.value);
    match clause.operator {
        PartialOperator::Eq => ("$eq", value),
        PartialOperator::Exists => exists(path),
        PartialOperator::Gt => ("$gt", value),
        PartialOperator::Gte => ("$gte", value),
        PartialOperator::Lt => ("$lt", value),
        PartialOperator::Lte => ("$lte", value),
    }
}

/// Returns the condition for a field that is `Some`. Serde writes `None` as null unless serde leaves the field out; to
/// the server, null exists.
fn exists(path: Option<ResolvedPath>) -> (&'static str, Bson) {
    match path {
        Some(path) if !path.skippable && may_be_null(&path.shape) => match smallest_value(&path.shape) {
            Some(smallest) => ("$gte", smallest),
            None => ("$type", Bson::from(NOT_NULL.to_vec())),
        },
        _ => ("$exists", Bson::Boolean(true)),
    }
}

/// Returns whether serde may write null. An opaque value counts as nullable, since the type is unknown.
fn may_be_null(shape: &Shape) -> bool {
    shape.nullable || matches!(shape.kind, Kind::Opaque { .. })
}

/// Every type that a stored value may have, except null.
const NOT_NULL: [&str; 15] = [
    "double",
    "string",
    "object",
    "array",
    "binData",
    "objectId",
    "bool",
    "date",
    "regex",
    "javascript",
    "int",
    "timestamp",
    "long",
    "decimal",
    "symbol",
];

/// Returns the smallest value of a type in MongoDB's order. `{$gte: smallest}` holds for every value of the type, and
/// for neither null nor an absent field. The server knows that a document with `{field: value}` is in the index, so
/// `eq` and `is_in` still use the index (each type seen on 6.0). For numbers, NaN is left out: two documents may hold
/// NaN.
fn smallest_value(shape: &Shape) -> Option<Bson> {
    Some(match shape.kind {
        Kind::String { .. } | Kind::Enum(_) => Bson::from(""),
        Kind::Array { items, .. } => return smallest_value(items),
        Kind::Scalar(scalar) => match scalar {
            Scalar::Integer | Scalar::Double | Scalar::Single | Scalar::Decimal128 => Bson::Double(f64::NEG_INFINITY),
            Scalar::Bool => Bson::Boolean(false),
            Scalar::ObjectId => Bson::ObjectId(ObjectId::from_bytes([0; 12])),
            Scalar::DateTime => Bson::DateTime(DateTime::MIN),
            Scalar::Timestamp => Bson::Timestamp(Timestamp { time: 0, increment: 0 }),
            Scalar::Binary | Scalar::Uuid => {
                Bson::Binary(Binary { subtype: BinarySubtype::Generic, bytes: Vec::new() })
            }
        },
        Kind::Map { .. } | Kind::Document { .. } | Kind::Model { .. } | Kind::Opaque { .. } => return None,
    })
}
