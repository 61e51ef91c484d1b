//! Rule: `view_pipeline`. The page is `guide/pages/rules/view_pipeline.md`.

use crate::{
    errors::Errors,
    model::{GivenKind, Kind, Model, RenamedField},
};

const ID: &str = "view_pipeline";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(GivenKind { kind: Kind::View(view), .. }) = model.options.kind() else { return };
    if let Some(of) = view.of.as_ref().filter(|of| of.is_ident(&model.record.ident)) {
        errors.rule(of, ID, "a view cannot show the documents of the same view", "name the model of the source");
    }
    if let Some(tagged) = &model.tagged {
        let what = "a view names the fields to show, and the variants of an enum have different fields";
        errors.rule(&tagged.ident, ID, what, "write a struct with the fields to show");
        return;
    }
    for (at, renamed) in view.renamed.iter().enumerate() {
        enforce_renamed(model, renamed, &view.renamed[..at], errors);
    }
}

fn enforce_renamed(model: &Model, renamed: &RenamedField, earlier: &[RenamedField], errors: &Errors) {
    let name = &renamed.field;
    let refuse = |what: &str, help: &str| errors.rule(&renamed.tokens, ID, what, help);
    let Some(field) = model.record.fields.iter().find(|field| field.rust_name == *name) else {
        let names: Vec<String> = model.record.fields.iter().map(|field| format!("`{}`", field.rust_name)).collect();
        let help = format!("write a field of the view before the `=`: {}", names.join(", "));
        return refuse(&format!("this view has no field `{name}`"), &help);
    };
    if field.name == "_id" {
        let what = "the `_id` of a view is the `_id` of the source, so that each document has a separate `_id`";
        return refuse(what, &format!("remove `{name}` from `from(..)`"));
    }
    if earlier.iter().any(|other| other.field == *name) {
        refuse(&format!("`from(..)` names `{name}` twice"), &format!("remove the second `{name}`"));
    }
}
