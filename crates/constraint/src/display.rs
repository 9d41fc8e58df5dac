use std::fmt::{self, Display, Formatter};

use super::Constraint;

impl Display for Constraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constraint::All(parts) => {
                list(f, parts, " & ", |part| !matches!(part, Constraint::All(_) | Constraint::Any(_)))
            }
            Constraint::Any(parts) => list(f, parts, " | ", |part| !matches!(part, Constraint::Any(_))),
            Constraint::Not(part) => {
                f.write_str("!")?;
                operand(f, part, !matches!(**part, Constraint::All(_) | Constraint::Any(_)))
            }
            Constraint::Atom(atom) => atom.fmt(f),
        }
    }
}

fn list(
    f: &mut Formatter<'_>,
    parts: &[Constraint],
    separator: &str,
    binds_tighter: impl Fn(&Constraint) -> bool,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        operand(f, part, binds_tighter(part))?;
    }
    Ok(())
}

fn operand(f: &mut Formatter<'_>, part: &Constraint, binds_tighter: bool) -> fmt::Result {
    if binds_tighter { write!(f, "{part}") } else { write!(f, "({part})") }
}
