use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Payment {
    #[bound(max_len = 10)]
    state: String,
    #[check(required_if(state = "paid"))]
    paid_at: Option<DateTime>,
}

fn main() {}
