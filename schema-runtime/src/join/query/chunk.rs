//! Splits many ids into lists that each fit in one command.

use mongodb::bson::{Bson, doc};

use crate::{codec, error::Result};

/// The maximum size of the ids in one command, in bytes: a command may have 16 MB and 16 KB, and the rest of the
/// command is small.
const BYTES: usize = 12_000_000;

/// The size of an array element without the value, in bytes: a type, a position of up to seven digits and an end byte.
const ELEMENT: usize = 9;

/// Splits the ids, in order, into lists of at most `count` ids and at most 12 MB each.
pub(crate) fn chunks(ids: Vec<Bson>, count: usize) -> Result<Vec<Vec<Bson>>> {
    let mut chunks = Vec::with_capacity(ids.len().div_ceil(count));
    let mut chunk = Vec::with_capacity(ids.len().min(count));
    let mut bytes = 0;
    for id in ids {
        let size = ELEMENT + size(&id)?;
        if !chunk.is_empty() && (chunk.len() == count || bytes + size > BYTES) {
            chunks.push(std::mem::take(&mut chunk));
            bytes = 0;
        }
        bytes += size;
        chunk.push(id);
    }
    if !chunk.is_empty() {
        chunks.push(chunk);
    }
    Ok(chunks)
}

/// Returns the size of a value in a command, in bytes.
fn size(value: &Bson) -> Result<usize> {
    Ok(match value {
        Bson::ObjectId(_) => 12,
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::DateTime(_) | Bson::Boolean(_) => 8,
        Bson::String(text) => 5 + text.len(),
        Bson::Binary(binary) => 5 + binary.bytes.len(),
        other => codec::encode(&doc! { "": other }).map_err(crate::Error::encode)?.as_bytes().len(),
    })
}

#[cfg(test)]
mod tests {
    use mongodb::bson::oid::ObjectId;

    use super::*;

    #[test]
    fn by_count() {
        let ids: Vec<Bson> = (0..2_500).map(Bson::Int64).collect();
        let chunks = chunks(ids.clone(), 1_000).unwrap();
        assert_eq!(chunks.iter().map(Vec::len).collect::<Vec<_>>(), [1_000, 1_000, 500]);
        assert_eq!(chunks.concat(), ids);
    }

    #[test]
    fn by_bytes() {
        let ids: Vec<Bson> = (0..30).map(|n| Bson::String(n.to_string().repeat(500_000))).collect();
        let chunks = chunks(ids.clone(), usize::MAX).unwrap();
        assert_eq!(chunks.concat(), ids);
        for chunk in chunks {
            let bytes = codec::encode(&doc! { "find": "parts", "filter": { "_id": { "$in": chunk } } }).unwrap();
            assert!(bytes.as_bytes().len() < 16 * 1024 * 1024);
        }
    }

    #[test]
    fn an_id_over_the_limit_is_a_chunk_of_its_own() {
        let ids = vec![Bson::String("x".repeat(13_000_000)), Bson::ObjectId(ObjectId::new())];
        assert_eq!(chunks(ids, usize::MAX).unwrap().len(), 2);
    }

    #[test]
    fn none() {
        assert!(chunks(Vec::new(), 10).unwrap().is_empty());
    }
}
