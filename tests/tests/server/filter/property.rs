//! Any typed filter over any documents finds the same documents as the same condition in plain Rust.

mod any;

use std::{cmp::Ordering, sync::atomic::AtomicI64};

use proptest::{collection::vec, prelude::*, test_runner::TestRunner};
use schema_runtime::prelude::*;
use schema_tests::{database, scale::PROPERTY_CASES};

use any::{any_thing, condition};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    int: i32,
    double: f64,
    text: String,
    maybe: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<String>,
    flag: bool,
    date: DateTime,
    #[bound(max_items = 9)]
    words: Vec<String>,
    #[bound(max_items = 9)]
    numbers: Vec<i32>,
    #[relation(one_to_few, embed, max = 9)]
    parts: Vec<Part>,
    #[relation(one_to_one, embed)]
    main: Part,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Part {
    name: String,
    count: i32,
    rank: Option<i32>,
}

/// A comparison with a single value.
#[derive(Clone, Copy, Debug)]
enum Compare {
    Eq,
    Ne,
    Gt,
    Gte,
    Lt,
    Lte,
}

/// The kind of a text search.
#[derive(Clone, Copy, Debug)]
enum Search {
    Anywhere,
    Start,
    End,
    AnyCase,
    StartInAnyCase,
    EndInAnyCase,
}

#[derive(Clone, Debug)]
enum OfNumber {
    Compare(Compare, i32),
    Between(i32, i32),
    Both(Compare, i32, Compare, i32),
    Either(Box<OfNumber>, Box<OfNumber>),
    In(Vec<i32>),
    Not(Compare, i32),
}

#[derive(Clone, Debug)]
enum OfPart {
    Name(Compare, String),
    Count(Compare, i32),
    RankIsNull,
    Rank(Compare, i32),
    All(Vec<OfPart>),
    Any(Vec<OfPart>),
    Not(Box<OfPart>),
}

#[derive(Clone, Debug)]
enum Condition {
    Int(Compare, i32),
    IntBetween(i32, i32),
    IntIn(Vec<i32>),
    IntNin(Vec<i32>),
    Double(Compare, f64),
    Text(Compare, String),
    TextIn(Vec<String>),
    TextMatches(Search, String),
    Maybe(Compare, i32),
    MaybeIs(Option<i32>),
    MaybeIsNot(Option<i32>),
    MaybeIsNull,
    MaybeIsNotNull,
    AbsentIsNull,
    AbsentExists(bool),
    AbsentMatches(Search, String),
    Flag(bool),
    Date(Compare, i64),
    Words(Vec<String>),
    WordsContain(String),
    WordsHaveAll(Vec<String>),
    WordsSize(u32),
    SomeNumber(OfNumber),
    SomePart(OfPart),
    PartName(Compare, String),
    PartCount(Compare, i32),
    MainCount(Compare, i32),
    MainIs(Part),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    None(Vec<Condition>),
    Not(Box<Condition>),
}

macro_rules! compare {
    ($token:expr, $compare:expr, $value:expr) => {
        match $compare {
            Compare::Eq => $token.eq($value),
            Compare::Ne => $token.ne($value),
            Compare::Gt => $token.gt($value),
            Compare::Gte => $token.gte($value),
            Compare::Lt => $token.lt($value),
            Compare::Lte => $token.lte($value),
        }
    };
}

macro_rules! search {
    ($token:expr, $search:expr, $text:expr) => {
        match $search {
            Search::Anywhere => $token.contains_text($text),
            Search::Start => $token.starts_with($text),
            Search::End => $token.ends_with($text),
            Search::AnyCase => $token.contains_text_ignoring_case($text),
            Search::StartInAnyCase => $token.starts_with_ignoring_case($text),
            Search::EndInAnyCase => $token.ends_with_ignoring_case($text),
        }
    };
}

