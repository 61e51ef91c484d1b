//! Changes as an update by pipeline, where a field gets the value of an expression. Every expression reads the document
//! before the update. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::{ChangeSet, FieldChange, Operator};
use crate::error::{Error, Result};

impl ChangeSet {
    /// Returns whether a field gets the value of an expression.
    pub(crate) fn has_expression(&self) -> bool {
        self.iter().any(|change| change.operator == Operator::SetExpression)
    }

    /// Returns the changes as the stages of a pipeline; `None` where no field gets the value of an expression.
    ///
    /// # Errors
    /// [`Error::Update`] for a change without an equal stage, and for two changes of one field.
    pub(crate) fn pipeline(&self) -> Result<Option<Vec<Document>>> {
        if !self.has_expression() {
            return Ok(None);
        }
        let (mut set, mut unset) = (Document::new(), Vec::new());
        for change in self.iter() {
            let path = &change.path;
            if set.contains_key(path) || unset.contains(path) {
                let message = format!("two changes of `{path}` stand beside an expression, which is a pipeline");
                return Err(Error::Update { message });
            }
            match change.operator {
                // A pipeline inserts no document.
                Operator::SetOnInsert => {}
                Operator::Unset => unset.push(path.clone()),
                _ => drop(set.insert(path, value_of(change)?)),
            }
        }
        let mut stages = vec![doc! { "$set": set }];
        if !unset.is_empty() {
            stages.push(doc! { "$unset": unset });
        }
        Ok(Some(stages))
    }
}

/// Returns the new value of the field as an expression.
fn value_of(change: &FieldChange) -> Result<Bson> {
    let FieldChange { operator, path, value, .. } = change;
    let is_element = |step: &str| step.starts_with("$[") || step.bytes().all(|letter| letter.is_ascii_digit());
    if path.split('.').any(is_element) {
        let message = format!("a pipeline changes no element of an array, as `{path}`: write a separate update");
        return Err(Error::Update { message });
    }
    let stored = format!("${path}");
    let or = |absent: i32| doc! { "$ifNull": [&stored, absent] };
    let literal = doc! { "$literal": value };
    let expression = match operator {
        Operator::SetExpression => return Ok(value.clone()),
        Operator::Set => literal,
        Operator::Inc => doc! { "$add": [or(0), literal] },
        Operator::Mul => doc! { "$multiply": [or(0), literal] },
        Operator::Min => doc! { "$min": [&stored, literal] },
        Operator::Max => doc! { "$max": [&stored, literal] },
        Operator::CurrentDate if is_date(value) => return Ok(Bson::from("$$NOW")),
        operator if path.starts_with('_') => {
            let message = format!(
                "`set_expr` is a pipeline, and the derived data of the changed field needs `{}`, which no pipeline has: \
                 read the document, and `set` the value",
                operator.name()
            );
            return Err(Error::Update { message });
        }
        operator => {
            let message = format!(
                "`{}` of `{path}` is no part of a pipeline, and `set_expr` is a pipeline: write a separate update",
                operator.name()
            );
            return Err(Error::Update { message });
        }
    };
    Ok(expression.into())
}

fn is_date(value: &Bson) -> bool {
    matches!(value, Bson::Document(kind) if kind.get_str("$type").ok() == Some("date"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_expression(update: Document) -> ChangeSet {
        let mut set = ChangeSet::parse(update).unwrap();
        set.put(Operator::SetExpression, "total", doc! { "$add": ["$a", "$b"] });
        set
    }

    #[test]
    fn each_change_is_a_part_of_the_pipeline() {
        let update = doc! {
            "$set": { "name": "$other" }, "$unset": { "note": "" }, "$inc": { "version": 1 }, "$mul": { "m": 2 },
            "$min": { "least": 3 }, "$max": { "most": 4 }, "$setOnInsert": { "new": 1 },
            "$currentDate": { "at": { "$type": "date" } },
        };
        let set = doc! {
            "name": { "$literal": "$other" },
            "version": { "$add": [{ "$ifNull": ["$version", 0] }, { "$literal": 1 }] },
            "m": { "$multiply": [{ "$ifNull": ["$m", 0] }, { "$literal": 2 }] },
            "least": { "$min": ["$least", { "$literal": 3 }] },
            "most": { "$max": ["$most", { "$literal": 4 }] },
            "at": "$$NOW",
            "total": { "$add": ["$a", "$b"] },
        };
        let stages = with_expression(update).pipeline().unwrap().unwrap();
        assert_eq!(stages, [doc! { "$set": set }, doc! { "$unset": ["note"] }]);
        assert!(ChangeSet::parse(doc! { "$set": { "a": 1 } }).unwrap().pipeline().unwrap().is_none());
    }

    #[test]
    fn a_change_without_an_equal_stage_is_refused() {
        for update in [
            doc! { "$push": { "list": 1 } },
            doc! { "$rename": { "a": "b" } },
            doc! { "$set": { "list.0": 1 } },
            doc! { "$set": { "list.$[e0].a": 1 } },
            doc! { "$set": { "total": 1 } },
            doc! { "$currentDate": { "at": { "$type": "timestamp" } } },
        ] {
            assert!(with_expression(update.clone()).pipeline().is_err(), "{update}");
        }
    }
}
