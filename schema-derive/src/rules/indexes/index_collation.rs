//! Rule: `index_collation`. The page is `guide/pages/rules/index_collation.md`.

use crate::{
    errors::Errors,
    model::{Collation, CollationOption, CollationValue, Direction, Model, Operator, Origin, Query},
    parse::similar,
};

const ID: &str = "index_collation";

/// The locales that MongoDB documents, and the variants of each locale beside `search` and `eor`, which each locale
/// has.
const LOCALES: &str = "af am ar az as be bg bn bo bs bs_Cyrl ca chr cs cy da de de_AT dsb dz ee el en en_US \
                       en_US_POSIX eo es et fa fa_AF fi fil fo fr fr_CA ga gl gu ha haw he hi hr hsb hu hy id ig is \
                       it ja ka kk kl km kn ko kok ky lb lkt ln lo lt lv mk ml mn mr ms mt my nb ne nl nn om or pa \
                       pl ps pt ro ru se si sk sl smn sq sr sr_Latn sv sw ta te th to tr ug uk ur vi wae yi yo zh \
                       zh_Hant zu";

const VARIANTS: [(&str, &[&str]); 14] = [
    ("ar", &["compat"]),
    ("bn", &["traditional"]),
    ("de", &["phonebook"]),
    ("de_AT", &["phonebook"]),
    ("es", &["traditional"]),
    ("fi", &["traditional"]),
    ("ja", &["unihan"]),
    ("kn", &["traditional"]),
    ("ko", &["searchjl", "unihan"]),
    ("ln", &["phonetic"]),
    ("si", &["dictionary"]),
    ("vi", &["traditional"]),
    ("zh", &["big5han", "gb2312han", "stroke", "unihan", "zhuyin"]),
    ("zh_Hant", &["big5han", "gb2312han", "pinyin", "unihan", "zhuyin"]),
];

/// The words of the options that are words.
const WORDS: [(&str, &[&str]); 3] = [
    ("alternate", &["non_ignorable", "shifted"]),
    ("case_first", &["upper", "lower", "off"]),
    ("max_variable", &["punct", "space"]),
];

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let of_indexes = model
        .indexes
        .iter()
        .filter(|index| matches!(index.origin, Origin::Declared(_)))
        .filter_map(|index| index.collation.as_ref());
    let of_queries = model.queries.iter().filter_map(|query| query.collation.as_ref());
    let of_collection = model.options.collation.as_ref();
    of_collection.into_iter().for_each(|collation| judge(collation, errors));
    let differs = |collation: &&Collation| of_collection.is_none() || !is_plainly_simple(collation);
    of_indexes.chain(of_queries).filter(differs).for_each(|collation| judge(collation, errors));
    for index in &model.indexes {
        let Some(collation) = index.collation.as_ref().filter(|collation| !collation.is_simple()) else { continue };
        if index.keys.iter().any(|key| matches!(key.direction, Direction::Text | Direction::Plane)) {
            errors.rule(
                &collation.tokens,
                ID,
                "a text index and an index on a plane take no collation",
                "remove the collation; a text index compares words by its `language`",
            );
        }
    }
    model.queries.iter().for_each(|query| judge_query(model, query, errors));
}

/// Returns whether a collation is the comparison by bytes, without options.
fn is_plainly_simple(collation: &Collation) -> bool {
    collation.is_simple() && collation.options.is_empty()
}

/// Judges the conditions of a query under the collation of the query or of the collection.
fn judge_query(model: &Model, query: &Query, errors: &Errors) {
    let Some(collation) = query.collation.as_ref().or(model.options.collation.as_ref()) else { return };
    if collation.is_simple() {
        return;
    }
    let is_id = |path: &[String]| model.id().is_some_and(|id| path == [id.rust_name.clone()]);
    let mut conditions = query.conditions.iter();
    if let (Some(_), Some(condition)) = (&query.collation, conditions.find(|condition| is_id(&condition.path))) {
        errors.rule(
            &condition.tokens,
            ID,
            "the index of `_id` has the collation of the collection, and does not serve a query with another collation",
            "remove the collation from this query",
        );
    }
    let mut conditions = query.conditions.iter();
    if let Some(condition) = conditions.find(|condition| condition.operator == Operator::StartsWith) {
        let help = match query.collation {
            Some(_) => "remove the collation from this query, or compare the whole text",
            None => "add `collation(locale = \"simple\")` to this query, or compare the whole text",
        };
        errors.rule(
            &condition.tokens,
            ID,
            "`starts_with` compares by bytes under each collation, and no index with a collation serves a pattern",
            help,
        );
    }
}

