//! Random documents and random conditions, with few values: conditions often hold.

use proptest::{collection::vec, option, prelude::*, sample::select};
use schema_runtime::prelude::*;

use super::{Compare, Condition, OfNumber, OfPart, Part, Search, Thing};

fn any_compare() -> impl Strategy<Value = Compare> + Clone {
    select(vec![Compare::Eq, Compare::Ne, Compare::Gt, Compare::Gte, Compare::Lt, Compare::Lte])
}

/// Returns a search. A search in any case uses only texts with an unambiguous case.
fn any_search() -> impl Strategy<Value = (Search, String)> {
    let in_any_case = select(vec![Search::AnyCase, Search::StartInAnyCase, Search::EndInAnyCase]);
    prop_oneof![
        3 => (select(vec![Search::Anywhere, Search::Start, Search::End]), text()),
        2 => (in_any_case, select(["", "A", "ab", "É", ".*"].map(str::to_owned).to_vec())),
    ]
}

/// Returns a number, often out of few numbers: conditions often hold.
fn number() -> impl Strategy<Value = i32> + Clone {
    prop_oneof![8 => -3..4_i32, 1 => any::<i32>()]
}

fn double() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![6 => (-3..4_i32).prop_map(|half| f64::from(half) / 2.0), 1 => select(vec![f64::NAN, f64::INFINITY, -0.0])]
}

/// Returns texts that would be operators, patterns or paths, if the server took the text for an expression.
fn text() -> impl Strategy<Value = String> + Clone {
    let texts = ["", "a", "A", "ab", "é", "$gt", "{\"$gt\":\"\"}", "a.b", ".*", "^a", "(", "\\", "a\n", "$where", "\0"];
    prop_oneof![8 => select(texts.map(str::to_owned).to_vec()), 1 => any::<String>()]
}

fn any_part() -> impl Strategy<Value = Part> + Clone {
    (text(), number(), option::of(number())).prop_map(|(name, count, rank)| Part { name, count, rank })
}

pub(super) fn any_thing() -> impl Strategy<Value = Thing> {
    let scalars = (number(), double(), text(), option::of(number()), option::of(text()), any::<bool>(), 0..5_i64);
    let lists = (vec(text(), 0..4), vec(number(), 0..4), vec(any_part(), 0..4), any_part());
    (scalars, lists).prop_map(|((int, double, text, maybe, absent, flag, date), (words, numbers, parts, main))| {
        let date = DateTime::from_millis(date);
        Thing { id: 0, int, double, text, maybe, absent, flag, date, words, numbers, parts, main }
    })
}

fn of_number() -> impl Strategy<Value = OfNumber> {
    let leaf = prop_oneof![
        (any_compare(), number()).prop_map(|(compare, value)| OfNumber::Compare(compare, value)),
        (number(), number()).prop_map(|(from, to)| OfNumber::Between(from.min(to), to)),
        (number(), number()).prop_map(|(value, limit)| OfNumber::Both(Compare::Gt, value, Compare::Ne, limit)),
        (number(), number()).prop_map(|(value, limit)| OfNumber::Both(Compare::Gte, value, Compare::Lt, limit)),
        vec(number(), 0..3).prop_map(OfNumber::In),
        (any_compare(), number()).prop_map(|(compare, value)| OfNumber::Not(compare, value)),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), inner).prop_map(|(one, other)| OfNumber::Either(one.into(), other.into()))
    })
}

fn of_part() -> impl Strategy<Value = OfPart> {
    let leaf = prop_oneof![
        (any_compare(), text()).prop_map(|(compare, value)| OfPart::Name(compare, value)),
        (any_compare(), number()).prop_map(|(compare, value)| OfPart::Count(compare, value)),
        Just(OfPart::RankIsNull),
        (any_compare(), number()).prop_map(|(compare, value)| OfPart::Rank(compare, value)),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(OfPart::All),
            vec(inner.clone(), 0..4).prop_map(OfPart::Any),
            inner.prop_map(|condition| OfPart::Not(condition.into())),
        ]
    })
}

pub(super) fn condition() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        (any_compare(), number()).prop_map(|(compare, value)| Condition::Int(compare, value)),
        (number(), number()).prop_map(|(from, to)| Condition::IntBetween(from, to)),
        vec(number(), 0..4).prop_map(Condition::IntIn),
        vec(number(), 0..4).prop_map(Condition::IntNin),
        (any_compare(), double()).prop_map(|(compare, value)| Condition::Double(compare, value)),
        (any_compare(), text()).prop_map(|(compare, value)| Condition::Text(compare, value)),
        vec(text(), 0..4).prop_map(Condition::TextIn),
        any_search().prop_map(|(search, text)| Condition::TextMatches(search, text)),
        (any_compare(), number()).prop_map(|(compare, value)| Condition::Maybe(compare, value)),
        option::of(number()).prop_map(Condition::MaybeIs),
        option::of(number()).prop_map(Condition::MaybeIsNot),
        select(vec![Condition::MaybeIsNull, Condition::MaybeIsNotNull, Condition::AbsentIsNull]),
        any::<bool>().prop_map(Condition::AbsentExists),
        any_search().prop_map(|(search, text)| Condition::AbsentMatches(search, text)),
        any::<bool>().prop_map(Condition::Flag),
        (any_compare(), 0..5_i64).prop_map(|(compare, value)| Condition::Date(compare, value)),
        vec(text(), 0..3).prop_map(Condition::Words),
        text().prop_map(Condition::WordsContain),
        vec(text(), 0..3).prop_map(Condition::WordsHaveAll),
        (0..4_u32).prop_map(Condition::WordsSize),
        of_number().prop_map(Condition::SomeNumber),
        of_part().prop_map(Condition::SomePart),
        (any_compare(), text()).prop_map(|(compare, value)| Condition::PartName(compare, value)),
        (any_compare(), number()).prop_map(|(compare, value)| Condition::PartCount(compare, value)),
        (any_compare(), number()).prop_map(|(compare, value)| Condition::MainCount(compare, value)),
        any_part().prop_map(Condition::MainIs),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Condition::All),
            vec(inner.clone(), 0..4).prop_map(Condition::Any),
            vec(inner.clone(), 0..4).prop_map(Condition::None),
            inner.prop_map(|condition| Condition::Not(condition.into())),
        ]
    })
}
