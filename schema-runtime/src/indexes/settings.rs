//! The settings that a kind of index has of its own, in one form for declared and for listed indexes: without the
//! defaults of the server, and with the fields of a text index among the keys. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::{
    Index,
    compare::{same, same_signature},
};
use crate::definition::{
    IndexDefinition, IndexKind, ModelDefinition, PlaneIndex, TextIndex, TextLanguage, WildcardPaths,
};

/// The direction of a key of words, as the server writes the direction.
pub(crate) const TEXT: &str = "text";
/// The direction of a key of places on a plane, as the server writes the direction.
pub(crate) const PLANE: &str = "2d";
/// The end of the path of a wildcard.
pub(crate) const WILDCARD: &str = "$**";

const WEIGHTS: &str = "weights";
const LANGUAGE: &str = "default_language";
const LANGUAGE_FIELD: &str = "language_override";
const PROJECTION: &str = "wildcardProjection";

/// Returns the settings of a declared index.
pub(super) fn declared(model: &ModelDefinition, definition: &IndexDefinition) -> Document {
    match definition.kind {
        IndexKind::Plain => Document::new(),
        IndexKind::Text(text) => of_text(model, definition, &text),
        IndexKind::Wildcard(paths) => of_wildcard(model, definition, paths),
        IndexKind::Plane(plane) => of_plane(plane),
    }
}

fn of_text(model: &ModelDefinition, definition: &IndexDefinition, text: &TextIndex) -> Document {
    let weights = text.weights.iter();
    let weights = weights.map(|of| (model.stored_path_of(definition, of.path), Bson::from(i64::from(of.weight))));
    let mut settings = doc! { WEIGHTS: weights.collect::<Document>() };
    if let Some(language) = text.language {
        settings.insert(LANGUAGE, language.name());
    }
    if let Some(field) = text.language_field {
        settings.insert(LANGUAGE_FIELD, model.stored_path_of(definition, &[field]));
    }
    without_defaults(settings)
}

fn of_wildcard(model: &ModelDefinition, definition: &IndexDefinition, paths: WildcardPaths) -> Document {
    let (paths, fate) = match paths {
        WildcardPaths::All => return Document::new(),
        WildcardPaths::Only(paths) => (paths, 1),
        WildcardPaths::Except(paths) => (paths, 0),
    };
    let projection = paths.iter().map(|path| (model.stored_path_of(definition, path), Bson::Int32(fate)));
    doc! { PROJECTION: projection.collect::<Document>() }
}

fn of_plane(plane: PlaneIndex) -> Document {
    let mut settings = Document::new();
    if let Some(bits) = plane.bits {
        settings.insert("bits", i32::from(bits));
    }
    for (option, value) in [("min", plane.min), ("max", plane.max)] {
        if let Some(value) = value {
            settings.insert(option, value);
        }
    }
    without_defaults(settings)
}

/// Returns the settings of an index that the server lists.
pub(crate) fn listed(listed: &Document) -> Document {
    let mut settings = Document::new();
    let known = if is_text(listed) {
        &[WEIGHTS, LANGUAGE, LANGUAGE_FIELD][..]
    } else if listed.contains_key(PROJECTION) {
        &[PROJECTION][..]
    } else if listed.get_document("key").is_ok_and(is_plane) {
        &["bits", "min", "max"][..]
    } else {
        &[]
    };
    for option in known {
        if let Some(value) = listed.get(option) {
            settings.insert(*option, value.clone());
        }
    }
    without_defaults(settings)
}

