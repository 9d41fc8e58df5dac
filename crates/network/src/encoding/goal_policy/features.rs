use entente_constraint::{Check, End, KINDS, Men};
use shakmaty::{Chess, Color, Position};

use super::{
    Aim, Context, RatingScale,
    aim::{Span, difference, right},
};

/// Numbers of one input that belong to no square.
///
/// "Own" is the mover's; numbers of men are divided by 4. In this order: own and the opponent's rating as (rating −
/// 1800)/400, each behind a 1 if it is known (4); ratings online, FIDE (2); the ply, in hundreds; the fifty-move counter, in
/// fifties; plies left: known, in fifties up to 2, ln(1 + plies)/5, e^(−plies/8) (4); all own and all the
/// opponent's men, divided by 16 (2); own queens to pawns, and the opponent's (10); for each of these kinds whether there is a least, how
/// many are missing to it, whether there is a most, how many there are beyond it, both also negative (40); the same
/// for own queens minus the opponent's to pawns (20); own and the opponent's rights to castle, short and long, that
/// must be held, and that must not (8); own king in check, the opponent's, one of them, none (4); own turn, the
/// opponent's (2); checkmate, stalemate (2); whether anything is demanded; squares not yet as demanded,
/// divided by 8; seconds on the mover's clock: known, ln(1 + seconds)/8, e^(−seconds/10), e^(−seconds/60) (4); time
/// control: known, ln(1 + base time in seconds)/8, increment in seconds divided by 10 (3); ratings of chess.com.
///
/// New numbers are added at the end: a network that was trained when there were fewer reads the first ones.
pub const FEATURES: usize = 110;
/// The fewest that a network reads: there were so many before clocks and the scale of chess.com.
pub const FIRST_FEATURES: usize = 102;

/// More plies than any game has that the network learnt from.
const MOST_PLIES: u32 = 1000;

/// Writes the first of the [`FEATURES`], as many as there is room for.
pub(super) fn write(position: &Chess, men: &Men, context: &Context, aim: &Aim, features: &mut [f32]) {
    let mover = position.turn();
    let sides = [mover, mover.other()];
    assert!(features.len() <= FEATURES, "there are not so many features");
    let mut writer = Writer { features, next: 0 };
    for color in sides {
        let rating = context.ratings[color.fold_wb(0, 1)];
        writer.flag(rating.is_some());
        writer.push(rating.map_or(0.0, |rating| (f32::from(rating) - 1800.0) / 400.0));
    }
    writer.flag(context.scale.is_some_and(RatingScale::is_online));
    writer.flag(context.scale == Some(RatingScale::Fide));
    // A FEN may say that any number of moves was played.
    writer.push(context.ply.min(MOST_PLIES) as f32 / 100.0);
    writer.push(position.halfmoves().min(MOST_PLIES) as f32 / 50.0);
    let left = context.plies_left.map(|plies| plies as f32);
    writer.flag(left.is_some());
    writer.push(left.map_or(0.0, |plies| (plies / 50.0).min(2.0)));
    writer.push(left.map_or(0.0, |plies| (1.0 + plies).ln() / 5.0));
    writer.push(left.map_or(0.0, |plies| (-plies / 8.0).exp()));
    for color in sides {
        writer.push(position.board().by_color(color).count() as f32 / 16.0);
    }
    let own_first =
        || (0..KINDS.len()).map(|kind| if mover == Color::White { kind } else { (kind + 5) % 10 });
    for kind in own_first() {
        writer.men(men.count(KINDS[kind]) as i8);
    }
    for kind in own_first() {
        writer.span(aim.counts[kind], men.count(KINDS[kind]) as i8);
    }
    for (kind, span) in aim.differences.into_iter().enumerate() {
        let number = difference(men, kind);
        match mover {
            Color::White => writer.span(span, number),
            Color::Black => {
                let negative = |bound: Option<i8>| bound.map(|bound| -bound);
                writer.span(Span { least: negative(span.most), most: negative(span.least) }, -number);
            }
        }
    }
    for wanted in [true, false] {
        for color in sides {
            for side in shakmaty::CastlingSide::ALL {
                writer.flag(aim.castling[right(color, side)] == Some(wanted));
            }
        }
    }
    for check in [Check::Of(mover), Check::Of(mover.other()), Check::Any, Check::None] {
        writer.flag(aim.check == Some(check));
    }
    for color in sides {
        writer.flag(aim.turn == Some(color));
    }
    for end in [End::Checkmate, End::Stalemate] {
        writer.flag(aim.end == Some(end));
    }
    writer.flag(!aim.is_none());
    writer.push(aim.squares_left(position) as f32 / 8.0);
    debug_assert_eq!(writer.next, FIRST_FEATURES);
    let seconds = context.seconds_left.map(|seconds| seconds as f32);
    writer.flag(seconds.is_some());
    writer.push(seconds.map_or(0.0, |seconds| (1.0 + seconds).ln() / 8.0));
    writer.push(seconds.map_or(0.0, |seconds| (-seconds / 10.0).exp()));
    writer.push(seconds.map_or(0.0, |seconds| (-seconds / 60.0).exp()));
    writer.flag(context.time_control.is_some());
    let [base, increment] = context.time_control.unwrap_or_default();
    writer.push((1.0 + base as f32).ln() / 8.0);
    writer.push(increment as f32 / 10.0);
    writer.flag(context.scale == Some(RatingScale::ChessCom));
    debug_assert_eq!(writer.next, FEATURES);
}

struct Writer<'a> {
    features: &'a mut [f32],
    next: usize,
}

impl Writer<'_> {
    fn push(&mut self, number: f32) {
        if let Some(feature) = self.features.get_mut(self.next) {
            *feature = number;
        }
        self.next += 1;
    }

    fn flag(&mut self, set: bool) {
        self.push(f32::from(u8::from(set)));
    }

    fn men(&mut self, number: i8) {
        self.push(f32::from(number) / 4.0);
    }

    fn span(&mut self, span: Span, number: i8) {
        self.flag(span.least.is_some());
        self.men(span.least.map_or(0, |least| least - number));
        self.flag(span.most.is_some());
        self.men(span.most.map_or(0, |most| number - most));
    }
}
