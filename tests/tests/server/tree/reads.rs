//! Reads of subtrees, ancestors and roots.

use schema_runtime::{assert_indexed, prelude::*};
use schema_tests::{
    database,
    trees::{Category, Comment, Folder, Place, prepare},
};

/// Returns a tree: 0 is the parent of 1 and 2, 1 of 3 and 4, and so on: 31 documents in 5 levels. 100 is a second root,
/// with 101 under 100.
fn all() -> impl Iterator<Item = (i64, Option<i64>)> {
    let own = (0..31).map(|id| (id, (id > 0).then(|| (id - 1) / 2)));
    own.chain([(100, None), (101, Some(100))])
}

macro_rules! reads {
    ($model:ident, $id:expr) => {{
        let db = database().await;
        prepare(&db).await;
        let id = $id;
        let documents = all().map(|(own, parent)| $model::new(id(own), parent.map(id)));
        $model::insert_many(&db, documents).await.unwrap();
        let read = async |own: i64| $model::get_by_id(&db, id(own)).await.unwrap();
        let sorted = |mut found: Vec<$model>| {
            found.sort_by_key(|node| node.id.clone());
            found.into_iter().map(|node| node.id).collect::<Vec<_>>()
        };
        let expected = |ids: &[i64]| {
            let mut ids: Vec<_> = ids.iter().map(|own| id(*own)).collect();
            ids.sort();
            ids
        };
        let roots = $model::roots().fetch_all(&db).await.unwrap();
        assert_eq!(sorted(roots), expected(&[0, 100]));
        let one = read(1).await;
        let below = one.descendants().fetch_all(&db).await.unwrap();
        let under_one = [3, 4, 7, 8, 9, 10, 15, 16, 17, 18, 19, 20, 21, 22];
        assert_eq!(sorted(below), expected(&under_one));
        assert_eq!(one.descendants().count(&db).await.unwrap(), 14);
        assert_eq!(one.descendants_to(0).count(&db).await.unwrap(), 0);
        let mut ids = one.descendants().distinct(&db, $model::F.id).await.unwrap();
        ids.sort();
        assert_eq!(ids, expected(&under_one));
        let near = one.descendants_to(2).fetch_all(&db).await.unwrap();
        assert_eq!(sorted(near), expected(&[3, 4, 7, 8, 9, 10]));
        let children = one.descendants_to(1).fetch_all(&db).await.unwrap();
        assert_eq!(sorted(children), expected(&[3, 4]));
        let first = one.descendants().sort($model::F.id.asc()).paginate(5).fetch(&db).await.unwrap();
        let token = first.next.clone().unwrap();
        let second = one.descendants().sort($model::F.id.asc()).paginate(5).after(&token).fetch(&db).await.unwrap();
        let paged: Vec<_> = first.items.iter().chain(&second.items).map(|node| node.id.clone()).collect();
        assert_eq!(paged, expected(&under_one)[..10]);
        assert_eq!(read(22).await.descendants().fetch_all(&db).await.unwrap(), []);
    }};
}

#[tokio::test]
async fn by_parents_alone() {
    reads!(Folder, |own: i64| own);
}

#[tokio::test]
async fn by_paths() {
    reads!(Comment, |own: i64| own);
}

#[tokio::test]
async fn by_ancestors() {
    reads!(Category, |own: i64| own);
}

#[tokio::test]
async fn by_all_together() {
    reads!(Place, |own: i64| format!("p{own}"));
}

#[tokio::test]
async fn ancestors_come_root_first() {
    let db = database().await;
    prepare(&db).await;
    Folder::insert_many(&db, all().map(|(id, parent)| Folder::new(id, parent))).await.unwrap();
    Comment::insert_many(&db, all().map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, all().map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let folder = Folder::get_by_id(&db, 22).await.unwrap();
    let above: Vec<i64> = folder.ancestors().fetch_all(&db).await.unwrap().iter().map(|folder| folder.id).collect();
    assert_eq!(above, [0, 1, 4, 10]);
    let comment = Comment::get_by_id(&db, 22).await.unwrap();
    let above: Vec<i64> = comment.ancestors().fetch_all(&db).await.unwrap().iter().map(|comment| comment.id).collect();
    assert_eq!(above, [0, 1, 4, 10]);
    let category = Category::get_by_id(&db, 22).await.unwrap();
    let breadcrumb: Vec<&str> = category.ancestors.iter().map(|ancestor| ancestor.name.as_str()).collect();
    assert_eq!(breadcrumb, ["c0", "c1", "c4", "c10"], "with the document itself");
    let children = Category::get_by_id(&db, 4).await.unwrap().children().fetch_all(&db).await.unwrap();
    assert_eq!(children.iter().map(|child| child.id).collect::<Vec<_>>(), [10, 9], "in the order of their names");
}

#[tokio::test]
async fn an_index_serves_each() {
    let db = database().await;
    prepare(&db).await;
    Comment::insert_many(&db, all().map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, all().map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let comment = Comment::get_by_id(&db, 1).await.unwrap();
    assert_indexed(&comment.descendants(), &db).await;
    assert_indexed(&comment.descendants_to(2), &db).await;
    assert_indexed(&Comment::roots(), &db).await;
    let category = Category::get_by_id(&db, 1).await.unwrap();
    assert_indexed(&category.descendants(), &db).await;
    assert_indexed(&category.descendants_to(2), &db).await;
    // A page needs no sort: the order is the path, or the `_id` for a single ancestor.
    assert_indexed(&comment.descendants().sort(Comment::F.path.asc()).paginate(3), &db).await;
    assert_indexed(&category.descendants().paginate(3), &db).await;
}

#[tokio::test]
async fn a_range_of_paths_is_asked_for_by_texts() {
    let db = database().await;
    prepare(&db).await;
    Place::insert_many(&db, all().map(|(id, parent)| Place::new(format!("p{id}"), parent.map(|id| format!("p{id}")))))
        .await
        .unwrap();
    let found = async |filter: Filter<Place>| {
        let read = Place::find(filter).sort(Place::F.id.asc()).fetch_all(&db).await.unwrap();
        read.into_iter().map(|place| place.id).collect::<Vec<_>>()
    };
    let under_ten = ["p21", "p22"];
    assert_eq!(found(Place::F.path.between("p0:p1:p4:p10:".."p0:p1:p4:p10;")).await, under_ten);
    assert_eq!(found(Place::F.path.eq("p0:p1:p4:p10:".to_owned())).await, under_ten);
    assert_eq!(found(Place::F.path.gt("p0:".to_owned()) & Place::F.path.lt("p0:p1:p4")).await.len(), 8);
}
