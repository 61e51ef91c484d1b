//! Conditions on an element itself, as operators that all hold.

use mongodb::bson::{Bson, Document, doc};

use super::{NO_WORDS, is_nothing};
use crate::{codec, document::is_operators, error::Result, field::condition::looks_like_an_operator};

/// One case of a condition: the operators in `hold` hold, and the operators in `fail` do not.
#[derive(Clone, Default)]
struct Case {
    hold: Vec<Operator>,
    fail: Vec<Operator>,
}

/// One operator, with the options of the operator.
type Operator = Document;

/// The most cases of one condition: an `&` of many `|` multiplies the cases.
const MOST_CASES: usize = 1_000;

/// Returns the operators of each case. A condition holds when all operators of some case hold.
pub(super) fn alternatives(condition: &Document) -> Result<Vec<Document>> {
    let mut all = Vec::new();
    for mut case in cases(condition, true)? {
        // `$elemMatch` compares with an element as a whole, and does not look into an element that is an array.
        let is_whole = |one: &Operator| case.hold.iter().any(|equal| *one == doc! { "$elemMatch": equal });
        case.fail.retain(|one| !is_whole(one));
        all.push(written(case)?);
    }
    if all.contains(&always()) {
        return Ok(vec![always()]);
    }
    Ok(all)
}

/// Returns the condition as operators that all hold.
pub(super) fn operators(condition: &Document) -> Result<Document> {
    some_case(cases(condition, true)?)
}

