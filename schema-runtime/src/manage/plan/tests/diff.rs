use mongodb::bson::doc;

use super::*;

#[test]
fn what_is_missing_is_made() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME])]);
    let plan = diff(&[&MODEL], &[]).expect("the definitions agree");
    assert!(matches!(plan.steps[0].change, Change::CreateCollection { .. }));
    assert!(matches!(&plan.steps[1].change, Change::CreateIndex { index, .. } if index.name == "name_1"));
    assert_eq!(plan.steps.len(), 2);
    assert_eq!(plan.pending().count(), 2);
}

#[test]
fn an_index_is_the_same_by_structure_whatever_its_name_and_numbers() {
    const CLAUSE: PartialClause =
        PartialClause { path: &["qty"], operator: PartialOperator::Gt, value: Literal::Integer(3) };
    static MODEL: ModelDefinition = model(&[
        IndexDefinition::new(&[NAME, QTY_DESC]).partial(&[CLAUSE]).unique(),
        IndexDefinition::new(&[SEEN_AT]).expire_after_seconds(60),
    ]);
    let has = state(
        &MODEL,
        vec![
            id_index(),
            doc! {
                "v": 2, "key": { "name": 1.0, "qty": -1_i64 }, "name": "theirs", "unique": 1,
                "partialFilterExpression": { "qty": { "$gt": 3.0 } },
            },
            doc! { "v": 2, "key": { "seenAt": 1_i64 }, "name": "x", "expireAfterSeconds": 60.0, "background": true },
        ],
    );
    assert_eq!(changes(&MODEL, has), []);
}

#[test]
fn the_order_of_keys_matters_and_foreign_kinds_do_not_confuse() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME, QTY_DESC])]);
    let has = state(
        &MODEL,
        vec![
            id_index(),
            doc! { "key": { "_id": 1 }, "name": "mine", "clustered": true, "unique": true },
            doc! { "key": { "qty": -1, "name": 1 }, "name": "turned" },
            doc! { "key": { "_fts": "text", "_ftsx": 1, "name": 1 }, "name": "words", "weights": { "name": 1 } },
            doc! { "key": { "$**": 1 }, "name": "any", "wildcardProjection": { "name": 1 } },
        ],
    );
    let changes = changes(&MODEL, has);
    assert!(matches!(&changes[0], Change::CreateIndex { index, .. } if index.name == "name_1_qty_-1"));
    let dropped: Vec<_> = changes[1..]
        .iter()
        .map(|change| match change {
            Change::DropIndex { index, .. } => index.name.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(dropped, ["turned", "words", "any"], "and never the index of `_id`");
}

#[test]
fn a_collation_of_the_collection_is_no_difference_and_another_one_is() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME])]);
    let french = doc! { "locale": "fr", "strength": 2 };
    let listed = doc! { "name": "things", "type": "collection", "options": { "collation": french } };
    let collation = parse_collection(&listed).options.collation;
    let with = |own: Option<Document>| {
        let mut index = doc! { "key": { "name": 1 }, "name": "n" };
        if let Some(own) = own {
            index.insert("collation", own);
        }
        let index = parse_index(&index, collation.as_ref()).expect("an index");
        changes(&MODEL, CollectionState { indexes: vec![index], ..state(&MODEL, Vec::new()) })
    };
    assert_eq!(with(Some(doc! { "strength": 2.0, "locale": "fr" })), []);
    for own in [Some(doc! { "locale": "en" }), None] {
        let changes = with(own);
        assert!(matches!(changes[..], [Change::CreateIndex { .. }, Change::DropIndex { .. }]), "{changes:?}");
    }
}

#[test]
fn time_to_live_and_uniqueness_change_in_place() {
    static MODEL: ModelDefinition =
        model(&[IndexDefinition::new(&[SEEN_AT]).expire_after_seconds(60), IndexDefinition::new(&[NAME]).unique()]);
    let has = state(
        &MODEL,
        vec![
            doc! { "key": { "seenAt": 1 }, "name": "ttl", "expireAfterSeconds": 5 },
            doc! { "key": { "name": 1 }, "name": "name_1", "hidden": true },
        ],
    );
    let changes = changes(&MODEL, has);
    assert!(matches!(&changes[0], Change::ChangeIndex { old, new, .. }
        if old.name == "ttl" && new.name == "ttl" && new.expire_after_seconds == Some(60)));
    assert!(matches!(&changes[1], Change::ChangeIndex { old, new, .. } if !old.unique && new.unique && !new.hidden));
    assert_eq!(changes.len(), 2);
}

#[test]
fn what_cannot_change_in_place_is_rebuilt_only_when_asked_to() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[SEEN_AT]), IndexDefinition::new(&[NAME])]);
    let has = state(
        &MODEL,
        vec![
            doc! { "key": { "seenAt": 1 }, "name": "other", "expireAfterSeconds": 5 },
            doc! { "key": { "name": 1 }, "name": "name_1", "unique": true },
        ],
    );
    let plan = diff(&[&MODEL], &[has]).expect("the definitions agree");
    for step in &plan.steps {
        assert!(matches!(step.change, Change::RebuildIndex { .. }), "{step:?}");
        assert_eq!(step.needs(), Needs::Rebuild);
    }
    assert_eq!((plan.steps.len(), plan.pending().count()), (2, 0));
}

