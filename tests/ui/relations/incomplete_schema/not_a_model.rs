use schema_runtime::prelude::*;

struct Part;

fn main() {
    let _ = schema![Part];
}
