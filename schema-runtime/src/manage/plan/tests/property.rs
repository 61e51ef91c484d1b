//! Property tests: after a server does every step of a plan, the server matches the models, for any definitions and any
//! earlier state.

use mongodb::bson::{Bson, doc};
use proptest::{collection::vec, option, prelude::*, sample::select};

use super::*;

type PathNames = &'static [&'static str];

fn key() -> impl Strategy<Value = IndexKey> {
    let paths: Vec<PathNames> =
        vec![&["name"], &["qty"], &["seen_at"], &["email"], &["nick"], &["tags"], &["parts", "part_no"]];
    let direction = select(vec![Direction::Ascending, Direction::Descending]);
    (select(paths), direction).prop_map(|(path, direction)| IndexKey { path, direction })
}

fn clause() -> impl Strategy<Value = PartialClause> {
    let operator = select(vec![PartialOperator::Gt, PartialOperator::Gte, PartialOperator::Lt, PartialOperator::Eq]);
    let paths: Vec<PathNames> = vec![&["qty"], &["parts", "price"]];
    (select(paths), operator, -2_i64..3).prop_map(|(path, operator, value)| PartialClause {
        path,
        operator,
        value: Literal::Integer(value),
    })
}

fn index() -> impl Strategy<Value = IndexDefinition> {
    let name = option::weighted(0.3, select(vec!["a", "b", "c"]));
    let ttl = option::weighted(0.3, 1_u32..4);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (vec(key(), 1..4), name, flags, vec(clause(), 0..3), ttl).prop_map(
        |(mut keys, name, (unique, sparse, hidden), partial, ttl)| {
            keys.sort_by_key(|key| key.path);
            keys.dedup_by_key(|key| key.path);
            let ttl = ttl.filter(|_| keys.len() == 1);
            let index = IndexDefinition::new(keys.leak());
            let index = name.map_or(index, |name| index.named(name));
            let index = ttl.map_or(index, |seconds| index.expire_after_seconds(seconds));
            let index = if unique { index.unique() } else { index };
            let index = if hidden { index.hidden() } else { index };
            if sparse && partial.is_empty() { index.sparse() } else { index.partial(partial.leak()) }
        },
    )
}

/// Generates an index of a special kind: text, wildcard or plane.
fn special() -> impl Strategy<Value = IndexDefinition> {
    let texts: Vec<&'static [IndexKey]> = vec![
        const { &[IndexKey::text(&["name"])] },
        const { &[IndexKey::text(&["tags"]), IndexKey::text(&["name"])] },
        const { &[IndexKey::asc(&["qty"]), IndexKey::text(&["nick"]), IndexKey::desc(&["seen_at"])] },
        const { &[IndexKey::text(&[])] },
    ];
    let languages = vec![None, Some(TextLanguage::English), Some(TextLanguage::Norwegian), Some(TextLanguage::Simple)];
    let weights: Vec<&'static [TextWeight]> =
        vec![&[], const { &[TextWeight::new(&["name"], 1)] }, const { &[TextWeight::new(&["name"], 9)] }];
    let text = (select(texts), select(weights), select(languages), any::<bool>()).prop_map(
        |(keys, weights, language, of_field)| {
            let has_name = keys.iter().any(|key| key.path.is_empty() || key.path == ["name"]);
            let weights = if has_name { weights } else { &[] };
            let language_field = of_field.then_some("email");
            IndexDefinition::new(keys).text(TextIndex { weights, language, language_field })
        },
    );
    let paths: Vec<PathNames> = vec![&["tags"], &["parts"], &["name"], &["qty"]];
    let some_paths = vec(select(paths), 1..4).prop_map(|mut paths| {
        paths.sort_unstable();
        paths.dedup();
        &*paths.leak()
    });
    let wildcard = (some_paths, 0..4_u8).prop_map(|(paths, kind)| match kind {
        0 => IndexDefinition::new(const { &[IndexKey::wildcard(&[])] }).wildcard(WildcardPaths::All),
        1 => IndexDefinition::new(const { &[IndexKey::wildcard(&["parts"])] }).wildcard(WildcardPaths::All),
        2 => IndexDefinition::new(const { &[IndexKey::wildcard(&[])] }).wildcard(WildcardPaths::Only(paths)),
        _ => IndexDefinition::new(const { &[IndexKey::wildcard(&[])] }).wildcard(WildcardPaths::Except(paths)),
    });
    let limits = (option::of(1..33_u8), option::of(-9.0..0.0_f64), option::of(1.0..9.0_f64), any::<bool>());
    let plane = limits.prop_map(|(bits, min, max, longer)| {
        let keys: &[IndexKey] = if longer {
            const { &[IndexKey::plane(&["tags"]), IndexKey::asc(&["qty"])] }
        } else {
            const { &[IndexKey::plane(&["tags"])] }
        };
        IndexDefinition::new(keys).plane(PlaneIndex { bits, min, max })
    });
    let name = option::weighted(0.3, select(vec!["a", "b", "c"]));
    let partial = option::weighted(0.3, clause());
    (prop_oneof![text, wildcard, plane], name, any::<bool>(), partial).prop_map(|(index, name, hidden, partial)| {
        let index = name.map_or(index, |name| index.named(name));
        let index = if hidden { index.hidden() } else { index };
        partial.map_or(index, |clause| index.partial(vec![clause].leak()))
    })
}

