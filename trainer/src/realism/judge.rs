use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, ensure};
use entente::parallel::{self, map_in_order};
use entente_network::{NetworkError, NetworkKind as _, Policy, read_network};
use shakmaty::Position as _;

use super::{Origin, SatisfyingGame};
use crate::{
    prediction::Predictor,
    samples::goal::{Archive, ReplayedGame, Sample},
};

/// Number of games in a part for a thread.
const GAMES: usize = 16;

/// A policy that judges how surprising moves are. It is asked without a goal and without its skill.
pub struct Judge {
    /// The name in reports.
    pub name: String,
    /// The file, or the name of a built-in policy.
    pub file: String,
    /// What the judge knows of the games that it judges.
    pub origin: Origin,
    predictor: Predictor,
}

impl Judge {
    /// Opens the judges: names of built-in policies, or ONNX files of any policy that Entente can run. A judge is named
    /// after its file, without folder and ending unless another judge would have the same name.
    ///
    /// # Errors
    ///
    /// If a file is not such a policy, or is given twice.
    pub fn open_all(files: &[String]) -> anyhow::Result<Vec<Judge>> {
        let stem = |file: &str| Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stems: Vec<Option<String>> = files.iter().map(|file| stem(file)).collect();
        let mut judges = Vec::new();
        for (place, file) in files.iter().enumerate() {
            ensure!(!files[..place].contains(file), "--judge {file}: given twice");
            let is_unique = stems.iter().filter(|other| **other == stems[place]).count() == 1;
            let name = stems[place].clone().filter(|_| is_unique).unwrap_or_else(|| file.clone());
            judges.push(Judge::open(name, file).with_context(|| format!("--judge {file}"))?);
        }
        Ok(judges)
    }

    fn open(name: String, file: &str) -> anyhow::Result<Judge> {
        let read;
        let bytes = match Policy::embedded(file) {
            Some(bytes) => bytes,
            None => {
                read = read_network(Path::new(file))?;
                &read
            }
        };
        let policy = Policy::from_bytes(file, bytes)?.with_skill(None);
        Ok(Judge {
            name,
            file: file.to_owned(),
            origin: Origin::of(bytes),
            predictor: Predictor::Policy(policy),
        })
    }

    /// Adds this judge's surprise of each move to the games. Games with the same number are parts of one game, which is
    /// judged once. `done` is called with the number of further games that are done. The number of threads does not
    /// change the results.
    ///
    /// # Errors
    ///
    /// If the network cannot be run.
    pub fn judge(
        &self,
        games: &mut [SatisfyingGame],
        threads: usize,
        done: impl Fn(u64) + Sync,
    ) -> Result<(), NetworkError> {
        // For each game, the index of its longest part, and the number of its parts.
        let mut longest: BTreeMap<usize, (usize, u64)> = BTreeMap::new();
        for (index, game) in games.iter().enumerate() {
            let (known, parts) = longest.entry(game.game).or_insert((index, 0));
            *parts += 1;
            if games[*known].moves.len() < game.moves.len() {
                *known = index;
            }
        }
        let whole: Vec<(&SatisfyingGame, u64)> =
            longest.values().map(|(index, parts)| (&games[*index], *parts)).collect();
        let judged = map_in_order(whole.chunks(GAMES), &mut parallel::threads(threads), |(), some| {
            let judged = self.surprise(some.iter().map(|(game, _)| *game))?;
            done(some.iter().map(|(_, parts)| parts).sum());
            Ok::<_, NetworkError>(judged)
        })?;
        let judged: BTreeMap<usize, Vec<f32>> =
            longest.keys().copied().zip(judged.into_iter().flatten()).collect();
        for game in games {
            game.surprise.push(judged[&game.game][..game.moves.len()].to_vec());
        }
        Ok(())
    }

