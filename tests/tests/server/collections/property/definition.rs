//! A random collection as the definition of a model, and as the commands of a server.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    Point,
    definition::{
        self, CollationDefinition, CollectionKind, CollectionOptions, Compression, Granularity, IndexDefinition,
        IndexKey, ModelDefinition, PartialClause, PartialOperator, PlaneIndex, Target, TextIndex, TextLanguage,
        TextWeight, TimeSeriesDefinition, ValidationLevel, ViewDefinition, WildcardPaths,
    },
    prelude::*,
};

use super::{
    cases::{Collation, Direction, Index, Kind, Things},
    verdict,
};

/// The documents of the collection, with the fields of the struct in the cases.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "things")]
pub(super) struct Thing {
    #[serde(rename = "_id")]
    pub(super) id: DateTime,
    pub(super) at: DateTime,
    #[relation(one_to_one, embed)]
    pub(super) meta: Meta,
    pub(super) body: String,
    pub(super) number: i64,
    pub(super) maybe: Option<i64>,
    #[relation(one_to_one, embed)]
    pub(super) inner: Inner,
    pub(super) place: [f64; 2],
    pub(super) spot: Point,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
pub(super) struct Meta {
    pub(super) name: String,
    pub(super) number: i64,
    pub(super) place: [f64; 2],
    pub(super) spot: Point,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
pub(super) struct Inner {
    pub(super) no: Option<i32>,
}

/// The source of a view.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "sources")]
struct Source {
    #[serde(rename = "_id")]
    id: DateTime,
    number: i64,
}

/// The source of the views.
pub(super) const SOURCE: &ModelDefinition = Source::DEFINITION;

/// Returns a document. Two documents have different values in each field.
pub(super) fn thing(at: i64) -> Thing {
    let part = at as f64 / 8.0;
    let spot = Point::new(part, part);
    let time = DateTime::from_millis(DateTime::now().timestamp_millis() + at);
    Thing {
        id: time,
        at: time,
        meta: Meta { name: format!("name {at}"), number: at, place: [part, part], spot },
        body: format!("body {at}"),
        number: at,
        maybe: Some(at),
        inner: Inner { no: Some(at as i32) },
        place: [part, part],
        spot,
    }
}

/// Returns the definition, as the derive makes the definition. The definition lives as long as the process.
pub(super) fn definition(things: &Things) -> &'static ModelDefinition {
    let kind = match things.kind() {
        None => CollectionKind::Plain,
        Some(Kind::Capped { bytes, documents }) => CollectionKind::Capped { bytes: *bytes, documents: *documents },
        Some(Kind::Clustered { ttl }) => CollectionKind::Clustered { expire_after_seconds: *ttl },
        Some(Kind::Series { meta, granularity, ttl }) => CollectionKind::TimeSeries(TimeSeriesDefinition {
            time: "at",
            meta: meta.then_some("meta"),
            granularity: match *granularity {
                "seconds" => Granularity::Seconds,
                "minutes" => Granularity::Minutes,
                _ => Granularity::Hours,
            },
            expire_after_seconds: *ttl,
        }),
        Some(Kind::View { filter }) => {
            const FILTER: &[PartialClause] =
                &[PartialClause::new(&["number"], PartialOperator::Gt, definition::Literal::Integer(5))];
            let of = Target { name: SOURCE.name, definition: || SOURCE };
            CollectionKind::View(ViewDefinition::new(of, if *filter { FILTER } else { &[] }, &[]))
        }
    };
    let is_view = matches!(kind, CollectionKind::View(_));
    let options = CollectionOptions {
        validation_level: if things.validation { ValidationLevel::Moderate } else { ValidationLevel::Strict },
        kind,
        pre_and_post_images: things.images,
        compression: things.compression.map(|word| match word {
            "none" => Compression::None,
            "snappy" => Compression::Snappy,
            "zlib" => Compression::Zlib,
            _ => Compression::Zstd,
        }),
        collation: things.collation.map(Collation::definition),
        ..CollectionOptions::DEFAULT
    };
    let indexes: Vec<IndexDefinition> = things.indexes.iter().map(Index::definition).collect();
    Box::leak(Box::new(ModelDefinition {
        collection: "things",
        fields: if is_view { SOURCE.fields } else { Thing::DEFINITION.fields },
        all_indexes: indexes.leak(),
        options,
        read_only: is_view,
        whole: true,
        ..ModelDefinition::broken("Thing")
    }))
}

/// Returns the parts of a path. An empty path has no parts.
fn parts(path: &'static str) -> &'static [&'static str] {
    if path.is_empty() { &[] } else { path.split('.').collect::<Vec<_>>().leak() }
}

impl Collation {
    fn definition(self) -> CollationDefinition {
        let numeric_ordering = self.numeric.then_some(true);
        CollationDefinition { strength: self.strength, numeric_ordering, ..CollationDefinition::new(self.locale) }
    }
}

impl Index {
    fn definition(&self) -> IndexDefinition {
        let key = |(direction, path): &(Direction, &'static str)| {
            let direction = match direction {
                Direction::Ascending => definition::Direction::Ascending,
                Direction::Descending => definition::Direction::Descending,
                Direction::Hashed => definition::Direction::Hashed,
                Direction::Sphere => definition::Direction::Sphere,
                Direction::Plane => definition::Direction::Plane,
                Direction::Text => definition::Direction::Text,
                Direction::Wildcard => definition::Direction::Wildcard,
            };
            IndexKey { path: parts(path), direction }
        };
        let mut index = IndexDefinition::new(self.keys.iter().map(key).collect::<Vec<_>>().leak());
        index.name = self.name;
        (index.unique, index.sparse, index.hidden) = (self.unique, self.sparse, self.hidden);
        index.expire_after_seconds = self.ttl;
        index.collation = self.collation.map(Collation::definition);
        if let Some(bound) = self.partial {
            let clause = PartialClause::new(&["number"], PartialOperator::Gt, definition::Literal::Integer(bound));
            index.partial = vec![clause].leak();
        }
        if self.has(Direction::Text) {
            let weight = self.words().zip(self.weight);
            let weights: Vec<TextWeight> =
                weight.map(|(path, weight)| TextWeight::new(parts(path), weight)).into_iter().collect();
            let language = self.language.map(|word| match word {
                "norwegian" => TextLanguage::Norwegian,
                _ => TextLanguage::Simple,
            });
            return index.text(TextIndex { weights: weights.leak(), language, language_field: None });
        }
        let leak = |paths: &[&'static str]| &*paths.iter().map(|path| parts(path)).collect::<Vec<_>>().leak();
        if self.has(Direction::Wildcard) {
            return index.wildcard(match (&self.only[..], &self.except[..]) {
                ([], []) => WildcardPaths::All,
                (only, []) => WildcardPaths::Only(leak(only)),
                (_, except) => WildcardPaths::Except(leak(except)),
            });
        }
        if self.has(Direction::Plane) {
            let (min, max) = self.limits.unzip();
            return index.plane(PlaneIndex { bits: self.bits, min, max });
        }
        index
    }
}

/// Returns the fields of the command `create`.
pub(super) fn create(things: &Things) -> Document {
    let mut create = Document::new();
    for kind in &things.kinds {
        let ttl = match kind {
            Kind::Capped { bytes, documents } => {
                create.extend(doc! { "capped": true, "size": *bytes as i64 });
                create.extend(documents.map(|most| ("max".to_owned(), (most as i64).into())));
                None
            }
            Kind::Clustered { ttl } => {
                create.extend(doc! { "clusteredIndex": { "key": { "_id": 1 }, "unique": true } });
                *ttl
            }
            Kind::Series { meta, granularity, ttl } => {
                let mut series = doc! { "timeField": "at", "granularity": *granularity };
                series.extend(meta.then(|| ("metaField".to_owned(), "meta".into())));
                create.insert("timeseries", series);
                *ttl
            }
            Kind::View { filter } => {
                let stages = if *filter { vec![doc! { "$match": { "number": { "$gt": 5 } } }] } else { Vec::new() };
                create.extend(doc! { "viewOn": "sources", "pipeline": stages });
                None
            }
        };
        create.extend(ttl.map(|seconds| ("expireAfterSeconds".to_owned(), i64::from(seconds).into())));
    }
    if things.images {
        create.insert("changeStreamPreAndPostImages", doc! { "enabled": true });
    }
    if let Some(word) = things.compression {
        create.insert("storageEngine", doc! { "wiredTiger": { "configString": format!("block_compressor={word}") } });
    }
    create.extend(
        things.collation.map(|collation| ("collation".to_owned(), collation.definition().to_document().into())),
    );
    if things.validation {
        create.insert("validationLevel", "moderate");
    }
    create
}

/// Returns the elements of the command `createIndexes`.
pub(super) fn indexes(things: &Things) -> Vec<Document> {
    things.indexes.iter().map(|index| index_of(things, index)).collect()
}

fn index_of(things: &Things, index: &Index) -> Document {
    let mut keys = Document::new();
    for (direction, path) in &index.keys {
        let path = match (direction, path.is_empty()) {
            (_, true) => "$**".to_owned(),
            (Direction::Wildcard, false) => format!("{path}.$**"),
            _ => (*path).to_owned(),
        };
        match direction {
            Direction::Ascending | Direction::Wildcard => keys.insert(path, 1),
            Direction::Descending => keys.insert(path, -1),
            Direction::Hashed => keys.insert(path, "hashed"),
            Direction::Sphere => keys.insert(path, "2dsphere"),
            Direction::Plane => keys.insert(path, "2d"),
            Direction::Text => keys.insert(path, "text"),
        };
    }
    let mut document = doc! { "key": keys, "name": verdict::name(index) };
    for (word, is_given) in [("unique", index.unique), ("sparse", index.sparse), ("hidden", index.hidden)] {
        document.extend(is_given.then(|| (word.to_owned(), true.into())));
    }
    document.extend(index.ttl.map(|seconds| ("expireAfterSeconds".to_owned(), i64::from(seconds).into())));
    if let Some(bound) = index.partial {
        document.insert("partialFilterExpression", doc! { "number": { "$gt": bound } });
    }
    let collation = verdict::collation_of(things, index);
    document.extend(collation.map(|collation| ("collation".to_owned(), collation.definition().to_document().into())));
    if let Some((path, weight)) = index.words().zip(index.weight) {
        document.insert("weights", doc! { path: weight as i32 });
    }
    document.extend(index.language.map(|language| ("default_language".to_owned(), language.into())));
    let mut projection = Document::new();
    projection.extend(index.only.iter().map(|path| ((*path).to_owned(), 1.into())));
    projection.extend(index.except.iter().map(|path| ((*path).to_owned(), 0.into())));
    if !projection.is_empty() {
        document.insert("wildcardProjection", projection);
    }
    document.extend(index.bits.map(|bits| ("bits".to_owned(), i32::from(bits).into())));
    if let Some((min, max)) = index.limits {
        document.extend(doc! { "min": min, "max": max });
    }
    document
}
