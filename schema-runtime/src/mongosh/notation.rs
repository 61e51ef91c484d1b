//! BSON values in the notation of `mongosh`: a JavaScript expression with the value. Nothing in a value ends the text
//! of the value: each character that is no printable character is escaped. Pure.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use mongodb::bson::{Binary, Bson, DateTime, Document, Uuid, spec::BinarySubtype};

/// The milliseconds of the years 0 to 9999, which `ISODate` takes.
const ISO_YEARS: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

/// The most milliseconds before and after 1970 that a date of JavaScript has.
const JAVASCRIPT_DATE: u64 = 8_640_000_000_000_000;

/// Returns the value as an expression.
pub(super) fn value(value: &Bson) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

/// Returns the text as a string literal.
pub(crate) fn text(content: &str) -> String {
    let mut text = String::new();
    write_text(&mut text, content);
    text
}

fn write_value(out: &mut String, value: &Bson) {
    // Writing to a `String` cannot fail.
    let _ = match value {
        Bson::Null => write!(out, "null"),
        Bson::Boolean(value) => write!(out, "{value}"),
        Bson::Int32(number) => write!(out, "{number}"),
        Bson::Int64(number) => write!(out, "NumberLong(\"{number}\")"),
        Bson::Double(number) => write_double(out, *number),
        Bson::Decimal128(number) => write!(out, "NumberDecimal(\"{number}\")"),
        Bson::String(content) => return write_text(out, content),
        Bson::Document(document) => return write_document(out, document),
        Bson::Array(list) => return write_list(out, "[", list, write_value, "]"),
        Bson::ObjectId(id) => write!(out, "ObjectId(\"{id}\")"),
        Bson::DateTime(date) => write_date(out, *date),
        Bson::Binary(binary) => write_binary(out, binary),
        Bson::Timestamp(time) => write!(out, "Timestamp({{ t: {}, i: {} }})", time.time, time.increment),
        // No literal: JavaScript refuses some of the server's patterns.
        Bson::RegularExpression(regex) => {
            return write_call(out, "BSONRegExp", &[regex.pattern.as_str(), regex.options.as_str()]);
        }
        Bson::JavaScriptCode(code) => return write_call(out, "Code", &[code]),
        Bson::JavaScriptCodeWithScope(code) => {
            write_call(out, "Code", &[&code.code]);
            out.pop();
            out.push_str(", ");
            write_document(out, &code.scope);
            write!(out, ")")
        }
        Bson::Symbol(content) => return write_call(out, "BSONSymbol", &[content]),
        Bson::MinKey => write!(out, "MinKey()"),
        Bson::MaxKey => write!(out, "MaxKey()"),
        Bson::Undefined => write!(out, "undefined"),
        // The shell has no such type, and refuses the line.
        Bson::DbPointer(_) => write!(out, "DBPointer()"),
    };
}

fn write_double(out: &mut String, number: f64) -> std::fmt::Result {
    if number.is_infinite() {
        return write!(out, "{}Infinity", if number < 0.0 { "-" } else { "" });
    }
    // The shell sends a whole number as an integer.
    match number.fract() == 0.0 {
        true if number.abs() < 1e15 => write!(out, "Double({number})"),
        true => write!(out, "Double({number:?})"),
        false => write!(out, "{number:?}"),
    }
}

fn write_date(out: &mut String, date: DateTime) -> std::fmt::Result {
    let millis = date.timestamp_millis();
    match date.try_to_rfc3339_string() {
        Ok(text) if ISO_YEARS.contains(&millis) => write!(out, "ISODate(\"{text}\")"),
        _ if millis.unsigned_abs() <= JAVASCRIPT_DATE => write!(out, "new Date({millis})"),
        // JavaScript has no such date, and the shell refuses the line.
        _ => write!(out, "ISODate(\"{millis} ms\")"),
    }
}

fn write_binary(out: &mut String, binary: &Binary) -> std::fmt::Result {
    match <[u8; 16]>::try_from(binary.bytes.as_slice()) {
        Ok(bytes) if binary.subtype == BinarySubtype::Uuid => write!(out, "UUID(\"{}\")", Uuid::from_bytes(bytes)),
        _ => write!(out, "BinData({}, \"{}\")", u8::from(binary.subtype), STANDARD.encode(&binary.bytes)),
    }
}

fn write_call(out: &mut String, function: &str, arguments: &[&str]) {
    out.push_str(function);
    write_list(out, "(", arguments, |out, argument| write_text(out, argument), ")");
}

fn write_text(out: &mut String, content: &str) {
    out.push('"');
    for character in content.chars() {
        match character {
            '\'' => out.push('\''),
            // `\0` before a digit would be another character.
            '\0' => out.push_str("\\u{0}"),
            character => out.extend(character.escape_debug()),
        }
    }
    out.push('"');
}

fn write_document(out: &mut String, document: &Document) {
    let fields: Vec<_> = document.iter().collect();
    if fields.is_empty() {
        out.push_str("{}");
    } else if is_literal(document) {
        let field = |out: &mut String, (name, value): &(&String, &Bson)| {
            write_name(out, name);
            out.push_str(": ");
            write_value(out, value);
        };
        write_list(out, "{ ", &fields, field, " }");
    } else {
        let field = |out: &mut String, (name, value): &(&String, &Bson)| {
            out.push('[');
            write_text(out, name);
            out.push_str(", ");
            write_value(out, value);
            out.push(']');
        };
        write_list(out, "new Map([", &fields, field, "])");
    }
}

fn write_name(out: &mut String, name: &str) {
    let is_word = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$');
    match name.bytes().next() {
        Some(first) if !first.is_ascii_digit() && is_word(name) => out.push_str(name),
        _ => write_text(out, name),
    }
}

/// Returns whether an object literal has the same fields in the same order: JavaScript puts the fields whose names are
/// positions of an array first, takes `__proto__` for the prototype, and the shell takes `_bsontype` for the mark of a
/// type.
pub(super) fn is_literal(document: &Document) -> bool {
    let mut least = Some(0);
    document.keys().all(|name| match position(name) {
        Some(position) => {
            let follows = least.is_some_and(|least| position >= least);
            least = Some(position + 1);
            follows
        }
        None => {
            least = None;
            !matches!(name.as_str(), "__proto__" | "_bsontype")
        }
    })
}

/// Returns the position of an array that JavaScript sees in a name.
fn position(name: &str) -> Option<u64> {
    let is_number = name == "0" || !name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit());
    // Larger whole numbers are no positions; a shell may take them for positions all the same.
    if is_number { name.parse::<u32>().ok().map(u64::from) } else { None }
}

fn write_list<T>(out: &mut String, begin: &str, list: &[T], write: impl Fn(&mut String, &T), end: &str) {
    out.push_str(begin);
    for (at, item) in list.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write(out, item);
    }
    out.push_str(end);
}