/// Judges one collation. A collation has one message at most.
fn judge(collation: &Collation, errors: &Errors) {
    let refuse = |tokens: &syn::Expr, what: &str, help: &str| errors.rule(tokens, ID, what, help);
    if collation.is_simple() {
        let (what, help) = match collation.options.first() {
            Some(option) => {
                return refuse(
                    &option.tokens,
                    &format!("`simple` is the comparison by bytes, and takes no `{}`", option.word),
                    "remove the option, or write the locale of a language",
                );
            }
            None => ("`simple` is the comparison by bytes, as without a collation", "remove `collation(..)`"),
        };
        return refuse(&collation.tokens, what, help);
    }
    if let Err(near) = known(&collation.locale) {
        return refuse(
            &collation.tokens,
            &format!("MongoDB has no locale `{}`{near}", collation.locale),
            "write a locale that MongoDB documents, as `nb`, `en_US` or `de@collation=phonebook`",
        );
    }
    let strength = match collation.option("strength") {
        Some(CollationOption { value: CollationValue::Number(strength), tokens, .. }) => {
            if *strength > 5 {
                return refuse(
                    tokens,
                    &format!("a strength is a number from 1 to 5, and not {strength}"),
                    "write 1 for letters alone, 2 for letters and accents, 3 for case too",
                );
            }
            *strength
        }
        _ => 3,
    };
    for (word, words) in WORDS {
        if let Some(CollationOption { value: CollationValue::Word(chosen), tokens, .. }) = collation.option(word)
            && !words.contains(&chosen.as_str())
        {
            let listed = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            return refuse(tokens, &format!("`{chosen}` is no value of `{word}`"), &format!("write one of {listed}"));
        }
    }
    judge_together(collation, strength, &refuse);
}

/// Judges the options beside the strength. An option that is not given has the value of the language: Danish and
/// Maltese have upper case first, and Canadian French compares accents from the end.
fn judge_together(collation: &Collation, strength: u64, refuse: &dyn Fn(&syn::Expr, &str, &str)) {
    let is = |word: &str, value: CollationValue| collation.option(word).is_some_and(|option| option.value == value);
    let language = collation.locale.as_str();
    let has_case_first = match collation.option("case_first") {
        Some(option) => option.value != CollationValue::Word("off".to_owned()),
        None => ["da", "mt"].contains(&language),
    };
    if has_case_first && strength < 3 && !is("case_level", CollationValue::Switch(true)) {
        let (tokens, help) = match collation.option("case_first") {
            Some(option) => (&option.tokens, "remove `case_first`, write `strength = 3`, or add `case_level`"),
            None => (&collation.tokens, "add `case_first = off`: the language has upper case first"),
        };
        let what = format!("case does not count at strength {strength}, and no case comes first");
        return refuse(tokens, &what, help);
    }
    let is_backwards = match collation.option("backwards") {
        Some(option) => option.value == CollationValue::Switch(true),
        None => language == "fr_CA",
    };
    if is_backwards && strength == 1 {
        let (tokens, help) = match collation.option("backwards") {
            Some(option) => (&option.tokens, "remove `backwards`, or write `strength = 2`"),
            None => (&collation.tokens, "add `backwards = false`: the language compares accents from the end"),
        };
        refuse(tokens, "accents do not count at strength 1, and `backwards` is the order of accents", help);
    }
}

/// Returns whether MongoDB knows a locale; the end of a message for an unknown locale.
fn known(locale: &str) -> Result<(), String> {
    let (base, variant) = match locale.split_once("@collation=") {
        Some((base, variant)) => (base, Some(variant)),
        None => (locale, None),
    };
    let bases: Vec<&str> = LOCALES.split_whitespace().collect();
    if !bases.contains(&base) {
        let language = base.split(['_', '-']).next().unwrap_or_default();
        let near = if bases.contains(&language) { Some(language) } else { similar(base, &bases) };
        return Err(near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default());
    }
    let own = VARIANTS.iter().find(|(of, _)| *of == base).map_or(&[] as &[&str], |(_, variants)| variants);
    match variant {
        Some(variant) if !["search", "eor"].contains(&variant) && !own.contains(&variant) => {
            Err(format!(": `{base}` has no variant `{variant}`"))
        }
        _ => Ok(()),
    }
}
