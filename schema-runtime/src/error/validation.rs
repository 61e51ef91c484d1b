//! Reads the details of the server's error 121: the rules of the `$jsonSchema` that a document does not meet, with the
//! place of each, and the conditions beside the `$jsonSchema` that refuse the document.

use mongodb::bson::{Bson, Document, spec::BinarySubtype};

use super::{BoundUnit, Error, ExceededBound, FailedRule, Fault, RuleLimit};
use crate::definition::{FieldDefinition, Kind, ModelDefinition, find_stored};

/// Returns why a validator refused a document: the exceeded bounds alone, or all failed rules.
pub(super) fn refused(model: &ModelDefinition, details: Option<&Document>) -> Error {
    let mut found = Found { model, faults: Vec::new() };
    if let Some(details) = details.and_then(|details| document(details, "details")) {
        found.rule(details, "");
    }
    let unknown = || Error::DocumentInvalid { collection: model.collection.to_owned(), failures: Vec::new() };
    Error::of_faults(model, found.faults).unwrap_or_else(unknown)
}

struct Found<'a> {
    model: &'a ModelDefinition,
    faults: Vec<Fault>,
}

impl Found<'_> {
    fn rules(&mut self, rules: &[Bson], path: &str) {
        for rule in rules.iter().filter_map(Bson::as_document) {
            self.rule(rule, path);
        }
    }

    fn rule(&mut self, rule: &Document, path: &str) {
        let Ok(operator) = rule.get_str("operatorName") else { return };
        let inner = list(rule, "details").unwrap_or_default();
        match operator {
            "$jsonSchema" => self.rules(list(rule, "schemaRulesNotSatisfied").unwrap_or_default(), path),
            "$and" if rule.contains_key("clausesNotSatisfied") => {
                clauses(rule, "clausesNotSatisfied").for_each(|clause| self.rule(clause, path));
            }
            "$nor" => self.not_uuids(rule),
            "$expr" if let Some(failed) = self.of_document(rule) => self.push(failed),
            "properties" => {
                for property in documents(rule, "propertiesNotSatisfied") {
                    let path = join(path, property.get_str("propertyName").unwrap_or("?"));
                    self.rules(list(property, "details").unwrap_or_default(), &path);
                }
            }
            "items" if !inner.is_empty() => {
                let position =
                    number(rule, "itemIndex").map_or_else(|| "?".to_owned(), |position| position.to_string());
                self.rules(inner, &join(path, &position));
            }
            // The key of a map is data, and is not repeated.
            "additionalProperties" if !inner.is_empty() => self.rules(inner, &join(path, "*")),
            "anyOf" if let Some(tag) = tag_at(self.model, path) => {
                for schema in documents(rule, "schemasNotSatisfied") {
                    self.variant(list(schema, "details").unwrap_or_default(), path, &join(path, tag));
                }
            }
            "anyOf" | "allOf" | "oneOf" => {
                for schema in documents(rule, "schemasNotSatisfied") {
                    self.rules(list(schema, "details").unwrap_or_default(), path);
                }
            }
            "required" => {
                for name in list(rule, "missingProperties").unwrap_or_default().iter().filter_map(Bson::as_str) {
                    self.push(FailedRule::new(join(path, name), operator));
                }
            }
            "maxItems" => self.bound(rule, path, operator, number(rule, "numberOfItems"), BoundUnit::Elements),
            "maxProperties" => self.bound(rule, path, operator, number(rule, "numberOfProperties"), BoundUnit::Entries),
            "maxLength" => {
                let size = rule.get_str("consideredValue").ok().map(|text| text.chars().count() as u64);
                self.bound(rule, path, operator, size, BoundUnit::CodePoints);
            }
            "bsonType" => {
                let found_type = rule.get_str("consideredType").ok().map(str::to_owned);
                self.push(FailedRule { found_type, ..FailedRule::new(path, operator) });
            }
            // The second branch of an `f32`: the value is no finite number.
            "not" if self.last().is_some_and(|last| last.field == path && last.limit.is_none()) => {}
            _ => {
                let specified = document(rule, "specifiedAs");
                let limit = specified.and_then(|specified| limit(specified.get(operator)?));
                let is_exclusive = |word: &str| specified.is_some_and(|words| words.get_bool(word).ok() == Some(true));
                let operator = match operator {
                    "minimum" if is_exclusive("exclusiveMinimum") => "exclusiveMinimum",
                    "maximum" if is_exclusive("exclusiveMaximum") => "exclusiveMaximum",
                    operator => operator,
                };
                self.push(FailedRule { limit, ..FailedRule::new(path, operator) });
            }
        }
    }

    /// Returns the failure of a rule about several fields; `None` for another expression.
    fn of_document(&self, rule: &Document) -> Option<FailedRule> {
        let expression = document(document(rule, "specifiedAs")?, "$expr")?;
        let rule = self.model.document_rules.iter().find(|rule| rule.expression() == *expression)?;
        Some(FailedRule::of_document(rule))
    }

    /// Reads the conditions in a validator of this crate that tell the place of a binary that is no UUID.
    fn not_uuids(&mut self, rule: &Document) {
        let mut paths: Vec<String> = Vec::new();
        for path in clauses(rule, "clausesSatisfied").filter_map(not_uuid) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            self.push(FailedRule::new("", "$nor"));
        }
        for path in paths {
            self.push(FailedRule { found_type: Some("binData".to_owned()), ..FailedRule::new(&path, "$nor") });
        }
    }

    /// Adds the failures of one variant. Adds nothing when the document is of another variant or of no variant: the
    /// tag's own rule reports the failure.
    fn variant(&mut self, rules: &[Bson], path: &str, tag: &str) {
        let mut inner = Found { model: self.model, faults: Vec::new() };
        inner.rules(rules, path);
        if inner.failures().all(|failure| failure.field != tag) {
            self.faults.extend(inner.faults);
        }
    }

    fn failures(&self) -> impl DoubleEndedIterator<Item = &FailedRule> {
        self.faults.iter().filter_map(|fault| match fault {
            Fault::Rule(failed) => Some(failed),
            Fault::Bound(_) => None,
        })
    }

    fn last(&self) -> Option<&FailedRule> {
        self.failures().next_back()
    }

    fn push(&mut self, failure: FailedRule) {
        self.faults.push(Fault::Rule(failure));
    }

    /// Adds an exceeded bound when the server gives both numbers; otherwise adds a plain failed rule.
    fn bound(&mut self, rule: &Document, path: &str, operator: &str, size: Option<u64>, unit: BoundUnit) {
        let bound = document(rule, "specifiedAs").and_then(|specified| number(specified, operator));
        match (bound, size) {
            (Some(bound), Some(size)) => {
                self.faults.push(Fault::Bound(ExceededBound { field: path.to_owned(), bound, size, unit }));
            }
            _ => self.push(FailedRule::new(path, operator)),
        }
    }
}

