//! A model with rules in every position, and the same model without rules.

use std::collections::BTreeMap;

/// Defines the model `Good`, with the rules where the condition holds.
macro_rules! goods {
    ($module:ident, $($is_checked:tt)*) => {
        pub(super) mod $module {
            use std::collections::BTreeMap;

            use schema_runtime::prelude::*;

            use super::{Numbers, text};

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = "goods")]
            pub(crate) struct Good {
                #[serde(rename = "_id")]
                #[cfg_attr($($is_checked)*, check(min = 1))]
                pub(crate) id: i64,
                #[serde(rename = "label")]
                #[bound(max_len = 8)]
                #[cfg_attr($($is_checked)*, check(min_len = 2))]
                pub(crate) name: String,
                #[cfg_attr($($is_checked)*, check(min = 0, max = 100))]
                pub(crate) percent: i32,
                #[cfg_attr($($is_checked)*, check(more_than = 0.0, less_than = 1))]
                pub(crate) weight: f64,
                #[cfg_attr($($is_checked)*, check(min = -5))]
                pub(crate) level: Option<i32>,
                #[cfg_attr($($is_checked)*, check(multiple_of = 5))]
                #[cfg_attr($($is_checked)*, check(min = -10))]
                pub(crate) step: i64,
                #[cfg_attr($($is_checked)*, check(multiple_of = 0.1))]
                pub(crate) price: f64,
                #[cfg_attr($($is_checked)*, check(max = 0.5))]
                pub(crate) ratio: f32,
                #[cfg_attr($($is_checked)*, check(pattern = r"^[A-Z]{3}\d?$"))]
                pub(crate) code: String,
                #[cfg_attr($($is_checked)*, check(email))]
                pub(crate) email: Option<String>,
                #[cfg_attr($($is_checked)*, check(url))]
                pub(crate) link: Option<String>,
                #[cfg_attr($($is_checked)*, check(one_of("new", "paid")))]
                pub(crate) phase: Option<String>,
                #[cfg_attr($($is_checked)*, check(one_of(1, 2, 5)))]
                pub(crate) size: i32,
                #[cfg_attr($($is_checked)*, check(one_of("low", "mid")))]
                pub(crate) rank: Rank,
                #[bound(max_items = 3, max_len = 8)]
                #[cfg_attr($($is_checked)*, check(min_items = 1, unique_items, min_len = 2))]
                pub(crate) tags: Vec<String>,
                #[bound(max_items = 4)]
                #[cfg_attr($($is_checked)*, check(unique_items))]
                pub(crate) amounts: Vec<f64>,
                #[bound(max_items = 3)]
                #[cfg_attr($($is_checked)*, check(not_empty, max = 9))]
                pub(crate) scores: BTreeMap<String, i64>,
                #[relation(one_to_one, embed)]
                pub(crate) part: Part,
                #[relation(one_to_few, embed, max = 2)]
                #[cfg_attr($($is_checked)*, check(not_empty, unique_items))]
                pub(crate) parts: Vec<Part>,
                #[relation(one_to_one, embed)]
                pub(crate) state: State,
                #[cfg_attr($($is_checked)*, check(max = 150))]
                pub(crate) age: Age,
                #[bound(max_items = 2)]
                pub(crate) ages: Vec<Age>,
                #[cfg_attr($($is_checked)*, check(min = 0))]
                pub(crate) cents: Cents,
                #[serde(flatten)]
                #[embed(flat)]
                pub(crate) area: Area,
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[serde(rename_all = "lowercase")]
            pub(crate) enum Rank {
                Low,
                Mid,
                High,
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            pub(crate) struct Part {
                #[cfg_attr($($is_checked)*, check(min = 1))]
                pub(crate) count: i32,
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[serde(tag = "kind")]
            pub(crate) enum State {
                Open,
                Paid {
                    #[cfg_attr($($is_checked)*, check(more_than = 0))]
                    amount: i64,
                },
                Sent {
                    #[cfg_attr($($is_checked)*, check(less_than = 0))]
                    amount: i64,
                },
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            pub(crate) struct Age(#[cfg_attr($($is_checked)*, check(min = 0))] pub(crate) i32);

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[stored_as(i64)]
            pub(crate) struct Cents(pub(crate) i64);

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            pub(crate) struct Area {
                #[cfg_attr($($is_checked)*, check(more_than = 0))]
                pub(crate) width: i32,
            }

            /// Returns a value that obeys every rule.
            pub(crate) fn good(id: i64) -> Good {
                Good {
                    id,
                    name: "ab".to_owned(),
                    percent: 100,
                    weight: 0.5,
                    level: None,
                    step: -10,
                    price: 0.3,
                    ratio: 0.5,
                    code: "ABC7".to_owned(),
                    email: None,
                    link: None,
                    phase: None,
                    size: 5,
                    rank: Rank::Mid,
                    tags: vec!["ab".to_owned()],
                    amounts: vec![1.0, 2.0],
                    scores: BTreeMap::from([("a".to_owned(), 9)]),
                    part: Part { count: 1 },
                    parts: vec![Part { count: 1 }],
                    state: State::Paid { amount: 1 },
                    age: Age(0),
                    ages: vec![Age(0)],
                    cents: Cents(0),
                    area: Area { width: 1 },
                }
            }

            /// Returns values that fail a single rule each, with the path, the rule and the limit.
            pub(crate) fn wrong(id: i64) -> Vec<(Good, &'static str, &'static str, &'static str)> {
                let good = || good(id);
                let part = |count| Part { count };
                let texts = |texts: &[&str]| texts.iter().copied().map(text).collect::<Vec<_>>();
                let scores = |score| BTreeMap::from([(text("a"), 9), (text("secret"), score)]);
                let code = r"^[A-Z]{3}[0-9]?\z";
                vec![
                    (Good { name: text("ß"), ..good() }, "label", "minLength", "2"),
                    (Good { percent: -1, ..good() }, "percent", "minimum", "0"),
                    (Good { percent: 101, ..good() }, "percent", "maximum", "100"),
                    (Good { weight: 0.0, ..good() }, "weight", "exclusiveMinimum", "0"),
                    (Good { weight: -0.0, ..good() }, "weight", "exclusiveMinimum", "0"),
                    (Good { weight: 1.0, ..good() }, "weight", "exclusiveMaximum", "1"),
                    (Good { level: Some(-6), ..good() }, "level", "minimum", "-5"),
                    (Good { step: 3, ..good() }, "step", "multipleOf", "5"),
                    (Good { step: -15, ..good() }, "step", "minimum", "-10"),
                    (Good { price: 0.35, ..good() }, "price", "multipleOf", "0.1"),
                    (Good { price: f64::NAN, ..good() }, "price", "multipleOf", "0.1"),
                    (Good { ratio: 0.75, ..good() }, "ratio", "maximum", "0.5"),
                    (Good { ratio: f32::NAN, ..good() }, "ratio", "maximum", "0.5"),
                    (Good { code: text("AB"), ..good() }, "code", "pattern", code),
                    (Good { code: text("ABC\n"), ..good() }, "code", "pattern", code),
                    (Good { code: text("ABC٣"), ..good() }, "code", "pattern", code),
                    (Good { phase: Some(text("old")), ..good() }, "phase", "enum", ""),
                    (Good { size: 3, ..good() }, "size", "enum", ""),
                    (Good { rank: Rank::High, ..good() }, "rank", "enum", ""),
                    (Good { tags: texts(&["ab", "a"]), ..good() }, "tags.1", "minLength", "2"),
                    (Good { tags: texts(&[]), ..good() }, "tags", "minItems", "1"),
                    (Good { tags: texts(&["ab", "ab"]), ..good() }, "tags", "uniqueItems", ""),
                    (Good { amounts: vec![0.0, -0.0], ..good() }, "amounts", "uniqueItems", ""),
                    (Good { amounts: vec![f64::NAN, f64::NAN], ..good() }, "amounts", "uniqueItems", ""),
                    (Good { scores: scores(10), ..good() }, "scores.*", "maximum", "9"),
                    (Good { scores: BTreeMap::new(), ..good() }, "scores", "minProperties", "1"),
                    (Good { part: part(0), ..good() }, "part.count", "minimum", "1"),
                    (Good { parts: vec![part(1), part(0)], ..good() }, "parts.1.count", "minimum", "1"),
                    (Good { parts: vec![part(1), part(1)], ..good() }, "parts", "uniqueItems", ""),
                    (Good { parts: vec![], ..good() }, "parts", "minItems", "1"),
                    (Good { state: State::Paid { amount: 0 }, ..good() }, "state.amount", "exclusiveMinimum", "0"),
                    (Good { state: State::Sent { amount: 0 }, ..good() }, "state.amount", "exclusiveMaximum", "0"),
                    (Good { age: Age(-1), ..good() }, "age", "minimum", "0"),
                    (Good { age: Age(151), ..good() }, "age", "maximum", "150"),
                    (Good { ages: vec![Age(151), Age(-1)], ..good() }, "ages.1", "minimum", "0"),
                    (Good { cents: Cents(-1), ..good() }, "cents", "minimum", "0"),
                    (Good { area: Area { width: 0 }, ..good() }, "width", "exclusiveMinimum", "0"),
                ]
            }

            /// Returns a value near the limits. Each field has one chance in six of a wrong value.
            pub(crate) fn random(id: i64, numbers: &mut Numbers) -> Good {
                let mut good = good(id);
                let some = |text: &str| Some(super::text(text));
                for field in 0..22 {
                    let number = numbers.next();
                    if number % 6 > 1 {
                        continue;
                    }
                    let one = (number / 6) as usize;
                    let pick = |values: &[&str]| text(values[one % values.len()]);
                    let whole = |around: i64| around + (one % 5) as i64 - 2;
                    match field {
                        0 => good.name = pick(&["", "a", "ab", "😀", "😀😀", "eightöäü", "nine char"]),
                        1 => good.percent = whole(if one % 2 == 0 { 0 } else { 100 }) as i32,
                        2 => good.weight = [0.0, -0.0, 5e-324, 0.999, 1.0, f64::NAN, f64::INFINITY][one % 7],
                        3 => good.level = [None, Some(-5), Some(-6), Some(i32::MIN)][one % 4],
                        4 => good.step = [5, -10, -15, 3, i64::MAX, i64::MIN, 0][one % 7],
                        5 => good.price = [0.1 + 0.2, 1e22, 1e300, 0.35, -0.7, f64::NAN, 5e-324, 1e15 + 0.5][one % 8],
                        6 => good.ratio = [0.5, 0.5000001, f32::NAN, f32::NEG_INFINITY, f32::INFINITY, -3e38][one % 6],
                        7 => good.code = pick(&["ABC", "ABC1", "abc", "ABCD", "ABC\n", "\nABC", "ABC٣", "ÅBC"]),
                        8 => good.email = some(["a@b", "a@b.no", "a b@c", "@b.no", "ä@b.no", "a@b..no", "a@-b"][one % 7]),
                        9 => {
                            let links = ["http://a", "https://a.no:80/x?y=z#t", "ftp://a", "http://a b", "http:///x"];
                            good.link = some(links[one % links.len()]);
                        }
                        10 => good.phase = some(["new", "paid", "New", "", "paid "][one % 5]),
                        11 => good.size = whole(2) as i32,
                        12 => good.rank = [Rank::Low, Rank::Mid, Rank::High][one % 3].clone(),
                        13 => {
                            let all: [&[&str]; 7] =
                                [&[], &["a"], &["ab", "ab"], &["ab", "b", "b"], &["ab", "Ab"], &["é", "e\u{301}"], &["x"; 4]];
                            good.tags = all[one % all.len()].iter().copied().map(text).collect();
                        }
                        14 => {
                            let all: [&[f64]; 5] =
                                [&[], &[0.0, -0.0], &[1.0, 1.0000001], &[f64::NAN, f64::NAN], &[1e300, -1e300]];
                            good.amounts = all[one % all.len()].to_vec();
                        }
                        15 => good.scores = (0..one % 5).map(|at| (at.to_string(), whole(9))).collect(),
                        16 => good.part.count = whole(1) as i32,
                        17 => good.parts = (0..one % 4).map(|at| Part { count: (whole(0) + at as i64) as i32 }).collect(),
                        18 => {
                            let amount = whole(0);
                            good.state = [State::Open, State::Paid { amount }, State::Sent { amount }][one % 3].clone();
                        }
                        19 => good.age = Age(whole(if one % 2 == 0 { 0 } else { 150 }) as i32),
                        20 => good.ages = (0..one % 4).map(|_| Age(whole(0) as i32)).collect(),
                        _ => {
                            good.cents = Cents(whole(0));
                            good.area = Area { width: whole(0) as i32 };
                        }
                    }
                }
                good
            }
        }
    };
}

goods!(checked, all());
goods!(unchecked, any());

/// Numbers that look random, the same numbers for the same seed.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    /// Returns the next number. Source: Marsaglia, "Xorshift RNGs", the triple 13, 7, 17.
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}

/// Returns the paths and the rules that a value fails, by the words of the rules alone.
pub(super) fn expected(good: &checked::Good) -> Vec<(String, &'static str)> {
    let mut failed = Vec::new();
    let mut requires = |obeys: bool, path: &str, rule: &'static str| {
        if !obeys {
            failed.push((path.to_owned(), rule));
        }
    };
    let length = |text: &str| text.chars().count();
    requires(good.id >= 1, "_id", "minimum");
    requires(length(&good.name) >= 2, "label", "minLength");
    requires(length(&good.name) <= 8, "label", "maxLength");
    requires(good.percent >= 0, "percent", "minimum");
    requires(good.percent <= 100, "percent", "maximum");
    requires(good.weight > 0.0, "weight", "exclusiveMinimum");
    requires(good.weight < 1.0, "weight", "exclusiveMaximum");
    requires(good.level.is_none_or(|level| level >= -5), "level", "minimum");
    requires(good.step % 5 == 0, "step", "multipleOf");
    requires(good.step >= -10, "step", "minimum");
    // The multiples of 0.1 among the random values, by the first 15 digits.
    let multiples = [0.3, 0.1 + 0.2, 1e22, 1e300, -0.7, 1e15 + 0.5];
    requires(multiples.contains(&good.price), "price", "multipleOf");
    requires(good.ratio <= 0.5, "ratio", "maximum");
    let letters: Vec<char> = good.code.chars().collect();
    let is_code = matches!(letters.len(), 3 | 4)
        && letters[..3].iter().all(char::is_ascii_uppercase)
        && letters[3..].iter().all(char::is_ascii_digit);
    requires(is_code, "code", "pattern");
    let emails = ["a@b", "a@b.no"];
    requires(good.email.as_deref().is_none_or(|email| emails.contains(&email)), "email", "pattern");
    let links = ["http://a", "https://a.no:80/x?y=z#t"];
    requires(good.link.as_deref().is_none_or(|link| links.contains(&link)), "link", "pattern");
    requires(good.phase.as_deref().is_none_or(|phase| matches!(phase, "new" | "paid")), "phase", "enum");
    requires(matches!(good.size, 1 | 2 | 5), "size", "enum");
    requires(good.rank != checked::Rank::High, "rank", "enum");
    requires(!good.tags.is_empty(), "tags", "minItems");
    requires(good.tags.len() <= 3, "tags", "maxItems");
    let counts = good.tags.iter().fold(BTreeMap::<_, usize>::new(), |mut counts, tag| {
        *counts.entry(tag).or_default() += 1;
        counts
    });
    requires(counts.values().all(|count| *count == 1), "tags", "uniqueItems");
    for (at, tag) in good.tags.iter().enumerate() {
        requires(length(tag) >= 2, &format!("tags.{at}"), "minLength");
    }
    let same = |one: f64, other: f64| one == other || one.is_nan() && other.is_nan();
    let pairs = |at: usize| (0..at).map(move |before| (before, at));
    let is_unique =
        (0..good.amounts.len()).flat_map(pairs).all(|(one, other)| !same(good.amounts[one], good.amounts[other]));
    requires(is_unique, "amounts", "uniqueItems");
    requires(!good.scores.is_empty(), "scores", "minProperties");
    requires(good.scores.len() <= 3, "scores", "maxProperties");
    for score in good.scores.values() {
        requires(*score <= 9, "scores.*", "maximum");
    }
    requires(good.part.count >= 1, "part.count", "minimum");
    requires(!good.parts.is_empty(), "parts", "minItems");
    requires(good.parts.len() <= 2, "parts", "maxItems");
    requires(
        (0..good.parts.len()).flat_map(pairs).all(|(one, other)| good.parts[one] != good.parts[other]),
        "parts",
        "uniqueItems",
    );
    for (at, part) in good.parts.iter().enumerate() {
        requires(part.count >= 1, &format!("parts.{at}.count"), "minimum");
    }
    match good.state {
        checked::State::Open => {}
        checked::State::Paid { amount } => requires(amount > 0, "state.amount", "exclusiveMinimum"),
        checked::State::Sent { amount } => requires(amount < 0, "state.amount", "exclusiveMaximum"),
    }
    requires(good.age.0 >= 0, "age", "minimum");
    requires(good.age.0 <= 150, "age", "maximum");
    requires(good.ages.len() <= 2, "ages", "maxItems");
    for (at, age) in good.ages.iter().enumerate() {
        requires(age.0 >= 0, &format!("ages.{at}"), "minimum");
    }
    requires(good.cents.0 >= 0, "cents", "minimum");
    requires(good.area.width > 0, "width", "exclusiveMinimum");
    failed.sort();
    failed
}
