//! Rule: `document_rule`. The page is `guide/pages/rules/document_rule.md`.

use crate::{
    errors::Errors,
    model::{CopyMode, DocumentRule, DocumentRuleKind, Field, Model},
    parse::did_you_mean,
};

const ID: &str = "document_rule";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for rule in model.document_rules() {
        let refuse = |what: String, help: &str| errors.rule(&rule.tokens, ID, &what, help);
        if model.tagged.is_some() {
            refuse("each variant of an enum has its own fields".to_owned(), "remove the rule");
        } else if model.bucket.is_some() {
            refuse("a child in a bucket is a part of a document".to_owned(), "remove the rule");
        } else {
            enforce_fields(model, rule, &refuse);
        }
    }
}

fn enforce_fields(model: &Model, rule: &DocumentRule, refuse: &dyn Fn(String, &str)) {
    let [left, right] = rule.fields();
    if left == right {
        let help = match rule.kind {
            DocumentRuleKind::Compares { .. } => "name another field",
            DocumentRuleKind::RequiredIf { .. } => "name the field that decides",
        };
        return refuse(format!("`{left}` is compared with itself"), help);
    }
    for name in [left, right] {
        let Some(field) = model.record.fields.iter().find(|field| field.rust_name == name) else {
            let near = did_you_mean(name, &model.record.rust_names());
            let what = format!("`{}` has no stored field `{name}`{near}", model.record.ident);
            return refuse(what, "write the Rust name of a field of the struct");
        };
        if let Some(why) = why_not(field) {
            return refuse(format!("`{name}` {why}"), "name a field that the program sets");
        }
    }
}

/// Returns why no rule judges the value of a field.
fn why_not(field: &Field) -> Option<&'static str> {
    let is_copy = field.copy.as_ref().is_some_and(|copy| copy.mode != CopyMode::External);
    if field.hidden.is_some() {
        Some("is hidden, and a value may be written without the field")
    } else if is_copy || field.rollup.is_some() || field.managed.is_some() {
        Some("is set by this crate, after the value is checked")
    } else if field.slug.is_some() || field.tree.is_some() {
        Some("is made by the insert, after the value is checked")
    } else {
        None
    }
}
