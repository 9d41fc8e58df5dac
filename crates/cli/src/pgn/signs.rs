/// Assessments and other signs that stand behind a move or alone, the longest first: check signs, those of the
/// Informator in UTF-8, and ± in Latin-1. "N" is a novelty and "D" a diagram, as ChessBase writes them.
const SIGNS: [&[u8]; 47] = [
    b"e.p.",
    b"+--",
    b"--+",
    b"+/-",
    b"-/+",
    b"+/=",
    b"=/+",
    b"+-",
    b"-+",
    b"+=",
    b"=+",
    b"e.p",
    b"ep",
    b"++",
    b"+",
    b"#",
    b"=",
    b"!",
    b"?",
    b"~",
    b"N",
    b"D",
    b"\xb1",
    "±".as_bytes(),
    "∓".as_bytes(),
    "⩲".as_bytes(),
    "⩱".as_bytes(),
    "∞".as_bytes(),
    "→".as_bytes(),
    "↑".as_bytes(),
    "⇆".as_bytes(),
    "⇄".as_bytes(),
    "□".as_bytes(),
    "△".as_bytes(),
    "⌓".as_bytes(),
    "⊙".as_bytes(),
    "⨀".as_bytes(),
    "†".as_bytes(),
    "‡".as_bytes(),
    "≠".as_bytes(),
    "≈".as_bytes(),
    "‼".as_bytes(),
    "⁇".as_bytes(),
    "⁉".as_bytes(),
    "⁈".as_bytes(),
    "…".as_bytes(),
    "−+".as_bytes(),
];

/// True if `text` has nothing but signs.
pub(super) fn are_signs(mut text: &[u8]) -> bool {
    while !text.is_empty() {
        match SIGNS.iter().find(|sign| text.starts_with(sign)) {
            Some(sign) => text = &text[sign.len()..],
            None => return false,
        }
    }
    true
}