impl Condition {
    fn filter(&self) -> Filter<Thing> {
        let f = Thing::F;
        let filters = |list: &[Condition]| list.iter().map(Condition::filter).collect::<Vec<_>>();
        match self {
            Condition::Int(compare, value) => compare!(f.int, compare, *value),
            Condition::IntBetween(from, to) => f.int.between(*from..*to),
            Condition::IntIn(values) => f.int.is_in(values),
            Condition::IntNin(values) => f.int.not_in(values),
            Condition::Double(compare, value) => compare!(f.double, compare, *value),
            Condition::Text(compare, value) => compare!(f.text, compare, value),
            Condition::TextIn(values) => f.text.is_in(values),
            Condition::TextMatches(search, text) => search!(f.text, search, text),
            Condition::Maybe(compare, value) => compare!(f.maybe, compare, *value),
            Condition::MaybeIs(value) => f.maybe.eq(*value),
            Condition::MaybeIsNot(value) => f.maybe.ne(*value),
            Condition::MaybeIsNull => f.maybe.is_null(),
            Condition::MaybeIsNotNull => f.maybe.is_not_null(),
            Condition::AbsentIsNull => f.absent.is_null(),
            Condition::AbsentExists(exists) => f.absent.exists(*exists),
            Condition::AbsentMatches(search, text) => search!(f.absent, search, text),
            Condition::Flag(value) => f.flag.eq(*value),
            Condition::Date(compare, millis) => compare!(f.date, compare, DateTime::from_millis(*millis)),
            Condition::Words(values) => f.words.eq(values),
            Condition::WordsContain(value) => f.words.contains(value),
            Condition::WordsHaveAll(values) => f.words.all(values),
            Condition::WordsSize(size) => f.words.size(*size),
            Condition::SomeNumber(condition) => f.numbers.elem_match(|number| condition.filter(number)),
            Condition::SomePart(condition) => f.parts.elem_match(|_| condition.filter()),
            Condition::PartName(compare, value) => compare!(f.parts.name, compare, value),
            Condition::PartCount(compare, value) => compare!(f.parts.count, compare, *value),
            Condition::MainCount(compare, value) => compare!(f.main.count, compare, *value),
            Condition::MainIs(part) => f.main.eq(part),
            Condition::All(list) => Filter::all_of(filters(list)),
            Condition::Any(list) => Filter::any_of(filters(list)),
            Condition::None(list) => Filter::nor(filters(list)),
            Condition::Not(condition) => !condition.filter(),
        }
    }

    fn holds(&self, thing: &Thing) -> bool {
        match self {
            Condition::Int(compare, value) => compare.holds(&thing.int, value),
            Condition::IntBetween(from, to) => (*from..*to).contains(&thing.int),
            Condition::IntIn(values) => values.contains(&thing.int),
            Condition::IntNin(values) => !values.contains(&thing.int),
            Condition::Double(compare, value) => compare.holds(&Double(thing.double), &Double(*value)),
            Condition::Text(compare, value) => compare.holds(&thing.text, value),
            Condition::TextIn(values) => values.contains(&thing.text),
            Condition::TextMatches(search, text) => search.holds(&thing.text, text),
            Condition::Maybe(Compare::Ne, value) => thing.maybe != Some(*value),
            Condition::Maybe(compare, value) => thing.maybe.is_some_and(|maybe| compare.holds(&maybe, value)),
            Condition::MaybeIs(value) => thing.maybe == *value,
            Condition::MaybeIsNot(value) => thing.maybe != *value,
            Condition::MaybeIsNull => thing.maybe.is_none(),
            Condition::MaybeIsNotNull => thing.maybe.is_some(),
            Condition::AbsentIsNull => thing.absent.is_none(),
            Condition::AbsentExists(exists) => thing.absent.is_some() == *exists,
            Condition::AbsentMatches(search, text) => {
                thing.absent.as_ref().is_some_and(|absent| search.holds(absent, text))
            }
            Condition::Flag(value) => thing.flag == *value,
            Condition::Date(compare, millis) => compare.holds(&thing.date.timestamp_millis(), millis),
            Condition::Words(values) => thing.words == *values,
            Condition::WordsContain(value) => thing.words.contains(value),
            Condition::WordsHaveAll(values) => values.iter().all(|value| thing.words.contains(value)),
            Condition::WordsSize(size) => thing.words.len() == *size as usize,
            Condition::SomeNumber(condition) => thing.numbers.iter().any(|number| condition.holds(*number)),
            Condition::SomePart(condition) => thing.parts.iter().any(|part| condition.holds(part)),
            // Through an array: a condition holds for some element; `ne` holds for every element.
            Condition::PartName(Compare::Ne, value) => thing.parts.iter().all(|part| part.name != *value),
            Condition::PartName(compare, value) => thing.parts.iter().any(|part| compare.holds(&part.name, value)),
            Condition::PartCount(Compare::Ne, value) => thing.parts.iter().all(|part| part.count != *value),
            Condition::PartCount(compare, value) => thing.parts.iter().any(|part| compare.holds(&part.count, value)),
            Condition::MainCount(compare, value) => compare.holds(&thing.main.count, value),
            Condition::MainIs(part) => {
                (&thing.main.name, thing.main.count, thing.main.rank) == (&part.name, part.count, part.rank)
            }
            Condition::All(list) => list.iter().all(|condition| condition.holds(thing)),
            Condition::Any(list) => list.iter().any(|condition| condition.holds(thing)),
            Condition::None(list) => !list.iter().any(|condition| condition.holds(thing)),
            Condition::Not(condition) => !condition.holds(thing),
        }
    }
}

type NumberToken = schema_runtime::field::ElementToken<i32>;
type PartFilter = Filter<schema_runtime::field::Element<Part>>;

