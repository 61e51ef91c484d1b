//! Random definitions of indexes, with the combinations that the rules accept, and a model around the indexes.

use proptest::{collection::vec, option, prelude::*, sample::select};
use schema_runtime::definition::{
    CollationDefinition, CollectionOptions, Direction, FieldDefinition, IndexDefinition, IndexKey, Kind, Literal,
    ModelDefinition, PartialClause, PartialOperator, PlaneIndex, Scalar, Shape, TextIndex, TextLanguage, TextWeight,
    WildcardPaths,
};

type PathNames = &'static [&'static str];

const STRING: Shape = Shape::new(Kind::String { max_len: None });
const INNER: Shape = Shape::new(Kind::Document {
    name: "Inner",
    fields: &[FieldDefinition::new("no", "No", Shape::scalar(Scalar::Integer).nullable())],
    judged: true,
    copies: &[],
});

pub(crate) const FIELDS: &[FieldDefinition] = &[
    FieldDefinition::new("id", "_id", Shape::scalar(Scalar::ObjectId)),
    FieldDefinition::new("name", "name", STRING),
    FieldDefinition::new("qty", "quantity", Shape::scalar(Scalar::Integer)),
    FieldDefinition::new("date", "date", Shape::scalar(Scalar::DateTime).nullable()),
    FieldDefinition::new("uuid", "uuid", Shape::scalar(Scalar::Uuid).nullable()),
    FieldDefinition::new("stamp", "stamp", Shape::scalar(Scalar::Timestamp).nullable()),
    FieldDefinition::new("owner", "owner", Shape::scalar(Scalar::ObjectId).nullable()),
    FieldDefinition::new("on", "on", Shape::scalar(Scalar::Bool).nullable()),
    FieldDefinition::new("price", "price", Shape::scalar(Scalar::Decimal128).nullable()),
    FieldDefinition::new("tags", "tags", Shape::new(Kind::Array { items: &STRING, min: 0, max: Some(3) })),
    FieldDefinition::new("inner", "inner", INNER),
];

fn key() -> impl Strategy<Value = IndexKey> {
    let paths: Vec<PathNames> = vec![
        &["id"],
        &["name"],
        &["qty"],
        &["date"],
        &["uuid"],
        &["stamp"],
        &["owner"],
        &["on"],
        &["price"],
        &["tags"],
        &["inner", "no"],
    ];
    let direction = select(vec![Direction::Ascending, Direction::Descending]);
    (select(paths), direction).prop_map(|(path, direction)| IndexKey { path, direction })
}

pub(crate) fn clause() -> impl Strategy<Value = PartialClause> {
    let operator = select(vec![
        PartialOperator::Eq,
        PartialOperator::Exists,
        PartialOperator::Gt,
        PartialOperator::Gte,
        PartialOperator::Lt,
        PartialOperator::Lte,
    ]);
    let value = prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        any::<i64>().prop_map(Literal::Integer),
        any::<f64>().prop_map(Literal::Double),
        select(vec!["", "a", "$gt", "ä"]).prop_map(Literal::String),
    ];
    let paths: Vec<PathNames> = vec![&["qty"], &["inner", "no"], &["name"]];
    (select(paths), operator, value).prop_map(|(path, operator, value)| PartialClause { path, operator, value })
}

/// Returns collations of languages with different defaults. The server takes each of the collations.
fn collation() -> impl Strategy<Value = CollationDefinition> {
    let locale = select(vec!["en", "nb", "da", "th", "fr_CA", "de@collation=phonebook", "zh_Hant", "vi"]);
    let switch = || option::of(any::<bool>());
    let words = (
        option::of(select(vec!["upper", "lower", "off"])),
        option::of(select(vec!["non-ignorable", "shifted"])),
        option::of(select(vec!["punct", "space"])),
    );
    (locale, option::of(3..=5_u32), (switch(), switch(), switch(), switch()), words).prop_map(
        |(locale, strength, (case_level, numeric_ordering, normalization, backwards), words)| CollationDefinition {
            strength,
            case_level,
            case_first: words.0,
            numeric_ordering,
            alternate: words.1,
            max_variable: words.2,
            normalization,
            backwards,
            ..CollationDefinition::new(locale)
        },
    )
}

