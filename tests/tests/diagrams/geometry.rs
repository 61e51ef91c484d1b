//! The geometry of the SVG: boxes do not overlap, lines meet no foreign box, texts are inside of their boxes.

use roxmltree::{Document, Node};

/// A rectangle.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Area {
    fn of(node: Node<'_, '_>) -> Self {
        let number = |name: &str| node.attribute(name).unwrap().parse::<i64>().unwrap();
        let (left, top) = (number("x"), number("y"));
        Area { left, top, right: left + number("width"), bottom: top + number("height") }
    }

    /// Returns whether the areas have a common point; the border counts.
    fn meets(self, other: Area) -> bool {
        self.left <= other.right && other.left <= self.right && self.top <= other.bottom && other.top <= self.bottom
    }
}

/// A line with its pieces and the two boxes.
struct Drawn {
    ends: [usize; 2],
    pieces: Vec<Area>,
}

fn has_class(node: Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|classes| classes.split(' ').any(|own| own == class))
}

fn boxes<'a>(document: &'a Document<'_>) -> Vec<(Node<'a, 'a>, Area)> {
    let cards = document.descendants().filter(|node| has_class(*node, "card"));
    cards.map(|card| (card, Area::of(card.children().find(|node| has_class(*node, "box")).unwrap()))).collect()
}

fn lines(document: &Document<'_>) -> Vec<Drawn> {
    let lines = document.descendants().filter(|node| has_class(*node, "line"));
    let drawn = lines.map(|line| {
        let path = line.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "path"))).unwrap();
        let points: Vec<(i64, i64)> = path.attribute("d").unwrap()[1..]
            .split('L')
            .map(|point| point.split_once(' ').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        let pieces = points.windows(2).map(|pair| {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            assert!(x == to_x || y == to_y, "a slanted piece");
            Area { left: x.min(to_x), right: x.max(to_x), top: y.min(to_y), bottom: y.max(to_y) }
        });
        let end = |name: &str| line.attribute(name).unwrap().parse().unwrap();
        Drawn { ends: [end("data-from"), end("data-to")], pieces: pieces.collect() }
    });
    drawn.collect()
}

#[test]
fn boxes_and_lines_are_apart() {
    for (name, file, text) in super::pictures() {
        let document = Document::parse(text).unwrap();
        let boxes = boxes(&document);
        assert_eq!(boxes.len(), file.models.len(), "{name}");
        for (at, (_, one)) in boxes.iter().enumerate() {
            for (_, other) in &boxes[at + 1..] {
                assert!(!one.meets(*other), "{name}: {one:?} {other:?}");
            }
        }
        for line in lines(&document) {
            for (number, (_, area)) in boxes.iter().enumerate() {
                for piece in line.pieces.iter().filter(|piece| piece.meets(*area)) {
                    assert!(line.ends.contains(&number), "{name}: {piece:?} meets box {number} {area:?}");
                    let is_at_border = piece.right == area.left || piece.left == area.right;
                    assert!(is_at_border, "{name}: {piece:?} runs through its box {area:?}");
                }
            }
        }
    }
}

#[test]
fn no_two_lines_share_a_segment() {
    for (name, _, text) in super::pictures() {
        let lines = lines(&Document::parse(text).unwrap());
        for (at, one) in lines.iter().enumerate() {
            for other in &lines[at + 1..] {
                for piece in &one.pieces {
                    for second in other.pieces.iter().filter(|second| piece.meets(**second)) {
                        let is_level = |area: &Area| area.top == area.bottom;
                        let is_upright = |area: &Area| area.left == area.right;
                        let shared = is_level(piece) && is_level(second) || is_upright(piece) && is_upright(second);
                        assert!(!shared, "{name}: {piece:?} {second:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn texts_are_inside_of_their_boxes_and_of_the_picture() {
    for (name, _, text) in super::pictures() {
        let document = Document::parse(text).unwrap();
        let paper = Area::of(document.descendants().find(|node| has_class(*node, "paper")).unwrap());
        let place = |node: Node<'_, '_>| {
            let number = |name: &str| node.attribute(name).unwrap().parse::<i64>().unwrap();
            let (x, y, width) = (number("x"), number("y"), number("textLength"));
            let left = if node.attribute("text-anchor") == Some("end") { x - width } else { x };
            Area { left, right: left + width, top: y - 10, bottom: y + 3 }
        };
        let is_inside = |one: Area, other: Area| {
            one.left >= other.left && one.right <= other.right && one.top >= other.top && one.bottom <= other.bottom
        };
        let texts = |node: Node<'_, '_>| {
            let texts = node.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
            texts.map(place).collect::<Vec<Area>>()
        };
        for (card, area) in boxes(&document) {
            assert!(is_inside(area, paper), "{name}");
            for text in texts(card) {
                assert!(is_inside(text, area), "{name}: {text:?} {area:?}");
            }
        }
        for text in texts(document.root()) {
            assert!(is_inside(text, paper), "{name}: {text:?}");
        }
        for piece in lines(&document).iter().flat_map(|line| &line.pieces) {
            assert!(is_inside(*piece, paper), "{name}: {piece:?}");
        }
    }
}

#[test]
fn labels_of_lines_do_not_overlap() {
    for (name, _, text) in super::pictures() {
        let document = Document::parse(text).unwrap();
        let boxes = boxes(&document);
        let lines = document.descendants().filter(|node| has_class(*node, "line"));
        let labels: Vec<Area> = lines
            .flat_map(|line| line.children().filter(|node| has_class(*node, "label")))
            .map(|node| {
                let number = |name: &str| node.attribute(name).unwrap().parse::<i64>().unwrap();
                let (x, y, width) = (number("x"), number("y"), number("textLength"));
                let left = if node.attribute("text-anchor") == Some("end") { x - width } else { x };
                Area { left, right: left + width, top: y - 8, bottom: y }
            })
            .collect();
        for (at, label) in labels.iter().enumerate() {
            assert!(!labels[at + 1..].iter().any(|other| label.meets(*other)), "{name}: {label:?}");
            assert!(!boxes.iter().any(|(_, area)| label.meets(*area)), "{name}: {label:?} in a box");
        }
    }
}
