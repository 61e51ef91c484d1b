//! Snapshots of the code that the derives write, with a budget of lines. Review a change with `cargo insta review`, or
//! accept a change with `INSTA_UPDATE=always cargo test -p schema-derive`.

mod attributes;
mod guide;
mod help;
mod indexes_of_kinds;
mod random_collections;

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::Visit;

use crate::{
    model::{Cardinality, Storage},
    pipeline,
};

/// The most lines that a model of ten fields and three relations may expand to.
const BUDGET: usize = 150;

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).expect("the derive writes items"))
}

fn product() -> TokenStream {
    quote! {
        #[model(collection = "products")]
        #[inverse(orders = Order::product)]
        #[index(name, desc(price), unique)]
        struct Product {
            #[serde(rename = "_id")]
            id: ObjectId,
            name: String,
            #[bound(max_items = 10, max_len = 20)]
            tags: Vec<String>,
            price: i64,
            created: DateTime,
            #[serde(default)]
            stock: i32,
            note: Option<String>,
            #[relation(one_to_few, embed, max = 5)]
            images: Vec<Image>,
            #[relation(one_to_many, child_refs, max = 100, inverse = products)]
            parts: Vec<Ref<Part>>,
            #[relation(one_to_squillions, parent_ref, order = desc(created))]
            maker: Ref<Maker>,
        }
    }
}

#[test]
fn a_model_of_every_relation() {
    insta::assert_snapshot!(pretty(pipeline::derive_model(product())));
}

#[test]
fn a_model_with_fields_that_the_crate_sets() {
    let page = quote! {
        #[model(collection = "pages")]
        struct Page {
            #[serde(rename = "_id")]
            id: ObjectId,
            #[version]
            version: i64,
            #[created_at]
            created: DateTime,
            #[updated_at]
            #[serde(rename = "lastChange", default = "DateTime::now")]
            updated: DateTime,
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_model(page)));
}

#[test]
fn a_model_with_new_values() {
    let post = quote! {
        #[model(collection = "posts", new(Debug))]
        #[serde(rename_all = "camelCase")]
        pub struct Post {
            #[serde(rename = "_id")]
            #[auto]
            id: ObjectId,
            /// The title.
            pub page_title: String,
            #[default("draft")]
            state: String,
            #[auto(sequence)]
            number: i64,
            #[auto(with = new_code)]
            code: String,
            #[created_at]
            created: DateTime,
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_model(post)));
}

#[test]
fn a_model_in_buckets() {
    let reading = quote! {
        #[model(collection = "readings", bucket(by = day(time), size = 200))]
        #[index(watts)]
        struct Reading {
            #[serde(rename = "_id")]
            id: ObjectId,
            #[relation(one_to_squillions, parent_ref, order = asc(time))]
            panel: Ref<Panel>,
            time: DateTime,
            watts: f64,
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_model(reading)));
}

#[test]
fn a_patch() {
    let edit = quote! {
        #[patch(Post)]
        struct EditPost {
            title: Option<String>,
            #[patch(field = address.city)]
            city: Option<String>,
            #[serde(default)]
            note: Option<Option<String>>,
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_patch(edit)));
}