fn index() -> impl Strategy<Value = IndexDefinition> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let options = (flags, option::weighted(0.2, any::<u32>().prop_map(|seconds| seconds >> 1)));
    let name = option::weighted(0.3, select(vec!["a", "b", "c d"]));
    let collation = option::weighted(0.4, collation());
    let special = option::weighted(0.2, select(vec![Direction::Hashed, Direction::Sphere]));
    (vec(key(), 1..4), name, options, vec(clause(), 0..4), special, collation).prop_map(
        |(mut keys, name, ((unique, sparse, hidden), ttl), partial, special, collation)| {
            keys.sort_by_key(|key| key.path);
            keys.dedup_by_key(|key| key.path);
            let own_id = keys.len() == 1 && keys[0].path == ["id"];
            if own_id {
                keys[0].direction = Direction::Ascending;
            } else if let Some(direction) = special {
                keys[0].direction = direction;
            }
            let ttl = ttl.filter(|_| keys.len() == 1 && special.is_none() && !own_id);
            let index = IndexDefinition::new(keys.leak());
            let index = name.map_or(index, |name| index.named(name));
            let index = ttl.map_or(index, |seconds| index.expire_after_seconds(seconds));
            let index = if unique && special.is_none() { index.unique() } else { index };
            let index = if hidden { index.hidden() } else { index };
            let index = collation.map_or(index, |collation| index.collation(collation));
            if sparse && partial.is_empty() { index.sparse() } else { index.partial(partial.leak()) }
        },
    )
}

/// Generates an index of a special kind: text, wildcard or plane, with the combinations that the rules accept.
fn special() -> impl Strategy<Value = IndexDefinition> {
    let texts: Vec<&'static [IndexKey]> = vec![
        const { &[IndexKey::text(&["tags"]), IndexKey::text(&["name"])] },
        const { &[IndexKey::asc(&["qty"]), IndexKey::text(&["name"]), IndexKey::desc(&["date"]), IndexKey::asc(&["on"])] },
        const { &[IndexKey::text(&["inner", "no"]), IndexKey::text(&["name"])] },
        const { &[IndexKey::text(&[])] },
        const { &[IndexKey::desc(&["inner", "no"]), IndexKey::text(&[])] },
    ];
    let languages = vec![None, Some(TextLanguage::English), Some(TextLanguage::Norwegian), Some(TextLanguage::Simple)];
    let weights: Vec<&'static [TextWeight]> =
        vec![&[], const { &[TextWeight::new(&["name"], 1)] }, const { &[TextWeight::new(&["name"], 99_999)] }];
    let text = (select(texts), select(weights), select(languages), any::<bool>()).prop_map(
        |(keys, weights, language, of_field)| {
            let language_field = of_field.then_some("name");
            IndexDefinition::new(keys).text(TextIndex { weights, language, language_field })
        },
    );
    let paths: Vec<PathNames> = vec![&["tags"], &["inner"], &["name"], &["qty"]];
    let some_paths = vec(select(paths), 1..4).prop_map(|mut paths| {
        paths.sort_unstable();
        paths.dedup();
        &*paths.leak()
    });
    let wildcard = (some_paths, 0..4_u8).prop_map(|(paths, kind)| match kind {
        0 => IndexDefinition::new(const { &[IndexKey::wildcard(&[])] }).wildcard(WildcardPaths::All),
        1 => IndexDefinition::new(const { &[IndexKey::wildcard(&["inner"])] }).wildcard(WildcardPaths::All),
        2 => IndexDefinition::new(const { &[IndexKey::wildcard(&[])] }).wildcard(WildcardPaths::Only(paths)),
        _ => IndexDefinition::new(const { &[IndexKey::wildcard(&[])] }).wildcard(WildcardPaths::Except(paths)),
    });
    let limits = (option::of(1..33_u8), option::of(-1e6..0.0_f64), option::of(1e-3..1e6_f64), any::<bool>());
    let plane = limits.prop_map(|(bits, min, max, longer)| {
        let keys: &[IndexKey] = if longer {
            const { &[IndexKey::plane(&["tags"]), IndexKey::asc(&["qty"]), IndexKey::desc(&["name"])] }
        } else {
            const { &[IndexKey::plane(&["tags"])] }
        };
        IndexDefinition::new(keys).plane(PlaneIndex { bits, min, max })
    });
    let name = option::weighted(0.3, select(vec!["a", "b", "c d"]));
    let partial = option::weighted(0.3, clause());
    (prop_oneof![text, wildcard, plane], name, any::<bool>(), partial).prop_map(|(index, name, hidden, partial)| {
        let index = name.map_or(index, |name| index.named(name));
        let index = if hidden { index.hidden() } else { index };
        partial.map_or(index, |clause| index.partial(vec![clause].leak()))
    })
}

/// Generates an index of any kind.
pub(crate) fn any_index() -> impl Strategy<Value = IndexDefinition> {
    prop_oneof![3 => index(), 1 => special()]
}

/// Returns a model of the collection `things` with these options and indexes.
pub(crate) fn model(options: CollectionOptions, indexes: Vec<IndexDefinition>) -> &'static ModelDefinition {
    Box::leak(Box::new(ModelDefinition {
        collection: "things",
        fields: FIELDS,
        all_indexes: indexes.leak(),
        options,
        whole: true,
        ..ModelDefinition::broken("Thing")
    }))
}
