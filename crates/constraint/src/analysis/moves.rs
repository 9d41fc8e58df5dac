//! The fewest moves that each side needs for the required numbers of men.

use shakmaty::{Chess, Color, Position, Rank, Role};

use crate::{Men, counted, counts::Counts, men::side, noun};

/// Says why `left` plies from `root` are too few for the required numbers of men, if they are.
pub(super) fn check(counts: &Counts, root: &Chess, left: u32) -> Result<(), String> {
    let men = Men::on(root.board());
    for color in Color::ALL {
        let moves = if root.turn() == color { left.div_ceil(2) } else { left / 2 };
        let of_side = format!(
            "{} has at most {} in {}",
            side(color),
            counted(moves, "move", "moves"),
            counted(left, "ply", "plies")
        );
        let promotions = counts.promotions_of(color, &men);
        let needed = moves_to_promote(root, color, promotions);
        if needed > moves {
            let pawns = counted(promotions, "pawn", "pawns");
            return Err(format!(
                "promoting {pawns} takes {}, but {of_side}",
                counted(needed, "move", "moves")
            ));
        }
        let captures = counts.captures_of(color, &men);
        if captures > moves {
            return Err(format!(
                "{} {} {}, but {of_side}",
                counted(captures, "capture", "captures"),
                noun(captures, "takes", "take"),
                counted(captures, "move", "moves")
            ));
        }
    }
    Ok(())
}

/// The fewest moves in which this number of pawns of `color` can reach the last rank, if nothing is in their way.
fn moves_to_promote(root: &Chess, color: Color, promotions: u32) -> u32 {
    let moves = |rank: Rank| {
        let steps = color.fold_wb(7 - u32::from(rank), u32::from(rank));
        // The first move of a pawn may be a double step.
        if steps == 6 { 5 } else { steps }
    };
    let pawns = root.board().by_piece(Role::Pawn.of(color));
    let mut all: Vec<u32> = pawns.into_iter().map(|square| moves(square.rank())).collect();
    all.sort_unstable();
    all.into_iter().take(promotions as usize).sum()
}
