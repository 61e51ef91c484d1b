//! `#[model(..)]`: the settings of the whole struct.

use proc_macro2::{Ident, Span};
use syn::{Data, DeriveInput, LitStr, Path};

use super::{
    allow::lower_allows, bucket::lower_bucket, choice::one_of, collection_kind::lower_collection_options,
    extra::lower_unknown_fields, given::Given,
};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Allow, Bucket, CollectionOptions, GivenUnknownFields, Writes},
    parse::{Argument, Arguments},
};

pub(crate) struct Settings {
    pub(crate) collection: LitStr,
    pub(crate) level: &'static str,
    pub(crate) action: &'static str,
    pub(crate) writes: Writes,
    pub(crate) options: CollectionOptions,
    pub(crate) unknown_fields: Option<GivenUnknownFields>,
    pub(crate) bucket: Option<Bucket>,
    /// The word `new`.
    pub(crate) new: Option<Argument>,
    /// The word `check`.
    pub(crate) check: Option<Argument>,
    pub(crate) allows: Vec<Allow>,
}

const LEVELS: [(&str, &str); 3] = [("off", "Off"), ("moderate", "Moderate"), ("strict", "Strict")];
const ACTIONS: [(&str, &str); 2] = [("error", "Error"), ("warn", "Warn")];

/// Reads the name and the options of the collection.
pub(crate) fn lower_settings(input: &DeriveInput, given: &Given<'_>, errors: &Errors) -> Settings {
    let mut settings = Settings {
        collection: LitStr::new("", Span::call_site()),
        level: "Strict",
        action: "Error",
        writes: Writes::All,
        options: CollectionOptions::default(),
        unknown_fields: None,
        bucket: None,
        new: None,
        check: None,
        allows: Vec::new(),
    };
    let Some(attribute) = given.get(Attribute::Model) else {
        // An attribute on a field is refused at the field.
        if !is_on_a_field(input) {
            errors.at(
                &input.ident,
                "this model does not name a collection\nhelp: write `#[model(collection = \"people\")]` on the struct",
            );
        }
        return settings;
    };
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Model.words(), errors);
    match arguments.get("collection").and_then(Argument::text) {
        Some(name) => settings.collection = name,
        None if errors.is_empty() => errors.at(
            attribute.path(),
            "this model does not name a collection\nhelp: write `#[model(collection = \"people\")]`",
        ),
        None => {}
    }
    let validation = arguments.get("validation").map(Argument::inside).unwrap_or_default();
    let word = |word| validation.iter().find(|argument| argument.word == word);
    if let Some(level) = word("level") {
        settings.level = one_of(level, "a validation level", &LEVELS, errors).unwrap_or(settings.level);
    }
    if let Some(action) = word("action") {
        settings.action = one_of(action, "a validation action", &ACTIONS, errors).unwrap_or(settings.action);
    }
    settings.options = lower_collection_options(&arguments, errors);
    settings.writes = match settings.options.kind().map(|kind| kind.word) {
        Some("time_series") => Writes::Measurements,
        Some("view") => Writes::Viewed,
        _ => lower_writes(&arguments, errors),
    };
    settings.unknown_fields = lower_unknown_fields(&arguments, errors);
    settings.bucket = arguments.get("bucket").map(|bucket| lower_bucket(bucket, errors));
    settings.check = arguments.get("check").cloned();
    settings.new = arguments.get("new").cloned();
    settings.allows = lower_allows(&arguments.list, Attribute::Model, errors);
    settings
}

/// Reads `read_only`, `insert_only` or neither.
fn lower_writes(arguments: &Arguments, errors: &Errors) -> Writes {
    let writes = match (arguments.get("read_only"), arguments.get("insert_only")) {
        (Some(_), Some(second)) => {
            errors
                .at(&second.tokens, "`insert_only` contradicts `read_only`\nhelp: remove `insert_only` or `read_only`");
            Writes::Nothing
        }
        (Some(_), None) => Writes::Nothing,
        (None, Some(_)) => Writes::Inserts,
        (None, None) => Writes::All,
    };
    if let (Writes::Nothing, Some(validation)) = (writes, arguments.get("validation")) {
        errors.at(
            &validation.tokens,
            "a plan does not change the collection of a `read_only` model, and sets no validator\nhelp: remove `validation(..)`",
        );
    }
    writes
}

fn is_on_a_field(input: &DeriveInput) -> bool {
    let Data::Struct(data) = &input.data else { return false };
    let mut attributes = data.fields.iter().flat_map(|field| &field.attrs);
    attributes.any(|attribute| Attribute::of(attribute.path()) == Some(Attribute::Model))
}

/// Splits `a::LogMsg::host` into `a::LogMsg` and `host`.
pub(super) fn split(path: &Path) -> Option<(Path, Ident)> {
    let mut owner = path.clone();
    let field = owner.segments.pop()?.ident;
    owner.segments.pop_punct();
    (!owner.segments.is_empty()).then_some((owner, field))
}
