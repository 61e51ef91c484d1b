use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: i32,
    #[tree(parnet, max_depth = 16)]
    parent: Option<Ref<Category>>,
    #[tree(path)]
    path: TreePath<Category>,
    #[tree(depth)]
    depth: i32,
}

async fn read(db: &Database, category: &Category) -> Result<()> {
    category.parent().fetch_optional(db).await?;
    category.children().fetch_all(db).await?;
    category.descendants().fetch_all(db).await?;
    Category::CHILDREN.load(db, [category]).await?;
    Category::move_under(db, 1, 2).await?;
    Category::roots().fetch_all(db).await?;
    Ok(())
}

fn main() {}
