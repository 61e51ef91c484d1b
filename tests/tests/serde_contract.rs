//! The definitions equal the output of serde, for every supported attribute of serde: the names at every level, the
//! optional fields, the names of variants. The check serialises values.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mongodb::bson::{Bson, Document};
#[cfg(feature = "bson-3")]
use mongodb::bson::{deserialize_from_bson as from_bson, serialize_to_bson as to_bson};
#[cfg(not(feature = "bson-3"))]
use mongodb::bson::{from_bson, to_bson};
use schema_runtime::{
    definition::{FieldDefinition, Kind, Shape},
    field::Record,
    prelude::*,
};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "wholes")]
#[serde(rename_all = "camelCase")]
struct Whole {
    #[serde(rename = "_id")]
    the_id: i64,
    plain_field: String,
    r#type: String,
    #[serde(rename = "with space and ünïcode")]
    renamed: i32,
    #[serde(skip)]
    not_stored: Vec<String>,
    #[serde(default)]
    defaulted: i64,
    #[serde(default = "seven")]
    defaulted_by_function: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<String>,
    #[serde(default)]
    #[bound(max_items = 5)]
    defaulted_list: Vec<i64>,
    texts: String,
    optional: Option<i64>,
    #[relation(one_to_one, embed)]
    newtype: Newtype,
    kind: LoudKind,
    kinds: [Option<LoudKind>; 2],
    #[relation(one_to_one, embed)]
    inner: Inner,
    #[relation(one_to_few, embed, max = 3)]
    inners: Vec<Inner>,
    #[relation(one_to_few, embed, max = 3)]
    by_name: HashMap<String, Inner>,
    #[relation(one_to_one, embed)]
    maybe: Option<Kebab>,
    #[serde(with = "as_text")]
    #[opaque(max_bytes = 40)]
    custom: i64,
}

