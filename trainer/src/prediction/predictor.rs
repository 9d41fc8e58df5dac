use std::{path::PathBuf, str::FromStr};

use entente::{
    predictor::{MovePredictor as _, PredictionRequest},
    skill::Skilled,
};
use entente_network::{NetworkError, NetworkKind as _, Policy, encoding::softmax};
use entente_search::Limits;
use shakmaty::{Move, Position as _};

use crate::{
    labelling::{TeacherName, Teachers, expected},
    samples::goal::Sample,
};

/// A predictor on the command line: `NAME=FILE`, or `NAME=RATING:FILE,RATING:FILE…` for policies that each predict
/// players of one rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredictorName {
    /// The name in tables.
    pub name: String,
    /// The name or file of a policy, or teachers.
    pub files: Result<String, Vec<TeacherName>>,
}

impl FromStr for PredictorName {
    type Err = String;

    fn from_str(text: &str) -> Result<PredictorName, String> {
        let expected = "expected NAME=FILE or NAME=RATING:FILE,RATING:FILE…";
        let (name, files) = text.split_once('=').ok_or(expected)?;
        let teacher = |text: &str| -> Option<TeacherName> {
            let (rating, path) = text.split_once(':')?;
            Some(TeacherName { rating: rating.parse().ok()?, path: PathBuf::from(path) })
        };
        let teachers: Option<Vec<TeacherName>> = files.split(',').map(teacher).collect();
        Ok(PredictorName { name: name.to_owned(), files: teachers.map_or_else(|| Ok(files.to_owned()), Err) })
    }
}

/// One or more policies that predict moves.
pub enum Predictor {
    /// A policy, with its skill if it has one.
    Policy(Policy),
    /// Policies that each predict players of one rating.
    Teachers(Teachers),
}

impl Predictor {
    /// Opens the files. With `alone`, a policy is used without its skill.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn open(name: &PredictorName, alone: bool) -> anyhow::Result<Predictor> {
        Ok(match &name.files {
            Ok(file) => {
                let policy = Policy::open(file)?;
                Predictor::Policy(if alone { policy.with_skill(None) } else { policy })
            }
            Err(teachers) => Predictor::Teachers(Teachers::open(teachers)?),
        })
    }

    /// The probabilities of the legal moves of each sample.
    ///
    /// # Errors
    ///
    /// If a network cannot be run.
    pub fn predict(&self, samples: &[Sample]) -> Result<Vec<Vec<f32>>, NetworkError> {
        let moves: Vec<Vec<Move>> =
            samples.iter().map(|sample| sample.position.legal_moves().to_vec()).collect();
        let queries: Vec<_> = samples.iter().zip(&moves).map(|(sample, moves)| sample.query(moves)).collect();
        match self {
            Predictor::Policy(policy) => {
                let requests: Vec<PredictionRequest<'_>> =
                    queries.into_iter().map(PredictionRequest::Single).collect();
                let answers = Skilled::of(policy).predict(&requests, Limits::none())?;
                Ok(answers.iter().map(|answer| softmax(&answer.prediction.logits)).collect())
            }
            Predictor::Teachers(teachers) => {
                let shares: Vec<_> = samples
                    .iter()
                    .map(|sample| {
                        let mover = sample.position.turn().fold_wb(0, 1);
                        teachers.nearest(sample.game.ratings[mover])
                    })
                    .collect();
                expected(&mut teachers.sessions(), &queries, &shares)
            }
        }
    }
}