/// Returns the condition that some case holds, by operators that all hold.
fn some_case(cases: Vec<Case>) -> Result<Document> {
    let (mut values, mut none_of, mut ranges, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    if let [case] = &cases[..] {
        return written(case.clone());
    }
    for case in cases {
        match (&case.hold[..], &case.fail[..]) {
            ([], []) => return Ok(always()),
            ([one], []) if let Some(listed) = listed(one) => values.extend(listed),
            ([one], []) if range(one).is_some() => ranges.push(one.clone()),
            ([], [one]) => none_of.push(one.clone()),
            _ => rest.push(case),
        }
    }
    if values.is_empty() && none_of.is_empty() && rest.is_empty() && ranges.is_empty() {
        return Ok(doc! { "$in": [] });
    }
    match ranges.len() {
        0 => {}
        1 => rest.extend(ranges.into_iter().map(|one| Case { hold: vec![one], fail: Vec::new() })),
        _ => rest.push(some_range(&ranges)?),
    }
    // Not (all of `none_of`, and no listed value, and not the rest).
    let mut but = Case { hold: none_of, fail: Vec::new() };
    if !values.is_empty() {
        but.fail.push(doc! { "$in": values });
    }
    let rest = match (rest.pop(), rest.is_empty()) {
        (None, _) if but.hold.is_empty() => {
            return Ok(doc! { "$in": but.fail.pop().and_then(|mut one| one.remove("$in")).unwrap_or(Bson::Null) });
        }
        (None, _) => None,
        (Some(rest), true) if but.hold.is_empty() && but.fail.is_empty() => return written(rest),
        (Some(rest), true) => Some(written(rest)?),
        (Some(_), false) => return Err(NO_WORDS),
    };
    but.fail.extend(rest);
    Ok(doc! { "$not": written(but)? })
}

/// Returns the operator that holds for every element.
fn always() -> Document {
    doc! { "$exists": true }
}

/// Returns the cases of a condition that holds, or, with `holds` false, of a condition that fails.
fn cases(condition: &Document, holds: bool) -> Result<Vec<Case>> {
    let mut each = Vec::new();
    for (name, value) in condition {
        each.push(match (name.as_str(), value) {
            ("", Bson::Document(all)) if is_operators(all) => of_all(all, holds)?,
            ("", value) => of_operator(doc! { "$eq": value }, holds),
            (name, value) if is_nothing(name, value) => constant(!holds),
            ("$or", Bson::Array(list)) => combined(&of_each(list, holds)?, !holds)?,
            ("$and", Bson::Array(list)) => combined(&of_each(list, holds)?, holds)?,
            ("$nor", Bson::Array(list)) => combined(&of_each(list, !holds)?, holds)?,
            _ => return Err(NO_WORDS),
        });
    }
    combined(&each, holds)
}

fn of_each(list: &[Bson], holds: bool) -> Result<Vec<Vec<Case>>> {
    list.iter().map(|one| cases(one.as_document().ok_or(NO_WORDS)?, holds)).collect()
}

/// Combines the cases of several conditions: all conditions hold, or, with `all_hold` false, some condition holds.
fn combined(each: &[Vec<Case>], all_hold: bool) -> Result<Vec<Case>> {
    if !all_hold {
        return Ok(each.concat());
    }
    let mut all = vec![Case::default()];
    for some in each {
        if all.len() * some.len() > MOST_CASES {
            return Err(NO_WORDS);
        }
        let with = |one: &Case| some.iter().map(|other| one.and(other)).collect::<Vec<_>>();
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}

fn constant(holds: bool) -> Vec<Case> {
    if holds { vec![Case::default()] } else { Vec::new() }
}

/// Returns the cases of operators that all hold, or, with `holds` false, of operators that do not all hold.
fn of_all(operators: &Document, holds: bool) -> Result<Vec<Case>> {
    let mut each = Vec::new();
    for (name, value) in operators {
        each.push(match (name.as_str(), value) {
            ("$options", _) => continue,
            ("$not", Bson::Document(inner)) => of_all(inner, !holds)?,
            ("$ne", value) => of_operator(doc! { "$eq": value }, !holds),
            ("$nin", value) => of_operator(doc! { "$in": value }, !holds),
            ("$exists", value) => constant((value.as_bool() != Some(false)) == holds),
            ("$in", Bson::Array(list)) if list.is_empty() => constant(!holds),
            ("$regex", pattern) if let Some(options) = operators.get("$options") => {
                of_operator(doc! { "$regex": pattern, "$options": options }, holds)
            }
            (name, value) => of_operator(doc! { name: value }, holds),
        });
    }
    combined(&each, holds)
}

fn of_operator(operator: Operator, holds: bool) -> Vec<Case> {
    let (one, none) = (vec![operator], Vec::new());
    vec![if holds { Case { hold: one, fail: none } } else { Case { hold: none, fail: one } }]
}

impl Case {
    fn and(&self, other: &Case) -> Case {
        Case { hold: joined(&self.hold, &other.hold), fail: joined(&self.fail, &other.fail) }
    }
}

/// Joins two lists; each operator occurs once.
fn joined(left: &[Operator], right: &[Operator]) -> Vec<Operator> {
    let new = right.iter().filter(|one| !left.contains(one));
    left.iter().chain(new).cloned().collect()
}

/// Writes the operators of one case. A second operator with the same name goes under two `$not`: a document holds each
/// name once.
fn written(case: Case) -> Result<Document> {
    let mut excluded = Vec::new();
    let (mut hold, mut fail) = (case.hold, Vec::new());
    for one in case.fail {
        match (listed(&one), one.get("$eq").filter(|_| one.len() == 1)) {
            (Some(values), _) => excluded.push((one, values)),
            (None, Some(value)) => hold.push(doc! { "$ne": value }),
            (None, None) => fail.push(one),
        }
    }
    match &mut excluded[..] {
        [] => {}
        [(one, _)] if one.contains_key("$eq") => hold.push(doc! { "$ne": one.remove("$eq").unwrap_or(Bson::Null) }),
        all => {
            let values: Vec<Bson> = all.iter().flat_map(|(_, values)| values.clone()).collect();
            hold.push(doc! { "$nin": values });
        }
    }
    let mut layers = vec![Document::new()];
    for one in hold {
        let has = |layer: &&mut Document| one.keys().all(|name| !layer.contains_key(name));
        match layers.iter_mut().find(has) {
            Some(layer) => layer.extend(one),
            None => layers.push(one),
        }
    }
    let mut below = match (fail.pop(), fail.is_empty()) {
        (None, _) => None,
        (Some(one), true) => Some(one),
        (Some(one), false) => {
            fail.push(one);
            Some(some_case(fail.into_iter().map(|one| Case { hold: vec![one], fail: Vec::new() }).collect())?)
        }
    };
    let mut operators = Document::new();
    for (position, mut layer) in layers.into_iter().enumerate().rev() {
        if let Some(below) = below.take() {
            layer.insert("$not", below);
        }
        if position > 0 {
            below = Some(doc! { "$not": layer });
        } else {
            operators = layer;
        }
    }
    Ok(if operators.is_empty() { always() } else { operators })
}

/// Returns the values or the pattern of an `$eq`, an `$in` or a `$regex`, in the form that `$in` takes; `None` for any
/// other operator.
fn listed(operator: &Operator) -> Option<Vec<Bson>> {
    if operator.keys().filter(|name| *name != "$options").count() != 1 {
        return None;
    }
    match operator.iter().next()? {
        (name, value) if name == "$eq" && !looks_like_an_operator(value) => Some(vec![value.clone()]),
        (name, Bson::Array(values)) if name == "$in" => Some(values.clone()),
        (name, Bson::String(pattern)) if name == "$regex" => {
            let options = operator.get_str("$options").unwrap_or_default();
            codec::pattern(pattern, options).map(|pattern| vec![pattern])
        }
        _ => None,
    }
}

/// Returns the condition that an element is in some of the ranges: the element has the type of the ranges, and is not
/// beyond every range.
fn some_range(ranges: &[Operator]) -> Result<Case> {
    let mut beyond = Case::default();
    let mut of = None;
    for one in ranges {
        let (opposite, value, types) = range(one).ok_or(NO_WORDS)?;
        if of.replace(types).is_some_and(|earlier| earlier != types) {
            return Err(NO_WORDS);
        }
        beyond.hold.push(doc! { opposite: value });
    }
    let types = of.ok_or(NO_WORDS)?;
    let mut fail = vec![written(beyond)?];
    if types.contains(&"double") {
        fail.push(doc! { "$in": [f64::NAN] });
    }
    Ok(Case { hold: vec![doc! { "$type": types.to_vec() }], fail })
}

/// The types of the server. The server compares the types of a row with each other.
const TYPES: [&[&str]; 14] = [
    &["double", "int", "long", "decimal"],
    &["string", "symbol"],
    &["date"],
    &["objectId"],
    &["binData"],
    &["timestamp"],
    &["bool"],
    &["object"],
    &["array"],
    &["null", "undefined"],
    &["regex"],
    &["javascript"],
    &["minKey"],
    &["maxKey"],
];

/// Returns the opposite, the value and the types of an operator that compares by order; `None` for any other operator.
/// A NaN is in no range.
fn range(operator: &Operator) -> Option<(&'static str, &Bson, &'static [&'static str])> {
    let (1, Some((name, value))) = (operator.len(), operator.iter().next()) else { return None };
    let opposite = match name.as_str() {
        "$gt" => "$lte",
        "$gte" => "$lt",
        "$lt" => "$gte",
        "$lte" => "$gt",
        _ => return None,
    };
    let of = match value {
        Bson::Double(number) if number.is_nan() => return None,
        Bson::Double(_) | Bson::Int32(_) | Bson::Int64(_) => 0,
        Bson::String(_) => 1,
        Bson::DateTime(_) => 2,
        Bson::ObjectId(_) => 3,
        Bson::Binary(_) => 4,
        Bson::Timestamp(_) => 5,
        _ => return None,
    };
    Some((opposite, value, TYPES[of]))
}
