/// Makes untrusted text fit for a message: one line of limited length, without control characters.
pub fn quote(bytes: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut quoted: String =
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        quoted.push('…');
    }
    quoted
}