fn seven() -> i64 {
    7
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Newtype(Kebab);

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[serde(rename_all = "kebab-case", default)]
struct Kebab {
    two_words: String,
    #[serde(skip)]
    not_stored: i64,
    #[serde(rename = "X")]
    renamed: bool,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
struct Inner {
    first_thing: i32,
    #[relation(one_to_one, embed)]
    deeper: Wrapped<Kebab>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<LoudKind>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Wrapped<T> {
    #[serde(rename = "the value")]
    value: T,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
enum LoudKind {
    BigOne,
    #[serde(rename = "tiny")]
    Small,
    R2d2,
}

const KINDS: [LoudKind; 3] = [LoudKind::BigOne, LoudKind::Small, LoudKind::R2d2];

fn kebab() -> Kebab {
    Kebab { two_words: "x".to_owned(), not_stored: 0, renamed: true }
}

fn inner() -> Inner {
    Inner { first_thing: 1, deeper: Wrapped { value: kebab() }, last: Some(LoudKind::Small) }
}

/// Returns a value with every optional part.
fn full() -> Whole {
    Whole {
        the_id: 1,
        plain_field: "plain".to_owned(),
        r#type: "type".to_owned(),
        renamed: 2,
        not_stored: Vec::new(),
        defaulted: 3,
        defaulted_by_function: 4,
        left_out: Some("here".to_owned()),
        defaulted_list: vec![1],
        texts: "text".to_owned(),
        optional: Some(5),
        newtype: Newtype(kebab()),
        kind: LoudKind::BigOne,
        kinds: [Some(LoudKind::Small), None],
        inner: inner(),
        inners: vec![inner(), Inner { last: None, ..inner() }],
        by_name: HashMap::from([("a key".to_owned(), inner())]),
        maybe: Some(kebab()),
        custom: 12,
    }
}

/// Returns a value with the fewest stored fields.
fn least() -> Whole {
    Whole {
        left_out: None,
        defaulted_list: Vec::new(),
        optional: None,
        inner: Inner { last: None, ..inner() },
        inners: Vec::new(),
        by_name: HashMap::new(),
        maybe: None,
        ..full()
    }
}

fn stored(value: &Whole) -> Document {
    match to_bson(value).unwrap() {
        Bson::Document(document) => document,
        other => panic!("{other}"),
    }
}

/// Finds every difference between a value and its shape: missing or unknown names, and wrong kinds of value.
fn disagreements(shape: &Shape, value: &Bson, path: &str, found: &mut Vec<String>) {
    match (shape.kind, value) {
        (_, Bson::Null) if shape.nullable => {}
        (Kind::Document { fields, .. }, Bson::Document(document)) => names(fields, document, path, found),
        (Kind::Array { items, .. }, Bson::Array(elements)) => {
            for element in elements {
                disagreements(items, element, &format!("{path}.*"), found);
            }
        }
        (Kind::Map { values, .. }, Bson::Document(entries)) => {
            for value in entries.values() {
                disagreements(values, value, &format!("{path}.*"), found);
            }
        }
        (Kind::Enum(variants), Bson::String(name)) if variants.contains(&name.as_str()) => {}
        (Kind::String { .. }, Bson::String(_)) | (Kind::Opaque { .. }, _) => {}
        (Kind::Scalar(_), Bson::Int32(_) | Bson::Int64(_) | Bson::Boolean(_)) => {}
        (kind, value) => found.push(format!("{path}: {kind:?} is stored as {value}")),
    }
}

fn names(fields: &[FieldDefinition], document: &Document, path: &str, found: &mut Vec<String>) {
    for name in document.keys().filter(|name| !fields.iter().any(|field| field.name == *name)) {
        found.push(format!("{path}.{name} is stored and not defined"));
    }
    for field in fields {
        let path = format!("{path}.{}", field.name);
        match document.get(field.name) {
            Some(value) => disagreements(&field.shape, value, &path, found),
            None if field.skippable => {}
            None => found.push(format!("{path} is defined and not stored")),
        }
    }
}

#[test]
fn serde_writes_the_names_of_the_definition() {
    for value in [full(), least()] {
        let mut found = Vec::new();
        names(Whole::FIELDS, &stored(&value), "", &mut found);
        assert_eq!(found, [] as [&str; 0]);
    }
    // The whole document, not only a part.
    let document = stored(&full());
    let defined: BTreeSet<_> = Whole::FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(document.keys().map(String::as_str).collect::<BTreeSet<_>>(), defined);
    assert!(
        defined.contains("with space and ünïcode")
            && defined.contains("defaultedList")
            && !defined.contains("notStored")
    );
}

#[test]
fn what_comes_back_is_what_was_stored() {
    for value in [full(), least()] {
        assert_eq!(from_bson::<Whole>(Bson::Document(stored(&value))).unwrap(), value);
    }
}

/// Returns the paths of all fields, each with true for a required field.
fn all_fields(
    fields: &'static [FieldDefinition],
    path: &[&'static str],
    found: &mut BTreeMap<Vec<&'static str>, bool>,
) {
    for field in fields {
        let path = [path, &[field.name]].concat();
        if let Kind::Document { fields, .. } = field.shape.kind {
            all_fields(fields, &path, found);
        }
        found.insert(path, field.required);
    }
}

/// Returns the document without this field.
fn without(document: &Document, path: &[&str]) -> Document {
    let mut document = document.clone();
    match path {
        [last] => drop(document.remove(last).unwrap()),
        [first, rest @ ..] => {
            let inner = without(document.get_document(first).unwrap(), rest);
            document.insert(*first, inner);
        }
        [] => {}
    }
    document
}

#[test]
fn a_field_is_required_exactly_when_serde_cannot_do_without_it() {
    let mut fields = BTreeMap::new();
    all_fields(Whole::FIELDS, &[], &mut fields);
    assert_eq!(fields.len(), 18 + 2 + (3 + 1 + 2) + 2, "{:?}", fields.keys());
    let document = stored(&full());
    for (path, required) in fields {
        let read = from_bson::<Whole>(Bson::Document(without(&document, &path)));
        assert_eq!(read.is_err(), required, "{path:?}");
    }
}

#[test]
fn the_variants_are_those_that_serde_writes() {
    let Kind::Enum(variants) = <LoudKind as schema_runtime::field::Field>::SHAPE.kind else { panic!("not an enum") };
    let written: Vec<_> = KINDS.iter().map(|kind| to_bson(kind).unwrap().as_str().unwrap().to_owned()).collect();
    assert_eq!(written, variants);
}
