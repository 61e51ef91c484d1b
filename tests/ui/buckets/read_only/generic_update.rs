use schema_runtime::prelude::*;

async fn store<M: Model + OwnDocument>(db: &Database, value: &M) -> schema_runtime::Result<()> {
    M::replace(db, value).await
}

fn main() {}
