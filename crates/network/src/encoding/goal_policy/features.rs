use entente_constraint::{Check, End, KINDS, Men};
use entente_search::PortableMath as _;
use shakmaty::{Chess, Color, Position};

use super::{
    Aim, Context, RatingScale,
    aim::{Span, difference, right},
};

/// The number of features: the part of an input that does not belong to squares.
///
/// "Own" means the mover's. Numbers of men are divided by 4, and "known" and "whether" are flags, 1 or 0. The features
/// are, in this order:
///
/// - ratings, own and the opponent's: known, (rating − 1800)/400 (4);
/// - scale of the ratings: online, FIDE (2);
/// - the ply, divided by 100 (1);
/// - the fifty-move counter, divided by 50 (1);
/// - plies left: known, plies/50 up to 2, ln(1 + plies)/5, e^(−plies/8) (4);
/// - all own men and all the opponent's, divided by 16 (2);
/// - own queens, rooks, bishops, knights and pawns, then the opponent's (10);
/// - for each of these kinds: whether there is a lower bound, the bound minus the number, whether there is an upper
///   bound, the number minus the bound (40);
/// - the same for the differences, own number minus the opponent's, of queens to pawns (20);
/// - castling rights that must exist, own short and long, then the opponent's, then those that must not exist (8);
/// - check demanded: of the own king, of the opponent's, of either, of none (4);
/// - turn demanded: own, the opponent's (2);
/// - end demanded: checkmate, stalemate (2);
/// - whether anything is demanded (1);
/// - the number of squares not yet as demanded, divided by 8 (1);
/// - seconds on the mover's clock: known, ln(1 + seconds)/8, e^(−seconds/10), e^(−seconds/60) (4);
/// - time control: known, ln(1 + base time in seconds)/8, increment in seconds divided by 10 (3);
/// - scale of the ratings: chess.com (1).
///
/// New features are added at the end. A network that was trained with fewer reads the first ones.
pub const FEATURES: usize = 110;
/// The fewest features that a network may read: those before clocks and the scale of chess.com were added.
pub const FIRST_FEATURES: usize = 102;

/// Counters are clipped to this. No game that the network was trained on is longer.
const MAX_PLIES: u32 = 1000;

/// Writes as many of the [`FEATURES`], from the first, as fit.
pub(super) fn write(position: &Chess, men: &Men, context: &Context, aim: &Aim, features: &mut [f32]) {
    let mover = position.turn();
    let sides = [mover, mover.other()];
    assert!(features.len() <= FEATURES, "there are only {FEATURES} features");
    let mut writer = Writer { features, next: 0 };
    for color in sides {
        let rating = context.ratings[color.fold_wb(0, 1)];
        writer.flag(rating.is_some());
        writer.push(rating.map_or(0.0, |rating| (f32::from(rating) - 1800.0) / 400.0));
    }
    writer.flag(context.scale.is_some_and(RatingScale::is_online));
    writer.flag(context.scale == Some(RatingScale::Fide));
    // The move numbers of a FEN can be arbitrarily large.
    writer.push(context.ply.min(MAX_PLIES) as f32 / 100.0);
    writer.push(position.halfmoves().min(MAX_PLIES) as f32 / 50.0);
    let left = context.plies_left.map(|plies| plies as f32);
    writer.flag(left.is_some());
    writer.push(left.map_or(0.0, |plies| (plies / 50.0).min(2.0)));
    writer.push(left.map_or(0.0, |plies| (1.0 + plies).portable_ln() / 5.0));
    writer.push(left.map_or(0.0, |plies| (-plies / 8.0).portable_exp()));
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
    writer.push(seconds.map_or(0.0, |seconds| (1.0 + seconds).portable_ln() / 8.0));
    writer.push(seconds.map_or(0.0, |seconds| (-seconds / 10.0).portable_exp()));
    writer.push(seconds.map_or(0.0, |seconds| (-seconds / 60.0).portable_exp()));
    writer.flag(context.time_control.is_some());
    let [base, increment] = context.time_control.unwrap_or_default();
    writer.push((1.0 + base as f32).portable_ln() / 8.0);
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
