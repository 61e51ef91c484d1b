//! The messages of the wire protocol, as far as a proxy has to know the messages.

use std::io;

use mongodb::bson::{Document, RawDocument, RawDocumentBuf};
use tokio::{io::AsyncReadExt, net::TcpStream};

/// A message of the wire protocol: a header of 16 bytes with the length first, flags, a section with a document,
/// perhaps more.
#[derive(Clone)]
pub(crate) struct Message(pub(crate) Vec<u8>);

/// The kind of a message (opcode).
const MESSAGE: i32 = 2013;

/// The kind of the first answer of a connection.
const FIRST_ANSWER: i32 = 1;

/// A flag of a reply: another reply follows without a request.
const MORE: i32 = 2;

impl Message {
    pub(crate) async fn read(stream: &mut TcpStream) -> io::Result<Self> {
        let mut bytes = vec![0; 16];
        stream.read_exact(&mut bytes).await?;
        let length = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        bytes.resize(usize::try_from(length).map_err(io::Error::other)?, 0);
        stream.read_exact(&mut bytes[16..]).await?;
        Ok(Message(bytes))
    }

    /// Returns a message with a single document, as an answer to the request with this number.
    pub(crate) fn of(document: &Document, to: i32) -> Self {
        let body = RawDocumentBuf::try_from(document).expect("BSON");
        let length = i32::try_from(16 + 5 + body.as_bytes().len()).expect("a short message");
        let header = [length, 0, to, MESSAGE, 0].map(i32::to_le_bytes).concat();
        Message([header, vec![0], body.into_bytes()].concat())
    }

    pub(crate) fn answer(&self, answer: &Document) -> Self {
        Message::of(answer, self.number(4))
    }

    /// Returns the number of the message that this message answers.
    pub(crate) fn answers(&self) -> i32 {
        self.number(8)
    }

    fn number(&self, at: usize) -> i32 {
        self.0.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_le_bytes)
    }

    /// Returns the command or the answer; `None` for the kind of message that begins a connection.
    pub(crate) fn document(&self) -> Option<Document> {
        if self.number(12) != MESSAGE {
            return None;
        }
        let length = usize::try_from(self.number(21)).ok()?;
        let document = RawDocument::from_bytes(self.0.get(21..21 + length)?).ok()?;
        Document::try_from(document).ok()
    }

    /// Returns the document of an answer to the kind of message that begins a connection.
    pub(crate) fn first_document(&self) -> Option<Document> {
        if self.number(12) != FIRST_ANSWER {
            return None;
        }
        let document = RawDocument::from_bytes(self.0.get(36..)?).ok()?;
        Document::try_from(document).ok()
    }

    /// Returns the same answer with another document.
    pub(crate) fn with_first_document(&self, document: &Document) -> Self {
        let body = RawDocumentBuf::try_from(document).expect("BSON").into_bytes();
        let length = i32::try_from(36 + body.len()).expect("a short message");
        Message([length.to_le_bytes().as_slice(), &self.0[4..36], &body].concat())
    }

    pub(crate) fn more_follow(&self) -> bool {
        self.number(12) == MESSAGE && self.number(16) & MORE != 0
    }
}
