//! The code of a user of this crate.

use schema_runtime::prelude::*;

use crate::data::{AUTHOR, BOOK, Book, Data, HOST, Host, TASK, Task};

pub(crate) async fn reassign(data: &Data) -> u64 {
    u64::from(Task::OWNER.reassign(&data.db, TASK, data.another()).await.expect("a reassignment"))
}

pub(crate) async fn link(data: &Data) -> u64 {
    u64::from(Book::AUTHORS.link(&data.db, BOOK, AUTHOR).await.expect("a link"))
}

pub(crate) async fn cascade(data: &Data) -> u64 {
    u64::from(Host::delete_by_id(&data.db, HOST).await.expect("a delete"))
}

pub(crate) async fn first_page(data: &Data) -> u64 {
    let page = data.category.books().paginate(50).fetch(&data.db).await.expect("a page");
    page.items.iter().map(|book| book.id as u64).sum()
}

pub(crate) async fn deep_page(data: &Data) -> u64 {
    let page = data.category.books().paginate(50).after(&data.amid).fetch(&data.db).await.expect("a page");
    page.items.iter().map(|book| book.id as u64).sum()
}