    /// The surprise of each move of each game.
    fn surprise<'a>(
        &self,
        games: impl Iterator<Item = &'a SatisfyingGame> + Clone,
    ) -> Result<Vec<Vec<f32>>, NetworkError> {
        let archive = Archive::of(games.clone().map(|game| (game.info, game.moves.as_slice())));
        let mut samples = Vec::new();
        for (index, game) in games.clone().enumerate() {
            let replayed = ReplayedGame::new(&archive, index);
            samples.extend(
                (0..replayed.plies())
                    .map(|ply| Sample::plain(&game.info, &replayed, ply).with_moves(&replayed, ply)),
            );
        }
        let predictions = self.predictor.predict(&samples)?;
        let mut surprise = samples.iter().zip(&predictions).map(|(sample, chances)| {
            let mut moves = sample.position.legal_moves().into_iter();
            let place = moves.position(|m| m == sample.played).expect("games are legal");
            // No surprise is infinite.
            -chances[place].max(f32::MIN_POSITIVE).ln()
        });
        Ok(games.map(|game| surprise.by_ref().take(game.moves.len()).collect()).collect())
    }
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;
    use shakmaty::Chess;

    use super::*;
    use crate::{realism::compare::tests::moves, samples::goal::GameInfo};

    const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/reference-policy.onnx");
    const TRANSFORMER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/transformer.onnx");

    fn game(number: usize, text: &str) -> SatisfyingGame {
        SatisfyingGame {
            game: number,
            constraint: 0,
            rating: 0,
            info: GameInfo::generated([1500; 2], RatingScale::Online),
            moves: moves(text),
            last: Chess::default(),
            delivered_by: None,
            surprise: Vec::new(),
            losses: Vec::new(),
        }
    }

    fn open(files: &[&str]) -> anyhow::Result<Vec<Judge>> {
        Judge::open_all(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn each_judge_adds_its_surprise_of_each_move() {
        const SICILIAN: &str = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4";
        let judges = open(&[REFERENCE, "goal-policy", TRANSFORMER]).unwrap();
        let names: Vec<&str> = judges.iter().map(|judge| judge.name.as_str()).collect();
        assert_eq!(names, ["reference-policy", "goal-policy", "transformer"]);
        let origins: Vec<Origin> = judges.iter().map(|judge| judge.origin).collect();
        assert_eq!(origins, [Origin::Reference, Origin::OwnKind, Origin::OwnKind]);
        // A human game that met two constraints, and another game.
        let all = [game(7, "e2e4 c7c5"), game(3, "a2a4 h7h5"), game(7, SICILIAN)];
        let judged = |threads| {
            let mut games = all.to_vec();
            let count = std::sync::atomic::AtomicU64::new(0);
            for judge in &judges {
                let done = |more| {
                    count.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
                };
                judge.judge(&mut games, threads, done).unwrap();
            }
            assert_eq!(count.into_inner(), 9, "three games for three judges");
            games.into_iter().map(|game| game.surprise).collect::<Vec<_>>()
        };
        let surprise = judged(1);
        for place in 0..judges.len() {
            let [short, odd, long] = [0, 1, 2].map(|game| &surprise[game][place]);
            assert_eq!((short.len(), &short[..], long.len()), (2, &long[..2], 6));
            let mean = |surprise: &[f32]| surprise.iter().sum::<f32>() / surprise.len() as f32;
            assert!(mean(odd) > 3.0 && mean(long) < 2.0, "{}: {odd:?}, {long:?}", names[place]);
        }
        assert_ne!(surprise[2][0], surprise[2][1]);
        assert_eq!(judged(3), surprise);
    }

    #[test]
    fn files_with_the_same_name_keep_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("goal-policy.onnx");
        std::fs::copy(REFERENCE, &path).unwrap();
        let path = path.to_str().unwrap();
        let judges = open(&[path, "goal-policy"]).unwrap();
        assert_eq!([&judges[0].name, &judges[1].name], [path, "goal-policy"]);
        let error = |files: &[&str]| format!("{:#}", open(files).map(|_| ()).unwrap_err());
        assert_eq!(error(&[path, path]), format!("--judge {path}: given twice"));
        let missing = error(&["no/such/judge.onnx"]);
        assert!(missing.starts_with("--judge no/such/judge.onnx: "), "{missing}");
    }
}
