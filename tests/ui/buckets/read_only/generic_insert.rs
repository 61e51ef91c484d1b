use schema_runtime::prelude::*;

async fn store<M: Model + OwnDocument>(db: &Database, value: &M) -> schema_runtime::Result<()> {
    M::insert(db, value).await
}

fn main() {}
