use std::collections::HashMap;

use entente_constraint::Men;
use entente_network::{
    Cooling, NetworkError, Opinion, Question,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, RatingScale, last_moves},
    },
};
use entente_search::{Game, Limits};
use shakmaty::{Color, Move, MoveList, Position};

use super::{Aims, Temperatures};
use crate::skill::{SkilledSession, strength_of};

/// What the policy says of a position: with the goal, and without it.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The legal moves.
    pub moves: MoveList,
    /// The men on the board.
    pub men: Men,
    /// Which moves people choose who reach the goal.
    pub goal: Distribution,
    /// Which moves people choose.
    pub human: Option<Distribution>,
    /// Whether the goal will be reached; `None` where the network is shown no goal, or one that holds already, of which it
    /// has learnt nothing: the constraint then demands what it cannot be shown.
    pub outlook: Option<Outlook>,
}

/// What the network says of reaching a goal.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    /// What the network takes for the chance that the goal is reached in time.
    pub value: f32,
    /// That chance after each move.
    pub action_values: Vec<f32>,
}

/// Slope and shift of the logit by which the chance of reaching a goal comes from what the network says. Many of the
/// goals that it has learnt from were made of what the game came to, and so it expects too much: what it gives 37% comes
/// true in 21% of people's games. Fitted by maximum likelihood to 40,000 positions of the validation split, with the
/// constraints of the thesis that had not been met yet and could still be, half of them online; each kind by itself has
/// 1.27 and -0.58 (online), 1.30 and -0.60.
const CALIBRATION: (f64, f64) = (1.3, -0.6);

impl Outlook {
    /// The chance that the goal is reached in time.
    pub(crate) fn chance(&self) -> f64 {
        let value = f64::from(self.value);
        let (slope, shift) = CALIBRATION;
        1.0 / (1.0 + ((1.0 - value) / value).powf(slope) * (-shift).exp())
    }
}

/// White's and Black's rating, if they are to count.
pub(crate) type Ratings = [Option<u16>; 2];

/// Games of at most so many moves are remembered, with what was made of them: the network remembers what it said without a
/// goal alone.
const LONGEST_OPENING: usize = 8;
/// So many of them, at most.
const MOST_OPENINGS: usize = 4096;

/// The eyes of games that have one root: a network session and what it is told.
pub(crate) struct Eyes {
    session: SkilledSession,
    aims: Aims,
    /// Unknown ratings have no scale, but games on the internet and over the board differ all the same.
    scale: RatingScale,
    /// What the network said of the first positions of games.
    openings: HashMap<Opening, Opinion>,
    /// How many positions were remembered.
    recalled: u64,
}

/// A position at the beginning of a game, and what the network was told of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Opening {
    moves: Vec<Move>,
    ratings: Ratings,
    plies_left: Option<u32>,
    with_other: bool,
}

/// A position that the network is asked about: with the goal, if it is to be reached in `plies_left` plies.
struct Asked<'a> {
    game: &'a Game,
    /// Its legal moves.
    moves: &'a [Move],
    plies_left: Option<u32>,
    /// True if it is asked about both with the goal and without: then a move that either finds likely is looked at.
    with_other: bool,
}

impl Eyes {
    pub(crate) fn new(session: SkilledSession, aims: Aims, scale: RatingScale) -> Eyes {
        Eyes { session, aims, scale, openings: HashMap::new(), recalled: 0 }
    }

    /// Positions evaluated so far, and those remembered instead: what limits allow is not to hang on games played before.
    pub(crate) fn evaluations(&self) -> u64 {
        self.session.evaluations() + self.recalled
    }

    /// The temperatures at which people's moves of whole games are drawn, if the network's file has any.
    pub(crate) fn temperatures(&self, ratings: Ratings, turn: Color) -> Option<Temperatures> {
        self.cooling(ratings, turn).map(Temperatures::from)
    }

    /// What a pawn lost by a move takes from the logarithm of the weight of its game once it is reviewed; 0 if it is not.
    pub(crate) fn review(&self, ratings: Ratings, turn: Color) -> f32 {
        self.cooling(ratings, turn).map_or(0.0, |cooling| cooling.review)
    }

    /// How people's moves of whole games are drawn, if the network's file says so.
    fn cooling(&self, ratings: Ratings, turn: Color) -> Option<Cooling> {
        let strength = strength_of(ratings[turn.fold_wb(0, 1)], Some(self.scale));
        self.session.skill()?.cooling(strength)
    }

