//! `#[json(..)]`: the name of a field in the JSON of clients.

use super::given::Given;
use crate::{attributes::Attribute, errors::Errors, model::Json, parse::Arguments};

/// Reads the name of a field in JSON.
pub(super) fn lower_json(given: &Given<'_>, errors: &Errors) -> Json {
    let Some(attribute) = given.get(Attribute::Json) else { return Json::AsStored };
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Json.words(), errors);
    if errors.count() > before {
        return Json::AsStored;
    }
    match (arguments.get("skip"), arguments.get("rename")) {
        (Some(skip), Some(_)) => {
            errors.at(
                &skip.tokens,
                "a skipped field is not in JSON, and has no name there\nhelp: remove `skip` or `rename`",
            );
            Json::AsStored
        }
        (Some(_), None) => Json::Skipped,
        (None, Some(rename)) => match rename.text() {
            Some(name) => Json::Renamed { name: name.value(), tokens: rename.tokens.clone() },
            None => Json::AsStored,
        },
        (None, None) => {
            errors.at_span(
                arguments.span,
                "`#[json(..)]` says how the field is called in JSON\nhelp: write `#[json(rename = \"label\")]`, or `#[json(skip)]` for a field that clients do not see",
            );
            Json::AsStored
        }
    }
}
