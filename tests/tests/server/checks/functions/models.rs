//! A model with functions in every position.

use std::collections::BTreeMap;

use schema_runtime::{BoundedVec, prelude::*};

type Judged = std::result::Result<(), &'static str>;

pub(super) fn is_code(code: &str) -> Judged {
    if code.starts_with('x') { Err("a code does not begin with x") } else { Ok(()) }
}

/// Functions in a module.
pub(super) mod judges {
    use schema_runtime::BoundedVec;

    use super::{Judged, Part, Shade};

    pub(in super::super) fn is_even(number: &i64) -> Judged {
        if number % 2 == 0 { Ok(()) } else { Err("the number is odd") }
    }

    pub(in super::super) fn is_shade(shade: &Shade) -> Judged {
        if matches!(shade, Shade::Dark) { Err("too dark") } else { Ok(()) }
    }

    pub(in super::super) fn fits(part: &Part) -> Judged {
        if part.length > part.width { Err("longer than wide") } else { Ok(()) }
    }

    pub(in super::super) fn is_row(row: &BoundedVec<i64, 3>) -> Judged {
        if row.iter().sum::<i64>() > 10 { Err("the sum is above 10") } else { Ok(()) }
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "things")]
pub(super) struct Thing {
    #[serde(rename = "_id")]
    #[check(with = judges::is_even)]
    pub(super) id: i64,
    #[serde(rename = "c")]
    #[check(min_len = 2, with = is_code)]
    pub(super) code: String,
    #[check(with = is_code)]
    pub(super) maybe: Option<String>,
    #[bound(max_items = 4)]
    #[check(min_items = 1, with = is_code)]
    pub(super) codes: Vec<String>,
    #[check(with = judges::is_even)]
    pub(super) few: BoundedVec<i64, 3>,
    #[bound(max_items = 3)]
    #[check(with = judges::is_even)]
    pub(super) some: Option<Vec<i64>>,
    #[bound(max_items = 3)]
    #[check(with = judges::is_even)]
    pub(super) map: BTreeMap<String, i64>,
    #[check(with = judges::is_row)]
    pub(super) rows: BoundedVec<BoundedVec<i64, 3>, 2>,
    #[check(with = judges::is_shade)]
    pub(super) shade: Shade,
    #[check(with = Shade::is_bright)]
    pub(super) boxed: Option<Box<Shade>>,
    #[check(with = is_recent)]
    pub(super) at: DateTime,
    #[check(with = is_weekday)]
    pub(super) day: chrono::NaiveDate,
    #[check(with = judges::is_even)]
    #[stored_as(i64)]
    #[serde(with = "cents")]
    pub(super) price: Cents,
    #[relation(one_to_one, embed)]
    #[check(with = judges::fits)]
    pub(super) part: Part,
    #[relation(one_to_few, embed, max = 3)]
    #[check(with = judges::fits)]
    pub(super) parts: Vec<Part>,
    #[relation(one_to_one, embed)]
    pub(super) state: State,
    pub(super) tag: Tag,
    #[serde(flatten)]
    #[embed(flat)]
    pub(super) area: Area,
}

/// A price that serde writes by functions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cents(pub(super) i64);

mod cents {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Cents;

    pub(super) fn serialize<S: Serializer>(cents: &Cents, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(cents.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cents, D::Error> {
        i64::deserialize(deserializer).map(Cents)
    }
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) enum Shade {
    Bright,
    Dark,
}

impl Shade {
    fn is_bright(&self) -> Judged {
        judges::is_shade(self)
    }
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct Part {
    #[check(with = judges::is_even)]
    pub(super) length: i64,
    pub(super) width: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub(super) enum State {
    Open,
    Paid {
        #[check(with = judges::is_even)]
        amount: i64,
    },
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct Tag(
    #[bound(max_len = 9)]
    #[check(with = is_code)]
    pub(super) String,
);

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct Area {
    #[check(with = judges::is_even)]
    pub(super) size: i64,
}

fn is_recent(at: &DateTime) -> Judged {
    if at.timestamp_millis() < 0 { Err("before 1970") } else { Ok(()) }
}

fn is_weekday(day: &chrono::NaiveDate) -> Judged {
    use chrono::{Datelike, Weekday};
    if day.weekday() == Weekday::Sun { Err("a Sunday") } else { Ok(()) }
}

fn rows(rows: &[&[i64]]) -> BoundedVec<BoundedVec<i64, 3>, 2> {
    rows.iter().map(|row| row.to_vec().try_into().unwrap()).collect::<Vec<_>>().try_into().unwrap()
}

/// Returns a value that every function accepts.
pub(super) fn thing(id: i64) -> Thing {
    Thing {
        id,
        code: "ab".to_owned(),
        maybe: None,
        codes: vec!["ab".to_owned()],
        few: vec![2].try_into().unwrap(),
        some: None,
        map: BTreeMap::from([("secret".to_owned(), 2)]),
        rows: rows(&[&[1, 2]]),
        shade: Shade::Bright,
        boxed: None,
        at: DateTime::from_millis(0),
        day: chrono::NaiveDate::from_ymd_opt(2024, 1, 1).unwrap(),
        price: Cents(2),
        part: Part { length: 2, width: 3 },
        parts: vec![],
        state: State::Open,
        tag: Tag("t".to_owned()),
        area: Area { size: 0 },
    }
}

/// Returns values that a single function refuses, with the path and the function.
pub(super) fn wrong(id: i64) -> Vec<(Thing, &'static str, &'static str)> {
    let thing = || thing(id);
    let x = || "xy".to_owned();
    let part = |length, width| Part { length, width };
    let (even, fits) = ("judges::is_even", "judges::fits");
    vec![
        (Thing { code: x(), ..thing() }, "c", "is_code"),
        (Thing { maybe: Some(x()), ..thing() }, "maybe", "is_code"),
        (Thing { codes: vec!["ab".to_owned(), x()], ..thing() }, "codes.1", "is_code"),
        (Thing { few: vec![2, 3].try_into().unwrap(), ..thing() }, "few.1", even),
        (Thing { some: Some(vec![1]), ..thing() }, "some.0", even),
        (Thing { map: BTreeMap::from([("secret".to_owned(), 3)]), ..thing() }, "map.*", even),
        (Thing { rows: rows(&[&[1, 2], &[9, 2]]), ..thing() }, "rows.1", "judges::is_row"),
        (Thing { shade: Shade::Dark, ..thing() }, "shade", "judges::is_shade"),
        (Thing { boxed: Some(Box::new(Shade::Dark)), ..thing() }, "boxed", "Shade::is_bright"),
        (Thing { at: DateTime::from_millis(-1), ..thing() }, "at", "is_recent"),
        (Thing { day: chrono::NaiveDate::from_ymd_opt(2024, 1, 7).unwrap(), ..thing() }, "day", "is_weekday"),
        (Thing { price: Cents(1), ..thing() }, "price", even),
        (Thing { part: part(4, 3), ..thing() }, "part", fits),
        (Thing { part: part(1, 3), ..thing() }, "part.length", even),
        (Thing { parts: vec![part(2, 3), part(4, 3)], ..thing() }, "parts.1", fits),
        (Thing { parts: vec![part(2, 3), part(1, 3)], ..thing() }, "parts.1.length", even),
        (Thing { state: State::Paid { amount: 1 }, ..thing() }, "state.amount", even),
        (Thing { tag: Tag(x()), ..thing() }, "tag", "is_code"),
        (Thing { area: Area { size: 1 }, ..thing() }, "size", even),
    ]
}
