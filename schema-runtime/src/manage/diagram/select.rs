//! Keeps the asked part of a diagram. Pure.

use super::{
    DiagramError, DiagramOptions,
    picture::{Card, Picture},
};

/// Two names are similar above this part of equal letters.
const SIMILAR: f64 = 0.7;

pub(super) fn select(picture: Picture, options: &DiagramOptions) -> Result<Picture, DiagramError> {
    if options.only.is_empty() {
        return Ok(picture);
    }
    let mut is_kept = vec![false; picture.cards.len()];
    for name in &options.only {
        let named: Vec<usize> = (0..is_kept.len()).filter(|card| is_named(&picture.cards[*card], name)).collect();
        if named.is_empty() {
            let names = picture.cards.iter().flat_map(|card| [&*card.collection, &*card.model]);
            let nearest = nearest(names, name).map(str::to_owned);
            return Err(DiagramError::UnknownName { name: name.clone(), nearest });
        }
        named.into_iter().for_each(|card| is_kept[card] = true);
    }
    for _ in 0..options.depth.unwrap_or(1) {
        let before = is_kept.clone();
        for line in &picture.lines {
            is_kept[line.from.card] |= before[line.to.card];
            is_kept[line.to.card] |= before[line.from.card];
        }
        if is_kept == before {
            break;
        }
    }
    Ok(part(picture, &is_kept))
}

/// Returns the part of a diagram with these boxes, and the lines between the boxes.
fn part(picture: Picture, is_kept: &[bool]) -> Picture {
    let number = |card: usize| is_kept[..card].iter().filter(|is_kept| **is_kept).count();
    let lines = picture.lines.into_iter().filter(|line| is_kept[line.from.card] && is_kept[line.to.card]);
    let lines = lines.map(|mut line| {
        line.from.card = number(line.from.card);
        line.to.card = number(line.to.card);
        line
    });
    let cards = picture.cards.into_iter().enumerate().filter(|(card, _)| is_kept[*card]);
    Picture { lines: lines.collect(), cards: cards.map(|(_, card)| card).collect() }
}

/// Returns the box with the direct neighbors.
pub(super) fn around(picture: &Picture, card: usize) -> Picture {
    let mut is_kept = vec![false; picture.cards.len()];
    is_kept[card] = true;
    for line in &picture.lines {
        if line.from.card == card || line.to.card == card {
            is_kept[line.from.card] = true;
            is_kept[line.to.card] = true;
        }
    }
    part(picture.clone(), &is_kept)
}

fn is_named(card: &Card, name: &str) -> bool {
    card.collection == name || card.model == name
}

/// Returns the most similar name, if a name is similar.
pub(crate) fn nearest<'a>(names: impl Iterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let rated = names.map(|other| (strsim::jaro_winkler(&other.to_lowercase(), &name.to_lowercase()), other));
    let best = rated.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 >= SIMILAR).then_some(best.1)
}
