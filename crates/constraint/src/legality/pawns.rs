//! Pawns: where they can have come from, and what they took on the way.

use shakmaty::{Bitboard, Board, Color, Role};

use super::{
    illegal::{Illegal, Rule},
    needs::{FILES, Group, Need, Needs, groups, never_moved},
    passing::{self, Care, Passing},
    unmoved::Unmoved,
    victims::Victims,
    ways::{NO_WAY, pawn_home},
    words::{self, number, side},
};

/// Men that cannot have come out of their homes, pawns that cannot have come to their squares, and more captures of pawns
/// than men are missing.
pub(super) fn refuse(board: &Board, unmoved: &Unmoved) -> Option<Illegal> {
    let (white, black) =
        match (Needs::of(board, Color::White, unmoved), Needs::of(board, Color::Black, unmoved)) {
            (Ok(white), Ok(black)) => (white, black),
            (Err(illegal), _) | (_, Err(illegal)) => return Some(illegal),
        };
    let of = |hunters: &Needs| {
        let groups: Vec<Group> = groups(board, hunters.color.other(), unmoved);
        Victims::of(board, hunters, &groups)
    };
    let victims = [of(&white), of(&black)];
    let (needs, victims) = ([&white, &black], [&victims[0], &victims[1]]);
    let passing = passing::search(needs, victims, Care { colours: true, files: true });
    if passing == Passing::Possible {
        return None;
    }
    for (needs, victims) in needs.into_iter().zip(victims) {
        if let Some(illegal) = alone(board, unmoved, needs, victims) {
            return Some(illegal);
        }
    }
    (passing == Passing::Impossible).then(|| together(needs, victims))
}

/// What refuses the pawns of one side without a look at those of the other.
fn alone(board: &Board, unmoved: &Unmoved, needs: &Needs, victims: &Victims) -> Option<Illegal> {
    let Some(fewest) = fewest_captures(needs) else {
        return too_few_origins(board, unmoved, needs);
    };
    let promoted = needs.list.iter().filter(|need| need.role != Role::Pawn).count();
    let to_promote = match promoted {
        0 => String::new(),
        1 => ", the one that was promoted included".to_owned(),
        _ => format!(", the {promoted} that were promoted included"),
    };
    (fewest > u32::from(victims.all)).then(|| {
        let reason = format!(
            "{}'s pawns needed at least {} to get to where they stand{to_promote}, and {}",
            side(needs.color),
            number(fewest as usize, "capture"),
            victims.words(needs.color.other()),
        );
        Illegal::because(Rule::PawnCaptures, reason)
    })
}

/// Pawns and promoted men that fewer pawns can have become.
fn too_few_origins(board: &Board, unmoved: &Unmoved, needs: &Needs) -> Option<Illegal> {
    let (which, files) = too_few_files(needs)?;
    let picked = needs.list.iter().enumerate().filter(|(index, _)| which & (1 << index) != 0);
    let (pawns, promoted): (Vec<&Need>, Vec<&Need>) =
        picked.map(|(_, need)| need).partition(|need| need.role == Role::Pawn);
    let pawns = pawns.iter().fold(Bitboard::EMPTY, |all, need| all | need.squares);
    let homes = (0..FILES).filter(|file| files & (1 << file) != 0).map(|file| pawn_home(needs.color, file));
    let homes = words::squares(homes.collect());
    if promoted.is_empty() {
        let from = if homes.is_empty() { "nowhere".to_owned() } else { format!("only on {homes}") };
        let pawns = words::standing(Role::Pawn, pawns);
        let reason = format!("{}'s {pawns} can have started {from}", side(needs.color));
        return Some(Illegal::because(Rule::PawnWays, reason));
    }
    let why = needs.why_all_promoted(&promoted, board, unmoved);
    let around = never_moved(board, unmoved);
    let but = if homes.is_empty() {
        "no pawn can have got to where that is done".to_owned()
    } else if pawns.is_empty() {
        format!("only the pawns from {homes} can have got to where that is done")
    } else {
        let pawns = words::standing(Role::Pawn, pawns);
        format!("for that, and for the {pawns}, there are only the pawns from {homes}")
    };
    Some(Illegal::because(Rule::ShutIn, format!("{why}; but {but} around {around}")))
}

/// What refuses the pawns of both sides only together, or only with a look at where the captures were.
fn together(needs: [&Needs; 2], victims: [&Victims; 2]) -> Illegal {
    let most = [0, 1].map(|side| match victims[side].all {
        0 => "nobody".to_owned(),
        all => format!("at most {}", number(all.into(), "man")),
    });
    let possible =
        |colours, files| passing::search(needs, victims, Care { colours, files }) == Passing::Possible;
    let but = if !possible(false, false) {
        "with so few captures they cannot all have got past each other to where they stand"
    } else if !possible(true, false) {
        "to get to where they stand they would have had to take a bishop on a square of the other colour"
    } else {
        "on the files where they needed captures there was nobody to take: missing pawns did not leave their files \
         without a capture, nor were they promoted past pawns before them"
    };
    let took = if victims.iter().all(|victims| victims.all == 0) {
        "no pawn can have captured anybody".to_owned()
    } else {
        format!("White's pawns took {}, Black's {}", most[0], most[1])
    };
    let reason = format!("{took}, and {but}");
    Illegal::because(Rule::PawnCaptures, reason)
}

/// The fewest captures with which pawns can meet all needs, each another; `None` if they cannot.
fn fewest_captures(needs: &Needs) -> Option<u32> {
    let mut fewest = [u32::MAX; 1 << FILES];
    fewest[0] = 0;
    // The needs are met in their order: a set of files says how many.
    for files in 0..fewest.len() - 1 {
        let Some(need) = needs.list.get(files.count_ones() as usize).filter(|_| fewest[files] < u32::MAX)
        else {
            continue;
        };
        for (file, captures) in need.captures.iter().enumerate() {
            if files & (1 << file) == 0 && *captures < NO_WAY {
                let more = files | 1 << file;
                fewest[more] = fewest[more].min(fewest[files] + u32::from(*captures));
            }
        }
    }
    let met = (0..fewest.len()).filter(|files| files.count_ones() as usize == needs.list.len());
    met.map(|files| fewest[files]).min().filter(|fewest| *fewest < u32::MAX)
}

/// The smallest set of needs that fewer files can meet (Hall's theorem), and these files.
fn too_few_files(needs: &Needs) -> Option<(u8, u8)> {
    let files = |which: u8| {
        let picked = needs.list.iter().enumerate().filter(|(index, _)| which & (1 << index) != 0);
        picked.fold(0_u8, |files, (_, need)| {
            let met = (0..FILES).filter(|file| need.captures[*file] < NO_WAY);
            met.fold(files, |files, file| files | 1 << file)
        })
    };
    let all = (1_u16 << needs.list.len()) - 1;
    let sets = (1..=all).map(|which| (which as u8, files(which as u8)));
    sets.filter(|(which, files)| which.count_ones() > files.count_ones())
        .min_by_key(|(which, _)| which.count_ones())
}
