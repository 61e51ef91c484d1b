//! The effect of changes on one field of the document, as far as the changes determine the effect. All kinds of derived
//! data read an update through this module. Pure.

use mongodb::bson::{Bson, Document};

use super::{ChangeSet, FieldChange, Operator};
use crate::document::leads_to;

/// The effect of one change on one field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FieldEffect<'c> {
    /// The field gets the value.
    Set(&'c Bson),
    /// The field is removed.
    Unset,
    /// The number is added.
    Increase(&'c Bson),
    /// The elements are added to the array.
    Add {
        elements: &'c [Bson],
        /// True when each element of the array stays.
        keeps_all: bool,
    },
    /// The elements are removed from the array; `None` where only the server knows the removed elements.
    Remove(Option<Vec<Bson>>),
    /// The field of an inserted document gets a value; a stored document stays as before.
    Insert,
    /// Only the server knows the value after the change.
    Unknown,
}

impl ChangeSet {
    /// Returns the effects on the field with the stored name `name`, in order.
    pub(crate) fn effects_on<'c>(&'c self, name: &'c str) -> impl Iterator<Item = FieldEffect<'c>> {
        self.iter().filter(move |change| change.paths().any(|path| leads_to(path, name))).map(
            move |change| match change.path == name {
                true => effect_of(change),
                false if change.operator == Operator::SetOnInsert => FieldEffect::Insert,
                false if change.operator.removes() => FieldEffect::Remove(None),
                false => FieldEffect::Unknown,
            },
        )
    }
}

/// Returns the effect of a change of the whole field.
fn effect_of(change: &FieldChange) -> FieldEffect<'_> {
    match (change.operator, &change.value) {
        (Operator::Set, value) => FieldEffect::Set(value),
        (Operator::SetOnInsert, _) => FieldEffect::Insert,
        (Operator::Unset, _) => FieldEffect::Unset,
        (Operator::Inc, amount) => FieldEffect::Increase(amount),
        (Operator::Push | Operator::AddToSet, Bson::Array(elements)) => {
            FieldEffect::Add { elements, keeps_all: !change.modifiers.contains_key("$slice") }
        }
        (Operator::PullAll, Bson::Array(elements)) => FieldEffect::Remove(Some(elements.clone())),
        (Operator::Pull, Bson::Document(condition)) => FieldEffect::Remove(named_by(condition)),
        (Operator::Pull, element) => FieldEffect::Remove(Some(vec![element.clone()])),
        (Operator::Pop, _) => FieldEffect::Remove(None),
        _ => FieldEffect::Unknown,
    }
}

/// Returns the elements that the condition of a `$pull` names; `None` for a condition that names no elements.
fn named_by(condition: &Document) -> Option<Vec<Bson>> {
    match (condition.len(), condition.get("$eq"), condition.get("$in")) {
        (1, Some(element), None) => Some(vec![element.clone()]),
        (1, None, Some(Bson::Array(elements))) => Some(elements.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn on_a(update: Document) -> Vec<String> {
        let set = ChangeSet::parse(update).unwrap();
        set.effects_on("a").map(|effect| format!("{effect:?}")).collect()
    }

    #[test]
    fn the_effect_of_each_operator() {
        let of = |update| on_a(update).join(", ");
        assert_eq!(of(doc! { "$set": { "a": 3 } }), format!("{:?}", FieldEffect::Set(&Bson::Int32(3))));
        assert_eq!(of(doc! { "$unset": { "a": "" } }), "Unset");
        assert_eq!(of(doc! { "$setOnInsert": { "a": 3 } }), "Insert");
        assert_eq!(of(doc! { "$inc": { "a": 3 } }), format!("{:?}", FieldEffect::Increase(&Bson::Int32(3))));
        let pulled = format!("{:?}", FieldEffect::Remove(Some(vec![Bson::Int32(1)])));
        assert_eq!(of(doc! { "$pull": { "a": 1 } }), pulled);
        assert_eq!(of(doc! { "$pull": { "a": { "$eq": 1 } } }), pulled);
        assert_eq!(of(doc! { "$pull": { "a": { "$in": [1] } } }), pulled);
        assert_eq!(of(doc! { "$pullAll": { "a": [1] } }), pulled);
        for update in
            [doc! { "$pull": { "a": { "$gt": 1 } } }, doc! { "$pop": { "a": 1 } }, doc! { "$unset": { "a.b": "" } }]
        {
            assert_eq!(of(update), "Remove(None)");
        }
        let elements = [Bson::Int32(1)];
        let added = |keeps_all| format!("{:?}", FieldEffect::Add { elements: &elements, keeps_all });
        assert_eq!(of(doc! { "$push": { "a": 1 } }), added(true));
        assert_eq!(of(doc! { "$addToSet": { "a": { "$each": [1] } } }), added(true));
        assert_eq!(of(doc! { "$push": { "a": { "$each": [1], "$position": 0 } } }), added(true));
        assert_eq!(of(doc! { "$push": { "a": { "$each": [1], "$slice": 2 } } }), added(false));
    }

    #[test]
    fn effects_that_only_the_server_knows() {
        for update in [
            doc! { "$mul": { "a": 2 } },
            doc! { "$min": { "a": 2 } },
            doc! { "$set": { "a.b": 2 } },
            doc! { "$push": { "a.b": 2 } },
            doc! { "$rename": { "x": "a" } },
            doc! { "$rename": { "a": "x" } },
            doc! { "$currentDate": { "a": true } },
        ] {
            assert_eq!(on_a(update.clone()), ["Unknown"], "{update}");
        }
    }

    #[test]
    fn changes_of_other_fields_have_no_effect() {
        let others = doc! { "$set": { "b": 1, "ab": 2, "b.a": 1 }, "$rename": { "x": "y" }, "$inc": { "n": 1 } };
        assert!(on_a(others).is_empty());
    }
}
