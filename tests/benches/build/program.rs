//! The generated program: 20 models, 200 calls in a table of handlers, and a `main` that runs the requested calls.
//! `calls.txt` and `derived.txt` contain each call as a user of this crate writes the call and, under `----`, as a user
//! of the driver writes the call. `$M` is a model and `$m` its collection, `$C` the model of the held references, `$P`
//! the parent model, `$H` a child model, and `$new` a value.

use std::fmt::Write as _;

pub(crate) const MODELS: usize = 20;
pub(crate) const CALLS: usize = 200;

/// Calls in the proportions of an application: mostly reads and writes of a single document. The number of calls has no
/// divisor in common with the number of models: each call meets each model.
const PLAIN: &str = include_str!("calls.txt");

/// Two calls of a model with a copied field, and a call of a model that counts its children.
const DERIVED: &str = include_str!("derived.txt");

/// The author of the program.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Side {
    Ours,
    ByHand,
}

/// Returns the source of the program; each round has another text.
pub(crate) fn program(side: Side, round: usize) -> String {
    let mut code = format!("//! Round {round}.\n#![allow(dead_code, unused_variables)]\n");
    code += match side {
        Side::Ours => "use schema_runtime::{Result, prelude::*, transaction};\n",
        Side::ByHand => BY_HAND_HEAD,
    };
    (0..MODELS).for_each(|number| code += &model(side, number));
    let calls = calls(side);
    assert_eq!(calls.len(), CALLS);
    code += HANDLER;
    for (at, call) in calls.iter().enumerate() {
        let head =
            format!("fn call_{at}<'a>(db: &'a Database, id: ObjectId, word: &'a str, number: i64) -> Handled<'a>");
        write!(code, "{head} {{\nBox::pin(async move {{\n{call}\n}})\n}}\n").expect("a text takes all");
    }
    let table: Vec<String> = (0..CALLS).map(|at| format!("call_{at}")).collect();
    code + &format!("static CALLS: [Handler; {CALLS}] = [{}];\n", table.join(", ")) + &main(side)
}

const BY_HAND_HEAD: &str = r#"
use std::collections::{HashMap, HashSet};
use futures_util::TryStreamExt;
use mongodb::{
    Client, Database, IndexModel,
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
    error::{Error, Result},
    options::ReturnDocument,
};
use serde::{Deserialize, Serialize};
fn not_found() -> Error { Error::custom("not found") }
"#;

/// The types of a handler. A web server also boxes the futures of its handlers.
const HANDLER: &str = "type Handled<'a> = std::pin::Pin<Box<dyn Future<Output = Result<u64>> + Send + 'a>>;\n\
     type Handler = for<'a> fn(&'a Database, ObjectId, &'a str, i64) -> Handled<'a>;\n";

/// Returns the parent model of this model.
fn owner(number: usize) -> usize {
    (number + 2) % MODELS
}

/// Returns the child model of this model.
fn holder(number: usize) -> usize {
    (number + MODELS - 2) % MODELS
}

/// Returns whether the name of the model is copied into its children.
fn is_copied(number: usize) -> bool {
    number.is_multiple_of(10)
}

/// Returns whether the model counts its children.
fn counts(number: usize) -> bool {
    number % 10 == 5
}

fn calls(side: Side) -> Vec<String> {
    let filled = |call: &str, number| filled(of_side(call, side), number);
    let derived: Vec<&str> = DERIVED.split("\n====\n").collect();
    let of_model = |number| match (is_copied(number), counts(number)) {
        (true, _) => derived[..2].iter().map(|call| filled(call, number)).collect(),
        (_, true) => vec![filled(derived[2], number)],
        _ => Vec::new(),
    };
    let mut calls: Vec<String> = (0..MODELS).flat_map(of_model).collect();
    let plain: Vec<&str> = PLAIN.split("\n====\n").collect();
    let rest = CALLS - calls.len();
    calls.extend(plain.iter().cycle().take(rest).enumerate().map(|(at, call)| filled(call, at % MODELS)));
    calls
}

