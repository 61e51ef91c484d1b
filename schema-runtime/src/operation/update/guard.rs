//! Guards of additions and multiplications: the filter of an update leaves out a document whose number would break a
//! limit of the field after the change. Pure.

mod computed;
mod limit;

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

pub(super) use self::computed::Computed;
use self::limit::{Before, Limit, Step};
use crate::{
    changes::Reach,
    definition::{Kind, ModelDefinition},
    document::{equal_to, top_field},
    error::{Error, FailedRule, Fault, Result},
    field::{self, Change},
    refusal,
};

/// A condition on the stored number before a change: the number after the change obeys a limit.
#[derive(Clone)]
pub(super) struct Guard {
    /// The stored path.
    path: String,
    before: Before,
    /// True when an absent field obeys the limit after the change.
    may_be_absent: bool,
    limit: Limit,
    kind: Kind,
}

impl Guard {
    /// Returns the guards of the changes of one document. A change of the elements of an array has no guard.
    ///
    /// # Errors
    /// [`Error::DocumentInvalid`] when no number of the field obeys the limits after a change.
    pub(super) fn all(definition: &ModelDefinition, changes: &[Change]) -> Result<Vec<Guard>> {
        let (mut guards, mut failures) = (Vec::new(), Vec::new());
        for change in changes.iter().filter(|change| !change.path.contains("$[")) {
            let (Some(shape), Some(step)) = (change.shape, Step::of(change)) else { continue };
            for limit in Limit::all(shape) {
                let path = &change.path;
                match limit.before(step, shape) {
                    Before::Anything => {}
                    Before::Nothing => failures.push(Fault::Rule(limit.failed(path, &shape.kind))),
                    before => {
                        let may_be_absent = limit.holds_for(step.of_absent());
                        guards.push(Guard { path: path.clone(), before, may_be_absent, limit, kind: shape.kind });
                    }
                }
            }
        }
        refusal::refuse(definition, failures)?;
        Ok(guards)
    }

    /// Returns the condition that the number obeys the limit after the change.
    pub(super) fn condition(&self) -> Document {
        let (holds, fails, last) = match &self.before {
            Before::AtLeast(last) => ("$gte", "$lt", last),
            Before::AtMost(last) => ("$lte", "$gt", last),
            Before::Anything => return Document::new(),
            Before::Nothing => return field::nothing(),
        };
        match self.may_be_absent {
            true => doc! { &self.path: { "$not": { fails: Bson::from(*last) } } },
            false => doc! { &self.path: { holds: Bson::from(*last) } },
        }
    }

    /// Returns the field of the document that contains the number.
    pub(super) fn field(&self) -> &str {
        top_field(&self.path)
    }

    /// Returns whether a number, or an absent number, meets the condition.
    fn holds(&self, number: Option<&Bson>) -> Result<bool> {
        match number {
            Some(number) if is_number(number) => match self.before.rule() {
                Some(rule) => refusal::obeys(&rule, number),
                None => Ok(true),
            },
            _ => Ok(self.may_be_absent),
        }
    }

    fn fault(&self) -> Fault {
        Fault::Rule(self.limit.failed(&self.path, &self.kind))
    }
}

impl Limit {
    fn failed(&self, path: &str, kind: &Kind) -> FailedRule {
        FailedRule::of(refusal::display(path), &self.rule, kind)
    }
}

/// Refuses a stored document whose numbers would break their limits.
///
/// # Errors
/// [`Error::DocumentInvalid`] with all failed rules.
pub(super) fn refuse_in(definition: &ModelDefinition, guards: &[Guard], document: &RawDocument) -> Result<()> {
    refuse(definition, guards, |guard| number_at(document, &guard.path))
}

/// Returns the guards of an upsert. An upsert whose filter names no `_id` has no guard of the width of a type. The
/// upsert would insert a second document beside a document that the guard leaves out.
///
/// # Errors
/// [`Error::DocumentInvalid`] when the inserted document would have a number that breaks a limit; [`Error::Update`] for
/// a guard of another limit in an upsert without an `_id`.
pub(super) fn of_upsert(
    definition: &ModelDefinition,
    guards: Vec<Guard>,
    filter: &Document,
    reach: Reach,
) -> Result<Vec<Guard>> {
    // The server adds to the value of the filter, or to 0.
    refuse(definition, &guards, |guard| equal_to(filter, &guard.path).cloned())?;
    if reach == Reach::ById {
        return Ok(guards);
    }
    match guards.iter().find(|guard| !guard.limit.is_width) {
        Some(guard) => Err(Error::Update {
            message: format!(
                "an upsert that adds to `{}` must name a single document, since the number has a limit: write \
                 `update_by_id(id)`",
                refusal::display(&guard.path)
            ),
        }),
        None => Ok(Vec::new()),
    }
}

/// Returns the condition that all numbers obey their limits.
pub(super) fn all_hold(guards: &[Guard]) -> Document {
    guards.iter().map(Guard::condition).fold(Document::new(), field::and)
}

fn refuse(definition: &ModelDefinition, guards: &[Guard], number: impl Fn(&Guard) -> Option<Bson>) -> Result<()> {
    let mut faults = Vec::new();
    for guard in guards {
        if !guard.holds(number(guard).as_ref())? {
            faults.push(guard.fault());
        }
    }
    refusal::refuse(definition, faults)
}

fn is_number(value: &Bson) -> bool {
    matches!(value, Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_))
}

/// Returns the value at a path of documents and positions of arrays.
fn number_at(document: &RawDocument, path: &str) -> Option<Bson> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    number_in(document.get(first).ok()??, rest)
}

fn number_in(value: RawBsonRef<'_>, rest: Option<&str>) -> Option<Bson> {
    match (value, rest) {
        (RawBsonRef::Document(document), Some(rest)) => number_at(document, rest),
        (RawBsonRef::Array(array), Some(rest)) => {
            let (first, rest) = rest.split_once('.').map_or((rest, None), |(first, rest)| (first, Some(rest)));
            number_in(array.get(first.parse().ok()?).ok()??, rest)
        }
        (RawBsonRef::Int32(number), None) => Some(number.into()),
        (RawBsonRef::Int64(number), None) => Some(number.into()),
        (RawBsonRef::Double(number), None) => Some(number.into()),
        _ => None,
    }
}