/// Generates definitions without conflicts.
fn definition() -> impl Strategy<Value = &'static ModelDefinition> {
    vec(prop_oneof![3 => index(), 1 => special()], 0..5)
        .prop_map(|indexes| &*Box::leak(Box::new(model(indexes.leak()))))
        .prop_filter("the definition does not agree with itself", |model| wanted_indexes(model).is_ok())
}

/// Returns an index as the server lists the index: numbers come back in another type.
fn listed(index: &Index) -> Index {
    let mut listed = index.to_document();
    if crate::indexes::settings::has_words(&index.keys) {
        listed = listed_text(index);
    }
    for (_, direction) in listed.get_document_mut("key").expect("keys").iter_mut() {
        if let Bson::Int32(number) = direction {
            *direction = Bson::Double(f64::from(*number));
        }
    }
    parse_index(&listed, None).expect("an index")
}

/// Returns a text index as the server lists the index: the fields are weights, and the defaults are there.
fn listed_text(index: &Index) -> Document {
    let mut listed = index.to_document();
    let (mut keys, mut weights) = (Document::new(), Document::new());
    for (path, direction) in &index.keys {
        if direction.as_str() == Some("text") {
            keys.insert("_fts", "text");
            keys.insert("_ftsx", 1);
            weights.insert(path, 1);
        } else {
            keys.insert(path, direction.clone());
        }
    }
    if let Ok(given) = index.settings.get_document("weights") {
        weights.extend(given.clone());
    }
    listed.insert("key", keys);
    listed.insert("weights", weights);
    listed.insert("textIndexVersion", 3);
    for (option, default) in [("default_language", "english"), ("language_override", "language")] {
        if !listed.contains_key(option) {
            listed.insert(option, default);
        }
    }
    listed
}

/// Plays the server's part: does every step that a plan may be asked to do.
fn apply(plan: &Plan, states: &mut Vec<CollectionState>) {
    for step in &plan.steps {
        if let Change::CreateCollection { validator, .. } = &step.change {
            let (name, validator) = (step.collection.clone(), validator.clone());
            states.push(CollectionState { name, validator, ..CollectionState::default() });
            continue;
        }
        let state = states.iter_mut().find(|state| state.name == step.collection).expect("the collection");
        match &step.change {
            Change::SetValidator { new, .. } => state.validator = Some(new.clone()),
            Change::CreateIndex { index, .. } => state.indexes.push(listed(index)),
            Change::ChangeIndex { old, new, .. } => {
                assert!(new.unique || !old.unique, "collMod does not take uniqueness away");
                assert!(new.expire_after_seconds.is_some() || old.expire_after_seconds.is_none(), "nor a TTL");
                let has = state.indexes.iter_mut().find(|has| *has == old).expect("the index");
                has.unique = new.unique;
                has.hidden = new.hidden;
                has.expire_after_seconds = new.expire_after_seconds;
            }
            Change::RebuildIndex { old, new, .. } | Change::IndexNameTaken { old, new, declared: false, .. } => {
                state.indexes.retain(|has| has != old);
                state.indexes.push(listed(new));
            }
            Change::DropIndex { index, .. } => state.indexes.retain(|has| has != index),
            _ => {}
        }
        for (at, index) in state.indexes.iter().enumerate() {
            let earlier = &state.indexes[..at];
            assert!(earlier.iter().all(|other| other.name != index.name), "the server refuses a name twice: 86");
            assert!(
                !earlier.iter().any(|other| crate::indexes::same_signature(other, index)),
                "the server refuses a structure twice: 85"
            );
            assert!(
                !earlier.iter().any(|other| crate::indexes::excludes(other, index)),
                "the server takes one of the two: 67, 85"
            );
        }
    }
}

proptest! {
    #[test]
    fn what_was_applied_needs_nothing(model in definition()) {
        let mut states = Vec::new();
        apply(&diff(&[model], &states).expect("it agrees"), &mut states);
        let again = diff(&[model], &states).expect("it agrees");
        prop_assert!(again.is_empty(), "{again}");
    }

    /// People must decide about an index that another declared index blocks; a single apply does everything else.
    #[test]
    fn from_any_definition_to_any_other_in_one_apply(before in definition(), after in definition()) {
        let mut states = Vec::new();
        apply(&diff(&[before], &states).expect("it agrees"), &mut states);
        let plan = diff(&[after], &states).expect("it agrees");
        apply(&plan, &mut states);
        let again = diff(&[after], &states).expect("it agrees");
        let decided = |plan: &Plan| plan.steps.iter().filter(|step| step.needs() == Needs::Decision).count();
        prop_assert_eq!(again.steps.len(), decided(&plan), "{}\n{}", plan, again);
    }

    #[test]
    fn foreign_indexes_are_only_ever_dropped(model in definition(), strangers in vec("[a-z]{4,8}", 0..3)) {
        let mut states = Vec::new();
        apply(&diff(&[model], &states).expect("it agrees"), &mut states);
        for stranger in &strangers {
            let index = doc! { "key": { stranger: 1, "name": "hashed" }, "name": format!("of {stranger}") };
            states[0].indexes.insert(0, parse_index(&index, None).expect("an index"));
        }
        let plan = diff(&[model], &states).expect("it agrees");
        prop_assert_eq!(plan.steps.len(), strangers.len());
        let only_drops = plan.steps.iter().all(|step| matches!(step.change, Change::DropIndex { .. }));
        prop_assert!(only_drops, "{plan}");
        prop_assert_eq!(plan.pending().count(), 0);
    }
}
