//! The pictures of the guide: each file of `guide/pages/pictures` is a drawn picture, and stands on a page.
//!
//! `SCHEMA_TESTS_BLESS=1 cargo test -p schema-guide --test pictures` writes the files.

mod bookshop;
mod bucket;
mod canvas;
mod card;
mod copies;
mod storages;
mod tree;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

/// Returns the text of each picture by the name of the file.
fn pictures() -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("bookshop.svg", bookshop::draw_bookshop()),
        ("buckets.svg", bucket::draw_buckets()),
        ("child_refs.svg", storages::draw_child_refs()),
        ("embed.svg", storages::draw_embed()),
        ("life_of_copy.svg", copies::draw_life_of_copy()),
        ("parent_ref.svg", storages::draw_parent_ref()),
        ("subset.svg", storages::draw_subset()),
        ("tree.svg", tree::draw_tree()),
    ])
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pages")
}

/// Returns the files of a folder and of its folders whose names have this end.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    files.retain(|path| path.extension().is_some_and(|extension| extension == end));
    files.extend(folders.iter().flat_map(|folder| crate::files(folder, end)));
    files
}

#[test]
fn each_file_is_the_drawn_picture() {
    let folder = folder().join("pictures");
    let drawn = pictures();
    for (name, text) in &drawn {
        let path = folder.join(name);
        if env::var_os("SCHEMA_TESTS_BLESS").is_some() {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&path, text).expect("the file is writable");
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == *text, "{}: write the file with SCHEMA_TESTS_BLESS=1", path.display());
    }
    let stored = files(&folder, "svg");
    let names: Vec<_> = stored.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(BTreeSet::from_iter(names), drawn.into_keys().collect(), "the files of the folder");
}

/// An image is a line of its page, perhaps in a link.
#[test]
fn each_picture_is_on_a_page_with_a_text() {
    let drawn = pictures();
    let mut shown = BTreeSet::new();
    for page in files(&folder(), "md") {
        let text = fs::read_to_string(&page).expect("a page");
        let lines = text.lines().map(|line| line.trim_start_matches('['));
        for image in lines.filter_map(|line| line.strip_prefix("![")) {
            let (words, rest) = image.split_once("](").expect("an image has a target");
            let (target, _) = rest.split_once(')').expect("a target has an end");
            assert!(words.split_whitespace().count() > 4, "{}: the text of {target} is short", page.display());
            let name = target.strip_prefix("../pictures/").unwrap_or(target);
            assert!(drawn.contains_key(name), "{}: no function draws {target}", page.display());
            shown.insert(name.to_owned());
        }
    }
    let missing: Vec<_> = drawn.keys().filter(|name| !shown.contains(**name)).collect();
    assert!(missing.is_empty(), "no page shows {missing:?}");
}

#[test]
fn a_text_has_no_markup() {
    assert_eq!(canvas::escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
}

/// An arrow ends at the place where the card has the row.
#[test]
fn an_arrow_meets_the_edge_of_a_card() {
    let card = card::Card::new(10, 20, 100, "parts", &[card::Row::field("_id: 1"), card::Row::part("{ .. }")]);
    let area = card.area();
    assert_eq!((card.left(0).x, card.right(0).x), (area.x, area.x + area.width));
    assert_eq!((card.left(1).x, card.right(1).x), (area.x + 8, area.x + area.width - 8));
    assert_eq!((card.top().y, card.bottom().y), (area.y, area.y + area.height));
    assert!(card.left(1).y < card.bottom().y);
}