#[test]
fn same_keys_under_another_name_are_somebody_elses() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME]).unique()]);
    let has = state(&MODEL, vec![doc! { "key": { "name": 1 }, "name": "theirs" }]);
    let changes = changes(&MODEL, has);
    assert!(matches!(changes[..], [Change::CreateIndex { .. }, Change::DropIndex { .. }]), "{changes:?}");
}

#[test]
fn a_taken_name_is_reported() {
    static MODEL: ModelDefinition =
        model(&[IndexDefinition::new(&[NAME]).named("a"), IndexDefinition::new(&[EMAIL]).named("b")]);
    let undeclared =
        state(&MODEL, vec![doc! { "key": { "qty": 1 }, "name": "a" }, doc! { "key": { "email": 1 }, "name": "b" }]);
    let plan = diff(&[&MODEL], &[undeclared]).expect("the definitions agree");
    assert!(matches!(plan.steps[0].change, Change::IndexNameTaken { declared: false, .. }));
    assert_eq!((plan.steps.len(), plan.steps[0].needs()), (1, Needs::DropUndeclared));

    let swapped = state(&MODEL, vec![doc! { "key": { "email": 1 }, "name": "a" }]);
    let plan = diff(&[&MODEL], &[swapped]).expect("the definitions agree");
    assert!(matches!(plan.steps[0].change, Change::IndexNameTaken { declared: true, .. }));
    assert_eq!((plan.steps.len(), plan.steps[0].needs()), (1, Needs::Decision));
}

#[test]
fn another_kind_of_collection_is_left_alone() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME])]);
    for (listed, clash) in [
        (doc! { "name": "things", "type": "view", "options": { "viewOn": "a" } }, Clash::View),
        (doc! { "name": "things", "type": "timeseries", "options": {} }, Clash::TimeSeries),
        (doc! { "name": "things", "type": "collection", "options": { "capped": true } }, Clash::Capped),
    ] {
        let state = parse_collection(&listed);
        assert_eq!(changes(&MODEL, state), [Change::CollectionClash { clash }]);
    }
}

#[test]
fn a_validator_of_somebody_else_is_replaced_only_when_asked_to() {
    static MODEL: ModelDefinition = model(&[]);
    let with = |rule: Option<Document>, level: &str| {
        let mut options = doc! { "validationLevel": level, "validationAction": "error" };
        if let Some(rule) = rule {
            options.insert("validator", rule);
        }
        let state = parse_collection(&doc! { "name": "things", "type": "collection", "options": options });
        diff(&[&MODEL], &[state]).expect("the definitions agree").steps
    };
    let own = state(&MODEL, Vec::new()).validator.expect("a validator").rule;
    assert_eq!(with(Some(own.clone()), "strict"), []);
    let mut unsigned = own.clone();
    unsigned.get_document_mut("$jsonSchema").expect("a schema").remove("description");
    assert_eq!(with(Some(unsigned.clone()), "strict"), [], "rules with the same meaning are the same");

    let mut older = own;
    older.get_document_mut("$jsonSchema").expect("a schema").remove("required");
    let mut extended = older.clone();
    extended.insert("qty", 1);
    for (rule, level, needs) in [
        (None, "strict", Needs::Nothing),
        (Some(doc! {}), "strict", Needs::Nothing),
        (Some(older), "strict", Needs::Nothing),
        (Some(unsigned), "moderate", Needs::Nothing),
        (Some(doc! { "name": { "$type": "string" } }), "strict", Needs::ReplaceValidators),
        (Some(doc! { "$jsonSchema": { "required": ["name"] } }), "strict", Needs::ReplaceValidators),
        (Some(extended), "strict", Needs::ReplaceValidators),
    ] {
        let steps = with(rule, level);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].needs(), needs, "{:?}", steps[0]);
    }
}

#[test]
fn an_index_is_hidden_and_shown_in_place() {
    static SHOWN: ModelDefinition = model(&[IndexDefinition::new(&[NAME])]);
    static HIDDEN: ModelDefinition = model(&[IndexDefinition::new(&[NAME]).hidden()]);
    for (model, hidden) in [(&SHOWN, true), (&HIDDEN, false)] {
        let has = state(model, vec![doc! { "key": { "name": 1 }, "name": "n", "hidden": hidden }]);
        let changes = changes(model, has);
        let [Change::ChangeIndex { old, new, .. }] = &changes[..] else { panic!("{changes:?}") };
        assert_eq!((old.hidden, new.hidden), (hidden, !hidden));
    }
}

#[test]
fn a_hidden_index_is_noted() {
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME]).hidden()]);
    let has = state(&MODEL, vec![doc! { "key": { "name": 1 }, "name": "n", "hidden": true }]);
    let plan = diff(&[&MODEL], &[has]).expect("the definitions agree");
    assert!(plan.is_empty());
    assert_eq!(plan.notes(), [Note::HiddenIndex { collection: "things".to_owned(), index: "n".to_owned() }]);
}