fn of_side(call: &str, side: Side) -> &str {
    let (ours, by_hand) = call.split_once("\n----\n").expect("both sides of a call");
    if side == Side::Ours { ours } else { by_hand }
}

fn filled(call: &str, number: usize) -> String {
    let (child, owner, holder) = ((number + 1) % MODELS, owner(number), holder(number));
    call.replace("$new_h", &format!("item_{holder}(id, word, number)"))
        .replace("$new", &format!("item_{number}(id, word, number)"))
        .replace("View$n", &format!("View{number}"))
        .replace("$M", &format!("Item{number}"))
        .replace("$m", &format!("items_{number}"))
        .replace("$C", &format!("Item{child}"))
        .replace("$c", &format!("items_{child}"))
        .replace("$P", &format!("Item{owner}"))
        .replace("$p", &format!("items_{owner}"))
        .replace("$H", &format!("Item{holder}"))
        .replace("$h", &format!("items_{holder}"))
}

/// Returns a struct of twelve to fifteen fields with the embedded structs, a view of the struct, and a function that
/// makes a value.
fn model(side: Side, number: usize) -> String {
    let (child, owner, holder) = ((number + 1) % MODELS, owner(number), holder(number));
    let ours = side == Side::Ours;
    let only = |text: String| if ours { text } else { String::new() };
    let derive = |name: &str| only(format!("{name}, "));
    let reference = |to| if ours { format!("Ref<Item{to}>") } else { "ObjectId".to_owned() };
    let (model, embed) = (derive("Model"), derive("Embed"));
    let mut code = format!(
        "#[derive({embed}Clone, Serialize, Deserialize)]\n\
         pub struct Place{number} {{ pub street: String, pub city: String, pub zip: Option<String> }}\n\
         #[derive({embed}Clone, Copy, PartialEq, Serialize, Deserialize)]\n\
         pub enum Status{number} {{ Open, Paid, Sent }}\n\
         #[derive({embed}Clone, Serialize, Deserialize)]\n\
         pub struct Size{number} {{ pub width: f64, pub height: f64, pub depth: f64 }}\n\
         #[derive({view}Deserialize)]\n{of}pub struct View{number} {{ pub name: String, pub price: i64 }}\n\
         #[derive({model}Clone, Serialize, Deserialize)]\n",
        view = derive("Projection"),
        of = only(format!("#[projection(of = Item{number})]\n")),
    );
    let field = |attribute: String, name: &str, kind: String, value: String| {
        (format!("{}pub {name}: {kind},\n", only(attribute)), format!("{name}: {value}, "))
    };
    let text = || "word.to_owned()".to_owned();
    let mut fields = vec![
        ("#[serde(rename = \"_id\")] pub id: ObjectId,\n".to_owned(), "id, ".to_owned()),
        field(name_attribute(number, holder), "name", "String".to_owned(), text()),
        field(String::new(), "price", "i64".to_owned(), "number".to_owned()),
        field(String::new(), "qty", "i32".to_owned(), "3".to_owned()),
        field(String::new(), "weight", "f64".to_owned(), "1.5".to_owned()),
        field("#[index] ".to_owned(), "created", "DateTime".to_owned(), "DateTime::now()".to_owned()),
        field(String::new(), "note", "Option<String>".to_owned(), "None".to_owned()),
        field(
            "#[bound(max_items = 20, max_len = 30)] ".to_owned(),
            "tags",
            "Vec<String>".to_owned(),
            format!("vec![{}]", text()),
        ),
        field(
            "#[relation(one_to_few, embed, max = 5)] ".to_owned(),
            "places",
            format!("Vec<Place{number}>"),
            format!("vec![Place{number} {{ street: {0}, city: {0}, zip: None }}]", text()),
        ),
        field(
            "#[relation(one_to_many, child_refs, max = 100)] ".to_owned(),
            "parts",
            format!("Vec<{}>", reference(child)),
            if ours { "vec![Ref::new(id)]".to_owned() } else { "vec![id]".to_owned() },
        ),
        field(
            owner_attribute(owner),
            "owner",
            reference(owner),
            if ours { "Ref::new(id)".to_owned() } else { "id".to_owned() },
        ),
    ];
    if number % 2 == 1 {
        fields.push(field(String::new(), "status", format!("Status{number}"), format!("Status{number}::Open")));
    }
    if number % 4 == 3 {
        let size = format!("Size{number} {{ width: 1.0, height: 2.0, depth: 3.0 }}");
        fields.push(field(String::new(), "size", format!("Size{number}"), size));
    }
    if number % 4 == 2 {
        fields.push(field("#[version] ".to_owned(), "version", "i64".to_owned(), "0".to_owned()));
        fields.push(field("#[updated_at] ".to_owned(), "updated", "DateTime".to_owned(), "DateTime::now()".to_owned()));
    }
    if is_copied(owner) {
        fields.push(field("#[denormalize(from = owner.name)] ".to_owned(), "owner_name", "String".to_owned(), text()));
    }
    if counts(number) {
        let attribute = format!("#[computed(count(Item{holder}::owner))] ");
        fields.push(field(attribute, "children", "i64".to_owned(), "0".to_owned()));
    }
    // Each model refers to an owner, so the models form two circles.
    let circle = "allow(reference_cycle, reason = \"a generated program\")";
    code += &only(format!("#[model(collection = \"items_{number}\", {circle})]\n"));
    let (declared, made): (Vec<String>, Vec<String>) = fields.into_iter().unzip();
    write!(
        code,
        "pub struct Item{number} {{\n{}}}\n\
         fn item_{number}(id: ObjectId, word: &str, number: i64) -> Item{number} {{\nItem{number} {{ {}}}\n}}\n",
        declared.concat(),
        made.concat(),
    )
    .expect("a text takes all");
    code
}

