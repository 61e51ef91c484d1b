//! Rule: `facet_limit`. The page is `guide/pages/rules/facet_limit.md`.

use crate::{
    errors::Errors,
    model::{
        Number,
        facets::{FacetKind, Facets},
    },
};

/// The most documents of a page, and the most values of a count.
const MOST: u64 = 1_000;

pub(in crate::rules) fn enforce(facets: &Facets, errors: &Errors) {
    let mut has_page = false;
    for facet in facets.fields.iter().filter_map(|field| field.facet.as_ref()) {
        let refuse = |mistake: &str, help: &str| errors.rule(&facet.tokens, "facet_limit", mistake, help);
        let over = |limit: &Option<Number>| limit.as_ref().is_some_and(|limit| limit.value == 0 || limit.value > MOST);
        match &facet.kind {
            FacetKind::Page { .. } if has_page => {
                refuse("this is a second page, and a read of facets has one page", "read the second page by `find`");
            }
            FacetKind::Page { limit, order } => {
                has_page = true;
                let help = "write `#[page(limit = 20, order = desc(rank))]`";
                if limit.is_none() {
                    refuse("the page does not say how many documents are read", help);
                } else if over(limit) {
                    refuse(&format!("a page has at least one and at most {MOST} documents"), help);
                } else if order.is_empty() {
                    refuse("the page has no order, and the server would take any documents", help);
                }
            }
            FacetKind::CountBy { of, limit } if over(limit) => refuse(
                &format!("`count_by` answers at least one and at most {MOST} values"),
                &format!("write `#[count_by({}, limit = 20)]`", of.path.join(".")),
            ),
            FacetKind::CountBy { .. } | FacetKind::Ranges { .. } | FacetKind::Value(_) => {}
        }
    }
}