impl OfNumber {
    fn filter(&self, number: NumberToken) -> Filter<schema_runtime::field::Element<i32>> {
        match self {
            OfNumber::Compare(compare, value) => compare!(number, compare, *value),
            OfNumber::Between(from, to) => number.between(*from..=*to),
            OfNumber::Both(one, value, other, limit) => compare!(number, one, *value) & compare!(number, other, *limit),
            OfNumber::Either(one, other) => one.filter(number) | other.filter(number),
            OfNumber::In(values) => number.is_in(values),
            OfNumber::Not(compare, value) => !compare!(number, compare, *value),
        }
    }

    fn holds(&self, number: i32) -> bool {
        match self {
            OfNumber::Compare(compare, value) => compare.holds(&number, value),
            OfNumber::Between(from, to) => (*from..=*to).contains(&number),
            OfNumber::Both(one, value, other, limit) => one.holds(&number, value) && other.holds(&number, limit),
            OfNumber::Either(one, other) => one.holds(number) || other.holds(number),
            OfNumber::In(values) => values.contains(&number),
            OfNumber::Not(compare, value) => !compare.holds(&number, value),
        }
    }
}

impl OfPart {
    fn filter(&self) -> PartFilter {
        let part = schema_runtime::field::ElementToken::<Part>::NEW;
        match self {
            OfPart::Name(compare, value) => compare!(part.name, compare, value),
            OfPart::Count(compare, value) => compare!(part.count, compare, *value),
            OfPart::RankIsNull => part.rank.is_null(),
            OfPart::Rank(compare, value) => compare!(part.rank, compare, *value),
            OfPart::All(list) => Filter::all_of(list.iter().map(OfPart::filter)),
            OfPart::Any(list) => Filter::any_of(list.iter().map(OfPart::filter)),
            OfPart::Not(condition) => condition.filter().not(),
        }
    }

    fn holds(&self, part: &Part) -> bool {
        match self {
            OfPart::Name(compare, value) => compare.holds(&part.name, value),
            OfPart::Count(compare, value) => compare.holds(&part.count, value),
            OfPart::RankIsNull => part.rank.is_none(),
            OfPart::Rank(Compare::Ne, value) => part.rank != Some(*value),
            OfPart::Rank(compare, value) => part.rank.is_some_and(|rank| compare.holds(&rank, value)),
            OfPart::All(list) => list.iter().all(|condition| condition.holds(part)),
            OfPart::Any(list) => list.iter().any(|condition| condition.holds(part)),
            OfPart::Not(condition) => !condition.holds(part),
        }
    }
}

/// A double with the comparison of the server: NaN equals NaN, and is neither greater nor less than a number.
struct Double(f64);

impl PartialEq for Double {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.0.is_nan() && other.0.is_nan())
    }
}

impl PartialOrd for Double {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other { Some(Ordering::Equal) } else { self.0.partial_cmp(&other.0) }
    }
}

impl Compare {
    fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Compare::Eq => left == right,
            Compare::Ne => left != right,
            Compare::Gt => left > right,
            Compare::Gte => left >= right,
            Compare::Lt => left < right,
            Compare::Lte => left <= right,
        }
    }
}

impl Search {
    fn holds(self, text: &str, searched: &str) -> bool {
        match self {
            Search::Anywhere => text.contains(searched),
            Search::Start => text.starts_with(searched),
            Search::End => text.ends_with(searched),
            Search::AnyCase => text.to_lowercase().contains(&searched.to_lowercase()),
            Search::StartInAnyCase => text.to_lowercase().starts_with(&searched.to_lowercase()),
            Search::EndInAnyCase => text.to_lowercase().ends_with(&searched.to_lowercase()),
        }
    }
}

#[test]
fn a_filter_finds_what_a_predicate_finds() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let db = runtime.block_on(database());
    let next = AtomicI64::new(0);
    let mut runner = TestRunner::new(ProptestConfig { cases: PROPERTY_CASES.of(300), ..ProptestConfig::default() });
    let case = (vec(any_thing(), 12), vec(condition(), 12));
    let checked = runner.run(&case, |(mut things, conditions)| {
        for thing in &mut things {
            thing.id = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        runtime.block_on(async {
            Thing::insert_many(&db, &things).await.unwrap();
            let mine = || Thing::F.id.is_in(things.iter().map(|thing| thing.id).collect::<Vec<_>>());
            for condition in &conditions {
                let found = Thing::find(mine().and(condition.filter())).fetch_all(&db).await;
                let found = found.map_err(|error| TestCaseError::fail(format!("{condition:?}: {error}")))?;
                let mut found: Vec<i64> = found.iter().map(|thing| thing.id).collect();
                found.sort_unstable();
                let expected: Vec<i64> =
                    things.iter().filter(|thing| condition.holds(thing)).map(|thing| thing.id).collect();
                prop_assert_eq!(found, expected, "{:?} as {:?}", condition, condition.filter());
            }
            Thing::delete_many(&db, mine()).await.unwrap();
            Ok(())
        })
    });
    checked.unwrap();
}
