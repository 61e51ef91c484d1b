//! A fake server that reports any version: as much of the wire protocol as `connect` needs.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use mongodb::bson::{Document, RawDocument, RawDocumentBuf, doc};

use super::hello;

/// The kinds of messages (opcodes).
const REPLY: i32 = 1;
const QUERY: i32 = 2004;
const MESSAGE: i32 = 2013;

/// Starts a server of this version, with this greatest wire version, and returns the connection string.
pub(crate) fn server(version: &str, wire: i32) -> String {
    listen(hello(wire), doc! { "ok": 1, "version": version })
}

/// Starts a server that gives this answer to the request for the version, and returns the connection string.
pub(super) fn refusing(answer: Document) -> String {
    listen(hello(17), answer)
}

/// Listens, and answers until the process ends.
fn listen(hello: Document, build_info: Document) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (hello, build_info) = (hello.clone(), build_info.clone());
            // The thread ends when the client closes the connection.
            thread::spawn(move || while answer(&stream, &hello, &build_info).is_ok() {});
        }
    });
    format!("mongodb://{address}/?directConnection=true")
}

fn answer(mut stream: &TcpStream, hello: &Document, build_info: &Document) -> io::Result<()> {
    let mut header = [0; 16];
    stream.read_exact(&mut header)?;
    let [length, request, _, kind] = [0, 4, 8, 12].map(|at| i32::from_le_bytes(header[at..at + 4].try_into().unwrap()));
    let mut body = vec![0; length as usize - header.len()];
    stream.read_exact(&mut body)?;

    let command = first_key(&body, kind);
    let answer = if command.eq_ignore_ascii_case("buildInfo") { build_info } else { hello };
    let answer = RawDocumentBuf::try_from(answer).unwrap();
    let (kind, start) = match kind {
        // Flags, cursor, position, and a single document.
        QUERY => (REPLY, [&[0; 16][..], &[1, 0, 0, 0]].concat()),
        // No flags, and a section with a single document.
        _ => (MESSAGE, vec![0; 5]),
    };
    let body = [&start, answer.as_bytes()].concat();
    let header = [(16 + body.len()) as i32, 0, request, kind].map(i32::to_le_bytes).concat();
    stream.write_all(&[header, body].concat())
}

/// Returns the name of the command: the first key of the document.
fn first_key(body: &[u8], kind: i32) -> String {
    let start = match kind {
        // Flags, the collection's name with a trailing zero, and two numbers.
        QUERY => 4 + body[4..].iter().position(|byte| *byte == 0).unwrap() + 1 + 8,
        // Flags, and the kind of the section.
        _ => 5,
    };
    let length = i32::from_le_bytes(body[start..start + 4].try_into().unwrap()) as usize;
    let document = RawDocument::from_bytes(&body[start..start + length]).unwrap();
    let (key, _) = document.into_iter().next().unwrap().unwrap();
    key.to_string()
}
