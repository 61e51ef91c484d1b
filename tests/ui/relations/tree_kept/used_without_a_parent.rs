use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: i32,
    parent: Option<Ref<Category>>,
    #[tree(path)]
    path: TreePath<Category>,
}

async fn read(db: &Database, category: &Category) -> Result<()> {
    category.children().fetch_all(db).await?;
    Category::move_under(db, 1, 2).await?;
    Ok(())
}

fn main() {}
