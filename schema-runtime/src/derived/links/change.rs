//! Computes the references of a document after an update, as far as the update operators determine the references.
//! Pure.

use mongodb::bson::Bson;

use super::link::ids_in;
use crate::{
    changes::{ChangeSet, FieldEffect},
    key::Key,
};

/// Returns the references at a field after an update, from the references before; `None` where only the server knows.
pub(super) fn after(before: &[Bson], changes: &ChangeSet, name: &str) -> Option<Vec<Bson>> {
    let mut after = before.to_vec();
    for effect in changes.effects_on(name) {
        match effect {
            FieldEffect::Set(value) => after = ids_in(value),
            FieldEffect::Unset => after.clear(),
            FieldEffect::Insert => {}
            FieldEffect::Add { elements, keeps_all: true } => {
                after.extend(elements.iter().filter(|id| **id != Bson::Null).cloned());
            }
            FieldEffect::Remove(Some(elements)) => retain(&mut after, &elements),
            _ => return None,
        }
    }
    Some(after)
}

fn retain(ids: &mut Vec<Bson>, gone: &[Bson]) {
    let gone: Vec<Key> = gone.iter().map(Key::of).collect();
    ids.retain(|id| !gone.contains(&Key::of(id)));
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Document, doc};

    use super::*;

    fn of(update: Document) -> Option<Vec<i32>> {
        let before = [Bson::Int32(1), Bson::Int32(2)];
        after(&before, &ChangeSet::parse(update).unwrap(), "a").map(|ids| ids.iter().filter_map(Bson::as_i32).collect())
    }

    #[test]
    fn what_the_words_say() {
        assert_eq!(of(doc! { "$set": { "b": 1, "ab": 2 } }), Some(vec![1, 2]));
        assert_eq!(of(doc! { "$set": { "a": 3 } }), Some(vec![3]));
        assert_eq!(of(doc! { "$set": { "a": null } }), Some(vec![]));
        assert_eq!(of(doc! { "$set": { "a": [4, null] }, "$inc": { "b": 1 } }), Some(vec![4]));
        assert_eq!(of(doc! { "$unset": { "a": "" } }), Some(vec![]));
        assert_eq!(of(doc! { "$addToSet": { "a": { "$each": [3, 1] } } }), Some(vec![1, 2, 3, 1]));
        assert_eq!(of(doc! { "$push": { "a": 3 } }), Some(vec![1, 2, 3]));
        assert_eq!(of(doc! { "$pull": { "a": 1_i64 } }), Some(vec![2]));
        assert_eq!(of(doc! { "$pull": { "a": { "$in": [1, 7] } } }), Some(vec![2]));
        assert_eq!(of(doc! { "$pullAll": { "a": [2, 1] } }), Some(vec![]));
    }

    #[test]
    fn what_only_the_server_knows() {
        for update in [
            doc! { "$set": { "a.0": 3 } },
            doc! { "$pop": { "a": 1 } },
            doc! { "$push": { "a": { "$each": [3], "$slice": 2 } } },
            doc! { "$pull": { "a": { "$gt": 1 } } },
            doc! { "$rename": { "b": "a" } },
            doc! { "$min": { "a": 0 } },
        ] {
            assert_eq!(of(update.clone()), None, "{update}");
        }
    }
}
