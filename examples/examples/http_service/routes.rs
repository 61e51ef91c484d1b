//! The routes, and a function for each route.

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::StatusCode,
    middleware,
    routing::{get, post},
};
use schema_runtime::{PageToken, prelude::*};
use tokio_util::task::TaskTracker;

use crate::{
    models::{Author, Post},
    problem::{Answer, done},
    run_to_end::run_to_end,
    views::{AuthorView, PostView, PostsView},
};

// ANCHOR: app
pub(crate) fn app(db: Database, requests: TaskTracker) -> Router {
    Router::new()
        .route("/authors", post(create_author))
        .route("/authors/{id}", get(show_author).patch(change_author).delete(delete_author))
        .route("/posts", get(list_posts).post(create_post))
        .route("/posts/{id}", get(show_post).put(change_post))
        .layer(middleware::from_fn_with_state(requests, run_to_end))
        .with_state(db)
}
// ANCHOR_END: app

#[derive(Deserialize)]
struct NewAuthor {
    name: String,
    email: String,
}

async fn create_author(
    State(db): State<Database>,
    Json(new): Json<NewAuthor>,
) -> Answer<(StatusCode, Json<AuthorView>)> {
    let author = Author { id: ObjectId::new(), name: new.name, email: new.email };
    Author::insert(&db, &author).await?;
    Ok((StatusCode::CREATED, Json(author.into())))
}

// ANCHOR: show_author
async fn show_author(State(db): State<Database>, Path(id): Path<ObjectId>) -> Answer<Json<AuthorView>> {
    Ok(Json(Author::get_by_id(&db, id).await?.into()))
}
// ANCHOR_END: show_author

// ANCHOR: author_change
/// The fields that a client leaves out stay as they are.
#[derive(Patch, Deserialize)]
#[patch(Author)]
struct AuthorChange {
    name: Option<String>,
    email: Option<String>,
}

async fn change_author(
    State(db): State<Database>,
    Path(id): Path<ObjectId>,
    Json(change): Json<AuthorChange>,
) -> Answer<Json<AuthorView>> {
    done(Author::update_by_id(id).apply(&change).execute(&db).await)?;
    Ok(Json(Author::get_by_id(&db, id).await?.into()))
}
// ANCHOR_END: author_change

async fn delete_author(State(db): State<Database>, Path(id): Path<ObjectId>) -> Answer<StatusCode> {
    match Author::delete_by_id(&db, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Ok(StatusCode::NOT_FOUND),
    }
}

// ANCHOR: position
#[derive(Deserialize)]
struct Position {
    after: Option<PageToken>,
}

async fn list_posts(State(db): State<Database>, Query(position): Query<Position>) -> Answer<Json<PostsView>> {
    let page = Post::newest().after(&position.after).fetch(&db).await?;
    let next = page.next.as_ref().map(ToString::to_string);
    Ok(Json(PostsView { posts: page.items.into_iter().map(PostView::from).collect(), next }))
}
// ANCHOR_END: position

#[derive(Deserialize)]
struct NewPost {
    author: ObjectId,
    title: String,
    text: String,
}

async fn create_post(State(db): State<Database>, Json(new): Json<NewPost>) -> Answer<(StatusCode, Json<PostView>)> {
    let mut post = Post::new(Ref::new(new.author), new.title, new.text);
    Post::create(&db, &mut post).await?;
    Ok((StatusCode::CREATED, Json(post.into())))
}

// ANCHOR: show_post
async fn show_post(State(db): State<Database>, Path(id): Path<Ref<Post>>) -> Answer<Json<PostView>> {
    Ok(Json(Post::get_by_id(&db, id).await?.into()))
}
// ANCHOR_END: show_post

/// The version is the version that the client has read.
#[derive(Deserialize)]
struct ChangedPost {
    title: String,
    text: String,
    version: i64,
}

// ANCHOR: change_post
async fn change_post(
    State(db): State<Database>,
    Path(id): Path<ObjectId>,
    Json(changed): Json<ChangedPost>,
) -> Answer<Json<PostView>> {
    let mut post = Post::get_by_id(&db, id).await?;
    post.title = changed.title;
    post.text = changed.text;
    post.version = changed.version;
    Post::save(&db, &mut post).await?;
    Ok(Json(post.into()))
}
// ANCHOR_END: change_post
