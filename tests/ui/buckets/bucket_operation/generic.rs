use schema_runtime::prelude::*;

async fn all<M: Model>(db: &Database) -> schema_runtime::Result<Vec<M>> {
    <M as Operations>::find(Filter::all()).fetch_all(db).await
}

fn main() {}