/// Returns the path in a met condition that finds a binary that is no UUID.
fn not_uuid(details: &Document) -> Option<String> {
    match document(details, "specifiedAs") {
        Some(condition) => uuid_in(condition),
        // The tag of an enum, and the value.
        None => clauses(details, "clausesSatisfied").find_map(not_uuid),
    }
}

/// Returns the path to the UUID in a condition, without the positions in arrays.
fn uuid_in(condition: &Document) -> Option<String> {
    condition.iter().find_map(|(word, inner)| {
        let path = match inner {
            Bson::Binary(binary) => (binary.subtype == BinarySubtype::Uuid).then(String::new)?,
            Bson::Document(inner) => uuid_in(inner)?,
            Bson::Array(list) => list.iter().filter_map(Bson::as_document).find_map(uuid_in)?,
            _ => return None,
        };
        Some(match (word.starts_with('$'), path.is_empty()) {
            (true, _) => path,
            (false, true) => word.clone(),
            (false, false) => join(word, &path),
        })
    })
}

/// Returns the tag of the enum at this path, in the notation of the server's details; `None` where the path has no
/// tagged enum.
fn tag_at(model: &ModelDefinition, path: &str) -> Option<&'static str> {
    let (mut fields, mut variants): (&'static [FieldDefinition], _) = (model.fields, model.variants);
    let mut steps = path.split('.').filter(|step| !step.is_empty());
    while let Some(step) = steps.next() {
        let mut shape = find_stored(fields, step)?.shape;
        while let Kind::Array { items: inner, .. } | Kind::Map { values: inner, .. } = shape.kind {
            steps.next();
            shape = *inner;
        }
        (fields, variants) = (shape.fields(), shape.variants);
    }
    variants.map(|variants| variants.tag)
}

fn join(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") }
}

fn document<'a>(of: &'a Document, name: &str) -> Option<&'a Document> {
    of.get(name)?.as_document()
}

fn list<'a>(of: &'a Document, name: &str) -> Option<&'a [Bson]> {
    of.get(name)?.as_array().map(Vec::as_slice)
}

fn documents<'a>(of: &'a Document, name: &str) -> impl Iterator<Item = &'a Document> {
    list(of, name).unwrap_or_default().iter().filter_map(Bson::as_document)
}

/// Returns the details of each clause of an operator.
fn clauses<'a>(of: &'a Document, name: &str) -> impl Iterator<Item = &'a Document> {
    documents(of, name).filter_map(|clause| document(clause, "details"))
}

fn number(of: &Document, name: &str) -> Option<u64> {
    whole(of.get(name)?).and_then(|number| u64::try_from(number).ok())
}

/// Returns the limit of a rule. The range of an `f32` is no limit.
fn limit(specified: &Bson) -> Option<RuleLimit> {
    match specified {
        Bson::Int32(limit) => Some(RuleLimit::Integer((*limit).into())),
        Bson::Int64(limit) => Some(RuleLimit::Integer(*limit)),
        Bson::Double(limit) => (limit.abs() < f32::MAX.into()).then_some(RuleLimit::Double(*limit)),
        Bson::String(limit) => Some(RuleLimit::Text(limit.clone().into())),
        _ => None,
    }
}

/// Returns a number without a fraction, stored in any numeric type.
fn whole(number: &Bson) -> Option<i64> {
    match *number {
        Bson::Int32(number) => Some(number.into()),
        Bson::Int64(number) => Some(number),
        Bson::Double(number) if number.fract() == 0.0 && number.abs() < MOST_IN_A_DOUBLE => Some(number as i64),
        _ => None,
    }
}

/// The limit below which every whole number has a double of its own.
const MOST_IN_A_DOUBLE: f64 = 9_007_199_254_740_992.0;
