//! Rule: `view_pipeline`
//!
//! A view shows documents of another model: each field of the view is a field of the source, with a type that reads the
//! stored values, and each condition of `filter(..)` is on a field of the source. A view does not show the view itself.
//!
//! Source: MongoDB, "create a view: viewOn, pipeline".

use crate::{
    errors::Errors,
    model::{GivenKind, Kind, Model},
};

const ID: &str = "view_pipeline";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(GivenKind { kind: Kind::View { of: Some(of), .. }, .. }) = model.options.kind() else { return };
    if of.is_ident(&model.record.ident) {
        errors.rule(of, ID, "a view cannot show the documents of the same view", "name the model of the source");
    }
    if let Some(tagged) = &model.tagged {
        let what = "a view names the fields to show, and the variants of an enum have different fields";
        errors.rule(&tagged.ident, ID, what, "write a struct with the fields to show");
    }
}
