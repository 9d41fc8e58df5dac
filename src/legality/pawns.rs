//! Pawns: where they can have come from, and what they took on the way.

use shakmaty::{Board, Color, Role};

use super::{
    illegal::{Illegal, Rule},
    needs::{FILES, Group, Needs, groups, never_moved},
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
        let (which, files) = too_few_files(needs)?;
        let only_pawns = (0..needs.list.len())
            .filter(|index| which & (1 << index) != 0)
            .all(|index| needs.list[index].role == Role::Pawn);
        let homes = words::squares(
            (0..FILES)
                .filter(|file| files & (1 << file) != 0)
                .map(|file| pawn_home(needs.color, file))
                .collect(),
        );
        let from =
            if homes.is_empty() { "started nowhere".to_owned() } else { format!("started only on {homes}") };
        let reason = format!("{}'s {} can have {from}", side(needs.color), needs.names(which));
        return Some(if only_pawns {
            Illegal::because(Rule::PawnWays, reason)
        } else {
            Illegal::because(Rule::ShutIn, format!("{reason}, around {}", never_moved(board, unmoved)))
        });
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

/// What refuses the pawns of both sides only together, or only with a look at where the captures were.
fn together(needs: [&Needs; 2], victims: [&Victims; 2]) -> Illegal {
    let most = |side: usize| number(victims[side].all.into(), "capture");
    let possible =
        |colours, files| passing::search(needs, victims, Care { colours, files }) == Passing::Possible;
    let but = if !possible(false, false) {
        "with so few they cannot all have got past each other to where they stand"
    } else if !possible(true, false) {
        "to get to where they stand they would have had to take a bishop on a square of the other colour"
    } else {
        "on the files where they needed captures there was nobody to take: missing pawns did not leave their files \
         without a capture, nor were they promoted past pawns before them"
    };
    let reason = format!("White's pawns made at most {}, Black's at most {}, and {but}", most(0), most(1));
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
