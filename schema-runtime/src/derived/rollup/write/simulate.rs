//! Computes the fields of a child after an update, as far as the update operators determine the fields. Pure.

use mongodb::bson::{Bson, Document};

use crate::changes::{ChangeSet, FieldEffect};

/// Returns the named fields after an update from the fields before; `None` where only the server knows.
pub(in crate::derived::rollup) fn after(before: &Document, changes: &ChangeSet, names: &[&str]) -> Option<Document> {
    let mut after = before.clone();
    for name in names.iter().copied() {
        for effect in changes.effects_on(name) {
            match effect {
                FieldEffect::Set(value) => drop(after.insert(name, value.clone())),
                FieldEffect::Unset => drop(after.remove(name)),
                FieldEffect::Increase(amount) => {
                    let sum = add(after.get(name), amount)?;
                    after.insert(name, sum);
                }
                FieldEffect::Insert => {}
                FieldEffect::Add { .. } | FieldEffect::Remove(_) | FieldEffect::Unknown => return None,
            }
        }
    }
    Some(after)
}

/// Adds integers or doubles. The server refuses an overflow of 64 bits.
fn add(stored: Option<&Bson>, more: &Bson) -> Option<Bson> {
    match (stored, more) {
        (None, Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_)) => Some(more.clone()),
        (Some(Bson::Int32(one)), Bson::Int32(other)) => {
            Some(one.checked_add(*other).map_or(Bson::Int64(i64::from(*one) + i64::from(*other)), Bson::Int32))
        }
        (Some(Bson::Int64(one)), Bson::Int64(other)) => one.checked_add(*other).map(Bson::Int64),
        (Some(Bson::Int64(one)), Bson::Int32(other)) | (Some(Bson::Int32(other)), Bson::Int64(one)) => {
            one.checked_add(i64::from(*other)).map(Bson::Int64)
        }
        (Some(Bson::Double(one)), Bson::Double(other)) => Some(Bson::Double(one + other)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn of(update: Document) -> Option<Document> {
        let changes = ChangeSet::parse(update).unwrap();
        after(&doc! { "_id": 1, "a": 1, "b": 2_i64, "c": 0.5 }, &changes, &["a", "b", "c", "d"])
    }

    #[test]
    fn operators_that_say_the_value() {
        let all =
            doc! { "$set": { "a": 5, "x.y": 1 }, "$inc": { "b": -2, "c": 0.25, "d": 7, "n": 1 }, "$push": { "x": 1 } };
        assert_eq!(of(all), Some(doc! { "_id": 1, "a": 5, "b": 0_i64, "c": 0.75, "d": 7 }));
        assert_eq!(of(doc! { "$unset": { "a": "" } }), Some(doc! { "_id": 1, "b": 2_i64, "c": 0.5 }));
        assert_eq!(of(doc! { "$setOnInsert": { "a": 5 } }), of(doc! {}));
        assert_eq!(of(doc! { "$inc": { "a": i32::MAX } }).unwrap().get("a"), Some(&Bson::Int64(2_147_483_648)));
    }

    #[test]
    fn operators_of_which_the_server_alone_knows_the_value() {
        for update in [
            doc! { "$mul": { "a": 2 } },
            doc! { "$min": { "a": 0 } },
            doc! { "$set": { "a.b": 2 } },
            doc! { "$rename": { "x": "a" } },
            doc! { "$inc": { "c": 1 } },
            doc! { "$inc": { "b": i64::MAX } },
            doc! { "$currentDate": { "a": true } },
        ] {
            assert_eq!(of(update.clone()), None, "{update}");
        }
    }
}
