use super::quote::quote;

/// A tag of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its value, without the backslashes before quotes.
    pub value: Vec<u8>,
}

/// The tags at the beginning of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagSection<'a> {
    /// The tags, in their order.
    pub tags: Vec<Tag<'a>>,
    /// The number of bytes up to the movetext.
    pub length: usize,
    /// The name and text of the first line that begins like a tag and is not one.
    pub malformed: Option<(String, String)>,
}

impl<'a> TagSection<'a> {
    /// Reads the tags at the beginning of a game's text.
    pub(super) fn read(text: &'a [u8]) -> TagSection<'a> {
        let mut section = TagSection::default();
        let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        for line in text[at..].split_inclusive(|&byte| byte == b'\n') {
            let content = line.trim_ascii();
            if line.starts_with(b"[") {
                if !is_tag(line) || !content.ends_with(b"\"]") {
                    let name = content[1..].split(|byte| !byte.is_ascii_alphanumeric()).next();
                    let (tag, value) = (quote(name.unwrap_or_default()), quote(content));
                    section.malformed.get_or_insert((tag, value));
                } else {
                    section.add(content);
                }
            } else if !content.is_empty() && !line.starts_with(b"%") {
                break;
            }
            at += line.len();
        }
        section.length = at;
        section
    }

    /// Adds the tags of a line, which may have several.
    fn add(&mut self, line: &'a [u8]) {
        let Some(quoted) = line.iter().position(|&byte| byte == b'"') else { return };
        let name = line[1..quoted].trim_ascii();
        let rest = &line[quoted + 1..];
        let end = (0..rest.len()).find(|&end| {
            rest[end..].starts_with(b"\"]") && {
                let next = rest[end + 2..].trim_ascii_start();
                next.is_empty() || is_tag(next)
            }
        });
        let end = end.unwrap_or(rest.len());
        self.tags.push(Tag { name, value: unescaped(&rest[..end]) });
        let next = rest.get(end + 2..).unwrap_or_default().trim_ascii_start();
        if !next.is_empty() {
            self.add(next);
        }
    }

    /// The value of the first tag of this name.
    pub fn get(&self, name: &str) -> Option<String> {
        self.tags.iter().find(|tag| tag.name == name.as_bytes()).map(|tag| decode(&tag.value))
    }
}

/// Decodes a tag's value: as UTF-8, or if that fails as Latin-1, which older files use and in which every byte is a
/// character.
pub fn decode(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}

fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let next = if byte == b'\\' { bytes.next_if(|next| matches!(next, b'"' | b'\\')) } else { None };
        plain.push(next.unwrap_or(byte));
    }
    plain
}

/// True for a line like `[Name "value"]`. Anything may follow the opening quote.
pub(super) fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = &rest[name..];
    let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    name > 0 && spaces > 0 && rest[spaces..].starts_with(b"\"")
}
