//! A model with rules in every position, and the same model without rules.

/// Defines the model `Good`, with the rules where the condition holds.
macro_rules! goods {
    ($module:ident, $($is_checked:tt)*) => {
        pub(super) mod $module {
            use std::collections::BTreeMap;

            use schema_runtime::prelude::*;

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
                #[bound(max_items = 3, max_len = 8)]
                #[cfg_attr($($is_checked)*, check(min_items = 1, min_len = 2))]
                pub(crate) tags: Vec<String>,
                #[bound(max_items = 3)]
                #[cfg_attr($($is_checked)*, check(not_empty, max = 9))]
                pub(crate) scores: BTreeMap<String, i64>,
                #[relation(one_to_one, embed)]
                pub(crate) part: Part,
                #[relation(one_to_few, embed, max = 2)]
                #[cfg_attr($($is_checked)*, check(not_empty))]
                pub(crate) parts: Vec<Part>,
                #[relation(one_to_one, embed)]
                pub(crate) state: State,
                pub(crate) age: Age,
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
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            pub(crate) struct Age(#[cfg_attr($($is_checked)*, check(min = 0))] pub(crate) i32);

            /// Returns a value that obeys every rule.
            pub(crate) fn good(id: i64) -> Good {
                Good {
                    id,
                    name: "ab".to_owned(),
                    percent: 100,
                    weight: 0.5,
                    level: None,
                    tags: vec!["ab".to_owned()],
                    scores: BTreeMap::from([("a".to_owned(), 9)]),
                    part: Part { count: 1 },
                    parts: vec![Part { count: 1 }],
                    state: State::Paid { amount: 1 },
                    age: Age(0),
                }
            }

            /// Returns a value that fails each rule, with the path, the rule and the limit.
            pub(crate) fn wrong(id: i64) -> Vec<(Good, &'static str, &'static str, f64)> {
                let good = || good(id);
                let part = |count| Part { count };
                let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
                let scores = |score| BTreeMap::from([("a".to_owned(), 9), ("secret".to_owned(), score)]);
                vec![
                    (Good { name: "ß".to_owned(), ..good() }, "label", "minLength", 2.0),
                    (Good { percent: -1, ..good() }, "percent", "minimum", 0.0),
                    (Good { percent: 101, ..good() }, "percent", "maximum", 100.0),
                    (Good { weight: 0.0, ..good() }, "weight", "exclusiveMinimum", 0.0),
                    (Good { weight: -0.0, ..good() }, "weight", "exclusiveMinimum", 0.0),
                    (Good { weight: 1.0, ..good() }, "weight", "exclusiveMaximum", 1.0),
                    (Good { level: Some(-6), ..good() }, "level", "minimum", -5.0),
                    (Good { tags: texts(&["ab", "a"]), ..good() }, "tags.1", "minLength", 2.0),
                    (Good { tags: texts(&[]), ..good() }, "tags", "minItems", 1.0),
                    (Good { scores: scores(10), ..good() }, "scores.*", "maximum", 9.0),
                    (Good { scores: BTreeMap::new(), ..good() }, "scores", "minProperties", 1.0),
                    (Good { part: part(0), ..good() }, "part.count", "minimum", 1.0),
                    (Good { parts: vec![part(1), part(0)], ..good() }, "parts.1.count", "minimum", 1.0),
                    (Good { parts: vec![], ..good() }, "parts", "minItems", 1.0),
                    (Good { state: State::Paid { amount: 0 }, ..good() }, "state.amount", "exclusiveMinimum", 0.0),
                    (Good { age: Age(-1), ..good() }, "age", "minimum", 0.0),
                ]
            }
        }
    };
}

goods!(checked, all());
goods!(unchecked, any());
