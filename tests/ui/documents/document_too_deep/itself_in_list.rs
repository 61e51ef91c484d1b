use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    text: String,
    #[relation(one_to_few, embed, max = 5)]
    answers: Vec<Comment>,
}

fn main() {}
