//! Changes of the elements of an array, as changes of the document.

use mongodb::bson::{Document, doc};

use super::{
    Change, ChangeList, IfEmpty,
    full::{full_when, some_element},
    of_null,
    present::MIN_BESIDE_NULL,
};
use crate::{
    error::{Error, Result},
    field::{condition, of_element},
};

impl ChangeList {
    /// Adds the changes of the elements of an array for which the condition holds.
    pub(super) fn add_each(&mut self, path: String, condition: Result<Document>, inner: ChangeList) {
        if let Err(error) = self.try_add_each(path, condition, inner) {
            self.changes = Err(error);
        }
    }

    fn try_add_each(&mut self, path: String, condition: Result<Document>, mut inner: ChangeList) -> Result<()> {
        if inner.if_empty == IfEmpty::Ignore {
            self.ignore_empty();
        }
        let of_element = inner.present.remove("");
        let condition = condition::and(condition::and(condition?, inner.variants), inner.present);
        let Ok(changes) = &mut self.changes else { return Ok(()) };
        let (mut filters, mut is_used) = (Vec::new(), false);
        let filter_of = |identifier: &str, more: Document| -> Result<Document> {
            let condition = condition::and(condition.clone(), more);
            let mut filter = match condition.is_empty() {
                true => condition,
                false => of_element::prefixed(condition, identifier)?,
            };
            if let Some(is_type) = &of_element {
                filter = condition::and(filter, doc! { identifier: is_type });
            }
            Ok(filter)
        };
        let filter = filter_of(&inner.prefix, Document::new())?;
        let element = if filter.is_empty() { "$[]".to_owned() } else { format!("$[{}]", inner.prefix) };
        let place = within(&path, &element);
        for mut change in inner.changes? {
            if change.is_nothing() {
                self.nothing.push(path.clone());
                continue;
            }
            if change.loses_to_null() {
                for (letter, operator, is_null) in MIN_BESIDE_NULL {
                    let identifier = format!("{}{letter}{}", inner.prefix, filters.len());
                    filters.push(filter_of(&identifier, of_null(&change.path, is_null))?);
                    let path = within(&within(&path, &format!("$[{identifier}]")), &change.path);
                    changes.push(Change { operator, path, ..change.clone() });
                }
                continue;
            }
            // The inner array has given the condition for a change inside of the inner array.
            let full = if change.path.contains("$[") { None } else { full_when(&change)? };
            if let Some(full) = full {
                if change.path.is_empty() && of_element::names_the_element(&condition) {
                    let message = format!(
                        "the server cannot add to some of the bounded arrays in `{path}`: write `each` with \
                         `Filter::all()`"
                    );
                    return Err(Error::Update { message });
                }
                self.full.push(some_element(&path, &condition, full)?);
            }
            is_used = true;
            change.path = within(&place, &change.path);
            changes.push(change);
        }
        for full in inner.full {
            self.full.push(some_element(&path, &condition, full)?);
        }
        self.nothing.extend(inner.nothing.first().map(|_| path.clone()));
        if !filter.is_empty() && is_used {
            self.array_filters.push(filter);
        }
        self.array_filters.extend(filters);
        self.array_filters.extend(inner.array_filters);
        Ok(())
    }
}

/// Joins a place and a path inside of the place. For an element that is itself an array, the place or the path is
/// empty.
fn within(place: &str, path: &str) -> String {
    match (place, path) {
        ("", path) => path.to_owned(),
        (place, "") => place.to_owned(),
        (place, path) => format!("{place}.{path}"),
    }
}