/// Returns the keys of an index that the server lists. The server names the fields of a text index in the weights.
pub(crate) fn listed_keys(listed: &Document) -> Option<Document> {
    let keys = listed.get_document("key").ok()?;
    if !is_text(listed) {
        return Some(keys.clone());
    }
    let mut named = Document::new();
    for (path, direction) in keys {
        match path.as_str() {
            "_fts" => {
                let weights = listed.get_document(WEIGHTS).ok()?;
                // With all strings in the index, a weight brings no field into the index.
                let is_key = |path: &&String| !weights.contains_key(WILDCARD) || path.as_str() == WILDCARD;
                named.extend(weights.keys().filter(is_key).map(|path| (path.clone(), Bson::from(TEXT))));
            }
            "_ftsx" => {}
            _ => drop(named.insert(path, direction.clone())),
        }
    }
    Some(in_order(named))
}

/// Returns keys with the fields of a text index in the order of the server, by name. The fields are one group.
pub(super) fn in_order(keys: Document) -> Document {
    let mut words: Vec<String> = keys.iter().filter(|(_, way)| is_words(way)).map(|(path, _)| path.clone()).collect();
    words.sort();
    let mut words = words.into_iter();
    keys.into_iter()
        .filter_map(|(path, way)| if is_words(&way) { Some((words.next()?, way)) } else { Some((path, way)) })
        .collect()
}

fn is_words(direction: &Bson) -> bool {
    direction.as_str() == Some(TEXT)
}

fn is_text(listed: &Document) -> bool {
    listed.get_document("key").is_ok_and(has_words)
}

/// Returns whether an index over these keys is a text index.
pub(crate) fn has_words(keys: &Document) -> bool {
    keys.values().any(is_words)
}

/// Returns whether an index over these keys is an index of places on a plane.
pub(crate) fn is_plane(keys: &Document) -> bool {
    keys.values().next().and_then(Bson::as_str) == Some(PLANE)
}

/// Returns whether a collection cannot have both indexes, although the indexes differ: a collection has one text index,
/// and the server takes two indexes of places on a plane for the same index whatever their limits (seen on 6.0).
pub(crate) fn excludes(left: &Index, right: &Index) -> bool {
    match (has_words(&left.keys), has_words(&right.keys)) {
        (false, false) => {}
        (left, right) => return left && right,
    }
    let without = |index: &Index| Index { settings: Document::new(), ..index.clone() };
    is_plane(&left.keys) && same_signature(&without(left), &without(right))
}

/// Leaves out each setting that equals the server's default.
fn without_defaults(settings: Document) -> Document {
    let mut rest = Document::new();
    for (option, value) in settings {
        let value = match (option.as_str(), value) {
            (WEIGHTS, Bson::Document(weights)) => {
                let weights: Document = weights.into_iter().filter(|(_, of)| !same(of, &Bson::Int32(1))).collect();
                if weights.is_empty() { None } else { Some(weights.into()) }
            }
            (LANGUAGE, Bson::String(language)) => match TextLanguage::of(&language) {
                Some(TextLanguage::English) => None,
                Some(known) => Some(known.name().into()),
                None => Some(language.into()),
            },
            (LANGUAGE_FIELD, value) => (value.as_str() != Some("language")).then_some(value),
            (PROJECTION, Bson::Document(projection)) => Some(plain_projection(projection).into()),
            ("bits", value) => (!same(&value, &Bson::Int32(26))).then_some(value),
            ("min", value) => (!same(&value, &Bson::Int32(-180))).then_some(value),
            ("max", value) => (!same(&value, &Bson::Int32(180))).then_some(value),
            (_, value) => Some(value),
        };
        if let Some(value) = value {
            rest.insert(option, value);
        }
    }
    rest
}

/// Writes a projection with 1 and 0. A wildcard index leaves `_id` out unless the projection says otherwise.
fn plain_projection(projection: Document) -> Document {
    let plain = |value: &Bson| match value {
        Bson::Boolean(value) => Bson::Int32(i32::from(*value)),
        value if same(value, &Bson::Int32(0)) => Bson::Int32(0),
        _ => Bson::Int32(1),
    };
    let mut all: Document = projection.iter().map(|(path, value)| (path.clone(), plain(value))).collect();
    if all.len() > 1 && all.get_i32("_id").ok() == Some(0) {
        all.remove("_id");
    }
    all
}
