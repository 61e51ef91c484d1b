//! Rule: `text_index`. The page is `guide/pages/rules/text_index.md`.

use crate::{
    errors::Errors,
    model::{Direction, Index, LANGUAGES, Model},
    parse::did_you_mean,
};

const ID: &str = "text_index";
const MOST_WEIGHT: u64 = 99_999;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let mut earlier = false;
    for index in &model.indexes {
        let Some(first) = index.keys.iter().find(|key| key.direction == Direction::Text) else {
            enforce_without(index, errors);
            continue;
        };
        if std::mem::replace(&mut earlier, true) {
            let what = "this model has a text index already, and MongoDB takes one text index for a collection";
            errors.rule(&first.tokens, ID, what, "write all fields in one index: `text(title, body)`");
            continue;
        }
        enforce_keys(index, errors);
        enforce_options(index, errors);
        enforce_language(model, index, errors);
        if index.variant.is_some() {
            let what = "a text index of a variant holds the documents of the variant, and MongoDB refuses a search that does not repeat the condition";
            errors.rule(&first.tokens, ID, what, "declare the text index above the enum, with fields of all variants");
        }
    }
}

/// Refuses the settings of a text index on another index.
fn enforce_without(index: &Index, errors: &Errors) {
    let settings = &index.settings;
    let weight = settings.weights.first().map(|weight| ("weights", &weight.tokens));
    let language = settings.language.as_ref().map(|(_, tokens)| ("language", tokens));
    let field = settings.language_field.as_ref().map(|(_, tokens)| ("language_field", tokens));
    if let Some((word, tokens)) = weight.or(language).or(field) {
        let what = format!("`{word}` is for a text index, and this index has no `text(..)`");
        errors.rule(tokens, ID, &what, "write the fields with words as `text(title, body)`");
    }
}

fn enforce_keys(index: &Index, errors: &Errors) {
    let is_text = |at: usize| index.keys[at].direction == Direction::Text;
    let words = || index.keys.iter().filter(|key| key.direction == Direction::Text);
    let mut groups = (0..index.keys.len()).filter(|at| is_text(*at) && (*at == 0 || !is_text(at - 1)));
    if let Some(at) = groups.nth(1) {
        let what = "the keys of words do not stand together, and MongoDB takes one group of words in an index";
        errors.rule(&index.keys[at].tokens, ID, what, "write all fields with words in one `text(..)`");
    } else if let Some(named) = words().find(|key| !key.path.is_empty())
        && words().any(|key| key.path.is_empty())
    {
        let path = named.path.join(".");
        let what = format!("`wildcard_text` takes the words of all strings, and `text({path})` adds no words");
        let help = format!("remove `{path}` from `text(..)`; `weights({path} = 2)` gives the field another weight");
        errors.rule(&named.tokens, ID, &what, &help);
    }
    let other = index
        .keys
        .iter()
        .find(|key| !matches!(key.direction, Direction::Text | Direction::Ascending | Direction::Descending));
    if let Some(key) = other {
        let what = format!("`{}` and `text` are two special kinds, and an index has one", key.direction.word());
        errors.rule(&key.tokens, ID, &what, "declare a separate index for this field");
    }
}

fn enforce_options(index: &Index, errors: &Errors) {
    if let Some(unique) = &index.unique {
        let what = "a unique text index would refuse a document with a word of another document";
        errors.rule(unique, ID, what, "declare a second index over the field itself: `#[index(field, unique)]`");
    }
    if let Some(sparse) = &index.sparse {
        let what = "a text index holds only documents with words already";
        errors.rule(sparse, ID, what, "remove `sparse`");
    }
    let in_text = |path: &[String]| {
        index.keys.iter().any(|key| key.direction == Direction::Text && (key.path.is_empty() || key.path == path))
    };
    for (at, weight) in index.settings.weights.iter().enumerate() {
        let path = weight.path.join(".");
        if !in_text(&weight.path) {
            let what = format!("`{path}` has a weight and is no field of `text(..)`");
            errors.rule(&weight.tokens, ID, &what, "add the field to `text(..)`, or remove the weight");
        } else if index.settings.weights[..at].iter().any(|other| other.path == weight.path) {
            let what = format!("`{path}` has two weights");
            errors.rule(&weight.tokens, ID, &what, "remove the second weight");
        } else if weight.weight > MOST_WEIGHT {
            let what = format!("MongoDB takes weights from 1 to {MOST_WEIGHT}");
            errors.rule(&weight.tokens, ID, &what, "write a smaller number; only the ratio of the weights counts");
        }
    }
}

fn enforce_language(model: &Model, index: &Index, errors: &Errors) {
    if let Some((language, _)) = &index.settings.language {
        let names: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
        let text = language.value();
        if !names.contains(&text.as_str()) {
            let near = did_you_mean(&text, &names);
            let what = format!("MongoDB's text indexes know no language `{text}`{near}");
            errors.rule(language, ID, &what, &format!("write one of {}", names.join(", ")));
        }
    }
    let record = &model.record;
    let field = record.fields.iter().find(|field| field.name == "language");
    if let (Some(field), None) = (field, &index.settings.language_field) {
        let what = format!(
            "the server takes `{}` for the language of the document, since the stored name is `language`, and refuses a document with an unknown language",
            field.rust_name
        );
        let help = format!(
            "write `language_field = {}` if the field has one of MongoDB's languages, or name another field of such languages; or give the field another stored name: `#[serde(rename = \"..\")]`",
            field.rust_name
        );
        errors.rule(&field.ident, ID, &what, &help);
    }
}
