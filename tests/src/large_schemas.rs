//! The source of schemas with many models, in several shapes. `build.rs` writes the schemas for a test, and the bench
//! of compile times measures the schemas.

use std::fmt::Write as _;

/// The references between the models of a schema.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Each model refers to the next three models, and counts the documents that refer to the model.
    Ring,
    /// All models refer to the first model. The first model has an accessor for up to 100 of the models.
    Star,
    /// Each model needs the next model.
    Chain,
    /// Each model needs the next five models.
    Five,
    /// A tree of two levels: a delete cascades from the first model to each branch, and from each branch to the leaves
    /// of the branch.
    Cascades,
    /// A delete cascades through all models. The last model of the cascade is listed first.
    LongCascade,
}

/// All shapes.
pub const SHAPES: [Shape; 6] =
    [Shape::Ring, Shape::Star, Shape::Chain, Shape::Five, Shape::Cascades, Shape::LongCascade];

/// The maximum of inverses on a model. rustc refuses more attributes on a struct (its recursion limit is 128).
const MOST_INVERSES: usize = 100;

/// Returns the source of a schema of `count` models: with this crate's derives and a function `schema`, or the same
/// structs with serde's derives alone.
pub fn source(shape: Shape, count: usize, is_derived: bool) -> String {
    let mut code = String::new();
    if !is_derived {
        code.push_str("#[derive(Serialize, Deserialize)]\n#[serde(bound = \"\")]\npub struct Ref<T>(ObjectId, std::marker::PhantomData<fn() -> T>);\n");
    }
    let derived = |text: String| if is_derived { text } else { String::new() };
    for at in positions(shape, count) {
        let fields: String = references(shape, at, count)
            .iter()
            .enumerate()
            .map(|(number, to)| {
                let kind =
                    if matches!(shape, Shape::Ring) { format!("Option<Ref<M{to}>>") } else { format!("Ref<M{to}>") };
                format!("{}\npub to{number}: {kind},\n", derived("#[relation(one_to_many, parent_ref)]".to_owned()))
            })
            .collect();
        let inverses: String =
            inverses(shape, at, count).iter().map(|inverse| format!("#[inverse({inverse})]\n")).collect();
        let computed = match shape {
            Shape::Ring => {
                let before = (at + count - 1) % count;
                format!("{}\npub referring: i64,\n", derived(format!("#[computed(count(M{before}::to0))]")))
            }
            _ => String::new(),
        };
        write!(
            code,
            "#[derive({model}Serialize, Deserialize)]\n{attributes}pub struct M{at} {{\n#[serde(rename = \"_id\")] pub id: ObjectId,\npub name: String,\npub number: i64,\n{fields}{computed}}}\n",
            model = derived("Model, ".to_owned()),
            attributes = derived(format!("#[model(collection = \"m{at}\")]\n{inverses}")),
        )
        .expect("a string takes all");
    }
    if is_derived {
        let models: Vec<String> = positions(shape, count).into_iter().map(|at| format!("M{at}")).collect();
        writeln!(code, "pub fn schema() -> schema_runtime::Schema {{ schema![{}] }}", models.join(", "))
            .expect("a string takes all");
    }
    code
}

/// Returns the order in the list of the models.
fn positions(shape: Shape, count: usize) -> Vec<usize> {
    match shape {
        Shape::LongCascade => (0..count).rev().collect(),
        _ => (0..count).collect(),
    }
}

/// Returns the models that model `at` refers to.
fn references(shape: Shape, at: usize, count: usize) -> Vec<usize> {
    match shape {
        Shape::Ring => (1..=3).map(|step| (at + step) % count).collect(),
        Shape::Star => (at > 0).then_some(0).into_iter().collect(),
        Shape::Chain => (at + 1..count.min(at + 2)).collect(),
        Shape::Five => (at + 1..count.min(at + 6)).collect(),
        Shape::Cascades => parent(at, count).into_iter().collect(),
        Shape::LongCascade => at.checked_sub(1).into_iter().collect(),
    }
}

/// Returns the words of the `#[inverse(..)]`s of model `at`.
fn inverses(shape: Shape, at: usize, count: usize) -> Vec<String> {
    match shape {
        Shape::Ring => vec![format!("before = M{}::to0", (at + count - 1) % count)],
        Shape::Star if at == 0 => (1..count.min(MOST_INVERSES + 1)).map(|of| format!("of{of} = M{of}::to0")).collect(),
        Shape::Cascades => (1..count)
            .filter(|below| parent(*below, count) == Some(at))
            .map(|below| format!("below{below} = M{below}::to0, on_delete = cascade"))
            .collect(),
        Shape::LongCascade if at + 1 < count => vec![format!("below = M{}::to0, on_delete = cascade", at + 1)],
        _ => Vec::new(),
    }
}

/// Returns the model above model `at` in a tree of two levels.
fn parent(at: usize, count: usize) -> Option<usize> {
    let branches = count.isqrt();
    match at {
        0 => None,
        _ if at <= branches => Some(0),
        _ => Some((at - branches - 1) % branches + 1),
    }
}