fn name_attribute(number: usize, holder: usize) -> String {
    let copied = if is_copied(number) {
        format!("#[copied_to(Item{holder}::owner_name, fan_out = 500)] ")
    } else {
        String::new()
    };
    format!("#[bound(max_len = 80)] {copied}")
}

fn owner_attribute(owner: usize) -> String {
    match is_copied(owner) {
        true => "#[relation(one_to_many, parent_ref, order = desc(created))] ".to_owned(),
        false => "#[relation(one_to_squillions, parent_ref, order = desc(created))] ".to_owned(),
    }
}

fn main(side: Side) -> String {
    let open = match side {
        Side::Ours => {
            let models: Vec<String> = (0..MODELS).map(|number| format!("Item{number}")).collect();
            let schema = format!("schema![{}]", models.join(", "));
            format!(
                "let db = schema_runtime::connect(&uri, \"shop\").await?;\n{schema}.plan(&db).await?.apply(&db).await?;\n"
            )
        }
        Side::ByHand => {
            let index = |number: usize| {
                let keys = "vec![IndexModel::builder().keys(doc! { \"created\": 1 }).build(), \
                     IndexModel::builder().keys(doc! { \"owner\": 1, \"created\": -1, \"_id\": -1 }).build()]";
                format!("db.collection::<Item{number}>(\"items_{number}\").create_indexes({keys}).await?;\n")
            };
            let open = "let db = Client::with_uri_str(&uri).await?.database(\"shop\");\n".to_owned();
            open + &(0..MODELS).map(index).collect::<String>()
        }
    };
    format!(
        "#[tokio::main]\nasync fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {{\n\
         let uri = std::env::var(\"MONGODB_URI\")?;\n{open}\
         for argument in std::env::args().skip(1) {{\n\
         let (id, at) = (ObjectId::new(), argument.parse::<usize>()?);\n\
         println!(\"{{}}\", CALLS[at](&db, id, &argument, 3).await?);\n}}\nOk(())\n}}\n"
    )
}
