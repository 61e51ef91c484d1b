//! Writes the models of `tests/random_queries.rs`: with fields and declared queries at random, from the seed that
//! `SCHEMA_TESTS_MODELS` is.
//! Writes the large schemas of `tests/models.rs` too, and the program of the bench `build`.

use std::{env, fmt::Write, fs, path::Path};

use fastrand::Rng;
use large_schemas::Shape;

#[allow(dead_code, unreachable_pub, reason = "the bench uses the rest")]
#[path = "src/large_schemas.rs"]
mod large_schemas;

#[allow(dead_code, unreachable_pub, reason = "the bench uses the rest")]
#[path = "benches/build/program.rs"]
mod program;

const SEED: &str = "SCHEMA_TESTS_MODELS";
const MODELS: usize = 12;

/// A field that a query may ask for: the path, the type of an embedded field, and the number of different values.
struct Field {
    path: &'static str,
    embedded: Option<&'static str>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Optional,
    Text,
    Tags,
    /// True when a query compares the whole value. With further conditions the server may also choose a longer index.
    Unique,
}

const FIELDS: [Field; 9] = [
    Field { path: "few", embedded: None, kind: Kind::Number },
    Field { path: "some", embedded: None, kind: Kind::Number },
    Field { path: "many", embedded: None, kind: Kind::Number },
    Field { path: "maybe", embedded: None, kind: Kind::Optional },
    Field { path: "word", embedded: None, kind: Kind::Text },
    Field { path: "inner.place", embedded: Some("i64"), kind: Kind::Number },
    Field { path: "inner.name", embedded: Some("String"), kind: Kind::Text },
    Field { path: "tags", embedded: None, kind: Kind::Tags },
    Field { path: "unique", embedded: None, kind: Kind::Unique },
];

fn main() {
    println!("cargo::rerun-if-env-changed={SEED}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/large_schemas.rs");
    println!("cargo::rerun-if-changed=benches/build");
    let seed: u64 = env::var(SEED).map_or(1, |seed| seed.parse().expect("a number"));
    let mut rng = Rng::with_seed(seed);
    let mut text = format!("const SEED: u64 = {seed};\n");
    for number in 0..MODELS {
        write_model(&mut text, number, &mut rng);
    }
    let all = |item: &dyn Fn(usize) -> String| (0..MODELS).map(item).collect::<Vec<_>>().join(", ");
    let checks = all(&|number| format!("check::<M{number}>(db, {number})"));
    let models = all(&|number| format!("M{number}"));
    let _ = writeln!(text, "fn schema() -> Schema {{ schema![{models}] }}");
    let _ = writeln!(text, "fn checks(db: &Database) -> Vec<BoxFuture<'_, ()>> {{ vec![{checks}] }}");
    let out = env::var("OUT_DIR").expect("cargo says it");
    fs::write(Path::new(&out).join("random_models.rs"), text).expect("the file");
    let large =
        [("cascades", Shape::Cascades, 120), ("long_cascade", Shape::LongCascade, 40), ("five", Shape::Five, 60)];
    let large = large.map(|(name, shape, count)| {
        format!("pub mod {name} {{\nuse schema_runtime::prelude::*;\n{}}}\n", large_schemas::source(shape, count, true))
    });
    fs::write(Path::new(&out).join("large_schemas.rs"), large.concat()).expect("the file");
    let program = program::program(program::Side::Ours, 0);
    // An included file has no attributes of the crate: the first two lines.
    let body: String = program.split_inclusive('\n').skip(2).collect();
    fs::write(Path::new(&out).join("build_program.rs"), body).expect("the file");
}

fn write_model(text: &mut String, number: usize, rng: &mut Rng) {
    let queries: Vec<Query> = (0..rng.usize(2..8)).map(|at| Query::random(at, rng)).collect();
    let attributes: Vec<String> = queries.iter().map(Query::attribute).collect();
    let reads: Vec<String> = queries.iter().map(|query| query.read(number)).collect();
    let attributes = attributes.join("\n");
    let reads = reads.join(", ");
    let _ = writeln!(
        text,
        "#[derive(Model, Serialize, Deserialize, Clone, Debug)]\n#[model(collection = \"m{number}\")]\n{attributes}\n\
         struct M{number} {{ #[serde(rename = \"_id\")] id: i64, few: i32, some: i32, many: i64, maybe: Option<i64>, word: String,\n\
         inner: Inner, #[bound(max_items = 3, max_len = 20)] tags: Vec<String>, #[index(unique)] unique: i64 }}\n\
         impl Random for M{number} {{\n\
         fn random(id: i64, rng: &mut fastrand::Rng) -> Self {{\n\
         let Fields {{ few, some, many, maybe, word, inner, tags, unique }} = Fields::random(id, rng);\n\
         M{number} {{ id, few, some, many, maybe, word, inner, tags, unique }}\n}}\n\
         fn reads<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Vec<Read>> {{ Box::pin(async move {{ vec![{reads}] }}) }}\n}}"
    );
}