#[test]
fn an_embedded_struct() {
    let address = quote! {
        pub struct Address { pub street: String, #[bound(max_len = 2)] cc: String, #[relation(one_to_one, embed)] geo: Geo }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_embed(address)));
}

#[test]
fn an_enum_that_holds_data() {
    let body = quote! {
        #[serde(tag = "kind", rename_all = "lowercase")]
        pub enum Body {
            Text { author: String, #[bound(max_len = 20)] caption: String },
            Picture { author: String, width: i32 },
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_embed(body)));
}

#[test]
fn a_model_of_several_shapes() {
    let shape = quote! {
        #[model(collection = "shapes")]
        #[serde(tag = "kind")]
        enum Shape {
            Circle { #[serde(rename = "_id")] id: ObjectId, #[index] radius: f64 },
            Square { #[serde(rename = "_id")] id: ObjectId, side: f64 },
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_model(shape)));
}

#[test]
fn an_extended_reference() {
    let part_ref = quote! {
        struct PartRef {
            id: Ref<Part>,
            #[denormalize(from = id.name)]
            name: String,
            #[denormalize(from = id.price, snapshot)]
            price_then: i64,
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_embed(part_ref)));
}

#[test]
fn a_model_that_is_copied_and_holds_copies() {
    let part = quote! {
        #[model(collection = "parts")]
        struct Part {
            #[serde(rename = "_id")]
            id: ObjectId,
            #[copied_to(Product::parts, fan_out = 500)]
            #[copied_to(LogLine::part, allow(copy_to_squillions, reason = "rewritten by night"))]
            name: String,
            #[changes(often)]
            qty: i32,
            maker: Option<Ref<Maker>>,
            #[denormalize(from = maker.address.city)]
            city: Option<String>,
            size: Size,
        }
    };
    insta::assert_snapshot!(pretty(pipeline::derive_model(part)));
}

#[test]
fn a_projection() {
    let name =
        quote! { #[projection(of = Part)] struct PartName { #[serde(rename = "_id")] id: ObjectId, name: String } };
    insta::assert_snapshot!(pretty(pipeline::derive_projection(name)));
}

#[test]
fn an_aggregation_stays_in_its_budget() {
    let month = quote! {
        #[aggregate(of = Order, by(customer, month = month(placed, tz = "Europe/Oslo")))]
        struct CustomerMonth {
            customer: Ref<Customer>,
            month: DateTime,
            #[count]
            orders: i64,
            #[count(where(gte(total, 1000)))]
            large: i64,
            #[sum(total - or(discount, 0))]
            revenue: i64,
            #[top(3, order = desc(total))]
            best: Vec<OrderCard>,
            #[lookup(customer.name)]
            name: Option<String>,
        }
    };
    let code = pretty(pipeline::derive_aggregate(month));
    insta::assert_snapshot!(code);
}

#[test]
fn a_model_of_ten_fields_and_three_relations_stays_in_its_budget() {
    let plain = quote! {
        #[model(collection = "products")]
        struct Product {
            #[serde(rename = "_id")]
            id: ObjectId,
            name: String,
            price: i64,
            created: DateTime,
            stock: i32,
            note: Option<String>,
            weight: f64,
            #[relation(one_to_few, embed, max = 5)]
            images: Vec<Image>,
            #[relation(one_to_many, child_refs, max = 100)]
            parts: Vec<Ref<Part>>,
            #[relation(one_to_squillions, parent_ref, order = desc(created))]
            maker: Ref<Maker>,
        }
    };
    let lines = pretty(pipeline::derive_model(plain)).lines().count();
    assert!(lines <= BUDGET, "{lines} lines, the budget is {BUDGET}");
}

#[test]
fn every_storage_serves_a_cardinality() {
    for storage in Storage::ALL {
        assert!(Cardinality::ALL.iter().any(|cardinality| cardinality.storages().contains(storage)), "{storage:?}");
    }
}

#[test]
fn a_mistake_leaves_the_impls_in_place() {
    let unbounded = quote! {
        #[model(collection = "posts")]
        struct Post { #[serde(rename = "_id")] id: ObjectId, tags: Vec<String> }
    };
    let code = pipeline::derive_model(unbounded);
    let reported = attributes::messages(&syn::parse2(code.clone()).expect("the derive writes items"));
    assert_eq!(reported.len(), 1, "{reported:?}");
    let code = pretty(code);
    assert!(code.contains("Model for Post"), "{code}");
    assert!(!code.contains("field_type("), "the checks of the item would report the mistake again: {code}");
}

/// Refuses a path that a user's own item could take over. Generated code names the runtime from the root, or by the
/// alias in the generated block.
struct Hygiene {
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Hygiene {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let ambiguous = match names.first().map(String::as_str) {
            Some("Option" | "Vec" | "std" | "core" | "schema_runtime") => {
                path.leading_colon.is_none() && names.len() > 1
            }
            Some("Self") => names.len() > 1 && names[1] == "FIELDS",
            _ => false,
        };
        if ambiguous {
            self.found.push(names.join("::"));
        }
        syn::visit::visit_path(self, path);
    }
}

#[test]
fn generated_code_names_the_runtime_from_the_root() {
    let file: syn::File = syn::parse2(pipeline::derive_model(product())).expect("the derive writes items");
    let mut hygiene = Hygiene { found: Vec::new() };
    hygiene.visit_file(&file);
    assert!(hygiene.found.is_empty(), "{:?}", hygiene.found);
}
