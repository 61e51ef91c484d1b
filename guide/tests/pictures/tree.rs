//! A tree with paths: the references to the parents, and the range of a subtree.

use crate::{
    canvas::{Area, Arrow, Canvas, Ink, Point},
    card::{Card, Row},
};

const WIDTH: i32 = 420;

/// Draws five folders of three levels.
pub(crate) fn draw_tree() -> String {
    let mut canvas = Canvas::new(
        WIDTH,
        400,
        "The folder home is the root. The folders pics and music refer to home, and have the path home. The folders \
         cats and sea refer to pics, and have the path home, pics. Both are the descendants of pics.",
    );
    canvas.draw_centered(0, WIDTH, 24, Ink::Title, "tree(parent), tree(path)");
    let folder = |x, y, width, id, path| Card::new(x, y, width, "folders", &[Row::field(id), Row::copy(path)]);
    let home = folder(190, 40, 124, "_id: \"home\"", "path: \"\"");
    let pics = folder(108, 152, 124, "_id: \"pics\"", "path: \"home:\"");
    let music = folder(272, 152, 124, "_id: \"music\"", "path: \"home:\"");
    let cats = folder(22, 276, 152, "_id: \"cats\"", "path: \"home:pics:\"");
    let sea = folder(190, 276, 152, "_id: \"sea\"", "path: \"home:pics:\"");
    canvas.draw_box("frame", Area { x: 10, y: 264, width: 344, height: 122 });
    canvas.draw_centered(10, 344, 372, Ink::Label, "pics.descendants(): one range of the index");
    for (child, parent) in [(&pics, &home), (&music, &home), (&cats, &pics), (&sea, &pics)] {
        let (from, to) = (child.top(), parent.bottom());
        let y = (from.y.min(260) + to.y) / 2;
        canvas.draw_arrow(Arrow::Reference, &[from, Point { x: from.x, y }, Point { x: to.x, y }, to]);
    }
    canvas.draw_text(260, 126, Ink::Label, "parent");
    for card in [&home, &pics, &music, &cats, &sea] {
        card.draw(&mut canvas);
    }
    canvas.finish()
}
