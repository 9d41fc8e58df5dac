//! Pawns: where they can have come from, and what they captured on the way.

use shakmaty::{Bitboard, Board, Color, Role};

use super::{
    illegal::{Illegal, Rule},
    needs::{FILES, Group, Need, Needs, groups, unmoved_men},
    passing::{self, Passing, Tests},
    unmoved::Unmoved,
    victims::Victims,
    ways::{NO_PATH, pawn_home},
    words::{self, number, side},
};

/// Refuses men that cannot have left their initial squares, pawns that cannot have reached their squares, and more
/// captures by pawns than there are missing men.
pub(super) fn refuse(board: &Board, unmoved: &Unmoved) -> Option<Illegal> {
    let (white, black) =
        match (Needs::of(board, Color::White, unmoved), Needs::of(board, Color::Black, unmoved)) {
            (Ok(white), Ok(black)) => (white, black),
            (Err(illegal), _) | (_, Err(illegal)) => return Some(illegal),
        };
    let of = |capturers: &Needs| {
        let groups: Vec<Group> = groups(board, capturers.color.other(), unmoved);
        Victims::of(board, capturers, &groups)
    };
    let victims = [of(&white), of(&black)];
    let (needs, victims) = ([&white, &black], [&victims[0], &victims[1]]);
    // What is impossible wherever the pawns captured is found sooner.
    let anywhere = passing::search(needs, victims, Tests { colours: true, files: false });
    let passing = match anywhere {
        Passing::Possible => passing::search(needs, victims, Tests { colours: true, files: true }),
        refuted => refuted,
    };
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

/// Refuses the pawns of one side, whatever the pawns of the other side did.
fn alone(board: &Board, unmoved: &Unmoved, needs: &Needs, victims: &Victims) -> Option<Illegal> {
    let Some(fewest) = fewest_captures(needs) else {
        return too_few_origins(board, unmoved, needs);
    };
    let promoted = needs.list.iter().filter(|need| need.role != Role::Pawn).count();
    let to_promote = match promoted {
        0 => String::new(),
        1 => " (including the one that was promoted)".to_owned(),
        _ => format!(" (including the {promoted} that were promoted)"),
    };
    (fewest > u32::from(victims.all)).then(|| {
        let reason = format!(
            "{}'s pawns{to_promote} needed at least {} to reach their squares, but {}",
            side(needs.color),
            number(fewest as usize, "capture"),
            victims.words(needs.color.other()),
        );
        Illegal::because(Rule::PawnCaptures, reason)
    })
}

/// Refuses a set of pawns and promoted men that can only have come from fewer pawns.
fn too_few_origins(board: &Board, unmoved: &Unmoved, needs: &Needs) -> Option<Illegal> {
    let (which, files) = too_few_files(needs)?;
    let picked = needs.list.iter().enumerate().filter(|(index, _)| which & (1 << index) != 0);
    let (pawns, promoted): (Vec<&Need>, Vec<&Need>) =
        picked.map(|(_, need)| need).partition(|need| need.role == Role::Pawn);
    let pawns = pawns.iter().fold(Bitboard::EMPTY, |all, need| all | need.squares);
    let homes = (0..FILES).filter(|file| files & (1 << file) != 0).map(|file| pawn_home(needs.color, file));
    let homes = words::squares(homes.collect());
    if promoted.is_empty() {
        let come = if homes.is_empty() {
            "cannot have come from any initial square".to_owned()
        } else {
            format!("can only have come from {homes}")
        };
        let pawns = words::standing(Role::Pawn, pawns);
        let reason = format!("{}'s {pawns} {come}", side(needs.color));
        return Some(Illegal::because(Rule::PawnWays, reason));
    }
    let why = needs.why_all_promoted(&promoted, board, unmoved);
    let past = unmoved_men(board, unmoved);
    let but = if homes.is_empty() {
        "no pawn can have reached a suitable promotion square".to_owned()
    } else if pawns.is_empty() {
        format!("only the pawns from {homes} can have reached a suitable promotion square")
    } else {
        let pawns = words::standing(Role::Pawn, pawns);
        format!(
            "only the pawns from {homes} can have become the {pawns} or have reached a suitable promotion square"
        )
    };
    Some(Illegal::because(Rule::ShutIn, format!("{why}; but {but} past {past}")))
}

/// The reason if only the pawns of both sides together are impossible, or only the places of their captures.
fn together(needs: [&Needs; 2], victims: [&Victims; 2]) -> Illegal {
    let most = [0, 1].map(|side| match victims[side].all {
        0 => "no men".to_owned(),
        all => format!("at most {}", number(all.into(), "man")),
    });
    let possible =
        |colours, files| passing::search(needs, victims, Tests { colours, files }) == Passing::Possible;
    let consequence = if !possible(false, false) {
        "so the pawns cannot all have passed each other to reach their squares"
    } else if !possible(true, false) {
        "but to reach their squares they would have had to capture a bishop on a square of the other colour"
    } else {
        "but on the files where they needed captures there was nothing to capture: the missing pawns did not leave \
         their files without captures, nor were they promoted past the pawns in front of them"
    };
    let captured = if victims.iter().all(|victims| victims.all == 0) {
        "no pawn can have captured anything".to_owned()
    } else {
        format!("White's pawns captured {} and Black's {}", most[0], most[1])
    };
    let reason = format!("{captured}, {consequence}");
    Illegal::because(Rule::PawnCaptures, reason)
}

/// The fewest captures with which different pawns can meet all needs; `None` if they cannot.
fn fewest_captures(needs: &Needs) -> Option<u32> {
    let mut fewest = [u32::MAX; 1 << FILES];
    fewest[0] = 0;
    // The needs are met in order, so the size of the set of files is the number of needs met.
    for files in 0..fewest.len() - 1 {
        let Some(need) = needs.list.get(files.count_ones() as usize).filter(|_| fewest[files] < u32::MAX)
        else {
            continue;
        };
        for (file, captures) in need.captures.iter().enumerate() {
            if files & (1 << file) == 0 && *captures < NO_PATH {
                let more = files | 1 << file;
                fewest[more] = fewest[more].min(fewest[files] + u32::from(*captures));
            }
        }
    }
    let met = (0..fewest.len()).filter(|files| files.count_ones() as usize == needs.list.len());
    met.map(|files| fewest[files]).min().filter(|fewest| *fewest < u32::MAX)
}

/// The smallest set of needs that can only be met by fewer files, and these files (Hall's theorem).
fn too_few_files(needs: &Needs) -> Option<(u8, u8)> {
    let files = |which: u8| {
        let picked = needs.list.iter().enumerate().filter(|(index, _)| which & (1 << index) != 0);
        picked.fold(0_u8, |files, (_, need)| {
            let met = (0..FILES).filter(|file| need.captures[*file] < NO_PATH);
            met.fold(files, |files, file| files | 1 << file)
        })
    };
    let all = (1_u16 << needs.list.len()) - 1;
    let sets = (1..=all).map(|which| (which as u8, files(which as u8)));
    sets.filter(|(which, files)| which.count_ones() > files.count_ones())
        .min_by_key(|(which, _)| which.count_ones())
}