    /// What the policy says when `plies_left` plies are left; with `human`, also what it says without a goal.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn look(
        &mut self,
        game: &Game,
        ratings: Ratings,
        plies_left: u32,
        human: bool,
    ) -> Result<Look, NetworkError> {
        let look = self.look_until(game, ratings, plies_left, human, Limits::none())?;
        Ok(look.expect("nobody stops it"))
    }

    /// The same; `None` if `until` ends it meanwhile, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn look_until(
        &mut self,
        game: &Game,
        ratings: Ratings,
        plies_left: u32,
        human: bool,
        until: Limits<'_>,
    ) -> Result<Option<Look>, NetworkError> {
        let looks = self.look_at_all(&[game], ratings, plies_left, human, until)?;
        Ok(looks.and_then(|mut looks| looks.pop()))
    }

    /// The same of several games, no two of which are alike, in one question to the network; `None` if `until` ends
    /// it meanwhile, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn look_at_all(
        &mut self,
        games: &[&Game],
        ratings: Ratings,
        plies_left: u32,
        human: bool,
        until: Limits<'_>,
    ) -> Result<Option<Vec<Look>>, NetworkError> {
        let moves: Vec<MoveList> = games.iter().map(|game| game.position().legal_moves()).collect();
        let mut asked = Vec::new();
        for (game, moves) in games.iter().zip(&moves) {
            asked.push(Asked { game, moves, plies_left: Some(plies_left), with_other: human });
            if human {
                asked.push(Asked { game, moves, plies_left: None, with_other: true });
            }
        }
        let Some(opinions) = self.opinions(&asked, ratings, until)? else { return Ok(None) };
        let mut opinions = opinions.into_iter();
        let mut next = || opinions.next().expect("an opinion of everything asked");
        let looks = games.iter().zip(moves).map(|(game, moves)| {
            let position = game.position();
            let Opinion { logits, action_values, value, .. } = next();
            let aim = self.aims.nearest(position);
            let outlook =
                (!aim.is_none() && !aim.holds(position)).then_some(Outlook { value, action_values });
            let human = human.then(|| Distribution::new(next().logits));
            Look { men: Men::on(position.board()), moves, goal: Distribution::new(logits), human, outlook }
        });
        Ok(Some(looks.collect()))
    }

    /// The legal moves, and which of them people choose without a goal.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn human(
        &mut self,
        game: &Game,
        ratings: Ratings,
    ) -> Result<(MoveList, Distribution), NetworkError> {
        let answers = self.human_of_all(&[game], ratings, Limits::none())?;
        Ok(answers.and_then(|mut answers| answers.pop()).expect("nobody stops it"))
    }

    /// The same of several games, no two of which are alike, in one question to the network; `None` if `until` ends
    /// it meanwhile, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn human_of_all(
        &mut self,
        games: &[&Game],
        ratings: Ratings,
        until: Limits<'_>,
    ) -> Result<Option<Vec<(MoveList, Distribution)>>, NetworkError> {
        let moves: Vec<MoveList> = games.iter().map(|game| game.position().legal_moves()).collect();
        let asked: Vec<Asked<'_>> = games
            .iter()
            .zip(&moves)
            .map(|(game, moves)| Asked { game, moves, plies_left: None, with_other: false })
            .collect();
        let Some(opinions) = self.opinions(&asked, ratings, until)? else { return Ok(None) };
        let chances = opinions.into_iter().map(|opinion| Distribution::new(opinion.logits));
        Ok(Some(moves.into_iter().zip(chances).collect()))
    }

    /// What the network says of all that is asked, no two of which are alike: it is asked once, and not about openings that
    /// are remembered. `None` if `until` ends it meanwhile, whose nodes do not count.
    fn opinions(
        &mut self,
        asked: &[Asked<'_>],
        ratings: Ratings,
        until: Limits<'_>,
    ) -> Result<Option<Vec<Opinion>>, NetworkError> {
        let openings: Vec<Option<Opening>> = asked.iter().map(|asked| asked.opening(ratings)).collect();
        let mut remembered: Vec<Option<Opinion>> = openings
            .iter()
            .map(|opening| opening.as_ref().and_then(|opening| self.openings.get(opening)).cloned())
            .collect();
        // What is asked together is answered together: one answer of a pair is worth nothing alone.
        let pairs = asked.chunk_by(|a, b| a.with_other && b.with_other && std::ptr::eq(a.game, b.game));
        let mut first = 0;
        for pair in pairs {
            let of_pair = &mut remembered[first..first + pair.len()];
            if of_pair.contains(&None) {
                of_pair.fill(None);
            }
            first += pair.len();
        }
        let unknown = asked.iter().zip(&remembered).filter(|(_, opinion)| opinion.is_none());
        let questions: Vec<Question<'_>> = unknown
            .map(|(asked, _)| {
                let position = asked.game.position();
                let context = Context {
                    ratings,
                    scale: Some(self.scale),
                    ply: asked.game.age(),
                    plies_left: asked.plies_left,
                    last_moves: last_moves(asked.game.moves()),
                    repeated: asked.game.repetitions(),
                    ..Context::default()
                };
                let aim = asked.plies_left.map_or(&Aim::NONE, |_| self.aims.nearest(position));
                Question { position, moves: asked.moves, played: asked.game.moves(), context, aim }
            })
            .collect();
        let opinions = self.session.ask_until(&questions, until)?;
        if opinions.len() < questions.len() {
            return Ok(None);
        }
        self.recalled += (asked.len() - questions.len()) as u64;
        let mut opinions = opinions.into_iter();
        let all = openings.into_iter().zip(remembered).map(|(opening, remembered)| {
            remembered.unwrap_or_else(|| {
                let opinion = opinions.next().expect("an opinion a question");
                if let Some(opening) = opening
                    && self.openings.len() < MOST_OPENINGS
                {
                    self.openings.insert(opening, opinion.clone());
                }
                opinion
            })
        });
        Ok(Some(all.collect()))
    }
}

impl Asked<'_> {
    /// What it is remembered by, if it is an opening.
    fn opening(&self, ratings: Ratings) -> Option<Opening> {
        let moves = self.game.moves();
        (moves.len() <= LONGEST_OPENING).then(|| Opening {
            moves: moves.to_vec(),
            ratings,
            plies_left: self.plies_left,
            with_other: self.with_other,
        })
    }
}