struct Query {
    name: String,
    conditions: Vec<(&'static Field, &'static str)>,
    order: Vec<(&'static Field, bool)>,
    size: &'static str,
}

impl Query {
    fn random(at: usize, rng: &mut Rng) -> Self {
        loop {
            let mut fields: Vec<&'static Field> = FIELDS.iter().collect();
            rng.shuffle(&mut fields);
            let asked = rng.usize(0..4);
            let mut conditions: Vec<_> =
                fields.iter().take(asked).map(|field| (*field, operator(field, rng))).collect();
            // Most conditions compare for equality.
            for (field, operator) in &mut conditions {
                if rng.u8(0..3) > 0 && field.kind != Kind::Tags {
                    *operator = "";
                }
            }
            rng.shuffle(&mut fields);
            let size = ["", "", "limit = 20", "page = 20", "one"][rng.usize(0..5)];
            let ordered = if size == "one" { 0 } else { rng.usize(0..3) };
            let is_list = |field: &Field| {
                conditions.iter().any(|(other, operator)| other.path == field.path && *operator == "is_in")
            };
            let order =
                fields.iter().filter(|field| ![Kind::Tags, Kind::Unique].contains(&field.kind) && !is_list(field));
            let order: Vec<_> = order.take(ordered).map(|field| (*field, rng.bool())).collect();
            let has_list = conditions.iter().any(|(_, operator)| *operator == "is_in");
            let is_range = |operator: &str| !["", "contains", "is_in"].contains(&operator);
            let has_range = conditions.iter().any(|(_, operator)| is_range(operator));
            let is_refused = size.starts_with("page") && (has_list || has_range && order.is_empty());
            if conditions.is_empty() && order.is_empty() || is_refused {
                continue;
            }
            return Query { name: format!("q{at}"), conditions, order, size };
        }
    }

    fn attribute(&self) -> String {
        let conditions = self.conditions.iter().map(|(field, operator)| {
            let typed = field.embedded.filter(|_| *operator != "starts_with");
            let path = typed.map_or(field.path.to_owned(), |of| format!("{} as {of}", field.path));
            if operator.is_empty() { path } else { format!("{operator}({path})") }
        });
        let mut text = format!("#[query({}({})", self.name, conditions.collect::<Vec<_>>().join(", "));
        let key = |(field, descending): &(&Field, bool)| {
            format!("{}({})", if *descending { "desc" } else { "asc" }, field.path)
        };
        match self.order.as_slice() {
            [] => {}
            [one] => text += &format!(", order = {}", key(one)),
            many => text += &format!(", order({})", many.iter().map(key).collect::<Vec<_>>().join(", ")),
        }
        if !self.size.is_empty() {
            text += &format!(", {}", self.size);
        }
        text + ")]"
    }

    /// The call with values of a document, explained.
    fn read(&self, number: usize) -> String {
        let values: Vec<String> = self.conditions.iter().map(|(field, operator)| value(field, operator)).collect();
        let Query { name, .. } = self;
        let is_exact = self.is_exact();
        let finds_one = self.conditions.iter().any(|(field, operator)| field.path == "unique" && operator.is_empty());
        let call = format!("M{number}::{name}({})", values.join(", "));
        let all = if self.size.starts_with("page") { "" } else { ".limit(0)" };
        format!(
            "Read::new({name:?}, [{is_exact}, {finds_one}], {call}.explain(db).await, {call}{all}.explain(db).await)"
        )
    }

    /// True when every examined key belongs to a matching document: the query has one range at most, and no key follows
    /// the range.
    fn is_exact(&self) -> bool {
        let ranges: Vec<&str> = self
            .conditions
            .iter()
            .filter(|(_, operator)| !["", "contains", "is_in"].contains(operator))
            .map(|(field, _)| field.path)
            .collect();
        let lists = self.conditions.iter().any(|(_, operator)| *operator == "is_in");
        let equal =
            |path: &str| self.conditions.iter().any(|(field, operator)| field.path == path && operator.is_empty());
        let order: Vec<&str> = self.order.iter().map(|(field, _)| field.path).filter(|path| !equal(path)).collect();
        match (ranges.as_slice(), order.as_slice()) {
            ([], order) => order.is_empty() || !lists,
            ([_], []) => !lists,
            ([range], [first, ..]) => range == first && !lists,
            _ => false,
        }
    }
}

fn operator(field: &Field, rng: &mut Rng) -> &'static str {
    let operators: &[&str] = match field.kind {
        Kind::Number => &["", "is_in", "between", "gt", "gte", "lt", "lte"],
        Kind::Optional => &["between", "gt", "gte", "lt", "lte"],
        Kind::Text => &["", "is_in", "starts_with"],
        Kind::Tags => &["contains"],
        Kind::Unique => &[""],
    };
    operators[rng.usize(0..operators.len())]
}

/// An argument of the method, so that the document itself matches.
fn value(field: &Field, operator: &str) -> String {
    let own = format!("self.{}", field.path);
    match (field.kind, operator) {
        (Kind::Number, "is_in") => format!("[{own}, {own} + 1]"),
        (Kind::Number, "between") => format!("{own}..={own} + 1"),
        (Kind::Number, "gt") => format!("{own} - 1"),
        (Kind::Number, "lt") => format!("{own} + 1"),
        (Kind::Optional, "between") => format!("{own}.unwrap_or(3)..={own}.unwrap_or(3) + 1"),
        (Kind::Optional, "gt") => format!("{own}.unwrap_or(3) - 1"),
        (Kind::Optional, "lt") => format!("{own}.unwrap_or(3) + 1"),
        (Kind::Optional, "gte" | "lte") => format!("{own}.unwrap_or(3)"),
        (Kind::Text, "is_in") => format!("[{own}.clone(), \"word 1\".to_owned()]"),
        // Several words.
        (Kind::Text, "starts_with") => format!("&{own}[..5]"),
        (Kind::Text, _) => format!("{own}.as_str()"),
        (Kind::Tags, _) => "self.tags[0].as_str()".to_owned(),
        (Kind::Number | Kind::Optional | Kind::Unique, _) => own,
    }
}
