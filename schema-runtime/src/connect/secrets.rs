//! Keeps the content of a connection string out of error messages. Pure.

/// The message in the place of a driver's message that repeats a part of the connection string.
pub(super) const SHAPE: &str = "write mongodb://user:password@host:port/?option=value or \
    mongodb+srv://user:password@host/?option=value, with user, password and values percent-encoded";

/// Returns the driver's message, unless the message repeats a part of the connection string other than the name of an
/// option.
pub(super) fn hide(message: &str, uri: &str) -> String {
    let uri = without_scheme(uri);
    let (login, rest) = uri.split_at(after_login(uri));
    let (hosts, options) = rest.split_once('?').unwrap_or((rest, ""));
    let values = options.split('&').map(|option| option.split_once('=').map_or(option, |(_, value)| value));
    let texts = [login, hosts].into_iter().chain(values);
    if uri.contains('%') || repeats(message, texts) { SHAPE.to_owned() } else { message.to_owned() }
}

/// Returns the driver's message about a host, unless the message repeats a part of the user or the password.
pub(super) fn hide_login(message: &str, uri: &str) -> String {
    let uri = without_scheme(uri);
    let login = &uri[..after_login(uri)];
    if repeats(message, [login]) { "the host's DNS record cannot be read".to_owned() } else { message.to_owned() }
}

/// Returns the hosts of a connection string, without user, password and options.
pub(super) fn hosts(uri: &str) -> &str {
    let uri = without_scheme(uri);
    uri[after_login(uri)..].split(['/', '?']).next().unwrap_or_default()
}

/// Removes the scheme of MongoDB. Any other scheme stays: the text in the place of the scheme may be any text.
fn without_scheme(uri: &str) -> &str {
    uri.strip_prefix("mongodb://").or_else(|| uri.strip_prefix("mongodb+srv://")).unwrap_or(uri)
}

/// Returns the end of the login: behind the last `@`, so that an `@` inside of a password does not show the rest of the
/// password.
fn after_login(uri: &str) -> usize {
    uri.rfind('@').map_or(0, |at| at + 1)
}

fn repeats<'a>(message: &str, texts: impl IntoIterator<Item = &'a str>) -> bool {
    let message = message.to_lowercase();
    let mut words = texts.into_iter().flat_map(|text| text.split([':', '/', '?', '@', '&', '=', ',']));
    words.any(|word| !word.is_empty() && message.contains(&word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_a_part_of_the_string_stays() {
        let message = "repeated options are not allowed";
        assert_eq!(hide(message, "mongodb://user:secret@host/?w=1&w=1"), message);
        let message = "retrywrites must be a boolean";
        assert_eq!(hide(message, "mongodb://host:27017/?retryWrites=maybe"), message);
    }

    #[test]
    fn a_message_with_a_part_of_the_string_goes() {
        for (message, uri) in [
            ("invalid server address user:hunter2", "mongodb://user:hunter2"),
            ("invalid server address ann:hun", "mongodb://ann:hun?ter2@host"),
            ("unknown option ter2", "mongodb://ann:hun?ter2=1@host"),
            ("unknown option TER2", "mongodb://ann:hun?ter2=1@host"),
            ("unsupported scheme: hunter2", "hunter2://host"),
            ("no pair: hunter2", "mongodb://host/?hunter2"),
            ("bad value hunter2", "mongodb://host/?proxyPassword=hunter2"),
            ("bad value p@ss", "mongodb://ann:p%40ss@host"),
        ] {
            assert_eq!(hide(message, uri), SHAPE, "{uri}");
        }
    }

    #[test]
    fn hosts_have_no_login() {
        assert_eq!(hosts("mongodb+srv://ann:hunter2@db.example.org/?w=1"), "db.example.org");
        assert_eq!(hosts("mongodb://ann:a@b/c@one:1,two:2/db"), "one:1,two:2");
        assert_eq!(hosts("mongodb://one"), "one");
        assert_eq!(hosts(""), "");
    }

    #[test]
    fn a_dns_failure_keeps_the_host_and_not_the_login() {
        let uri = "mongodb+srv://ann:hunter2@db.example.org";
        assert_eq!(hide_login("no record for db.example.org", uri), "no record for db.example.org");
        assert_eq!(hide_login("no record for hunter2", uri), "the host's DNS record cannot be read");
    }
}
